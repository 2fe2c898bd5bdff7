//! The options of the engine.

use std::ops::RangeInclusive;
use std::time::Duration;

use hasami_shogi::question::MAX_PLIES;

/// What the user has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the table in MiB.
    pub table_mib: u64,
    /// Threads of a search.
    pub threads: u64,
    /// Nodes of a search; 0 for no limit.
    pub nodes: u64,
    /// Plies of a mate; 0 for no limit.
    pub plies: u64,
    /// After the first mate look for the shortest.
    pub shortest: bool,
    /// Milliseconds between reports; 0 for none.
    pub interval: u64,
    /// If the side to move is in check, ask whether it gets mated.
    pub defends_in_check: bool,
    /// Accepted, without effect.
    ponder: bool,
    /// What `table_mib` and `threads` are by default.
    defaults: [u64; 2],
}

const HASH: &str = "USI_Hash";
const PONDER: &str = "USI_Ponder";
const THREADS: &str = "Threads";
const NODES: &str = "NodesLimit";
const PLIES: &str = "DepthLimit";
const POST: &str = "PostSearch";
const INTERVAL: &str = "PvInterval";
const AND_ROOT: &str = "RootIsAndNodeIfChecked";
const MULTI: &str = "MultiPV";

const NAMES: [&str; 8] = [HASH, PONDER, THREADS, NODES, PLIES, POST, INTERVAL, AND_ROOT];

const INTERVALS: RangeInclusive<u64> = 0..=3_600_000;
const MOST_NODES: u64 = 1 << 50;
const MOST_MIB: u64 = 16 << 20;

impl Settings {
    /// Threads at most.
    pub const MOST_THREADS: i64 = 64;

    /// The defaults, with these for table and threads.
    pub fn new(table_mib: u64, threads: u16) -> Self {
        let threads = u64::from(threads);
        Self {
            table_mib,
            threads,
            nodes: 0,
            plies: 0,
            shortest: true,
            interval: 1000,
            defends_in_check: false,
            ponder: false,
            defaults: [table_mib, threads],
        }
    }

    /// Time between reports.
    pub fn pause(&self) -> Option<Duration> {
        (self.interval > 0).then(|| Duration::from_millis(self.interval))
    }

    /// The lines that declare the options.
    pub fn declared(&self) -> Vec<String> {
        let [mib, threads] = self.defaults;
        let spin = |name, default, range: RangeInclusive<u64>| {
            let (least, most) = range.into_inner();
            format!("option name {name} type spin default {default} min {least} max {most}")
        };
        vec![
            spin(HASH, mib, 1..=MOST_MIB),
            format!("option name {PONDER} type check default false"),
            spin(THREADS, threads, 1..=Self::MOST_THREADS as u64),
            spin(NODES, 0, 0..=MOST_NODES),
            spin(PLIES, 0, 0..=MAX_PLIES.into()),
            format!("option name {POST} type combo default shortest var none var shortest"),
            spin(INTERVAL, 1000, INTERVALS),
            format!("option name {AND_ROOT} type check default false"),
        ]
    }

    /// Obeys what follows `setoption`.
    ///
    /// # Errors
    /// What is wrong, and what was expected.
    pub fn set(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, value) = match words {
            ["name", name, "value", value] => (*name, *value),
            ["name", name] => (*name, ""),
            _ => return Err(format!("{:?}; expected name NAME value VALUE", words.join(" "))),
        };
        let known = NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name));
        let spin = |range| number(value, range).map_err(|fault| format!("{name}: {fault}"));
        let check = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{name}: found {value:?}; expected true or false")),
        };
        match known {
            Some(HASH) => self.table_mib = spin(1..=MOST_MIB)?,
            Some(PONDER) => self.ponder = check()?,
            Some(THREADS) => self.threads = spin(1..=Self::MOST_THREADS as u64)?,
            Some(NODES) => self.nodes = spin(0..=MOST_NODES)?,
            Some(PLIES) => self.plies = spin(0..=MAX_PLIES.into())?,
            Some(INTERVAL) => self.interval = spin(INTERVALS)?,
            Some(AND_ROOT) => self.defends_in_check = check()?,
            Some(POST) => {
                self.shortest = match value {
                    "shortest" => true,
                    "none" => false,
                    _ => return Err(format!("{name}: found {value:?}; expected none or shortest")),
                }
            }
            _ if name.eq_ignore_ascii_case(MULTI) && value == "1" => {}
            _ if name.eq_ignore_ascii_case(MULTI) => {
                return Err(format!("{MULTI}: only one line is searched; expected 1"));
            }
            _ => return Err(format!("no option {name:?}; expected {}", NAMES.join(", "))),
        }
        Ok(())
    }
}

fn number(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let found = text.parse().ok().filter(|number| range.contains(number));
    let (least, most) = range.into_inner();
    found.ok_or_else(|| format!("found {text:?}; expected a number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(settings: &mut Settings, line: &str) -> Result<(), String> {
        settings.set(&line.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn what_is_declared_can_be_set_to_its_default_and_nothing_else_changes() {
        let mut settings = Settings::new(77, 3);
        let before = settings.clone();
        for line in settings.declared() {
            let words: Vec<_> = line.split(' ').collect();
            assert_eq!((words[1], words[3], words[5]), ("name", "type", "default"), "{line}");
            set(&mut settings, &format!("name {} value {}", words[2], words[6])).unwrap();
            assert!(NAMES.contains(&words[2]));
        }
        assert_eq!(settings.declared().len(), NAMES.len());
        assert_eq!(settings, before);
    }

    #[test]
    fn options_are_set_and_nonsense_changes_nothing() {
        let mut settings = Settings::new(256, 1);
        set(&mut settings, "name USI_Hash value 64").unwrap();
        set(&mut settings, "name usi_hash value 65").unwrap();
        set(&mut settings, "name PostSearch value none").unwrap();
        set(&mut settings, "name MultiPV value 1").unwrap();
        assert_eq!((settings.table_mib, settings.shortest), (65, false));
        let before = settings.clone();
        for line in [
            "name USI_Hash value 0",
            "name USI_Hash value 99999999999999999999999",
            "name USI_Hash value -1",
            "name USI_Hash",
            "name Threads value 65",
            "name DepthLimit value 2001",
            "name PostSearch value all",
            "name RootIsAndNodeIfChecked value yes",
            "name MultiPV value 2",
            "name Unknown value 1",
            "name",
            "value 3",
            "name USI_Hash value 1 2",
        ] {
            assert!(set(&mut settings, line).is_err(), "{line}");
        }
        assert_eq!(settings, before);
    }
}
