//! The nodes of a tree, byte for byte, and the numbers of kept ones.

use rustc_hash::FxHashMap;

use super::bytes::{Fault, Sink, Source};

/// Bits of a tag that are the kind of a node.
const KIND: u8 = 3;
/// A ONE or ALL that later nodes refer to; a SAME that is the last to refer to its node.
const FLAG: u8 = 4;
/// The state is exchanged for one of another rank; only in games that have ranks.
const YIELD: u8 = 8;

/// Writes the beginning of a yield: the rank follows, then a node.
pub fn put_yield(out: &mut Sink<'_>) {
    out.byte(YIELD);
}

/// The beginning of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// Settled by this rule of the game; its data follow.
    Leaf(u8),
    /// One move is enough; it follows. Whether later nodes refer to this one.
    One(bool),
    /// All moves count; their number follows. Whether later nodes refer to this one.
    All(bool),
    /// The same as the kept node that is so many numbers back; the symmetry follows. Whether no later
    /// node refers to it.
    Same {
        /// How many numbers back, at least 1.
        back: u64,
        /// No later node refers to it.
        last: bool,
    },
}

impl Tag {
    /// Writes it.
    pub fn put(self, out: &mut Sink<'_>) {
        let flag = |is: bool| if is { FLAG } else { 0 };
        match self {
            Self::Leaf(rule) => out.bytes(&[0, rule]),
            Self::One(kept) => out.byte(1 | flag(kept)),
            Self::All(kept) => out.byte(2 | flag(kept)),
            Self::Same { back, last } => {
                out.byte(3 | flag(last));
                out.number(back);
            }
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// If there is no such tag.
    pub fn take(from: &mut Source<'_>) -> Result<Self, Fault> {
        let byte = from.byte()?;
        Self::after(byte, from)
    }

    /// Reads it; `None` for a yield.
    ///
    /// # Errors
    /// If there is no such tag.
    pub fn take_or_yield(from: &mut Source<'_>) -> Result<Option<Self>, Fault> {
        match from.byte()? {
            YIELD => Ok(None),
            byte => Self::after(byte, from).map(Some),
        }
    }

    fn after(byte: u8, from: &mut Source<'_>) -> Result<Self, Fault> {
        let flag = byte & FLAG != 0;
        if byte & !(KIND | FLAG) != 0 || byte == FLAG {
            return Err(format!("tag {byte}; expected 0 to 3, or 5 to 7"));
        }
        Ok(match byte & KIND {
            0 => Self::Leaf(from.byte()?),
            1 => Self::One(flag),
            2 => Self::All(flag),
            _ => Self::Same { back: from.number()?, last: flag },
        })
    }
}

/// The kept nodes that are still needed, by number.
pub struct KeptNodes<T> {
    /// The numbers are ours, so nobody can choose them to collide.
    nodes: FxHashMap<u64, T>,
    next: u64,
}

impl<T> Default for KeptNodes<T> {
    fn default() -> Self {
        Self { nodes: FxHashMap::default(), next: 0 }
    }
}

impl<T> KeptNodes<T> {
    /// Gives the next number to a node.
    pub fn add(&mut self, node: T) -> u64 {
        self.nodes.insert(self.next, node);
        self.next += 1;
        self.next - 1
    }

    /// The node with a number, to be changed.
    pub fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.nodes.get_mut(&number)
    }

    /// How far back a number is, for a SAME that is written now.
    #[must_use]
    pub fn back(&self, number: u64) -> u64 {
        self.next - number
    }

    /// The number that a SAME refers to, and its node.
    ///
    /// # Errors
    /// If there is no such node, or it is forgotten.
    pub fn find(&self, back: u64) -> Result<(u64, &T), Fault> {
        let number = self.next.checked_sub(back).filter(|_| back > 0);
        let found = number.and_then(|number| Some((number, self.nodes.get(&number)?)));
        found.ok_or_else(|| format!("no kept node is {back} back"))
    }

    /// Number of nodes that are not forgotten.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets a node.
    pub fn forget(&mut self, number: u64) -> Option<T> {
        self.nodes.remove(&number)
    }
}
