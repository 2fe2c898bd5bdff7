//! A sheet as one HTML file that prints well: no script, no external resources.

use maud::{DOCTYPE, PreEscaped, html as markup};

use super::{Sheet, heading, preface, remark, solution};

/// The sheet as an HTML page.
#[must_use]
pub fn html(sheet: &Sheet<'_>) -> String {
    let numbered = || (1..).zip(sheet.puzzles);
    let page = markup! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (sheet.title) }
                style { (PreEscaped(include_str!("sheet.css"))) }
            }
            "\n"
            body {
                h1 { (sheet.title) } "\n"
                p.rules { (sheet.rules) } "\n"
                div.puzzles {
                    @for (number, puzzle) in numbered() {
                        @let (width, height) = puzzle.drawing.size();
                        "\n"
                        figure {
                            figcaption { (heading(number, puzzle)) }
                            svg viewBox=(format_args!("0 0 {width} {height}")) width=(width)
                                role="img" {
                                (puzzle.drawing.svg())
                            }
                            @if let Some(remark) = remark(puzzle) { p.remark { (remark) } }
                        }
                    }
                }
                "\n"
                section.solutions {
                    h2 { "Solutions" }
                    @for line in preface(sheet) { "\n" p { (line) } }
                    @for (number, puzzle) in numbered() { "\n" p.line { (solution(number, puzzle)) } }
                }
                "\n"
            }
        }
        "\n"
    };
    page.into_string()
}
