//! The states of a graph that is held in memory. Small states are stored as values. Large states
//! are stored encoded: games make them large so that a search down one path is fast.

use std::borrow::Cow;

use crate::problem::Problem;

/// States larger than this many bytes are stored encoded.
const LARGE: usize = 512;

/// States by number, in the order in which they were added.
pub(crate) enum Kept<S> {
    Whole(Vec<S>),
    Encoded(Vec<Box<[u8]>>),
}

impl<S: Clone> Kept<S> {
    pub fn new() -> Self {
        if size_of::<S>() > LARGE { Self::Encoded(Vec::new()) } else { Self::Whole(Vec::new()) }
    }

    pub fn push<P: Problem<State = S>>(&mut self, problem: &P, state: S) {
        match self {
            Self::Whole(states) => states.push(state),
            Self::Encoded(states) => {
                let mut bytes = Vec::new();
                problem.encode(&state, &mut bytes);
                states.push(bytes.into_boxed_slice());
            }
        }
    }

    pub fn get<P: Problem<State = S>>(&self, problem: &P, at: u32) -> Cow<'_, S> {
        match self {
            Self::Whole(states) => Cow::Borrowed(&states[at as usize]),
            Self::Encoded(states) => {
                let state = problem.decode(&states[at as usize]);
                Cow::Owned(state.expect("a state that was encoded"))
            }
        }
    }

    /// Whether this is the state with a number.
    pub fn is<P: Problem<State = S>>(
        &self,
        problem: &P,
        at: u32,
        state: &S,
        [found, stored]: &mut [Vec<u8>; 2],
    ) -> bool {
        found.clear();
        problem.encode(state, found);
        match self {
            Self::Whole(states) => {
                stored.clear();
                problem.encode(&states[at as usize], stored);
                found == stored
            }
            Self::Encoded(states) => **found == *states[at as usize],
        }
    }
}
