//! A split search as people see it: the path of the worker that leads, and who helps where.

use hasami_andor::{Key, Numbers, PathNode, Turn};
use hasami_unit::UnitNo;

/// Steps of a path that are shown. A worker may report any number.
const STEPS: usize = 256;

/// A split search at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The path of the leader, from the root down.
    pub path: Vec<PathView>,
    /// The units that are out.
    pub parts: Vec<PartView>,
    /// States that the coordinator keeps.
    pub kept: usize,
}

/// A state on the path of the leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathView {
    /// Its key.
    pub key: Key,
    /// Whose choice it is.
    pub turn: Turn,
    /// Number of its open children.
    pub open: u32,
    /// Its numbers.
    pub numbers: Numbers,
}

/// A unit and its part of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartView {
    /// The unit.
    pub unit: UnitNo,
    /// Its part in a word.
    pub part: &'static str,
    /// The state that it searches, if that is not the root.
    pub key: Option<Key>,
}

/// The beginning of a path.
pub(super) fn seen(path: &[PathNode]) -> Vec<PathView> {
    let one = |node: &PathNode| PathView {
        key: node.key,
        turn: node.turn,
        open: node.open,
        numbers: node.numbers,
    };
    path.iter().take(STEPS).map(one).collect()
}
