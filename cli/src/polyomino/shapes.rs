//! `hasami polyomino shapes`: free polyominoes by cells, and which of them hold which.

use std::fmt::Write as _;

use clap::Parser;
use hasami_polyomino::polyomino::shape::{Shape, known};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::tree::Verb;

/// List polyominoes: by number of cells, and by which holds which
#[derive(Clone, Debug, Parser)]
#[command(
    name = "shapes",
    after_help = "\
Examples:
  hasami polyomino shapes
  hasami polyomino shapes --cells 5 --contains Elly
  hasami polyomino shapes --within SS"
)]
pub struct Shapes {
    /// All free polyominoes of so many cells [default: those that have a name]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    pub cells: Option<u32>,
    /// Only those that hold this shape, by name or picture, turned and mirrored as you like
    #[arg(long, value_name = "SHAPE")]
    pub contains: Option<String>,
    /// Only those that lie within this shape
    #[arg(long, value_name = "SHAPE")]
    pub within: Option<String>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Shapes {
    fn run(self) -> Result<(), Failure> {
        list(&self)
    }
}

fn list(options: &Shapes) -> Result<(), Failure> {
    let read = |name: &str, given: &Option<String>| match given {
        None => Ok(None),
        Some(text) => {
            Shape::parse(text).map(Some).map_err(|error| Failure::Usage(format!("{name}: {error}")))
        }
    };
    let inner = read("--contains", &options.contains)?;
    let outer = read("--within", &options.within)?;
    let mut shapes: Vec<Shape> = match options.cells {
        Some(cells) => Shape::all_of_size(cells as usize),
        None => known().filter_map(|name| Shape::parse(name).ok()).collect(),
    };
    if options.cells.is_none() {
        // Some have two names.
        shapes.sort_by_key(|shape| (shape.size(), shape.clone()));
        shapes.dedup();
    }
    shapes.retain(|shape| {
        inner.as_ref().is_none_or(|inner| shape.contains(inner))
            && outer.as_ref().is_none_or(|outer| outer.contains(shape))
    });
    let mut human = format!("{} shapes\n", shapes.len());
    let mut list = Vec::new();
    for shape in &shapes {
        let (picture, printed) = (shape.picture(), shape.to_string());
        let name = Some(printed.as_str()).filter(|name| *name != picture);
        let _ = writeln!(human, "  {:<8} {:>2} cells  {picture}", name.unwrap_or(""), shape.size());
        list.push(json!({ "name": name, "cells": shape.size(), "picture": picture }));
    }
    let names: Vec<String> = shapes.iter().map(ToString::to_string).collect();
    let json = json!({ "count": shapes.len(), "shapes": list });
    output::print(options.answer.output, &human, &json, &names.join("\n"))
}
