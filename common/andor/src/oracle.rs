//! Exhaustive oracle: enumerates every reachable state, then does retrograde analysis. It uses the
//! rules and no kernel, so that kernels can be compared with it. For small problems only.

use std::collections::HashMap;

use crate::numbers::Verdict;
use crate::problem::{Expansion, Key, Listed, Moves, Problem, Repetition};

/// The verdict of every reachable state.
#[derive(Debug)]
pub struct Answer {
    /// The verdict of the root.
    pub root: Verdict,
    /// The verdicts by key, one for each distinct state.
    pub verdicts: HashMap<Key, Verdict>,
}

/// The problem is too large for the oracle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the oracle found more than {limit} distinct states; raise its limit or ask a kernel")]
pub struct TooManyStates {
    /// Maximum number of states.
    pub limit: usize,
}

/// The reachable part of a problem as a graph, the root first.
struct Reachable {
    keys: HashMap<Key, usize>,
    /// Whether one child with the forced verdict is enough.
    one_is_enough: Vec<bool>,
    /// The number of moves of a state, and the states with a move to it (once for each move).
    children: Vec<usize>,
    parents: Vec<Vec<usize>>,
    settled: Vec<Option<Verdict>>,
}

/// Settles every reachable state, hidden moves included, if there are at most `limit`.
///
/// Neither side can force anything through a repetition. Where repetition counts as disproven, the
/// proven states are those from which a proof can be forced in finitely many moves, and all others
/// are disproven. Where it counts as proven, it is the other way round.
///
/// # Errors
/// If there are more than `limit` states.
pub fn solve<P: Problem>(problem: &P, limit: usize) -> Result<Answer, TooManyStates> {
    let forced = match problem.repetition() {
        Repetition::Impossible | Repetition::Disproven => Verdict::Proven,
        Repetition::Proven => Verdict::Disproven,
    };
    let graph = reach(problem, forced, limit)?;

    let mut is_forced = vec![false; graph.children.len()];
    let mut missing = graph.children;
    let mut queue = Vec::new();
    for (node, &settled) in graph.settled.iter().enumerate() {
        if settled == Some(forced) {
            is_forced[node] = true;
            queue.push(node);
        }
    }
    while let Some(child) = queue.pop() {
        for &node in &graph.parents[child] {
            missing[node] -= 1;
            let now = graph.one_is_enough[node] || missing[node] == 0;
            if now && !is_forced[node] {
                is_forced[node] = true;
                queue.push(node);
            }
        }
    }

    let verdict = |node: usize| {
        if is_forced[node] { forced } else { forced.opposite() }
    };
    Ok(Answer {
        root: verdict(0),
        verdicts: graph.keys.iter().map(|(&key, &node)| (key, verdict(node))).collect(),
    })
}

