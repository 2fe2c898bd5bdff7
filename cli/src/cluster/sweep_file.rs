//! The sweep that a user means: a file, or one that comes with the program; with another budget
//! where one is given.

use std::path::Path;

use hasami_answer::CATALOG;
use hasami_sweep::{BUILTINS, Builtin, Sweep};
use toml::de::{DeTable, DeValue};

use crate::failure::Failure;
use crate::suggest;

/// Reads a sweep. A file goes before a built-in sweep of the same name.
pub fn read(name: &str, budget: Option<u64>) -> Result<Sweep, Failure> {
    let text = match (std::fs::read_to_string(name), Builtin::find(name)) {
        (Ok(text), _) => text,
        (Err(_), Some(builtin)) if !Path::new(name).exists() => builtin.text.to_string(),
        (Err(error), _) => return Err(Failure::Usage(unreadable(name, &error))),
    };
    let sweep = parse(&text, name)?;
    match budget {
        Some(budget) if sweep.search().budget != Some(budget) => {
            let text = with_budget(&text, budget);
            let changed = parse(&text, name)?;
            if changed.search().budget == Some(budget) {
                Ok(changed)
            } else {
                Err(Failure::Usage(format!(
                    "--budget: {name} has no place for it; write budget = {budget} under [search]"
                )))
            }
        }
        _ => Ok(sweep),
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

/// The text with another budget, and otherwise to the letter: its order is the order of the items.
fn with_budget(text: &str, budget: u64) -> String {
    let insert = |at: usize, words: &str| format!("{}{words}{}", &text[..at], &text[at..]);
    let (document, _) = DeTable::parse_recoverable(text);
    let Some((_, search)) =
        document.get_ref().iter().find(|(key, _)| key.get_ref().as_ref() == "search")
    else {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        return format!("{text}{end}\n[search]\nbudget = {budget}\n");
    };
    let DeValue::Table(entries) = search.get_ref() else {
        return text.to_string();
    };
    if let Some((_, old)) = entries.iter().find(|(key, _)| key.get_ref().as_ref() == "budget") {
        let span = old.span();
        return format!("{}{budget}{}", &text[..span.start], &text[span.end..]);
    }
    let Some(first) = entries.iter().map(|(key, _)| key.span().start).min() else {
        // Only a heading.
        return text.replacen("[search]", &format!("[search]\nbudget = {budget}"), 1);
    };
    let before = text[..first].trim_end_matches([' ', '\t']);
    match before.chars().last() {
        Some('{' | ',') => insert(first, &format!("budget = {budget}, ")),
        Some('.') => {
            let line = before.rfind('\n').map_or(0, |newline| newline + 1);
            insert(line, &format!("search.budget = {budget}\n"))
        }
        _ => insert(first, &format!("budget = {budget}\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_finds_its_place_in_every_way_of_writing() {
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
            let changed = with_budget(&text, 77);
            let sweep =
                Sweep::parse(CATALOG, &changed, "x").unwrap_or_else(|e| panic!("{changed}\n{e}"));
            assert_eq!(sweep.search().budget, Some(77), "{changed}");
            assert_eq!(sweep.search().seed, if text.contains("seed") { 4 } else { 0 });
            assert!(changed.contains("# kept"));
        }
    }

    #[test]
    fn built_in_sweeps_are_found_by_name_and_others_are_listed() {
        let sweep = read("losers-66", Some(1000)).unwrap_or_else(|_| panic!("built in"));
        assert_eq!((sweep.len(), sweep.search().budget), (66, Some(1000)));
        let Err(Failure::Usage(message)) = read("loser-66", None) else { panic!("no such sweep") };
        assert!(message.ends_with("did you mean losers-66?"), "{message}");
    }
}
