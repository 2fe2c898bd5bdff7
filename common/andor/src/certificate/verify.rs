//! Checks a certificate with the rules alone: no kernel and no table. One pass; memory holds only
//! the keys of the states already shown to hold.

use std::path::Path;

use super::CertificateError;
use super::format::{Header, Reader, Record};
use super::strategy::Step;
use crate::numbers::Verdict;
use crate::problem::{Expansion, Key, Listed, Moves, Problem, Reason, all_moves};
use crate::search::path::KeyMap;

/// A certificate that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The verified claim.
    pub header: Header,
    /// Number of records.
    pub nodes: u64,
    /// Number of records where one move was enough.
    pub choices: u64,
    /// How often the rules settled a state that was needed.
    pub leaves: u64,
    /// The longest line against a side that follows the certificate, if the game has lengths and no
    /// line can be infinite. 0 if the rules settle the root itself: a line without moves has length
    /// 0, whatever moves count.
    pub length: Option<u32>,
}

/// Checks the certificate at `path` against the rules of `problem`.
///
/// # Errors
/// If the file is damaged, is about another problem, or a record does not hold.
pub fn verify<P: Problem>(path: &Path, problem: &P) -> Result<Verified, CertificateError> {
    check(path, problem, |_, _, _| {})
}

/// Checks the certificate and passes every state that holds to `each`, in order.
pub(super) fn check<P: Problem>(
    path: &Path,
    problem: &P,
    mut each: impl FnMut(Key, Step<P::Reason>, &[u8]),
) -> Result<Verified, CertificateError> {
    let mut reader = Reader::open(path)?;
    let header = reader.header().clone();
    if header.problem != problem.id() {
        return Err(CertificateError::OtherProblem {
            found: header.problem,
            expected: problem.id(),
            question: header.question,
        });
    }
    let mut check = Check {
        problem,
        verdict: header.verdict,
        circular: problem.repetition().verdict() == Some(header.verdict),
        shown: KeyMap::default(),
        promised: KeyMap::default(),
        moves: Moves::new(),
        leaf_moves: Moves::new(),
        basis: Vec::new(),
        chosen: None,
        choices: 0,
        leaves: 0,
        lengths: true,
    };
    let mut record = Record::default();
    let mut node = 0;
    while reader.next(&mut record)? {
        node += 1;
        let (key, Shown { reason, length }) = check.record(node, &record)?;
        let step = Step { place: node, reason, choice: check.chosen, length };
        each(key, step, &record.state);
    }
    let length = check.root(&header.root, node)?;
    let length = length.filter(|_| check.lengths && !check.circular);
    Ok(Verified { header, nodes: node, choices: check.choices, leaves: check.leaves, length })
}

/// What is known of a state that holds.
#[derive(Clone, Copy, Default)]
struct Shown<R> {
    reason: R,
    length: u32,
}

struct Check<'a, P: Problem> {
    problem: &'a P,
    verdict: Verdict,
    /// An infinite line is good for the verdict: a record may point to later ones.
    circular: bool,
    shown: KeyMap<Shown<P::Reason>>,
    /// States that a record points to and that have not come yet, with that record's number.
    promised: KeyMap<u64>,
    moves: Moves<P::Move>,
    leaf_moves: Moves<P::Move>,
    basis: Vec<(P::Move, P::Reason)>,
    /// Key of the state after the move that the current record names.
    chosen: Option<Key>,
    choices: u64,
    leaves: u64,
    lengths: bool,
}

/// A fault whose record is not known yet.
type Fault = String;