fn reach<P: Problem>(
    problem: &P,
    forced: Verdict,
    limit: usize,
) -> Result<Reachable, TooManyStates> {
    let root = problem.root();
    let mut graph = Reachable {
        keys: HashMap::from([(problem.key(&root), 0)]),
        one_is_enough: Vec::new(),
        children: Vec::new(),
        parents: vec![Vec::new()],
        settled: Vec::new(),
    };
    let mut states = vec![root];
    let mut moves = Moves::new();
    let mut node = 0;
    while node < states.len() {
        if states.len() > limit {
            return Err(TooManyStates { limit });
        }
        let state = states[node].clone();
        moves.clear();
        let settled = match problem.expand(&state, &mut moves) {
            Expansion::Settled(verdict) => {
                moves.clear();
                Some(verdict)
            }
            Expansion::Open => None,
        };
        // The list grows while it is read: a hidden move may hide further ones.
        let mut at = 0;
        while at < moves.len() {
            let Listed { mv, opens, .. } = moves.list[at];
            if opens {
                problem.open(&state, mv, None, &mut moves);
            }
            let child = problem.play(&state, mv);
            let fresh = states.len();
            let child_node = *graph.keys.entry(problem.key(&child)).or_insert(fresh);
            if child_node == fresh {
                states.push(child);
                graph.parents.push(Vec::new());
            }
            graph.parents[child_node].push(node);
            at += 1;
        }
        graph.children.push(moves.len());
        graph.one_is_enough.push(problem.turn(&state).wish() == forced);
        graph.settled.push(settled);
        node += 1;
    }
    Ok(graph)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Numbers;
    use crate::problem::{BadState, ProblemId, Turn};

    /// A graph written by hand: whose turn, the verdict if settled, the children. `chained` hides
    /// every child behind the one before it.
    struct Hand {
        nodes: Vec<(Turn, Option<Verdict>, Vec<usize>)>,
        repetition: Repetition,
        chained: bool,
    }

    impl Problem for Hand {
        type State = usize;
        type Move = usize;
        type Reason = ();
        fn id(&self) -> ProblemId {
            ProblemId::new("hand", 1, "")
        }
        fn root(&self) -> usize {
            0
        }
        fn turn(&self, state: &usize) -> Turn {
            self.nodes[*state].0
        }
        fn expand(&self, state: &usize, moves: &mut Moves<usize>) -> Expansion {
            let (_, settled, children) = &self.nodes[*state];
            if let Some(verdict) = settled {
                return Expansion::Settled(*verdict);
            }
            if self.chained {
                moves.push_opening(0, Numbers::UNKNOWN);
            } else {
                (0..children.len()).for_each(|mv| moves.push(mv));
            }
            Expansion::Open
        }
        fn play(&self, state: &usize, mv: usize) -> usize {
            self.nodes[*state].2[mv]
        }
        fn key(&self, state: &usize) -> Key {
            Key::mixed(*state as u128)
        }
        fn encode(&self, state: &usize, out: &mut Vec<u8>) {
            out.push(*state as u8);
        }
        fn decode(&self, _: &[u8]) -> Result<usize, BadState> {
            Err(BadState("not used".into()))
        }
        fn open(&self, state: &usize, mv: usize, _: Option<()>, moves: &mut Moves<usize>) {
            if mv + 1 < self.nodes[*state].2.len() {
                moves.push_opening(mv + 1, Numbers::UNKNOWN);
            }
        }
        fn repetition(&self) -> Repetition {
            self.repetition
        }
        fn put_move(&self, _: &usize, mv: usize, out: &mut Vec<u8>) {
            out.push(mv as u8);
        }
        fn take_move(
            &self,
            _: &usize,
            from: &mut crate::certificate::Source<'_>,
        ) -> Result<usize, String> {
            from.byte().map(usize::from)
        }
        fn show(&self, state: &usize) -> String {
            state.to_string()
        }
        fn show_move(&self, _: &usize, mv: usize) -> String {
            mv.to_string()
        }
    }

    fn or(children: &[usize]) -> (Turn, Option<Verdict>, Vec<usize>) {
        (Turn::Or, None, children.to_vec())
    }

    fn and(children: &[usize]) -> (Turn, Option<Verdict>, Vec<usize>) {
        (Turn::And, None, children.to_vec())
    }

    fn leaf(verdict: Verdict) -> (Turn, Option<Verdict>, Vec<usize>) {
        (Turn::Or, Some(verdict), Vec::new())
    }

    /// The verdicts of the nodes in order, `None` for unreachable nodes.
    fn verdicts(hand: &Hand) -> Vec<Option<Verdict>> {
        let answer = solve(hand, 100).unwrap();
        (0..hand.nodes.len()).map(|node| answer.verdicts.get(&hand.key(&node)).copied()).collect()
    }

    const YES: Option<Verdict> = Some(Verdict::Proven);
    const NO: Option<Verdict> = Some(Verdict::Disproven);

    #[test]
    fn or_needs_one_child_and_needs_all() {
        for chained in [false, true] {
            let hand = Hand {
                nodes: vec![
                    or(&[1, 2, 3]),
                    and(&[4, 5]),
                    and(&[4, 4, 4]),
                    or(&[5, 5]),
                    leaf(Verdict::Proven),
                    leaf(Verdict::Disproven),
                    leaf(Verdict::Proven),
                ],
                repetition: Repetition::Impossible,
                chained,
            };
            assert_eq!(verdicts(&hand), [YES, NO, YES, NO, YES, NO, None]);
        }
    }

    #[test]
    fn a_state_that_can_only_be_repeated_gets_the_verdict_of_repetition() {
        // 0 → 1 → {0, 2}: the AND side of 1 can go back forever; 3 has a loop and a way out.
        let nodes = vec![or(&[1]), and(&[0, 2]), or(&[2, 3]), or(&[3, 4]), leaf(Verdict::Proven)];
        for (repetition, expected) in [
            (Repetition::Disproven, [NO, NO, YES, YES, YES]),
            (Repetition::Proven, [YES, YES, YES, YES, YES]),
        ] {
            let hand = Hand { nodes: nodes.clone(), repetition, chained: false };
            assert_eq!(verdicts(&hand), expected);
        }
    }

    #[test]
    fn a_disproof_is_forced_where_repetition_proves() {
        // 1 can return to 0 or go to a disproof; 2 must choose between itself and a disproof.
        let hand = Hand {
            nodes: vec![or(&[1, 2]), and(&[0, 3]), or(&[3, 2]), leaf(Verdict::Disproven)],
            repetition: Repetition::Proven,
            chained: false,
        };
        assert_eq!(verdicts(&hand), [YES, NO, YES, NO]);
    }

    #[test]
    fn more_states_than_allowed_is_an_error() {
        let hand = Hand {
            nodes: vec![or(&[1, 2]), leaf(Verdict::Proven), leaf(Verdict::Proven)],
            repetition: Repetition::Impossible,
            chained: false,
        };
        assert_eq!(solve(&hand, 2).err(), Some(TooManyStates { limit: 2 }));
        assert!(solve(&hand, 3).is_ok());
    }
}
