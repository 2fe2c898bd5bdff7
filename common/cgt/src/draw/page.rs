//! A page with the drawing and the facts, in one file.

use std::fmt::Write as _;

use super::svg::{escaped, svg};
use super::{Drawn, text::short};
use crate::thermograph::Wall;

/// A page about some games; each has rows of facts, a name and what is to be said.
pub fn page(drawn: &[Drawn], facts: &[Vec<(String, String)>]) -> String {
    let mut text = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>Thermographs</title>\n<style>\n\
         body { font-family: sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; }\n\
         table { border-collapse: collapse; margin: 1em 0; }\n\
         th, td { border: 1px solid #ccc; padding: 0.3em 0.7em; text-align: left; }\n\
         td { font-family: monospace; overflow-wrap: anywhere; }\nsvg { max-width: 100%; height: auto; }\n\
         </style>\n</head>\n<body>\n<h1>Thermographs</h1>\n",
    );
    text.push_str(&svg(drawn));
    for (one, facts) in drawn.iter().zip(facts) {
        let _ = writeln!(text, "<h2>{}</h2>\n<table>", escaped(&one.title));
        for (name, value) in facts {
            let _ =
                writeln!(text, "<tr><th>{}</th><td>{}</td></tr>", escaped(name), escaped(value));
        }
        for (name, wall) in
            [("left wall", &one.thermograph.left), ("right wall", &one.thermograph.right)]
        {
            let corners = escaped(&corners(wall));
            let _ = writeln!(text, "<tr><th>{name} (t, value)</th><td>{corners}</td></tr>");
        }
        text.push_str("</table>\n");
    }
    text.push_str("</body>\n</html>\n");
    text
}

fn corners(wall: &Wall) -> String {
    let corner =
        |point: &crate::thermograph::Point| format!("({}, {})", short(&point.t), short(&point.v));
    wall.points().iter().map(corner).collect::<Vec<_>>().join(" ")
}