impl<P: Problem> Check<'_, P> {
    /// Checks one record. Returns the key of its state and what is known about it.
    fn record(
        &mut self,
        node: u64,
        record: &Record,
    ) -> Result<(Key, Shown<P::Reason>), CertificateError> {
        let state =
            self.problem.decode(&record.state).map_err(|error| CertificateError::Refused {
                node,
                key: Key(0),
                detail: format!("not a state of this problem: {error}"),
                state: String::new(),
            })?;
        let key = self.problem.key(&state);
        self.chosen = None;
        match self.holds(&state, record.choice, node) {
            Ok(shown) => {
                self.promised.remove(&key);
                self.shown.entry(key).or_insert(shown);
                Ok((key, shown))
            }
            Err(detail) => Err(self.refused(node, &state, detail)),
        }
    }

    fn refused(&self, node: u64, state: &P::State, detail: Fault) -> CertificateError {
        let (key, state) = (self.problem.key(state), self.problem.show(state));
        CertificateError::Refused { node, key, detail, state }
    }

    /// Checks that a record follows from what was shown before.
    fn holds(
        &mut self,
        state: &P::State,
        choice: Option<u32>,
        node: u64,
    ) -> Result<Shown<P::Reason>, Fault> {
        let one_is_enough = self.problem.turn(state).wish() == self.verdict;
        if one_is_enough != choice.is_some() {
            return Err(match choice {
                Some(_) => "one move is named where every move counts".to_string(),
                None => "no move is named where one is needed".to_string(),
            });
        }
        match choice {
            Some(choice) => self.holds_by_one(state, choice, node),
            None => self.holds_by_all(state, node),
        }
    }

    fn holds_by_one(
        &mut self,
        state: &P::State,
        choice: u32,
        node: u64,
    ) -> Result<Shown<P::Reason>, Fault> {
        let expansion = all_moves(self.problem, state, &mut self.moves);
        if let Expansion::Settled(verdict) = expansion {
            return self.settled_by_rules(state, verdict);
        }
        self.choices += 1;
        let Some(&Listed { mv, .. }) = self.moves.list.get(choice as usize) else {
            return Err(format!("move {choice} of {} does not exist", self.moves.len()));
        };
        let below = self.child(state, mv, node)?;
        self.chosen = Some(self.problem.key_after(state, mv));
        let reason = self.problem.reason(state, self.verdict, &[(mv, below.reason)]);
        Ok(Shown { reason, length: self.add(state, mv, below.length) })
    }

    fn holds_by_all(&mut self, state: &P::State, node: u64) -> Result<Shown<P::Reason>, Fault> {
        self.moves.clear();
        if let Expansion::Settled(verdict) = self.problem.expand(state, &mut self.moves) {
            return self.settled_by_rules(state, verdict);
        }
        let mut length = 0;
        self.basis.clear();
        let mut next = 0;
        while next < self.moves.list.len() {
            let Listed { mv, opens, .. } = self.moves.list[next];
            let below = self.child(state, mv, node)?;
            length = length.max(self.add(state, mv, below.length));
            if P::Reason::WORDS > 0 {
                self.basis.push((mv, below.reason));
            }
            if opens {
                self.problem.open(state, mv, Some(below.reason), &mut self.moves);
            }
            next += 1;
        }
        let reason = self.problem.reason(state, self.verdict, &self.basis);
        Ok(Shown { reason, length })
    }

    fn add(&mut self, state: &P::State, mv: P::Move, below: u32) -> u32 {
        match self.problem.length(state, mv) {
            Some(length) => below.saturating_add(length),
            None => {
                self.lengths = false;
                0
            }
        }
    }

    fn settled_by_rules(
        &mut self,
        state: &P::State,
        verdict: Verdict,
    ) -> Result<Shown<P::Reason>, Fault> {
        if verdict != self.verdict {
            return Err(format!(
                "the rules say {}, the certificate {}",
                verdict.word(),
                self.verdict.word()
            ));
        }
        self.leaves += 1;
        let reason = self.problem.reason(state, verdict, &[]);
        let rest = self.problem.rest(state);
        self.lengths &= rest.is_some();
        Ok(Shown { reason, length: rest.unwrap_or(0) })
    }

    /// What is known of the state after a move: shown before, settled by the rules, or promised.
    fn child(
        &mut self,
        state: &P::State,
        mv: P::Move,
        node: u64,
    ) -> Result<Shown<P::Reason>, Fault> {
        let child = self.problem.play(state, mv);
        let key = self.problem.key(&child);
        if let Some(&shown) = self.shown.get(&key) {
            return Ok(shown);
        }
        self.leaf_moves.clear();
        match self.problem.expand(&child, &mut self.leaf_moves) {
            Expansion::Settled(verdict) => self
                .settled_by_rules(&child, verdict)
                .map_err(|fault| format!("after {}: {fault}", self.problem.show_move(state, mv))),
            // A promised state has no reason yet, so games with reasons cannot use promises.
            Expansion::Open if self.circular && P::Reason::WORDS == 0 => {
                self.promised.entry(key).or_insert(node);
                Ok(Shown::default())
            }
            Expansion::Open => Err(format!(
                "nothing before it shows that {} is {}",
                self.problem.show_move(state, mv),
                self.verdict.word()
            )),
        }
    }

    /// Final check: the root holds and no promise is open. Returns the length at the root.
    fn root(&mut self, bytes: &[u8], last: u64) -> Result<Option<u32>, CertificateError> {
        let root = self.problem.root();
        let mut expected = Vec::new();
        self.problem.encode(&root, &mut expected);
        if bytes != expected {
            let detail = "the certificate is about another state than the root".to_string();
            return Err(self.refused(0, &root, detail));
        }
        if let Some((&key, &node)) = self.promised.iter().min_by_key(|&(_, &node)| node) {
            return Err(CertificateError::Refused {
                node,
                key,
                detail: "a state it points to never comes".to_string(),
                state: String::new(),
            });
        }
        if let Some(shown) = self.shown.get(&self.problem.key(&root)) {
            return Ok(Some(shown.length));
        }
        self.moves.clear();
        match self.problem.expand(&root, &mut self.moves) {
            Expansion::Settled(verdict) => match self.settled_by_rules(&root, verdict) {
                Ok(shown) => Ok(Some(shown.length)),
                Err(detail) => Err(self.refused(0, &root, detail)),
            },
            Expansion::Open => {
                let detail = format!("no record shows it, after {last} records");
                Err(self.refused(0, &root, detail))
            }
        }
    }
}
