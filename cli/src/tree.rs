//! The tree of commands. A command lives in one module (its arguments, its help and what it does)
//! and has one line here.

use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches};

use crate::failure::Failure;
use crate::global::GlobalArgs;
use crate::{
    cluster, completions, database, deploy, games, learn, man, play, polyomino, puzzles, solve,
    store, usi, value, verify, version,
};

/// A command of the tree.
pub trait Verb: CommandFactory + FromArgMatches {
    /// The log level where neither the user nor `RUST_LOG` says.
    fn level() -> &'static str {
        "info"
    }

    /// Does what was asked.
    fn run(self) -> Result<(), Failure>;
}

/// A place in the tree: a command, a group of commands, or both.
pub struct Entry {
    command: Command,
    action: Option<Action>,
    below: Vec<Entry>,
}

/// What a command does.
#[derive(Clone, Copy)]
pub struct Action {
    /// The log level, see [`Verb::level`].
    pub level: fn() -> &'static str,
    /// Reads the arguments and does nothing.
    pub check: fn(&ArgMatches) -> Result<(), Failure>,
    /// Reads the arguments and runs.
    pub run: fn(&ArgMatches) -> Result<(), Failure>,
}

/// All commands under the headings of `hasami --help`.
fn headings() -> Vec<(&'static str, Vec<Entry>)> {
    vec![
        ("Ask", vec![verb::<solve::Solve>(), verb::<verify::Verify>(), verb::<play::Play>()]),
        (
            "Subjects",
            vec![
                verb::<games::Games>(),
                polyomino::group(),
                value::group(),
                puzzles::group(),
                database::group(),
                verb::<usi::Usi>(),
                verb::<learn::Learn>(),
            ],
        ),
        (
            "Sweeps",
            vec![
                verb::<cluster::run::Run>(),
                verb::<cluster::submit::Submit>(),
                cluster::runs::group(),
                verb::<cluster::watch::Watch>(),
                verb::<cluster::report::Report>(),
            ],
        ),
        (
            "Cluster",
            vec![
                cluster::coordinator::group(),
                verb::<cluster::worker::Worker>(),
                verb::<cluster::workers::Workers>(),
                cluster::access::group(),
                verb::<cluster::status::Status>(),
                deploy::group(),
                store::group(),
            ],
        ),
        ("Shell", vec![verb::<completions::Completions>(), verb::<man::Man>()]),
    ]
}

/// Ends the help of every command.
pub const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 failed, 2 wrong usage or bad input, 3 not settled within the budget,
130 after SIGINT, 143 after SIGTERM";

/// Options that can also be set by `HASAMI_` and their name, for every command that has them.
/// These may stand at the top of a configuration file.
pub const SHARED: [&str; 19] = [
    "access",
    "budget",
    "certificates",
    "coordinator",
    "data",
    "heartbeat",
    "journal",
    "kernel",
    "label",
    "lease",
    "log-file",
    "log-format",
    "log-keep",
    "log-rotate",
    "memory",
    "output",
    "store",
    "table",
    "threads",
];

/// The environment variable of an option.
pub fn variable(long: &str) -> String {
    format!("HASAMI_{}", long.to_uppercase().replace('-', "_"))
}

/// The entry of a command.
pub fn verb<V: Verb>() -> Entry {
    let command = V::command();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = if help.contains("Exit codes") {
        command
    } else {
        command.after_help(format!("{help}\n\n{EXIT_CODES}"))
    };
    Entry { command, action: Some(action::<V>()), below: Vec::new() }
}

fn action<V: Verb>() -> Action {
    fn read<V: Verb>(matches: &ArgMatches) -> Result<V, Failure> {
        V::from_arg_matches(matches).map_err(|error| usage(&error))
    }
    Action {
        level: V::level,
        check: |matches| read::<V>(matches).map(drop),
        run: |matches| read::<V>(matches).and_then(V::run),
    }
}

