//! The configuration file: defaults of options, below flags and the environment.
//!
//! Keys at the top are options that many commands share, see [`SHARED`]; a table sets the options of
//! one command: `[solve]`, `[runs.export]`. The values become the defaults of the tree, so clap
//! applies the order flag, environment, file, default.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{ArgAction, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::failure::Failure;
use crate::files::xdg;
use crate::suggest;
use crate::tree::SHARED;

/// The tree with the defaults of the configuration files.
pub fn apply(mut command: Command, words: &[OsString]) -> Result<Command, Failure> {
    for file in sources(words) {
        let text = std::fs::read_to_string(&file)
            .map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?;
        command = with_text(command, &file, &text)?;
    }
    Ok(command)
}

/// The files to read, the weakest first. One that is named replaces the others.
fn sources(words: &[OsString]) -> Vec<PathBuf> {
    let named = words.iter().enumerate().find_map(|(at, word)| {
        match word.to_str()?.strip_prefix("--config")? {
            "" => words.get(at + 1).map(PathBuf::from),
            rest => rest.strip_prefix('=').map(PathBuf::from),
        }
    });
    let variable =
        || std::env::var_os("HASAMI_CONFIG").filter(|file| !file.is_empty()).map(PathBuf::from);
    if let Some(file) = named.or_else(variable) {
        return vec![file];
    }
    let home = xdg("XDG_CONFIG_HOME", ".config").map(|home| home.join("config.toml"));
    let files = home.into_iter().chain([PathBuf::from("hasami.toml")]);
    files.filter(|file| file.is_file()).collect()
}

fn with_text(command: Command, file: &Path, text: &str) -> Result<Command, Failure> {
    let reader = Reader { file, text };
    let table = DeTable::parse(text).map_err(|error| {
        reader.wrong(error.span().map_or(0, |span| span.start), error.message())
    })?;
    reader.table(command, table.get_ref(), &mut Vec::new())
}

struct Reader<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    /// An error with its place.
    fn wrong(&self, at: usize, what: &str) -> Failure {
        let before = &self.text[..at.min(self.text.len())];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.chars().rev().take_while(|sign| *sign != '\n').count();
        Failure::Usage(format!("{}:{line}:{column}: {what}", self.file.display()))
    }

    /// Sets the defaults of a command and of those below it. `path` is the names that lead to it.
    fn table(
        &self,
        mut command: Command,
        table: &DeTable<'_>,
        path: &mut Vec<String>,
    ) -> Result<Command, Failure> {
        // What is said of one command goes before what is said of many.
        let mut keys: Vec<_> = table.iter().collect();
        keys.sort_by_key(|(_, value)| matches!(value.get_ref(), DeValue::Table(_)));
        for (key, value) in keys {
            let name = key.get_ref().as_ref();
            if let DeValue::Table(inner) = value.get_ref() {
                let Some(below) = command.find_subcommand(name).cloned() else {
                    return Err(self.unknown(&command, key, path));
                };
                path.push(name.to_string());
                let below = self.table(below, inner, path)?;
                path.pop();
                command = command.mut_subcommand(name, |_| below);
                continue;
            }
            let values = self.values(value)?;
            let here = has_option(&command, name);
            // `[solve]` is for all games, the top for all commands.
            let below =
                if path.is_empty() { SHARED.contains(&name) } else { is_below(&command, name) };
            if !here && !below {
                return Err(self.unknown(&command, key, path));
            }
            let at = value.span().start;
            command = if below && !here {
                self.everywhere(command, name, &values, at)?
            } else {
                self.set(command, name, &values, at)?
            };
        }
        Ok(command)
    }

    /// Sets an option of this command.
    fn set(
        &self,
        command: Command,
        name: &str,
        values: &[String],
        at: usize,
    ) -> Result<Command, Failure> {
        let Some(arg) = command.get_arguments().find(|arg| arg.get_long() == Some(name)) else {
            return Ok(command);
        };
        let flag = matches!(arg.get_action(), ArgAction::SetTrue);
        let id = arg.get_id().to_string();
        if flag && !matches!(values, [value] if value == "true" || value == "false") {
            return Err(self.wrong(at, &format!("{name}: expected true or false")));
        }
        for value in values.iter().filter(|_| !flag) {
            // Only what is wrong with this value counts: other arguments are not there.
            let words = ["hasami".to_string(), format!("--{name}={value}")];
            if let Err(error) = command.clone().try_get_matches_from(words)
                && matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation)
            {
                let text = error.to_string();
                let text = text.strip_prefix("error: ").unwrap_or(&text);
                let lines: Vec<_> = text.lines().take_while(|line| !line.is_empty()).collect();
                return Err(self.wrong(at, &lines.join("\n")));
            }
        }
        let values = values.to_vec();
        Ok(command.mut_arg(id, |arg| arg.required(false).default_values(values)))
    }

    /// Sets an option of every command that has it.
    fn everywhere(
        &self,
        command: Command,
        name: &str,
        values: &[String],
        at: usize,
    ) -> Result<Command, Failure> {
        let mut command = self.set(command, name, values, at)?;
        let below: Vec<Command> = command.get_subcommands().cloned().collect();
        for below in below {
            let (inner, below) = (below.get_name().to_string(), below);
            let below = self.everywhere(below, name, values, at)?;
            command = command.mut_subcommand(inner, |_| below);
        }
        Ok(command)
    }

    /// The value of a key as the command line would have it.
    fn values(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Failure> {
        Ok(match value.get_ref() {
            DeValue::String(text) => vec![text.to_string()],
            DeValue::Integer(number) => vec![number.to_string()],
            DeValue::Float(number) => vec![number.to_string()],
            DeValue::Boolean(flag) => vec![flag.to_string()],
            DeValue::Array(list) => {
                let lists = list.iter().map(|value| self.values(value));
                lists.collect::<Result<Vec<_>, _>>()?.concat()
            }
            DeValue::Datetime(_) | DeValue::Table(_) => {
                let what = "expected a text, a number, true, false or a list of these";
                return Err(self.wrong(value.span().start, what));
            }
        })
    }

    fn unknown(
        &self,
        command: &Command,
        key: &Spanned<impl AsRef<str>>,
        path: &[String],
    ) -> Failure {
        let name = key.get_ref().as_ref();
        let mut known: Vec<&str> =
            command.get_arguments().filter_map(|arg| arg.get_long()).collect();
        if path.is_empty() {
            known.extend(SHARED.iter().filter(|name| !known.contains(name)).collect::<Vec<_>>());
        }
        let below = command.get_subcommands().next().filter(|_| !path.is_empty());
        known.extend(
            below.iter().flat_map(|one| one.get_arguments()).filter_map(|arg| arg.get_long()),
        );
        known.extend(command.get_subcommands().map(Command::get_name));
        let hint = suggest::nearest(name, known.iter().copied());
        let hint = hint.map_or(String::new(), |hint| format!("; did you mean {hint}?"));
        let place = if path.is_empty() { String::new() } else { format!("{}.", path.join(".")) };
        let what =
            format!("{place}{name}: unknown key; expected one of {}{hint}", known.join(", "));
        self.wrong(key.span().start, &what)
    }
}

