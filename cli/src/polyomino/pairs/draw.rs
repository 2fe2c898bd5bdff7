//! The table of pairs as text, lines, page and drawing.

use std::fmt::Write as _;

use hasami_answer::jobs::pair::{Class, Differs, Row};
use hasami_polyomino::paving::seed_numbers;
use hasami_polyomino::polyomino::paper::PaperClass;
use hasami_polyomino::polyomino::shape::Shape;
use hasami_report::export;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value, json};

use crate::output::grouped;

/// The names of the shapes.
pub fn names(shapes: &[Shape]) -> Vec<String> {
    shapes.iter().map(ToString::to_string).collect()
}

/// A row as JSON.
pub fn json(row: &Row) -> Value {
    let files: Vec<String> =
        row.certificates.iter().map(|file| file.display().to_string()).collect();
    json!({
        "pair": row.names, "class": row.class.word(), "mark": row.mark(), "pavings": row.pavings,
        "period": row.period, "board": "infinite", "game": "strong", "moves": row.stones,
        "none_within": row.none_within,
        "weak_moves": row.weak_stones,
        "paving_winner": {"adjacent": row.squares[0], "any": row.squares[1]},
        "paper": row.paper().map(PaperClass::word), "differs": row.differs().map(Differs::word),
        "nodes": row.nodes, "seconds": row.seconds, "certificates": files,
    })
}

/// The sign where row and column meet; on the diagonal the pavings that block the shape alone.
fn sign(shapes: &[Shape], rows: &[Row], down: usize, right: usize) -> String {
    if down == right {
        let numbers = seed_numbers(&shapes[down..=down]);
        return numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    }
    let pair = [shapes[down].to_string(), shapes[right].to_string()];
    rows.iter().find(|row| row.names == pair).map_or_else(String::new, marked)
}

/// The mark of a row, and a sign behind it where the paper says something else.
fn marked(row: &Row) -> String {
    row.mark() + &row.differs().map(|differs| differs.sign().to_string()).unwrap_or_default()
}

/// What a row says, and how it differs from the paper.
fn words(row: &Row) -> String {
    match row.differs() {
        Some(differs) => format!("{}; {}", row.words(), differs.words()),
        None => row.words(),
    }
}

/// The half matrix of Yakuwa et al., table 4.
pub fn matrix(shapes: &[Shape], rows: &[Row]) -> String {
    let names = names(shapes);
    let signs: Vec<Vec<String>> = (0..shapes.len())
        .map(|down| {
            let cell =
                |right| if right < down { String::new() } else { sign(shapes, rows, down, right) };
            (0..shapes.len()).map(cell).collect()
        })
        .collect();
    let head = std::iter::once(String::new()).chain(names.iter().cloned());
    let mut lines: Vec<Vec<String>> = vec![head.collect()];
    lines.extend(
        names.iter().zip(signs).map(|(name, signs)| {
            std::iter::once(name.clone()).chain(signs).collect::<Vec<String>>()
        }),
    );
    format!("{}\n{TITLE}\n{}\n", export::aligned(&lines), LEGEND.join("\n"))
}

/// What the table is about.
const TITLE: &str = "Pairs of polyominoes, strong game on the infinite board: who first completes \
                     either shape wins";

/// What the signs mean.
const LEGEND: [&str; 3] = [
    "◎ Black wins    number: blocked by that paving of Yakuwa et al.    L: by another paving",
    "△ paving winner: no paving blocks it, no win found    ? unsettled",
    "beside table 4 of Yakuwa, Honda and Shinohara: + new, open there    ! claimed there, not \
     confirmed here    # the opposite there    no sign: the same there",
];

/// A line for each pair that is no loser by paving.
pub fn list(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows.iter().filter(|row| row.class != Class::Loser) {
        let _ = writeln!(
            text,
            "{:<2} {:<14} {} ({} nodes, {:.2} s)",
            marked(row),
            row.names.join(" & "),
            words(row),
            grouped(row.nodes),
            row.seconds
        );
    }
    text
}

/// Head of the comma separated lines.
const HEAD: &str = "first,second,board,game,class,mark,paper,differs,pavings,period,moves,none_within,weak_moves,adjacent_square,any_square,nodes,seconds,certificate";

/// A line a pair, comma separated, with a head line.
pub fn csv(rows: &[Row]) -> String {
    let head: Vec<String> = HEAD.split(',').map(str::to_string).collect();
    export::csv_lines(std::iter::once(head).chain(rows.iter().map(fields)))
}

