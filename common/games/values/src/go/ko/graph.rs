//! All positions reachable from a ko, down to those that have values.

use std::collections::HashMap;
use std::sync::Arc;

use hasami_cgt::{Dyadic, Thermograph, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::super::board::{Board, Colour, Played, Point, Suicide};
use super::super::part::parts;
use super::super::territory::territory;
use super::super::value::{Endgames, Unvalued};
use super::line::whole;

/// Most positions with an open ko.
const MOST: usize = 4000;

/// The positions with an open ko, and the moves between them.
pub(super) struct Graph {
    /// The first is the one that was asked for.
    pub nodes: Vec<Node>,
}

/// A position with an open ko.
pub(super) struct Node {
    /// Black's moves and White's.
    pub edges: [Vec<Edge>; 2],
    /// Its score if play stopped.
    pub territory: i64,
}

/// A move.
pub(super) struct Edge {
    /// Its point, in the position before the move.
    pub point: Point,
    pub to: Target,
    /// What it adds to the next position: prisoners, and parts that are numbers.
    pub offset: BigRational,
    /// Set if it takes a ko: the point of the next position that may not be retaken at once.
    pub ban: Option<Point>,
}

pub(super) enum Target {
    Node(usize),
    Leaf(Arc<Thermograph>),
}

/// The result of reducing a board.
enum Reduced {
    Value(Value),
    Open { board: Board, offset: Dyadic, place: Vec<Option<Point>> },
}

impl Graph {
    pub fn new(endgames: &mut Endgames, part: &Board) -> Result<Self, Unvalued> {
        let mut numbers: HashMap<Board, usize> = HashMap::from([(part.clone(), 0)]);
        let mut boards = vec![part.clone()];
        let mut nodes = Vec::new();
        while let Some(board) = boards.get(nodes.len()).cloned() {
            let mut edges = [Vec::new(), Vec::new()];
            for (side, colour) in Colour::BOTH.into_iter().enumerate() {
                for point in board.empty() {
                    let Ok(played) = board.play(colour, point, endgames.suicide()) else {
                        continue;
                    };
                    let ban = taken_back(&board, &played, colour, endgames.suicide());
                    let prisoners = whole(played.prisoners);
                    edges[side].push(match reduce(endgames, &played.board)? {
                        Reduced::Value(value) => {
                            let to = Target::Leaf(endgames.games.thermograph(value)?);
                            Edge { point, to, offset: prisoners, ban: None }
                        }
                        Reduced::Open { board: next, offset, place } => {
                            let at = |at: Point| place.iter().position(|&from| from == Some(at));
                            let count = numbers.len();
                            let number = *numbers.entry(next.clone()).or_insert(count);
                            if number == count {
                                boards.push(next);
                            }
                            Edge {
                                point,
                                to: Target::Node(number),
                                offset: prisoners + rational(&offset),
                                ban: ban.and_then(at),
                            }
                        }
                    });
                }
            }
            nodes.push(Node { edges, territory: territory(&board) });
            if boards.len() > MOST {
                return Err(Unvalued::TooLarge { limit: MOST });
            }
        }
        Ok(Self { nodes })
    }

    /// Whether play can repeat although both sides always answer here, and no ko is retaken at
    /// once.
    pub fn repeats(&self) -> bool {
        type State = (usize, usize, Option<Point>);
        // Absent: not visited. False: on the current path. True: done.
        let mut met: HashMap<State, bool> = HashMap::new();
        let below = |&(node, side, ban): &State| -> Vec<State> {
            let edges = self.nodes[node].edges[side].iter();
            let allowed = edges.filter(|edge| ban != Some(edge.point));
            let next = allowed.filter_map(|edge| match edge.to {
                Target::Node(to) => Some((to, 1 - side, edge.ban)),
                Target::Leaf(_) => None,
            });
            next.collect()
        };
        for start in (0..self.nodes.len()).flat_map(|node| [(node, 0, None), (node, 1, None)]) {
            let mut stack = vec![(start, None::<Vec<State>>)];
            while let Some((state, rest)) = stack.last_mut() {
                let rest = match rest {
                    Some(rest) => rest,
                    None if met.get(state) == Some(&true) => {
                        stack.pop();
                        continue;
                    }
                    None if met.get(state) == Some(&false) => return true,
                    None => {
                        met.insert(*state, false);
                        rest.insert(below(state))
                    }
                };
                match rest.pop() {
                    Some(next) => stack.push((next, None)),
                    None => {
                        met.insert(*state, true);
                        stack.pop();
                    }
                }
            }
        }
        false
    }
}

/// The point where the other side would retake one stone and restore the board.
fn taken_back(board: &Board, played: &Played, colour: Colour, suicide: Suicide) -> Option<Point> {
    let &[point] = &played.taken[..] else { return None };
    let back = played.board.play(colour.other(), point, suicide).ok()?;
    (back.board == *board).then_some(point)
}

/// The sum of the parts if all have values; otherwise the single part without one, with the others
/// as a number; otherwise the board unchanged.
fn reduce(endgames: &mut Endgames, board: &Board) -> Result<Reduced, Unvalued> {
    let mut sum = endgames.games.zero();
    let mut open = Vec::new();
    for part in parts(board) {
        match endgames.value(&part.board) {
            Ok(value) => sum = endgames.games.add(sum, value)?,
            Err(Unvalued::Loopy) => open.push(part),
            Err(error) => return Err(error),
        }
    }
    let number = endgames.games.number(sum).cloned();
    match (open.len(), number) {
        (0, _) => Ok(Reduced::Value(sum)),
        (1, Some(offset)) => {
            let part = open.remove(0);
            Ok(Reduced::Open { board: part.board, offset, place: part.points })
        }
        _ => {
            let place = (0..board.cells().len()).map(Some).collect();
            Ok(Reduced::Open { board: board.clone(), offset: Dyadic::ZERO, place })
        }
    }
}

/// A dyadic number as a fraction.
pub(in crate::go) fn rational(number: &Dyadic) -> BigRational {
    BigRational::new(number.numerator(), BigInt::from(1) << number.exponent())
}
