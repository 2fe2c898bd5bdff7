//! The legal moves that a certificate still has to name, in two vectors for all nodes on the path.

/// The legal moves of the nodes on the stack that have not been read yet, encoded; those of the top
/// node come last.
#[derive(Default)]
pub(super) struct Legal {
    bytes: Vec<u8>,
    /// Where each of them is.
    moves: Vec<(usize, usize)>,
}

/// Where the moves of a node begin.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    bytes: usize,
    moves: usize,
}

impl Legal {
    /// Where the moves of the next node begin.
    pub fn mark(&self) -> Mark {
        Mark { bytes: self.bytes.len(), moves: self.moves.len() }
    }

    /// Adds a move to the top node.
    pub fn add(&mut self, put: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        put(&mut self.bytes);
        self.moves.push((start, self.bytes.len()));
    }

    /// Removes a move of the top node, whose moves begin at the mark; false if it is not among them.
    pub fn take(&mut self, from: Mark, wanted: &[u8]) -> bool {
        let here = |&(start, end): &(usize, usize)| self.bytes[start..end] == *wanted;
        let Some(place) = self.moves[from.moves..].iter().rposition(here) else { return false };
        self.moves.swap_remove(from.moves + place);
        true
    }

    /// Forgets the moves of the top node, which begin at the mark.
    pub fn back_to(&mut self, mark: Mark) {
        self.bytes.truncate(mark.bytes);
        self.moves.truncate(mark.moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_taken_once_and_from_the_top_node_only() {
        let mut legal = Legal::default();
        let put = |legal: &mut Legal, all: &[&[u8]]| {
            all.iter().for_each(|bytes| legal.add(|out| out.extend_from_slice(bytes)));
        };
        let below = legal.mark();
        put(&mut legal, &[b"a", b"bc", b""]);
        let top = legal.mark();
        put(&mut legal, &[b"b", b"c"]);
        assert!(!legal.take(top, b"bc"), "a move of the node below");
        assert!(legal.take(top, b"b") && !legal.take(top, b"b"), "only once");
        legal.back_to(top);
        assert!(!legal.take(below, b"c"), "forgotten with its node");
        assert!(legal.take(below, b"bc") && legal.take(below, b"") && legal.take(below, b"a"));
        assert!(!legal.take(below, b""));
    }
}
