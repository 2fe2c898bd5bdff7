//! `hasami polyomino pave --minimal-losers`.

use std::fmt::Write as _;

use hasami_polyomino::paving::{draw, minimal_losers, seed_number};
use serde_json::json;

use super::report::spelled_period;
use super::{PairsArg, Pave};
use crate::failure::Failure;
use crate::output;

/// Lists the shapes with their pavings.
pub fn run(options: &Pave) -> Result<(), Failure> {
    if options.pairs == PairsArg::Any {
        return Err(Failure::Usage(
            "--minimal-losers with --pairs any; expected adjacent pairs".to_string(),
        ));
    }
    let cells = options.cells.unwrap_or(6) as usize;
    let area = options.max_area as usize;
    let losers = minimal_losers(cells, area);
    let mut human = format!(
        "{} shapes of at most {cells} cells are blocked by a paving with a period of at most {area} \
         cells and hold no smaller such shape\n",
        losers.len()
    );
    for loser in &losers {
        let period = spelled_period(loser.paving.lattice());
        let number = seed_number(&loser.paving);
        let number = number.map_or(String::new(), |number| format!(", number {number}"));
        let _ = writeln!(human, "\n{}: period {period}{number}", loser.shape);
        let shape = loser.shape.picture();
        let shape: Vec<&str> = shape.split('/').collect();
        let (rows, columns) = draw::window(&loser.paving);
        let paving = draw::rows(&loser.paving, rows, columns);
        for at in 0..shape.len().max(paving.len()) {
            let row = |of: &[&str]| of.get(at).map_or(String::new(), ToString::to_string);
            let right = paving.get(at).map_or("", String::as_str);
            let _ = writeln!(human, "    {:<8}{right}", row(&shape));
        }
    }
    let json = losers.iter().map(|loser| {
        json!({
            "shape": loser.shape.to_string(), "picture": loser.shape.picture(),
            "cells": loser.shape.size(), "period": loser.paving.lattice().to_string(),
            "paving": draw::torus(&loser.paving), "number": seed_number(&loser.paving),
        })
    });
    let json = json!({ "cells": cells, "max_area": area, "losers": json.collect::<Vec<_>>() });
    let names: Vec<String> = losers.iter().map(|loser| loser.shape.to_string()).collect();
    output::print(options.answer.output, &human, &json, &names.join("\n"))
}