fn fields(row: &Row) -> Vec<String> {
    let number = |value: Option<u32>| value.map_or(String::new(), |n| n.to_string());
    let pavings: Vec<String> = row.pavings.iter().map(ToString::to_string).collect();
    let files: Vec<String> =
        row.certificates.iter().map(|file| file.display().to_string()).collect();
    vec![
        row.names[0].clone(),
        row.names[1].clone(),
        "infinite".to_string(),
        "strong".to_string(),
        row.class.word().to_string(),
        row.mark(),
        row.paper().map_or(String::new(), |class| class.word().to_string()),
        row.differs().map_or(String::new(), |differs| differs.word().to_string()),
        pavings.join(" "),
        row.period.clone().unwrap_or_default(),
        number(row.stones),
        number(row.none_within),
        number(row.weak_stones),
        number(row.squares[0].map(u32::from)),
        number(row.squares[1].map(u32::from)),
        row.nodes.to_string(),
        format!("{:.3}", row.seconds),
        files.join(" "),
    ]
}

fn colour(class: Option<Class>) -> &'static str {
    match class {
        Some(Class::Loser) => "#d9d9d9",
        Some(Class::Winner) => "#bfe3b4",
        Some(Class::PavingWinner) => "#fde2a8",
        Some(Class::Unsettled) => "#f4b6b6",
        None => "#ffffff",
    }
}

/// The matrix as a drawing.
pub fn svg(shapes: &[Shape], rows: &[Row]) -> String {
    picture(shapes, rows).into_string()
}

fn picture(shapes: &[Shape], rows: &[Row]) -> Markup {
    const CELL: usize = 76;
    const LINE: usize = 20;
    let names = names(shapes);
    let side = CELL * (shapes.len() + 1) + 8;
    // Below the matrix: what it is about, and its signs. A small matrix is narrower than these.
    let (width, height) = (side.max(980), side + LINE * (LEGEND.len() + 2));
    let cell = |down: usize, right: usize, fill: &str, label: &str| {
        let (x, y) = (4 + CELL * right, 4 + CELL * down);
        html! {
            rect x=(x) y=(y) width=(CELL) height=(CELL) fill=(fill) stroke="#888" {}
            text x=(x + CELL / 2) y=(y + CELL / 2 + 5) { (label) }
            "\n"
        }
    };
    let pair = |down: usize, right: usize| {
        let pair = [&names[down], &names[right]];
        let row = rows.iter().find(|row| row.names.iter().collect::<Vec<_>>() == pair);
        let mut label = sign(shapes, rows, down, right);
        if let Some(stones) = row.and_then(|row| row.stones) {
            let _ = write!(label, " {stones}");
        }
        cell(down + 1, right + 1, colour(row.map(|row| row.class)), &label)
    };
    html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox=(format_args!("0 0 {width} {height}")) font-family="sans-serif"
            font-size="13" text-anchor="middle" {
            "\n"
            title { (TITLE) }
            "\n"
            @for (at, name) in names.iter().enumerate() {
                (cell(0, at + 1, "#ffffff", name))
                (cell(at + 1, 0, "#ffffff", name))
                @for right in at..names.len() { (pair(at, right)) }
            }
            @for (at, line) in [TITLE].iter().chain(&LEGEND).enumerate() {
                text x="4" y=(side + LINE * (at + 1)) text-anchor="start" { (line) }
                "\n"
            }
        }
        "\n"
    }
}

const STYLE: &str = "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}\
    td,th{border:1px solid #bbb;padding:.2em .6em;text-align:left}code{font-size:85%}";

/// The drawing, the legend and a line for each pair, as one page that needs nothing else.
pub fn html(shapes: &[Shape], rows: &[Row]) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                title { "Pairs of losing polyominoes" }
                style { (PreEscaped(STYLE)) }
            }
            "\n"
            body {
                h1 { "Pairs of losing polyominoes" } "\n"
                p {
                    "Strong game on the infinite board: who first completes either shape wins. ◎ Black \
                     wins (with the number of stones); numbers: pavings of Yakuwa et al. that block \
                     both; △ paving winner: no paving blocks it, no win found; ? unsettled. Beside table 4 \
                     of the paper: + new, open there; ! claimed there, not confirmed here; # the opposite there. \
                     Every line has certificates that "
                    code { "hasami verify" } " checks."
                }
                "\n"
                (picture(shapes, rows))
                table {
                    tr {
                        @for name in ["pair", "mark", "what", "nodes", "seconds", "certificates"] {
                            th { (name) }
                        }
                    }
                    @for row in rows { "\n" (line(row)) }
                }
                "\n"
            }
        }
        "\n"
    };
    page.into_string()
}

fn line(row: &Row) -> Markup {
    html! {
        tr style={ "background:" (colour(Some(row.class))) } {
            td { (row.names.join(" & ")) }
            td { (marked(row)) }
            td { (words(row)) }
            td { (grouped(row.nodes)) }
            td { (format_args!("{:.2}", row.seconds)) }
            td {
                code {
                    @for (at, file) in row.certificates.iter().enumerate() {
                        @if at > 0 { br; }
                        (file.display().to_string())
                    }
                }
            }
        }
    }
}
