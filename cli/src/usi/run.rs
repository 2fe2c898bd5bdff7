//! One search that was asked for, shared by the thread that searches, the one that watches the time,
//! and the one that reads commands. Lines about it are sent under its lock: none comes after the
//! answer.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hasami_andor::{Control, Table};
use hasami_shogi::{Bound, MainLine, Move, Shogi};

use super::go::{Go, Purpose};
use super::out::Out;
use super::report;

/// What is known for certain, because a certificate of it was made and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing yet.
    Nothing,
    /// There is no mate; if the defender is to move, a move that escapes.
    NoMate(Option<Move>),
    /// A mate.
    Mate(MainLine),
    /// The side to move is mated already: there is no move to answer with.
    Mated,
}

/// A search that was asked for.
pub struct Run {
    /// Stops the search, and counts its nodes.
    pub control: Control,
    /// How to answer.
    pub purpose: Purpose,
    /// The side to move is the one to be mated.
    pub defends: bool,
    /// The table of the search.
    pub table: Arc<Table<Bound>>,
    /// When it was asked for.
    pub started: Instant,
    state: Mutex<State>,
    changed: Condvar,
}

/// What changes while it runs.
pub struct State {
    /// What is known for certain.
    pub found: Found,
    /// What is being searched.
    pub problem: Option<Arc<Shogi>>,
    /// Depth of the deepest node that is known of.
    pub deepest: u64,
    /// The searching thread has ended.
    pub ended: bool,
    /// The user wants the answer now.
    pub stop: bool,
    /// The answer waits for the user, however soon it is known.
    pub hold: bool,
    /// When to answer at the latest.
    pub deadline: Option<Instant>,
    /// The answer has been sent.
    pub answered: bool,
    /// The table contradicts itself.
    pub spoiled: bool,
}

impl Run {
    /// A search that begins now.
    pub fn new(go: &Go, nodes: u64, defends: bool, table: Arc<Table<Bound>>) -> Self {
        let started = Instant::now();
        let deadline = go.time.filter(|_| !go.hold).and_then(|time| started.checked_add(time));
        let state = State {
            found: Found::Nothing,
            problem: None,
            deepest: 0,
            ended: false,
            stop: false,
            hold: go.hold,
            deadline,
            answered: false,
            spoiled: false,
        };
        Self {
            control: Control::with_budget(nodes),
            purpose: go.purpose,
            defends,
            table,
            started,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// The state, locked.
    pub fn state(&self) -> MutexGuard<'_, State> {
        // What a panic has left is a whole state: each change is one assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change of the state, at most this long.
    pub fn wait<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        let waited = self.changed.wait_timeout(state, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Changes the state.
    pub fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Records what is known for certain, and tells the GUI.
    pub fn find(&self, found: Found, words: &str) {
        let mut state = self.state();
        state.found = found;
        if !state.answered {
            Out.line(&report::progress(self, &mut state));
            Out.tell(words);
        }
    }

    /// Tells the GUI something about the search.
    pub fn tell(&self, words: &str) {
        let state = self.state();
        if !state.answered {
            Out.tell(words);
        }
    }

    /// Tells the GUI that there is a mate, before anything is known about it.
    pub fn announce(&self, words: &str) {
        let state = self.state();
        if !state.answered && state.found == Found::Nothing {
            Out.line(&report::announcement(self, &state));
            Out.tell(words);
        }
    }

    /// Asks for the answer, and waits until it has been sent.
    pub fn answer_now(&self) {
        self.change(|state| state.stop = true);
        let mut state = self.state();
        while !state.answered {
            state = self.wait(state, Duration::from_secs(1));
        }
    }

    /// Whether the answer has been sent.
    pub fn is_answered(&self) -> bool {
        self.state().answered
    }
}
