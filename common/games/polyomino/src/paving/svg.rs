//! A paving drawn as a picture for papers and pages.

use std::fmt::Write as _;

use super::draw::window;
use super::pattern::Paving;

/// Points per cell.
const SIDE: i32 = 24;

/// A few periods as SVG: every pair is a bar from cell to cell, and one period is shaded.
#[must_use]
pub fn svg(paving: &Paving) -> String {
    let (rows, columns) = window(paving);
    let (rows, columns) = (rows as i32, columns as i32);
    let (width, height) = (columns * SIDE, rows * SIDE);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>paving of period {}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n",
        paving.lattice()
    );
    let (down, right, _) = paving.lattice().sides();
    let _ = writeln!(
        text,
        "<rect width=\"{}\" height=\"{}\" fill=\"#e8eefc\"/>",
        right * SIDE,
        down * SIDE
    );
    let _ = writeln!(text, "<g stroke=\"#bbb\" stroke-width=\"1\">");
    for row in 0..=rows {
        let y = row * SIDE;
        let _ = writeln!(text, "<line x1=\"0\" y1=\"{y}\" x2=\"{width}\" y2=\"{y}\"/>");
    }
    for column in 0..=columns {
        let x = column * SIDE;
        let _ = writeln!(text, "<line x1=\"{x}\" y1=\"0\" x2=\"{x}\" y2=\"{height}\"/>");
    }
    let _ = writeln!(
        text,
        "</g>\n<g stroke=\"#26547c\" stroke-width=\"{}\" stroke-linecap=\"round\">",
        SIDE / 3
    );
    // A pair with one cell in the picture is drawn in full; the border cuts it.
    for row in 0..rows {
        for column in 0..columns {
            let Some((down, right)) = paving.at((row, column)) else { continue };
            let (to_row, to_column) = (row + down, column + right);
            let inside = (0..rows).contains(&to_row) && (0..columns).contains(&to_column);
            if inside && (to_row, to_column) < (row, column) {
                continue;
            }
            let centre = |at: i32| at * SIDE + SIDE / 2;
            let _ = writeln!(
                text,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
                centre(column),
                centre(row),
                centre(to_column),
                centre(to_row)
            );
        }
    }
    text.push_str("</g>\n</svg>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_in_the_picture_is_one_bar() {
        let drawn = svg(&Paving::parse("<>").unwrap());
        let bars = drawn.split("<g stroke=\"#26547c\"").nth(1).unwrap();
        // Six rows and twelve columns of horizontal dominoes.
        assert_eq!(bars.matches("<line").count(), 36);
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    }
}
