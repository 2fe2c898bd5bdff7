//! A sheet as one HTML file that prints well: no script, no external resources.

use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

use super::{Sheet, also, heading, preface, remark, rounds};
use crate::drawing::Mark;
use crate::generator::Made;
use crate::turn::Turn;

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
                @if !sheet.legend.is_empty() {
                    p.legend {
                        @for (mark, words) in sheet.legend { span { (drawn(mark)) " " (words) } " " }
                    }
                    "\n"
                }
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
                    div.lines {
                        @for (number, puzzle) in numbered() { "\n" (solution(number, puzzle)) }
                    }
                }
                "\n"
            }
        }
        "\n"
    };
    page.into_string()
}

/// The numbered turns, with the pieces drawn.
fn solution(number: usize, puzzle: &Made) -> Markup {
    markup! {
        p.line {
            b { (number) ")" }
            @for (at, [own, reply]) in rounds(puzzle).into_iter().enumerate() {
                " " span.round {
                    i { (at + 1) "." } " "
                    @match own { Some(own) => (turn(own)), None => "…" }
                    @if let Some(reply) = reply { " – " (turn(reply)) }
                }
            }
            (also(puzzle))
        }
    }
}

fn turn(turn: &Turn) -> Markup {
    markup! { @for (at, mark) in turn.marks.iter().enumerate() { @if at > 0 { " " } (drawn(mark)) } }
}

/// A mark within a line of text.
fn drawn(mark: &Mark) -> Markup {
    if mark.svg.trim().is_empty() {
        return markup! { (mark.text) };
    }
    markup! {
        svg.mark viewBox="0 0 40 40" width="20" height="20" role="img" aria-label=(mark.text) {
            (PreEscaped(mark.svg.clone()))
        }
    }
}
