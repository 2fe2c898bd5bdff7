//! A page with the drawing and the facts, in one file.

use maud::{DOCTYPE, PreEscaped, html};

use super::svg::picture;
use super::{Drawn, text::short};
use crate::thermograph::Wall;

const STYLE: &str = "
body { font-family: sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid #ccc; padding: 0.3em 0.7em; text-align: left; }
td { font-family: monospace; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; }
";

/// A page about some games; each has rows of facts: a name and a text.
pub fn page(drawn: &[Drawn], facts: &[Vec<(String, String)>]) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                title { "Thermographs" }
                style { (PreEscaped(STYLE)) }
            }
            "\n"
            body {
                h1 { "Thermographs" } "\n"
                (picture(drawn))
                @for (one, facts) in drawn.iter().zip(facts) {
                    h2 { (one.title) } "\n"
                    table {
                        @for (name, value) in facts { tr { th { (name) } td { (value) } } "\n" }
                        tr {
                            th { "left wall (t, value)" } td { (corners(&one.thermograph.left)) }
                        }
                        "\n"
                        tr {
                            th { "right wall (t, value)" } td { (corners(&one.thermograph.right)) }
                        }
                    }
                    "\n"
                }
            }
        }
        "\n"
    };
    page.into_string()
}

fn corners(wall: &Wall) -> String {
    let corner =
        |point: &crate::thermograph::Point| format!("({}, {})", short(&point.t), short(&point.v));
    wall.points().iter().map(corner).collect::<Vec<_>>().join(" ")
}
