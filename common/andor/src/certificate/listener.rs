//! Who wants to know what a checker finds, besides whether a tree holds.

use super::Step;

type Each<'a, S> = &'a mut dyn FnMut(&S, Step);

/// Is told about every ONE and ALL of a tree once everything below it holds.
///
/// Checkers work with less than the states of a game. To make these takes longer than to check a tree,
/// so a checker makes them only for somebody who listens.
pub struct Listener<'a, S>(Option<Each<'a, S>>);

impl<'a, S> Listener<'a, S> {
    /// Nobody listens.
    #[must_use]
    pub fn nobody() -> Self {
        Self(None)
    }

    /// Tells `each` the state of a node and what the tree says about it.
    pub fn new(each: Each<'a, S>) -> Self {
        Self(Some(each))
    }

    /// Whether somebody listens.
    #[must_use]
    pub fn listens(&self) -> bool {
        self.0.is_some()
    }

    /// Tells about a node, if somebody listens.
    pub fn tell(&mut self, node: impl FnOnce() -> (S, Step)) {
        if let Some(each) = &mut self.0 {
            let (state, step) = node();
            each(&state, step);
        }
    }
}
