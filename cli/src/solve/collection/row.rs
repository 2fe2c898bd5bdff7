//! What is said of one problem of a collection: a JSON object, from which every other form is made.

use serde_json::{Value, json};

use super::source::{Entry, Expected};
use crate::output::grouped;

/// A problem with its answer, or with why it was refused.
pub struct Row(pub Value);

impl Row {
    /// A problem that was searched, from the answer to its question.
    pub fn answered(entry: &Entry, mut json: Value) -> Self {
        json["file"] = json!(entry.file);
        json["line"] = json!(entry.line);
        json["name"] = json!(entry.name);
        json["expected"] = match entry.expected {
            None => Value::Null,
            Some(Expected::None) => json!("none"),
            Some(Expected::Plies(plies)) => json!(plies),
        };
        json["as_expected"] = json!(as_expected(entry.expected, &json));
        Self(json)
    }

    /// A line that asks nothing.
    pub fn refused(entry: &Entry, why: &str) -> Self {
        Self(json!({
            "file": entry.file, "line": entry.line, "name": entry.name,
            "verdict": "refused", "error": why,
        }))
    }

    /// The verdict in a word.
    pub fn verdict(&self) -> &str {
        self.0["verdict"].as_str().unwrap_or("unknown")
    }

    /// The object as it is printed: the diagram is for pages.
    pub fn shown(&self) -> Value {
        let mut json = self.0.clone();
        if let Some(object) = json.as_object_mut() {
            object.remove("diagram");
        }
        json
    }

    /// A cell of the table.
    pub fn cell(&self, column: &str) -> String {
        match &self.0[column] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(list) => {
                let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
                words.join(" ")
            }
            Value::Bool(true) => "yes".to_string(),
            Value::Bool(false) => "no".to_string(),
            Value::Number(number) if column == "seconds" => {
                format!("{:.3}", number.as_f64().unwrap_or_default())
            }
            other => other.to_string(),
        }
    }

    /// The position that was asked about.
    pub fn position(&self) -> Option<&str> {
        self.0["parameters"]["position"].as_str()
    }

    /// A line for people under [`HEAD`].
    pub fn human(&self) -> String {
        let number =
            |column: &str| self.0[column].as_u64().map_or_else(|| "-".to_string(), grouped);
        let mut about = self.cell("name");
        if self.0["as_expected"] == json!(false) {
            about = format!("{about} (expected {})", self.cell("expected")).trim().to_string();
        }
        let line = format!(
            "{:>6}  {:<9}  {:>5}  {:>7}  {:>6}  {:>13}  {:>9}  {about}",
            self.cell("line"),
            self.verdict(),
            number("moves"),
            number("moves_without_futile"),
            match &self.0["unique"] {
                Value::Bool(true) => "yes",
                Value::Bool(false) => "no",
                _ if self.0["flaws"].is_array() => "open",
                _ => "-",
            },
            number("nodes"),
            self.cell("seconds"),
        );
        line.trim_end().to_string()
    }
}

/// The head of the table for people.
pub const HEAD: &str = "  line  verdict    moves  without  unique          nodes    seconds  name";

/// Whether an answer is what the collection states; `None` if it states nothing that the answer
/// settles. A length counts with or without futile interpositions.
fn as_expected(expected: Option<Expected>, json: &Value) -> Option<bool> {
    let proven = match json["verdict"].as_str() {
        Some("proven") => true,
        Some("disproven") => false,
        _ => return None,
    };
    match expected? {
        Expected::None => Some(!proven),
        Expected::Plies(plies) if !proven => {
            // No mate within less than stated says nothing against it.
            let within = json["parameters"]["within"].as_str()?.parse::<u32>();
            within.map_or(Some(false), |within| (within >= plies).then_some(false))
        }
        Expected::Plies(plies) => {
            let is = |column: &str| json[column].as_u64() == Some(u64::from(plies));
            let least = json["least"] == json!(true);
            if is("moves") || is("moves_without_futile") {
                Some(true)
            } else {
                least.then_some(false)
            }
        }
    }
}
