//! Positions of SGF records: set-up stones and the moves of the main line, up to a chosen node.
//!
//! The crate `sgf-parse` reads properties and their values. It reports no positions and tolerates
//! some malformed text, so [`outline`] checks the structure first and records where each node of
//! the main line begins.

mod outline;
mod replay;
#[cfg(test)]
mod tests;

use sgf_parse::{GameTree, SgfNode, go::Prop};

use super::board::{Board, Colour, Point, Suicide};
use outline::Outline;
use replay::Replay;

/// A position of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct SgfPosition {
    /// The board. All stones are ordinary: each can be captured.
    pub board: Board,
    /// The side to move: from `PL`, otherwise the next move of the record, otherwise the last one,
    /// otherwise the handicap.
    pub to_move: Colour,
    /// Number of the node in the main line; the root is 0.
    pub node: usize,
    /// Number of the last node of the main line.
    pub last: usize,
    /// `KM`, the points that White gets.
    pub komi: Option<f64>,
    /// `HA`, 0 without handicap.
    pub handicap: i64,
    /// Stones captured by Black, and by White.
    pub prisoners: [usize; 2],
    /// The point where the player to move may not retake a ko at once.
    pub ko: Option<Point>,
}

/// Why a record is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// The text is not SGF. Line and column count from 1.
    #[error("line {line}, column {column}: found {found}; expected {expected}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// The text found.
        found: String,
        /// The text expected.
        expected: &'static str,
    },
    /// A node has a wrong property or an illegal move. Line and column are those of its `;`.
    #[error("line {line}, column {column}, node {node}: {fault}")]
    Node {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// Counted from the root, 0.
        node: usize,
        /// What is wrong.
        fault: NodeFault,
    },
    /// The main line has no such node.
    #[error("there is no node {asked}; the main line ends with node {last}")]
    NoSuchNode {
        /// The requested node.
        asked: usize,
        /// The last node.
        last: usize,
    },
    /// The parser refuses a text that the outline accepts.
    #[error("no SGF: {0}")]
    Reader(sgf_parse::SgfParseError),
}

/// An error in a node.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeFault {
    /// An illegal move.
    #[error("{} cannot play on {point}: {reason}", .colour.word())]
    Illegal {
        /// The player.
        colour: Colour,
        /// In SGF coordinates.
        point: String,
        /// The reason.
        reason: &'static str,
    },
    /// A property whose value is wrong.
    #[error("found {found}; expected {expected}")]
    Property {
        /// The property in the text.
        found: String,
        /// The text expected.
        expected: String,
    },
    /// A set-up that no play can lead to.
    #[error("the stone on {0} has no liberty")]
    NoLiberty(String),
    /// SGF allows one move in a node.
    #[error("found two moves; expected one")]
    TwoMoves,
}

/// Reads the position after node `node` of the main line (the first variation throughout), or after
/// the last one. Suicide is legal if the caller or the record's rules (`RU[NZ]`, `RU[Goe]`) allow it.
///
/// # Errors
/// If the text is not an SGF record of Go, has no such node, or has an illegal move before it.
pub fn read_sgf(
    text: &str,
    node: Option<usize>,
    suicide: Suicide,
) -> Result<SgfPosition, SgfError> {
    let outline = Outline::read(text)?;
    let last = outline.last();
    let node = node.unwrap_or(last);
    if node > last {
        return Err(SgfError::NoSuchNode { asked: node, last });
    }
    let trees = sgf_parse::parse(text).map_err(SgfError::Reader)?;
    let Some(GameTree::GoGame(root)) = trees.first() else {
        let expected = "GM[1], the game of Go".to_string();
        let fault = NodeFault::Property { found: "another game".to_string(), expected };
        return Err(outline.fault(0, fault));
    };
    let line: Vec<&SgfNode<Prop>> = root.main_variation().collect();
    assert_eq!(line.len(), last + 1, "outline and reader see the same nodes");
    let mut replay = Replay::new(root, suicide).map_err(|fault| outline.fault(0, fault))?;
    for (at, one) in line[..=node].iter().enumerate() {
        replay.node(one).map_err(|fault| outline.fault(at, fault))?;
    }
    let next = line.get(node + 1).and_then(|next| replay::mover(next));
    Ok(replay.position(node, last, next))
}