/// Whether a command below this one has the option.
fn is_below(command: &Command, name: &str) -> bool {
    command.get_subcommands().any(|below| has_option(below, name) || is_below(below, name))
}

fn has_option(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_long() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree;

    fn wrong(text: &str) -> String {
        match with_text(tree::command(), Path::new("h.toml"), text) {
            Err(Failure::Usage(message)) => message,
            _ => panic!("accepted: {text}"),
        }
    }

    #[test]
    fn a_file_sets_defaults_that_flags_override() {
        let text = "output = 'json'\nthreads = 3\n[solve]\ntable = '16MiB'\n[solve.chomp]\ntable = '8MiB'\n[worker]\nlabel = ['a=1', 'b=2']\n";
        let tree = with_text(tree::command(), Path::new("h.toml"), text)
            .unwrap_or_else(|_| panic!("sound"));
        let of = |words: &str| tree.clone().try_get_matches_from(words.split(' ')).unwrap();
        let table = |words: &str| {
            let matches = of(words);
            let (_, solve) = matches.subcommand().unwrap();
            let (_, chomp) = solve.subcommand().unwrap();
            *chomp.get_one::<u64>("table_mib").unwrap()
        };
        assert_eq!(table("hasami solve chomp"), 8);
        assert_eq!(table("hasami solve chomp --table 2GiB"), 2048);
        assert_eq!(table("hasami solve mnk"), 16, "of all games");
        let matches = of("hasami worker");
        let (_, worker) = matches.subcommand().unwrap();
        assert_eq!(worker.get_one::<u32>("threads"), Some(&3));
        assert_eq!(worker.get_many::<(String, String)>("labels").unwrap().count(), 2);
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let text = wrong("[solve]\n\n[sovle]\nx = 1\n");
        assert!(text.starts_with("h.toml:3:2: sovle: unknown key"), "{text}");
        assert!(text.ends_with("did you mean solve?"), "{text}");
        let text = wrong("[runs.export]\nformatt = 'csv'\n");
        assert!(text.starts_with("h.toml:2:1: runs.export.formatt: unknown key"), "{text}");
        let text = wrong("[solve]\ntabel = '1MiB'\n");
        assert!(text.ends_with("did you mean table?"), "{text}");
        let text = wrong("threads = 'many'\n");
        assert!(text.starts_with("h.toml:1:11: ") && text.contains("many"), "{text}");
        let text = wrong("threads = \n");
        assert!(text.starts_with("h.toml:1:"), "{text}");
        let text = wrong("[run]\nforce = 'yes'\n");
        assert!(text.starts_with("h.toml:2:9: force: expected true or false"), "{text}");
    }
}
