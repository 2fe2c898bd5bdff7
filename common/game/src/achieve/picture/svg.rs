//! Boards as SVG: plain shapes that print well, no scripts, no fonts of its own.

use std::fmt::Write as _;

/// A drawing that grows.
pub struct Svg {
    title: String,
    desc: String,
    body: String,
    width: u32,
    height: u32,
}

impl Svg {
    pub fn new(title: &str, desc: &str) -> Self {
        let mut svg = Self {
            title: escaped(title),
            desc: escaped(desc),
            body: String::new(),
            width: 0,
            height: 0,
        };
        svg.text(22, 24, 14, title);
        svg
    }

    /// Makes room.
    pub fn extend(&mut self, width: u32, height: u32) {
        self.width = self.width.max(width);
        self.height = self.height.max(height);
    }

    pub fn text(&mut self, x: u32, y: u32, size: u32, text: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{}</text>",
            escaped(text)
        );
        // Letters are about half as wide as they are high.
        self.extend(x + text.chars().count() as u32 * size * 11 / 20, y + size);
    }

    pub fn finish(self) -> String {
        let Self { title, desc, body, width, height } = self;
        let width = width + 22;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" role=\"img\">\n\
             <title>{title}</title>\n<desc>{desc}</desc>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{body}</svg>\n"
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What lies on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Black,
    White,
    /// A black stone that was just played.
    Ringed,
    /// A cell that matters.
    Cross,
}

/// A board at a place of a drawing.
pub struct Board {
    rows: u32,
    columns: u32,
    cell: u32,
    x: u32,
    y: u32,
}

impl Board {
    pub fn new(rows: u32, columns: u32, cell: u32, x: u32, y: u32) -> Self {
        Self { rows, columns, cell, x, y }
    }

    /// The lines between all cells.
    pub fn lines(&self, svg: &mut Svg) {
        let Self { rows, columns, cell, x, y } = *self;
        let (right, bottom) = (x + columns * cell, y + rows * cell);
        let mut path = String::new();
        for row in 0..=rows {
            let _ = write!(path, "M{x} {}H{right}", y + row * cell);
        }
        for column in 0..=columns {
            let _ = write!(path, "M{} {y}V{bottom}", x + column * cell);
        }
        let _ = writeln!(
            svg.body,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#bbb\" stroke-width=\"0.5\"/>"
        );
        svg.extend(right, bottom);
    }

    /// A single cell.
    pub fn cell(&self, svg: &mut Svg, place: (u32, u32)) {
        self.square(svg, place, "none");
        svg.extend(self.x + self.columns * self.cell, self.y + self.rows * self.cell);
    }

    /// A shaded cell, from 0 for black to 255 for white.
    pub fn shade(&self, svg: &mut Svg, place: (u32, u32), grey: u8) {
        self.square(svg, place, &format!("#{grey:02x}{grey:02x}{grey:02x}"));
    }

    fn square(&self, svg: &mut Svg, (row, column): (u32, u32), fill: &str) {
        let (x, y) = (self.x + column * self.cell, self.y + row * self.cell);
        let _ = writeln!(
            svg.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{0}\" height=\"{0}\" fill=\"{fill}\" stroke=\"#888\" stroke-width=\"0.5\"/>",
            self.cell
        );
    }

    fn middle(&self, (row, column): (u32, u32)) -> (f32, f32) {
        let half = self.cell as f32 / 2.0;
        let at = |start: u32, count: u32| (start + count * self.cell) as f32 + half;
        (at(self.x, column), at(self.y, row))
    }

    /// A stone or a mark on a cell.
    pub fn put(&mut self, svg: &mut Svg, place: (u32, u32), mark: Mark) {
        let ((x, y), radius) = (self.middle(place), self.cell as f32 * 0.4);
        let circle = |fill: &str, radius: f32| {
            format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"#000\" stroke-width=\"0.8\"/>"
            )
        };
        let shape = match mark {
            Mark::Black => circle("#000", radius),
            Mark::White => circle("#fff", radius),
            Mark::Ringed => {
                let dot = format!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{:.1}\" fill=\"#fff\"/>",
                    radius * 0.35
                );
                circle("#000", radius) + &dot
            }
            Mark::Cross => {
                let arm = radius * 0.6;
                format!(
                    "<path d=\"M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#000\" stroke-width=\"1.4\"/>",
                    x - arm,
                    y - arm,
                    x + arm,
                    y + arm,
                    x - arm,
                    y + arm,
                    x + arm,
                    y - arm
                )
            }
        };
        svg.body.push_str(&shape);
        svg.body.push('\n');
    }

    /// A number on a stone.
    pub fn number(&self, svg: &mut Svg, place: (u32, u32), number: usize) {
        let (x, y) = self.middle(place);
        let size = self.cell * 9 / 20;
        let _ = writeln!(
            svg.body,
            "<text x=\"{x}\" y=\"{:.1}\" font-size=\"{size}\" text-anchor=\"middle\">{number}</text>",
            y + size as f32 * 0.35
        );
    }
}
