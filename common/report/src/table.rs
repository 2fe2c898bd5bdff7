//! The answers of a sweep as a table. Columns that depend on the questions alone come first and can
//! be compared byte for byte between two runs; costs are added on request only.

mod matrix;
mod sign;
#[cfg(test)]
pub(crate) mod tests;

pub use matrix::Matrix;

use hasami_spec::{Question, Spec};
use hasami_sweep::{Answer, Certificate, Check, Sweep};

/// An item and its result.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number in the sweep, from 0.
    pub item: usize,
    /// What was asked.
    pub question: Question,
    /// Its state in one word: `waiting`, `settled`, `failed` …
    pub state: String,
    /// Its answer, if it has one.
    pub answer: Option<Answer>,
    /// Why it failed, if it did.
    pub failure: String,
    /// How often its parts were assigned.
    pub attempts: u32,
    /// Whether the answer comes from an earlier run.
    pub reused: bool,
}

/// Selection of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// The columns that are the same in every run.
    Results,
    /// Also state, attempts, nodes and time.
    All,
}

/// The answers of a sweep.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) spec: &'static Spec,
    /// Parameters that differ between items.
    pub(crate) varying: Vec<String>,
    /// The other parameters with their values.
    pub(crate) fixed: Vec<(String, String)>,
    /// Columns of the answers, in order of first use.
    pub(crate) fields: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

impl Table {
    /// The table of a sweep; `rows` may be in any order.
    #[must_use]
    pub fn new(sweep: &Sweep, rows: impl IntoIterator<Item = Row>) -> Self {
        let mut rows: Vec<Row> = rows.into_iter().collect();
        rows.sort_by_key(|row| row.item);
        let mut varying: Vec<String> = sweep.varying().map(str::to_string).collect();
        let params = sweep.item(0).params;
        if varying.is_empty() {
            // Without this, the row of a single item would have no parameters.
            varying = params.iter().map(|(name, _)| name.clone()).collect();
        }
        let fixed = params.into_iter().filter(|(name, _)| !varying.contains(name)).collect();
        let mut fields: Vec<String> = Vec::new();
        for (name, _) in rows.iter().filter_map(|row| row.answer.as_ref()).flat_map(|a| &a.fields) {
            if !fields.contains(name) {
                fields.push(name.clone());
            }
        }
        Self {
            name: sweep.name().to_string(),
            title: sweep.title().unwrap_or(sweep.name()).to_string(),
            spec: sweep.spec(),
            varying,
            fixed,
            fields,
            rows,
        }
    }

    /// The table of rows whose sweep cannot be read any more; they may be in any order.
    #[must_use]
    pub fn of_rows(name: &str, rows: impl IntoIterator<Item = Row>) -> Self {
        let rows: Vec<Row> = rows.into_iter().collect();
        let mut values: Vec<(String, Vec<&str>)> = Vec::new();
        for (name, value) in rows.iter().flat_map(|row| &row.question.params) {
            match values.iter_mut().find(|(known, _)| known == name) {
                None => values.push((name.clone(), vec![value.as_str()])),
                // Two different ones are enough to know that it varies.
                Some((_, known)) if known.len() < 2 && !known.contains(&value.as_str()) => {
                    known.push(value);
                }
                Some(_) => {}
            }
        }
        let several = values.iter().filter(|(_, values)| values.len() > 1);
        let varying: Vec<String> = several.map(|(name, _)| name.clone()).collect();
        let lost = Sweep::lost(&format!("name = \"{name}\""), String::new(), 1);
        Self { varying, ..Self::new(&lost, rows.clone()) }
    }

    /// The rows, by item.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The names of the columns.
    #[must_use]
    pub fn head(&self, columns: Columns) -> Vec<String> {
        let mut head = vec!["item".to_string()];
        head.extend(self.varying.iter().cloned());
        head.extend(["verdict", "claim"].map(str::to_string));
        for field in &self.fields {
            // A column of the answer may have the name of a parameter.
            let taken = head.contains(field) || ["certificates", "basis"].contains(&field.as_str());
            head.push(if taken { format!("answer.{field}") } else { field.clone() });
        }
        head.extend(["certificates", "basis"].map(str::to_string));
        if columns == Columns::All {
            let cost = ["state", "reused", "attempts", "nodes", "seconds", "store_hits", "failure"];
            head.extend(cost.map(str::to_string));
            head.extend(["sender", "checked_by", "unproved", "files"].map(str::to_string));
        }
        head
    }

    /// The cells of a row, one for each column.
    #[must_use]
    pub fn cells(&self, row: &Row, columns: Columns) -> Vec<String> {
        let answer = row.answer.as_ref();
        let mut cells = vec![row.item.to_string()];
        cells.extend(self.varying.iter().map(|name| row.param(name).to_string()));
        cells.push(row.verdict().to_string());
        cells.push(answer.map_or(String::new(), |answer| answer.claim.clone()));
        cells.extend(self.fields.iter().map(|name| row.field(name).unwrap_or("").to_string()));
        let files = answer.iter().flat_map(|answer| &answer.certificates);
        cells.push(files.clone().map(|file| file.name.as_str()).collect::<Vec<_>>().join(" "));
        let check = answer.and_then(|answer| answer.check.as_ref());
        cells.push(check.map_or("", |check| check.basis.word()).to_string());
        if columns == Columns::All {
            let measures = answer.map(|answer| answer.measures).unwrap_or_default();
            cells.extend([
                row.state.clone(),
                if row.reused { "yes" } else { "no" }.to_string(),
                row.attempts.to_string(),
                measures.nodes.to_string(),
                format!("{:.3}", measures.seconds),
                measures.store_hits.to_string(),
                row.failure.clone(),
            ]);
            let said = |text: fn(&Check) -> String| check.map_or_else(String::new, text);
            cells.extend([
                said(|check| check.sender.clone()),
                said(|check| check.by.clone()),
                said(|check| check.unproved.join(" ")),
                files.map(Certificate::file_name).collect::<Vec<_>>().join(" "),
            ]);
        }
        cells
    }

    /// The number of rows for each word in the column `verdict`, in order of first use.
    #[must_use]
    pub fn counts(&self) -> Vec<(&str, usize)> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for row in &self.rows {
            let word = row.field("class").unwrap_or_else(|| row.verdict());
            match counts.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => counts.push((word, 1)),
            }
        }
        counts
    }
}

impl Row {
    /// The verdict, or the state if there is none yet.
    #[must_use]
    pub fn verdict(&self) -> &str {
        self.answer.as_ref().map_or(self.state.as_str(), |answer| answer.verdict.word())
    }

    /// The value of a parameter; empty if there is no such parameter.
    #[must_use]
    pub fn param(&self, name: &str) -> &str {
        let params = &mut self.question.params.iter();
        params.find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// A column of the answer.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.answer.as_ref()?.fields.iter();
        fields.find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
