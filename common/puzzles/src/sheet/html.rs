//! A sheet as one HTML file that prints well: no script, nothing loaded.

use super::{Sheet, heading, preface, remark, solution};
use crate::drawing::escaped;

/// The sheet as an HTML page.
#[must_use]
pub fn html(sheet: &Sheet<'_>) -> String {
    let title = escaped(sheet.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>{}</style></head><body>\n<h1>{title}</h1>\n<p class=\"rules\">{}</p>\n<div class=\"puzzles\">\n",
        include_str!("sheet.css"),
        escaped(sheet.rules)
    );
    for (at, puzzle) in sheet.puzzles.iter().enumerate() {
        let (width, height) = puzzle.drawing.size();
        let remark = remark(puzzle).map_or(String::new(), |remark| {
            format!("<p class=\"remark\">{}</p>", escaped(&remark))
        });
        page.push_str(&format!(
            "<figure><figcaption>{}</figcaption><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\">{}</svg>{remark}</figure>\n",
            escaped(&heading(at + 1, puzzle)),
            puzzle.drawing.svg(),
        ));
    }
    page.push_str("</div>\n<section class=\"solutions\"><h2>Solutions</h2>\n");
    for line in preface(sheet) {
        page.push_str(&format!("<p>{}</p>\n", escaped(&line)));
    }
    for (at, puzzle) in sheet.puzzles.iter().enumerate() {
        page.push_str(&format!("<p class=\"line\">{}</p>\n", escaped(&solution(at + 1, puzzle))));
    }
    page.push_str("</section>\n</body></html>\n");
    page
}
