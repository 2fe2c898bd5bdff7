//! The files of a slice: its positions as a table, and the moves to learn from as numbers. The table
//! is written last, so where it is the slice is complete.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use hasami_andor::Verdict;
use hasami_files::Draft;
use hasami_shogi::evaluation::scene::{FEATURES, Found, TABLES};
use serde::{Deserialize, Serialize};

use crate::Trouble;
use crate::draw::Summary;
use crate::plan::Plan;

/// What a position is an example of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The side to move in the game is threatened with mate: it is mated if it passes.
    Mate,
    /// The side to move in the game cannot mate.
    NoMate,
}

impl Kind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Mate, Self::NoMate];

    /// The verdict that makes a position an example.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Mate => Verdict::Proven,
            Self::NoMate => Verdict::Disproven,
        }
    }

    /// In files and tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::NoMate => "no-mate",
        }
    }
}

/// A position and what a search without an evaluation took for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub held_out: bool,
    pub kind: Kind,
    /// As SFEN, the attacker to move.
    pub position: String,
    pub nodes: u64,
    pub fresh: u64,
    /// Nodes of the proof.
    pub size: u64,
}

/// A move whose position was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    pub features: Found,
    pub proven: bool,
    /// Nodes of the proof or disproof.
    pub size: u32,
}

/// Bytes of a [`Settled`].
const SETTLED: usize = 2 * TABLES + 5;
const HEAD: &str = "# hasami samples";
const SETS: [&str; 2] = ["learn", "try"];

fn paths(plan: &Plan, slice: usize) -> (PathBuf, PathBuf) {
    let name = format!("samples-{}-{slice:03}", plan.fingerprint());
    (plan.directory.join(format!("{name}.tsv")), plan.directory.join(format!("{name}.moves")))
}

/// The summary of a slice that is complete.
pub(crate) fn summary(plan: &Plan, slice: usize) -> Result<Option<Summary>, Trouble> {
    let (table, _) = paths(plan, slice);
    match std::fs::read_to_string(&table) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Trouble::io(&table)(error)),
        Ok(text) => {
            let read = || {
                let words = text.lines().next()?.strip_prefix(HEAD)?;
                let numbers: Option<Vec<usize>> =
                    words.split_whitespace().map(|word| word.parse().ok()).collect();
                let &[games, broken, mates, no_mates, open, moves, nodes] = &numbers?[..] else {
                    return None;
                };
                let nodes = nodes as u64;
                Some(Summary { games, broken, mates, no_mates, open, moves, nodes })
            };
            let wrong = || Trouble::bad(&table, "line 1: expected the summary of a slice");
            read().ok_or_else(wrong).map(Some)
        }
    }
}

/// Writes a slice.
pub(crate) fn write(
    plan: &Plan,
    slice: usize,
    summary: &Summary,
    drawn: &[Drawn],
    settled: &[Settled],
) -> Result<(), Trouble> {
    std::fs::create_dir_all(&plan.directory).map_err(Trouble::io(&plan.directory))?;
    let (table, moves) = paths(plan, slice);
    let mut bytes = Vec::with_capacity(settled.len() * SETTLED);
    for Settled { features, proven, size } in settled {
        features.iter().for_each(|feature| bytes.extend(feature.to_le_bytes()));
        bytes.push(u8::from(*proven));
        bytes.extend(size.to_le_bytes());
    }
    save(&moves, &bytes)?;
    let Summary { games, broken, mates, no_mates, open, moves, nodes } = summary;
    let mut text = format!("{HEAD} {games} {broken} {mates} {no_mates} {open} {moves} {nodes}\n");
    for Drawn { held_out, kind, position, nodes, fresh, size } in drawn {
        let set = SETS[usize::from(*held_out)];
        let _ = writeln!(text, "{set}\t{}\t{position}\t{nodes}\t{fresh}\t{size}", kind.word());
    }
    save(&table, text.as_bytes())
}

/// Writes a file as a whole.
pub(crate) fn save(file: &std::path::Path, bytes: &[u8]) -> Result<(), Trouble> {
    let write = || {
        let mut draft = Draft::new(file)?;
        draft.write_all(bytes)?;
        draft.finish()
    };
    write().map_err(Trouble::io(file))
}

/// The positions of all slices, in the order of the slices.
pub(crate) fn drawn(plan: &Plan) -> Result<Vec<Drawn>, Trouble> {
    let mut all = Vec::new();
    for slice in 0..plan.slices {
        let (table, _) = paths(plan, slice);
        let text = std::fs::read_to_string(&table).map_err(Trouble::io(&table))?;
        for (number, line) in text.lines().enumerate().skip(1) {
            let wrong =
                || Trouble::bad(&table, format!("line {}: expected six columns", number + 1));
            all.push(position(line).ok_or_else(wrong)?);
        }
    }
    Ok(all)
}

fn position(line: &str) -> Option<Drawn> {
    let columns: Vec<&str> = line.split('\t').collect();
    let &[set, kind, position, nodes, fresh, size] = &columns[..] else { return None };
    let number = |word: &str| word.parse().ok();
    Some(Drawn {
        held_out: SETS.iter().position(|one| *one == set)? == 1,
        kind: Kind::ALL.into_iter().find(|one| one.word() == kind)?,
        position: position.to_string(),
        nodes: number(nodes)?,
        fresh: number(fresh)?,
        size: number(size)?,
    })
}

/// The moves of all slices, in the order of the slices.
pub(crate) fn settled(plan: &Plan) -> Result<Vec<Settled>, Trouble> {
    let mut all = Vec::new();
    for slice in 0..plan.slices {
        let (_, moves) = paths(plan, slice);
        let bytes = std::fs::read(&moves).map_err(Trouble::io(&moves))?;
        for (number, bytes) in bytes.chunks(SETTLED).enumerate() {
            let wrong =
                || Trouble::bad(&moves, format!("move {number}: expected features and a size"));
            all.push(moved(bytes).ok_or_else(wrong)?);
        }
    }
    Ok(all)
}

fn moved(bytes: &[u8]) -> Option<Settled> {
    let bytes: &[u8; SETTLED] = bytes.try_into().ok()?;
    let features: Found =
        std::array::from_fn(|at| u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]));
    let [proven, size @ ..] = *bytes.last_chunk::<5>()?;
    let fits = features.iter().all(|&feature| usize::from(feature) < FEATURES) && proven <= 1;
    let size = u32::from_le_bytes(size).max(1);
    fits.then_some(Settled { features, proven: proven == 1, size })
}