/// Commands that belong together.
pub fn group(
    name: &'static str,
    about: &'static str,
    help: &'static str,
    below: Vec<Entry>,
) -> Entry {
    let command = Command::new(name).about(about).after_help(help).subcommand_required(true);
    Entry { command: command.arg_required_else_help(true), action: None, below }
}

impl Entry {
    /// Adds commands below one that also works by itself.
    pub fn with(mut self, below: Vec<Entry>) -> Self {
        self.command = self.command.args_conflicts_with_subcommands(true);
        self.below = below;
        self
    }

    fn built(&self) -> Command {
        let command = self.command.clone().subcommands(self.below.iter().map(Self::built));
        with_variables(command)
    }

    /// What the rest of the words ask for.
    fn find<'m>(&self, matches: &'m ArgMatches) -> Option<(Action, &'m ArgMatches)> {
        if let Some((name, inner)) = matches.subcommand()
            && let Some(entry) = self.below.iter().find(|entry| entry.command.get_name() == name)
        {
            return entry.find(inner);
        }
        self.action.map(|action| (action, matches))
    }
}

/// Lets the environment set the shared options of a command and of all below it.
fn with_variables(command: Command) -> Command {
    let command = command.mut_args(|arg| match arg.get_long() {
        Some(long) if SHARED.contains(&long) => {
            let name = variable(long);
            arg.env(name).hide_env_values(true)
        }
        _ => arg,
    });
    command.mut_subcommands(with_variables)
}

/// The whole tree, to parse with.
pub fn command() -> Command {
    let headings = headings();
    let mut list = String::new();
    for (heading, entries) in &headings {
        list.push_str(&format!("{heading}:\n"));
        for entry in entries.iter().filter(|entry| !entry.command.is_hide_set()) {
            let about = entry.command.get_about().map(ToString::to_string).unwrap_or_default();
            list.push_str(&format!("  {:<12} {about}\n", entry.command.get_name()));
        }
        list.push('\n');
    }
    let hasami = GlobalArgs::augment_args(Command::new("hasami"))
        .about("Settles AND/OR questions about combinatorial games, with certificates")
        .version(version::short())
        .long_version(version::long())
        .after_help(format!(
            "Example:\n  hasami solve polyomino Square W\n\n\
             `hasami COMMAND --help` has the options of a command, with an example.\n\n{EXIT_CODES}"
        ))
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
        ))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true);
    let below = headings.iter().flat_map(|(_, entries)| entries).map(Entry::built);
    with_variables(hasami.subcommands(below))
}

/// What a command line asks for.
pub fn find(matches: &ArgMatches) -> Option<(Action, &ArgMatches)> {
    let (name, inner) = matches.subcommand()?;
    let entries = headings().into_iter().flat_map(|(_, entries)| entries);
    entries.into_iter().find(|entry| entry.command.get_name() == name)?.find(inner)
}

/// An error that is found after clap has split the words.
fn usage(error: &clap::Error) -> Failure {
    let text = error.to_string();
    Failure::Usage(text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes to every command.
    fn walk(command: &Command, path: &str, check: &mut dyn FnMut(&str, &Command)) {
        check(path, command);
        for below in command.get_subcommands() {
            walk(below, &format!("{path} {}", below.get_name()), check);
        }
    }

    #[test]
    fn the_tree_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example_and_exit_codes() {
        walk(&command(), "hasami", &mut |path, command| {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(path), "{path}: {help}");
            let group = command.has_subcommands();
            assert!(group || help.contains("Exit codes"), "{path}: {help}");
        });
    }

    #[test]
    fn every_shared_option_belongs_to_a_command() {
        let mut found = std::collections::BTreeSet::new();
        let mut note = |_: &str, command: &Command| {
            found
                .extend(command.get_arguments().filter_map(|arg| arg.get_long().map(String::from)));
        };
        let mut tree = command();
        tree.build();
        walk(&tree, "hasami", &mut note);
        for name in SHARED {
            assert!(found.contains(name), "{name}");
        }
    }
}
