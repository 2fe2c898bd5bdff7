//! The printed form of a position: a grid of marks, and rows of marks with captions below it. Every
//! mark is both a drawing and a text, so all sheet formats share one description.

use maud::{Markup, PreEscaped, html};

/// The side of a cell in the units of drawings.
pub const CELL: u32 = 40;

/// One mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Its text form.
    pub text: String,
    /// SVG elements within a square of [`CELL`] units; if empty, the text is drawn.
    pub svg: String,
}

impl Mark {
    /// A mark that is only text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), svg: String::new() }
    }

    /// The elements that draw it.
    #[must_use]
    pub(super) fn drawn(&self) -> Markup {
        if self.svg.is_empty() && !self.text.is_empty() {
            html! { text x="20" y="26" text-anchor="middle" font-size="16" { (self.text) } }
        } else {
            PreEscaped(self.svg.clone())
        }
    }
}

/// A printed position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The cells, row by row.
    pub rows: Vec<Vec<Mark>>,
    /// The names of the columns, above them; none if empty.
    pub columns: Vec<String>,
    /// The names of the rows, to the left; none if empty.
    pub names: Vec<String>,
    /// Parts of the position beside the board: a caption, and marks.
    pub beside: Vec<(String, Vec<Mark>)>,
    /// Lines of text below everything.
    pub notes: Vec<String>,
}

impl Drawing {
    /// For games without a drawing: the lines of a text.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self { notes: text.lines().map(str::to_string).collect(), ..Self::default() }
    }

    /// The drawing as lines of text.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let widths = self.rows.iter().flatten().map(|mark| mark.text.chars().count());
        let width = widths.max().unwrap_or(0);
        let side = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let named = |name: &str, cells: Vec<String>| {
            let cells = cells.join(" ");
            if side == 0 { cells } else { format!("{name:>side$}  {cells}") }
        };
        let row = |(at, marks): (usize, &Vec<Mark>)| {
            let cells = marks.iter().map(|mark| format!("{:>width$}", mark.text));
            named(self.names.get(at).map_or("", String::as_str), cells.collect())
        };
        let head = (!self.columns.is_empty()).then(|| {
            let names = self.columns.iter().map(|name| format!("{name:>width$}"));
            named("", names.collect()).trim_end().to_string()
        });
        let beside = self.beside.iter().map(|(caption, marks)| {
            let texts: Vec<&str> = marks.iter().map(|mark| mark.text.as_str()).collect();
            format!("{caption} {}", texts.join(" "))
        });
        let rows = self.rows.iter().enumerate().map(row);
        head.into_iter().chain(rows).chain(beside).chain(self.notes.iter().cloned()).collect()
    }

    /// Width and height of the drawing.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0) as u32;
        let beside = self.beside.iter().map(|(_, marks)| marks.len().div_ceil(PER_ROW) as u32);
        let small: u32 = beside.map(|rows| 16 + rows * SMALL).sum();
        let notes = self.notes.iter().map(|line| line.chars().count() as u32 * 8 + 2).max();
        let width = (columns * CELL + 2).max(notes.unwrap_or(0));
        let width =
            if self.beside.is_empty() { width } else { width.max(PER_ROW as u32 * SMALL + 2) };
        let (left, top) = self.edges();
        let height = self.rows.len() as u32 * CELL + 2 + small + self.notes.len() as u32 * 16;
        (left + width, top + height)
    }

    /// Room for the names of rows and columns.
    fn edges(&self) -> (u32, u32) {
        let left = if self.names.is_empty() { 0 } else { LABEL };
        let top = if self.columns.is_empty() { 0 } else { LABEL };
        (left, top)
    }

    /// The drawing as a whole SVG picture on white paper.
    #[must_use]
    pub fn picture(&self) -> String {
        let (width, height) = self.size();
        let view = format!("-6 -6 {} {}", width + 12, height + 12);
        let picture = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(view) width=(width + 12)
                height=(height + 12) font-family="sans-serif" {
                rect x="-6" y="-6" width=(width + 12) height=(height + 12) fill="#fff" {}
                (self.svg())
            }
        };
        picture.into_string()
    }

    /// The elements of an SVG drawing, from its upper left corner.
    #[must_use]
    pub fn svg(&self) -> Markup {
        let mut parts: Vec<Markup> = Vec::new();
        let (left, top) = self.edges();
        for (column, name) in self.columns.iter().enumerate() {
            let x = left + column as u32 * CELL + CELL / 2;
            parts.push(label(x, top - 5, name));
        }
        for (row, name) in self.names.iter().enumerate() {
            let y = top + row as u32 * CELL + CELL / 2 + 4;
            parts.push(label(left / 2, y, name));
        }
        for (row, marks) in self.rows.iter().enumerate() {
            for (column, mark) in marks.iter().enumerate() {
                let (x, y) = (left + column as u32 * CELL + 1, top + row as u32 * CELL + 1);
                parts.push(html! {
                    g transform=(format_args!("translate({x} {y})")) {
                        rect width=(CELL) height=(CELL) fill="#fff" stroke="#555" {}
                        (mark.drawn())
                    }
                });
            }
        }
        let mut y = top + self.rows.len() as u32 * CELL + 2;
        for (caption, marks) in &self.beside {
            y += 14;
            parts.push(html! { text x="1" y=(y) font-size="12" { (caption) } });
            y += 2;
            for (at, mark) in marks.iter().enumerate() {
                let x = (at % PER_ROW) as u32 * SMALL + 1;
                let down = y + (at / PER_ROW) as u32 * SMALL;
                parts.push(html! {
                    g transform=(format_args!("translate({x} {down}) scale(0.6)")) {
                        (mark.drawn())
                    }
                });
            }
            y += marks.len().div_ceil(PER_ROW) as u32 * SMALL;
        }
        for note in &self.notes {
            y += 16;
            parts.push(html! {
                text x="1" y=(y - 4) font-size="13" font-family="monospace" xml:space="preserve" {
                    (note)
                }
            });
        }
        html! { @for part in parts { (part) } }
    }
}

/// The name of a row or column.
fn label(x: u32, y: u32, name: &str) -> Markup {
    html! { text x=(x) y=(y) text-anchor="middle" font-size="12" fill="#444" { (name) } }
}

/// Room for a name.
const LABEL: u32 = 18;
/// Marks beside the board are smaller, with this many in a row.
const SMALL: u32 = 24;
const PER_ROW: usize = 7;
