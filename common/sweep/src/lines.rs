//! Values from the lines of another file: `position = { lines = "problems.sfen" }`. Whoever has the
//! file puts its lines into the text before anybody parses it, so that the text says all.

use toml::de::{DeTable, DeValue};

use crate::error::{SweepError, SweepErrors};

/// A text without references to other files, and where its lines come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expanded {
    /// The text.
    pub text: String,
    /// In the order of the text.
    lists: Vec<List>,
}

/// A list that came from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct List {
    file: String,
    /// The line of the text, from 1, that holds the first value.
    first: usize,
    /// The line in the file of each value.
    lines: Vec<usize>,
}

/// A reference to a file.
struct Reference {
    span: std::ops::Range<usize>,
    field: String,
    file: String,
    /// From 1.
    column: usize,
}

/// Replaces all references by lists. `name` is the name of the sweep file in errors, `read` reads a
/// file. Empty lines and those that begin with `#` are left out; columns are separated by tabs.
///
/// # Errors
/// If a file cannot be read, has no value or no such column, or a reference is malformed.
pub fn expand(
    text: &str,
    name: &str,
    read: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Expanded, SweepErrors> {
    let mut errors = Vec::new();
    let mut fail = |at: usize, field: &str, message: String| {
        let before = &text[..text.floor_char_boundary(at)];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        errors.push(SweepError {
            file: name.to_string(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            field: field.to_string(),
            message,
        });
    };
    let mut references = find(text, &mut fail);
    references.sort_by_key(|reference| reference.span.start);
    let (mut out, mut lists, mut copied) = (String::new(), Vec::new(), 0);
    for Reference { span, field, file, column } in references {
        let content = match read(&file) {
            Ok(content) => content,
            Err(why) => {
                fail(span.start, &field, format!("{file}: {why}; expected a file of values"));
                continue;
            }
        };
        out.push_str(&text[copied..span.start]);
        copied = span.end;
        out.push('[');
        let first = out.matches('\n').count() + 2;
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(content.trim_start_matches('\u{feff}').lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split('\t').nth(column - 1) {
                Some(value) => {
                    out.push('\n');
                    out.push_str(&toml::Value::from(value.trim()).to_string());
                    out.push(',');
                    lines.push(number);
                }
                None => {
                    let message = format!("{file}:{number}: no column {column}");
                    fail(span.start, &field, format!("{message}; expected one in every line"));
                }
            }
        }
        out.push_str("\n]");
        if lines.is_empty() {
            fail(span.start, &field, format!("{file}: no line; expected one value a line"));
        }
        lists.push(List { file, first, lines });
    }
    out.push_str(&text[copied..]);
    match errors.is_empty() {
        true => Ok(Expanded { text: out, lists }),
        false => Err(SweepErrors { errors, more: false }),
    }
}

impl Expanded {
    /// Errors of the text with the places that a user knows: lines of the sweep file as it was
    /// written, or of the file that a value comes from.
    #[must_use]
    pub fn placed(&self, mut errors: SweepErrors) -> SweepErrors {
        for error in &mut errors.errors {
            let mut added = 0;
            for List { file, first, lines } in &self.lists {
                match error.line.checked_sub(*first) {
                    Some(at) if at < lines.len() => {
                        (error.file, error.line, error.column) = (file.clone(), lines[at], 1);
                        added = 0;
                        break;
                    }
                    // The list takes a line for each value, and one to end.
                    Some(_) => added += lines.len() + 1,
                    None => {}
                }
            }
            error.line -= added;
        }
        errors
    }

    /// Whether anything was replaced.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        !self.lists.is_empty()
    }
}

/// All references under `[parameters]` and `[[zip]]`.
fn find(text: &str, fail: &mut dyn FnMut(usize, &str, String)) -> Vec<Reference> {
    // Text that is no TOML has its errors from the parser.
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut found = Vec::new();
    if !errors.is_empty() {
        return found;
    }
    for (key, value) in document.get_ref() {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("parameters", DeValue::Table(table)) => {
                of_table("parameters", table, fail, &mut found)
            }
            ("zip", DeValue::Array(tables)) => {
                for (at, table) in tables.iter().enumerate() {
                    if let DeValue::Table(table) = table.get_ref() {
                        of_table(&format!("zip {}", at + 1), table, fail, &mut found);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn of_table(
    within: &str,
    table: &DeTable<'_>,
    fail: &mut dyn FnMut(usize, &str, String),
    found: &mut Vec<Reference>,
) {
    for (key, value) in table {
        let DeValue::Table(wanted) = value.get_ref() else { continue };
        let field = format!("{within}.{}", key.get_ref());
        let (mut file, mut column) = (None, Some(1));
        let mut known = true;
        for (name, value) in wanted {
            match (name.get_ref().as_ref(), value.get_ref()) {
                ("lines", DeValue::String(name)) => file = Some(name.to_string()),
                ("column", DeValue::Integer(number)) => {
                    column = number.as_str().parse().ok().filter(|&at: &usize| at > 0);
                }
                _ => known = false,
            }
        }
        match (file, column, known) {
            (Some(file), Some(column), true) => {
                found.push(Reference { span: value.span(), field, file, column });
            }
            _ => {
                let expected = "expected { lines = \"FILE\" } or { lines = \"FILE\", column = 2 }";
                fail(value.span().start, &field, format!("found a table; {expected}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SWEEP: &str = "name = 'x'\n[[zip]]\nposition = { lines = 'a.sfen' } # kept\n\
                         within = { lines = 'a.sfen', column = 2 }\nwrong = 1\n";

    fn read(file: &str) -> Result<String, String> {
        match file {
            "a.sfen" => Ok("# head\nfirst \"one\"\t3\n\nsecond\t5\n".to_string()),
            _ => Err("not there".to_string()),
        }
    }

    #[test]
    fn lines_become_lists() {
        let expanded = expand(SWEEP, "x.toml", &mut read).expect("a text");
        let table: toml::Table = expanded.text.parse().expect("TOML");
        let zip = &table["zip"].as_array().expect("a list")[0];
        let list = |words: [&str; 2]| toml::Value::Array(words.map(toml::Value::from).to_vec());
        assert_eq!(zip["position"], list(["first \"one\"", "second"]));
        assert_eq!(zip["within"], list(["3", "5"]));
        assert!(expanded.text.contains("# kept"));
    }

    #[test]
    fn errors_have_the_places_that_the_user_knows() {
        let expanded = expand(SWEEP, "x.toml", &mut read).expect("a text");
        let places: Vec<(String, usize)> = (1..=expanded.text.lines().count())
            .map(|line| {
                let error = SweepError {
                    file: "x.toml".to_string(),
                    line,
                    column: 1,
                    field: String::new(),
                    message: String::new(),
                };
                let errors = SweepErrors { errors: vec![error], more: false };
                let error = expanded.placed(errors).errors.swap_remove(0);
                (error.file, error.line)
            })
            .collect();
        let x = |line| ("x.toml".to_string(), line);
        let a = |line| ("a.sfen".to_string(), line);
        assert_eq!(places, [x(1), x(2), x(3), a(2), a(4), x(3), x(4), a(2), a(4), x(4), x(5)]);
    }

    #[test]
    fn what_is_no_reference_is_refused_with_its_place() {
        for (value, message) in [
            ("{ lines = 'b.sfen' }", "b.sfen: not there; expected a file of values"),
            ("{ lines = 'a.sfen', column = 3 }", "a.sfen:2: no column 3"),
            ("{ lines = 'a.sfen', column = 0 }", "found a table; expected { lines"),
            ("{ line = 'a.sfen' }", "found a table; expected { lines"),
        ] {
            let text = format!("[parameters]\nposition = {value}\n");
            let errors = expand(&text, "x.toml", &mut read).expect_err(value).to_string();
            assert!(errors.starts_with("x.toml:2:12: parameters.position: "), "{errors}");
            assert!(errors.contains(message), "{errors}");
        }
    }
}
