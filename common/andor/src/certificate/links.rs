//! The moves between the states of a proof while it grows. All of them are in one vector. Lists run
//! through it: from a state down its moves, and from a state up the moves that wait for it.

use super::NodeId;

/// Number of a move.
pub(super) type LinkId = u32;

/// The end of a list.
const END: LinkId = LinkId::MAX;

/// A move from one state of the proof to another.
pub(super) struct Link<M> {
    pub mv: M,
    pub from: NodeId,
    pub to: NodeId,
    /// Once the state after it is final, the moves it hides are needed too.
    pub opens: bool,
    /// The next move from the same state.
    next: LinkId,
    /// The next move that waits for the same state.
    next_up: LinkId,
}

/// Where the lists of a state begin and end.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    first: LinkId,
    last: LinkId,
    up: LinkId,
}

impl Ends {
    pub const NONE: Self = Self { first: END, last: END, up: END };
}

/// All moves, in the order in which they were added.
pub(super) struct Links<M>(Vec<Link<M>>);

impl<M: Copy> Links<M> {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, id: LinkId) -> &Link<M> {
        &self.0[id as usize]
    }

    /// Adds a move to the end of the list of its state.
    pub fn add(&mut self, ends: &mut Ends, from: NodeId, mv: M, to: NodeId, opens: bool) -> LinkId {
        let id = LinkId::try_from(self.0.len()).expect("fewer moves than memory has room for");
        self.0.push(Link { mv, from, to, opens, next: END, next_up: END });
        match ends.last {
            END => ends.first = id,
            last => self.0[last as usize].next = id,
        }
        ends.last = id;
        id
    }

    /// Adds a link that is no move of its state: it is in no list of moves, and its move means nothing.
    pub fn add_yield(&mut self, from: NodeId, mv: M, to: NodeId) -> LinkId {
        self.add(&mut Ends::NONE.clone(), from, mv, to, false)
    }

    /// Lets a move wait for the state that it leads to, whose ends these are.
    pub fn wait(&mut self, id: LinkId, ends: &mut Ends) {
        self.0[id as usize].next_up = std::mem::replace(&mut ends.up, id);
    }

    /// The moves of a state, in the order in which they were added.
    pub fn down(&self, ends: Ends) -> impl Iterator<Item = &Link<M>> {
        let mut at = ends.first;
        std::iter::from_fn(move || {
            let link = self.0.get(at as usize)?;
            at = link.next;
            Some(link)
        })
    }

    /// The moves that wait for a state, the latest first: the first of them, then [`Links::above`].
    pub fn waiting(ends: Ends) -> Option<LinkId> {
        (ends.up != END).then_some(ends.up)
    }

    /// The next move that waits for the same state.
    pub fn above(&self, id: LinkId) -> Option<LinkId> {
        let next = self.0[id as usize].next_up;
        (next != END).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_the_order_of_the_moves_of_each_state() {
        let (mut links, mut ends) = (Links::new(), [Ends::NONE; 3]);
        for (from, mv, to) in [(0, 'a', 1), (1, 'b', 2), (0, 'c', 2), (1, 'd', 2), (0, 'e', 1)] {
            let mut own = ends[from as usize];
            let id = links.add(&mut own, from, mv, to, false);
            ends[from as usize] = own;
            links.wait(id, &mut ends[to as usize]);
        }
        let down = |state: usize| links.down(ends[state]).map(|link| link.mv).collect::<String>();
        assert_eq!([down(0), down(1), down(2)], ["ace", "bd", ""]);
        let up = |state: usize| {
            let mut found = String::new();
            let mut at = Links::<char>::waiting(ends[state]);
            while let Some(id) = at {
                found.push(links.get(id).mv);
                at = links.above(id);
            }
            found
        };
        assert_eq!([up(0), up(1), up(2)], ["", "ea", "dcb"]);
    }
}
