//! The sweep that a user means: a file, or one that comes with the program; with another budget
//! or time limit where one is given.

use std::path::Path;
use std::time::Duration;

use hasami_answer::CATALOG;
use hasami_sweep::{BUILTINS, Builtin, Sweep, lines};
use toml::de::{DeTable, DeValue};

use crate::failure::Failure;
use crate::suggest;

/// Largest file of values, in bytes: the text of a sweep travels in one message.
const LARGEST: u64 = 12 << 20;

/// Reads a sweep. A file goes before a built-in sweep of the same name.
pub fn read(
    name: &str,
    budget: Option<u64>,
    time_limit: Option<Duration>,
) -> Result<Sweep, Failure> {
    let text = match (std::fs::read_to_string(name), Builtin::find(name)) {
        (Ok(text), _) => text,
        (Err(_), Some(builtin)) if !Path::new(name).exists() => builtin.text.to_string(),
        (Err(error), _) => return Err(Failure::Usage(unreadable(name, &error))),
    };
    let expanded = lines::expand(&text, name, &mut |file| read_lines(name, file))
        .map_err(|errors| Failure::Usage(errors.to_string()))?;
    let mut sweep = Sweep::parse(CATALOG, &expanded.text, name)
        .map_err(|errors| Failure::Usage(expanded.placed(errors).to_string()))?;
    if let Some(budget) = budget {
        let has = |sweep: &Sweep| sweep.search().budget == Some(budget);
        sweep = changed(sweep, name, "budget", &budget.to_string(), has)?;
    }
    if let Some(limit) = time_limit {
        let has = |sweep: &Sweep| sweep.search().time_limit() == Some(limit);
        sweep = changed(sweep, name, "time-limit", &format!("\"{}ms\"", limit.as_millis()), has)?;
    }
    Ok(sweep)
}

/// Reads a file that a sweep takes values from; its path is relative to the sweep file.
fn read_lines(sweep: &str, file: &str) -> Result<String, String> {
    let path = Path::new(sweep).parent().unwrap_or(Path::new("")).join(file);
    let about = std::fs::metadata(&path).map_err(|error| error.to_string())?;
    if about.len() > LARGEST {
        return Err(format!("{} bytes, more than {LARGEST}", about.len()));
    }
    std::fs::read_to_string(&path).map_err(|error| error.to_string())
}

/// The sweep with another value under `[search]`.
fn changed(
    sweep: Sweep,
    name: &str,
    field: &str,
    value: &str,
    has: impl Fn(&Sweep) -> bool,
) -> Result<Sweep, Failure> {
    if has(&sweep) {
        return Ok(sweep);
    }
    let changed = parse(&with(sweep.text(), field, value), name)?;
    if has(&changed) {
        Ok(changed)
    } else {
        Err(Failure::Usage(format!(
            "--{field}: {name} has no place for it; write {field} = {value} under [search]"
        )))
    }
}

fn parse(text: &str, name: &str) -> Result<Sweep, Failure> {
    Sweep::parse(CATALOG, text, name).map_err(|errors| Failure::Usage(errors.to_string()))
}

fn unreadable(name: &str, error: &std::io::Error) -> String {
    let names: Vec<_> = BUILTINS.iter().map(|builtin| builtin.name).collect();
    let hint = suggest::nearest(name, names.iter().copied());
    let hint = hint.map_or(String::new(), |hint| format!("; did you mean {hint}?"));
    format!("{name}: {error}; expected a sweep file or one of {}{hint}", names.join(", "))
}

/// The text with another value under `[search]`, and otherwise to the letter: its order is the order
/// of the items.
fn with(text: &str, field: &str, value: &str) -> String {
    let insert = |at: usize, words: &str| format!("{}{words}{}", &text[..at], &text[at..]);
    let (document, _) = DeTable::parse_recoverable(text);
    let Some((_, search)) =
        document.get_ref().iter().find(|(key, _)| key.get_ref().as_ref() == "search")
    else {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        return format!("{text}{end}\n[search]\n{field} = {value}\n");
    };
    let DeValue::Table(entries) = search.get_ref() else {
        return text.to_string();
    };
    if let Some((_, old)) = entries.iter().find(|(key, _)| key.get_ref().as_ref() == field) {
        let span = old.span();
        return format!("{}{value}{}", &text[..span.start], &text[span.end..]);
    }
    let Some(first) = entries.iter().map(|(key, _)| key.span().start).min() else {
        // Only a heading.
        return text.replacen("[search]", &format!("[search]\n{field} = {value}"), 1);
    };
    let before = text[..first].trim_end_matches([' ', '\t']);
    match before.chars().last() {
        Some('{' | ',') => insert(first, &format!("{field} = {value}, ")),
        Some('.') => {
            let line = before.rfind('\n').map_or(0, |newline| newline + 1);
            insert(line, &format!("search.{field} = {value}\n"))
        }
        _ => insert(first, &format!("{field} = {value}\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_finds_its_place_in_every_way_of_writing() {
        let head = "name = 'x' # kept\nproblem = 'chomp'\n";
        let parameters = "parameters.rows = 3\n";
        for text in [
            format!("{head}{parameters}"),
            format!("{head}{parameters}[search]\n"),
            format!("{head}{parameters}[search]\nseed = 4"),
            format!("{head}{parameters}[search]\nbudget = \"4M\" # much\nseed = 4"),
            format!("{head}search = {{ seed = 4 }}\n{parameters}"),
            format!("{head}search.seed = 4\n{parameters}"),
            format!("{head}[parameters]\nrows = 3\n[search]\n  seed = 4\n"),
        ] {
            let changed = with(&with(&text, "budget", "77"), "time-limit", "\"5s\"");
            let sweep =
                Sweep::parse(CATALOG, &changed, "x").unwrap_or_else(|e| panic!("{changed}\n{e}"));
            assert_eq!(sweep.search().budget, Some(77), "{changed}");
            assert_eq!(sweep.search().time_limit_ms, Some(5000), "{changed}");
            assert_eq!(sweep.search().seed, if text.contains("seed") { 4 } else { 0 });
            assert!(changed.contains("# kept"));
        }
    }

    #[test]
    fn built_in_sweeps_are_found_by_name_and_others_are_listed() {
        let sweep = read("losers-66", Some(1000), None).unwrap_or_else(|_| panic!("built in"));
        assert_eq!((sweep.len(), sweep.search().budget), (66, Some(1000)));
        let Err(Failure::Usage(message)) = read("loser-66", None, None) else {
            panic!("no such sweep")
        };
        assert!(message.ends_with("did you mean losers-66?"), "{message}");
    }
}
