//! The table of a collection as a page: each problem with its diagram, if the game draws one.

use maud::{DOCTYPE, PreEscaped, html};
use serde_json::Value;

use super::row::Row;

const STYLE: &str = "\
body { font-family: sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em }
.problems { display: flex; flex-wrap: wrap; gap: 1.5em }
figure { margin: 0; width: 19em; border: 1px solid #ccc; border-radius: 4px; padding: .7em }
figure svg { width: 100%; height: auto; background: #fff }
figcaption { font-size: 90%; overflow-wrap: anywhere }
.refused, .unknown { background: #fff4e5 }
.differs { color: #b00020 }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1em .8em; margin: .4em 0 }
dt { color: #666 } dd { margin: 0 }
code { font-size: 85% }
";

/// What comes before the rows.
pub fn head(title: &str) -> String {
    let head = html! {
        (DOCTYPE) "\n"
        (PreEscaped("<html lang=\"en\">\n<head>"))
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        title { (title) }
        style { "\n" (PreEscaped(STYLE)) }
        (PreEscaped("</head>\n<body>\n"))
        h1 { (title) }
        (PreEscaped("\n<div class=\"problems\">\n"))
    };
    head.into_string()
}

/// One problem.
pub fn row(row: &Row) -> String {
    let cells = [
        ("moves", "moves"),
        ("without futile", "moves_without_futile"),
        ("expected", "expected"),
        ("unique", "unique"),
        ("nodes", "nodes"),
        ("seconds", "seconds"),
        ("line", "solution"),
        ("reason", "error"),
    ];
    let differs = row.0["as_expected"] == serde_json::json!(false);
    let figure = html! {
        figure class=(row.verdict()) {
            figcaption {
                b { (row.cell("name")) } " "
                span { (row.cell("file")) ":" (row.cell("line")) }
            }
            @if let Some(diagram) = row.0["diagram"].as_str() { (PreEscaped(diagram)) }
            dl {
                dt { "verdict" } dd { (row.verdict()) }
                @for (title, column) in cells {
                    @let cell = row.cell(column);
                    @if !cell.is_empty() {
                        dt { (title) }
                        dd class=[(differs && column == "expected").then_some("differs")] { (cell) }
                    }
                }
                @for (title, column) in [("flaw", "flaws"), ("tolerated", "tolerated"), ("open", "flaws_open")] {
                    @for other in row.0[column].as_array().into_iter().flatten() {
                        dt { (title) } dd { (words(other)) }
                    }
                }
            }
            @if let Some(position) = row.position() { code { (position) } }
        }
        "\n"
    };
    figure.into_string()
}

/// Another check, in a few words.
fn words(other: &Value) -> String {
    let text = |key: &str| other[key].as_str().unwrap_or_default().to_string();
    let mut words = format!("ply {}: {}", other["ply"], text("move"));
    if let Some(plies) = other["moves"].as_u64() {
        words.push_str(&format!(", at most {plies}"));
    }
    match text("kind") {
        kind if kind.is_empty() || kind == "flaw" => words,
        kind => format!("{words} ({kind})"),
    }
}

/// What comes after the rows.
pub fn foot(summary: &str) -> String {
    let foot = html! {
        (PreEscaped("</div>\n"))
        p { (summary) }
        (PreEscaped("</body>\n</html>\n"))
    };
    foot.into_string()
}
