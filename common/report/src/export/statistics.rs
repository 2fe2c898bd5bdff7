//! The count of each value of a column, for sweeps whose answers are values.

use maud::{Markup, html};

use crate::table::Table;

/// Counts of one column of the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The column.
    pub column: String,
    /// Each value with its count, the most frequent first.
    pub counts: Vec<(String, usize)>,
}

/// Columns that are counted.
const COLUMNS: [&str; 4] = ["value", "chilled", "mean", "temperature"];

/// The statistics of a table of values; empty for other tables.
#[must_use]
pub fn statistics(table: &Table) -> Vec<Statistics> {
    if !table.spec.values {
        return Vec::new();
    }
    let columns = COLUMNS.iter().filter(|name| table.fields.iter().any(|field| field == *name));
    columns.map(|name| count(table, name)).collect()
}

fn count(table: &Table, column: &str) -> Statistics {
    let mut values: Vec<&str> = table.rows().iter().filter_map(|row| row.field(column)).collect();
    values.sort_unstable();
    let mut counts: Vec<(String, usize)> = Vec::new();
    for value in values {
        match counts.last_mut() {
            Some((last, count)) if last == value => *count += 1,
            _ => counts.push((value.to_string(), 1)),
        }
    }
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| near(&a.0).total_cmp(&near(&b.0))));
    Statistics { column: column.to_string(), counts }
}

/// The approximate size of a fraction, for sorting bars.
fn near(text: &str) -> f64 {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    top.parse::<f64>().unwrap_or(f64::MAX) / bottom.parse::<f64>().unwrap_or(1.0)
}

impl Statistics {
    /// The statistics as lines with bars; at most `most` values.
    #[must_use]
    pub fn text(&self, most: usize) -> String {
        let mut text = format!("{}: {} distinct\n", self.column, self.counts.len());
        let widest = self.counts.first().map_or(1, |first| first.1).max(1);
        for (value, count) in self.counts.iter().take(most) {
            let bar = "#".repeat((count * 40).div_ceil(widest));
            let shown: String = value.chars().take(32).collect();
            text.push_str(&format!("  {shown:<32} {count:>6}  {bar}\n"));
        }
        if self.counts.len() > most {
            text.push_str(&format!("  … and {} more\n", self.counts.len() - most));
        }
        text
    }

    /// The statistics as a picture: one bar per value, numbers in ascending order.
    #[must_use]
    pub fn svg(&self, most: usize) -> Markup {
        let mut bars: Vec<&(String, usize)> = self.counts.iter().take(most).collect();
        bars.sort_by(|a, b| near(&a.0).total_cmp(&near(&b.0)));
        let widest = bars.iter().map(|bar| bar.1).max().unwrap_or(1).max(1);
        html! {
            svg xmlns="http://www.w3.org/2000/svg" width="520" height=(bars.len() * 18 + 24)
                font-family="sans-serif" font-size="11" {
                text x="4" y="14" { (self.column) ": " (self.counts.len()) " distinct" }
                @for (at, (value, count)) in bars.into_iter().enumerate() {
                    @let (y, width) = (at * 18 + 24, count * 280 / widest);
                    text x="150" y=(y + 11) text-anchor="end" {
                        (value.chars().take(24).collect::<String>())
                    }
                    rect x="156" y=(y) width=(width) height="14" fill="#26547c" {}
                    text x=(162 + width) y=(y + 11) { (count) }
                }
            }
            "\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_counts_and_other_tables_have_none() {
        let counts = vec![("1/2".to_string(), 40), ("-1".to_string(), 10), ("0".to_string(), 1)];
        let statistics = Statistics { column: "mean".to_string(), counts };
        let text = statistics.text(2);
        assert!(text.starts_with("mean: 3 distinct\n"), "{text}");
        assert!(text.contains(&format!("40  {}\n", "#".repeat(40))), "{text}");
        assert!(text.contains(&format!("10  {}\n", "#".repeat(10))) && text.ends_with("1 more\n"));
        let svg = statistics.svg(9).into_string();
        assert!(svg.find(">-1<") < svg.find(">0<") && svg.find(">0<") < svg.find(">1/2<"), "{svg}");
        assert_eq!(super::statistics(&crate::table::tests::small()), Vec::new());
    }
}
