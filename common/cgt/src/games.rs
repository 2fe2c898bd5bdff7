//! The arena: stores every value once, found by its options.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::budget::{Budget, Exhausted};
use crate::dyadic::Dyadic;
use crate::node::{Node, UpStar};
use crate::order::Comparing;
use crate::thermograph::Thermograph;

/// A value in canonical form, by its number in a [`Games`]. Two values of one `Games` are equal
/// exactly if these numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(crate) u32);

impl Value {
    /// 0 is the first value of every [`Games`].
    pub const ZERO: Self = Self(0);

    /// The place of the game that is being reduced to canonical form. No value has this number.
    pub(crate) const RAW: Self = Self(1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All values met so far, and what is known about them.
///
/// ```
/// use hasami_cgt::{Games, Order};
/// let mut games = Games::new();
/// let (zero, star) = (games.zero(), games.star(1)?);
/// let up = games.make(&[zero], &[star])?;
/// assert_eq!(games.compare(up, star)?, Order::Confused);
/// let double = games.add(up, up)?;
/// assert_eq!(games.show(double), "^2");
/// # Ok::<(), hasami_cgt::Exhausted>(())
/// ```
#[derive(Clone, Debug)]
pub struct Games {
    pub(crate) nodes: Vec<Node>,
    pub(crate) pool: Vec<Value>,
    /// Values that are not numbers, by their options.
    interned: HashTable<Value>,
    numbers: FxHashMap<Dyadic, Value>,
    /// Integers from −[`SMALL_INTEGERS`] on, which are used most.
    small_integers: Vec<Option<Value>>,
    /// Buffers for options, reused between calls.
    pub(crate) room: [Vec<Value>; 2],
    /// Buffer for comparisons, reused between calls.
    pub(crate) comparisons: Vec<Comparing>,
    pub(crate) negatives: FxHashMap<Value, Value>,
    /// Results of a <= b, by both value numbers in one word.
    pub(crate) at_most: FxHashMap<u64, bool>,
    /// Comparisons with the game that is being reduced to canonical form.
    pub(crate) scratch: FxHashMap<u64, bool>,
    pub(crate) sums: FxHashMap<u64, Value>,
    /// Sums of a number, ups and a nim-heap.
    pub(crate) up_stars: FxHashMap<UpStar, Value>,
    /// By game and temperature.
    pub(crate) cooled: FxHashMap<u64, Value>,
    pub(crate) thermographs: FxHashMap<Value, Arc<Thermograph>>,
    pub(crate) budget: Budget,
}

/// Integers up to this size are found without a hash.
const SMALL_INTEGERS: i64 = 64;

#[inline]
fn small_place(integer: i64) -> Option<usize> {
    (integer.unsigned_abs() <= SMALL_INTEGERS as u64).then(|| (integer + SMALL_INTEGERS) as usize)
}

/// Two values in one word.
pub(crate) fn pair(a: Value, b: Value) -> u64 {
    u64::from(a.0) << 32 | u64::from(b.0)
}

impl Default for Games {
    fn default() -> Self {
        Self::new()
    }
}

impl Games {
    /// An empty arena, limited only to 2^32 values.
    pub fn new() -> Self {
        Self::with_limit(u64::MAX)
    }

    /// An empty arena that gives up after this many steps; each takes at most some tens of bytes.
    pub fn with_limit(steps: u64) -> Self {
        let zero = Node::number(Dyadic::ZERO, Value::ZERO);
        Self {
            nodes: vec![zero.clone(), zero],
            pool: Vec::new(),
            interned: HashTable::new(),
            small_integers: vec![None; 2 * SMALL_INTEGERS as usize + 1],
            room: [Vec::new(), Vec::new()],
            comparisons: Vec::new(),
            numbers: [(Dyadic::ZERO, Value::ZERO)].into_iter().collect(),
            negatives: FxHashMap::default(),
            at_most: FxHashMap::default(),
            scratch: FxHashMap::default(),
            sums: FxHashMap::default(),
            up_stars: FxHashMap::default(),
            cooled: FxHashMap::default(),
            thermographs: FxHashMap::default(),
            budget: Budget::new(steps),
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Always false: there is always 0.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Steps taken since the limit was set.
    pub fn spent(&self) -> u64 {
        self.budget.spent()
    }

    /// Restores the whole limit, for the next question.
    pub fn refill(&mut self) {
        self.budget.refill();
    }

    /// Drops comparisons, sums and thermographs, which can be computed again; values stay.
    pub fn forget(&mut self) {
        self.at_most = FxHashMap::default();
        self.sums = FxHashMap::default();
        self.cooled = FxHashMap::default();
        self.thermographs = FxHashMap::default();
    }

    /// 0.
    pub fn zero(&self) -> Value {
        Value::ZERO
    }

    /// The value of an integer.
    pub fn integer(&mut self, number: i64) -> Result<Value, Exhausted> {
        match small_place(number).and_then(|place| self.small_integers[place]) {
            Some(value) => Ok(value),
            None => self.dyadic(&Dyadic::from(number)),
        }
    }

    /// The value of a number.
    pub fn dyadic(&mut self, number: &Dyadic) -> Result<Value, Exhausted> {
        let place = number.to_i64().and_then(small_place);
        if let Some(value) = place.and_then(|place| self.small_integers[place]) {
            return Ok(value);
        }
        let value = match self.numbers.get(number) {
            Some(&value) => value,
            None => {
                self.budget.spend(1 + number.extra_words())?;
                let value = self.next_value()?;
                self.nodes.push(Node::number(number.clone(), value));
                self.numbers.insert(number.clone(), value);
                value
            }
        };
        if let Some(place) = place {
            self.small_integers[place] = Some(value);
        }
        Ok(value)
    }

    /// Whether the value is a number.
    pub fn is_number(&self, value: Value) -> bool {
        self.node(value).is_number
    }

    /// The number, if the value is one.
    pub fn number(&self, value: Value) -> Option<&Dyadic> {
        let node = self.node(value);
        node.is_number.then_some(&node.left_stop.at)
    }

    /// The left options of the canonical form. Those of a number may be new values.
    pub fn left(&mut self, value: Value) -> Result<Vec<Value>, Exhausted> {
        match self.number(value).cloned() {
            None => Ok(self.left_options(value).to_vec()),
            Some(number) if number.is_integer() && number.signum() <= 0 => Ok(Vec::new()),
            Some(number) => Ok(vec![self.dyadic(&(&number - &number.unit()))?]),
        }
    }

    /// The right options of the canonical form. Those of a number may be new values.
    pub fn right(&mut self, value: Value) -> Result<Vec<Value>, Exhausted> {
        match self.number(value).cloned() {
            None => Ok(self.right_options(value).to_vec()),
            Some(number) if number.is_integer() && number.signum() >= 0 => Ok(Vec::new()),
            Some(number) => Ok(vec![self.dyadic(&(&number + &number.unit()))?]),
        }
    }

    pub(crate) fn node(&self, value: Value) -> &Node {
        &self.nodes[value.index()]
    }

    /// The left options of a game that is not a number.
    pub(crate) fn left_options(&self, value: Value) -> &[Value] {
        let [left, right, _] = self.node(value).options;
        &self.pool[left as usize..right as usize]
    }

    /// The right options of a game that is not a number.
    pub(crate) fn right_options(&self, value: Value) -> &[Value] {
        let [_, right, end] = self.node(value).options;
        &self.pool[right as usize..end as usize]
    }

    fn next_value(&self) -> Result<Value, Exhausted> {
        let full = Exhausted { limit: u64::from(u32::MAX) };
        u32::try_from(self.nodes.len()).map(Value).map_err(|_| full)
    }

    /// The value with these options, which must be those of a canonical form that is not a number;
    /// sorts each side.
    pub(crate) fn intern(
        &mut self,
        left: &mut [Value],
        right: &mut [Value],
    ) -> Result<Value, Exhausted> {
        left.sort_unstable();
        right.sort_unstable();
        let hash = hash_options(left, right);
        let same = |&value: &Value| {
            self.left_options(value) == &*left && self.right_options(value) == &*right
        };
        if let Some(&value) = self.interned.find(hash, same) {
            return Ok(value);
        }
        self.budget.spend(4 + left.len() as u64 + right.len() as u64)?;
        let value = self.next_value()?;
        let mut node = self.new_node(left, right)?;
        node.up_star = self.name(left, right);
        node.fingerprint =
            self.fingerprint_of(left).rotate_left(7) ^ self.fingerprint_of(right).wrapping_mul(3);
        if let Some(name) = node.up_star {
            self.up_stars.insert(name, value);
        }
        self.nodes.push(node);
        let (nodes, pool) = (&self.nodes, &self.pool);
        self.interned.insert_unique(hash, value, |value| {
            let [start, middle, end] = nodes[value.index()].options.map(|at| at as usize);
            hash_options(&pool[start..middle], &pool[middle..end])
        });
        Ok(value)
    }

    /// Puts a game at [`Value::RAW`]. It may be not in canonical form, but must not be a number.
    pub(crate) fn put_raw(&mut self, left: &[Value], right: &[Value]) -> Result<(), Exhausted> {
        self.nodes[Value::RAW.index()] = self.new_node(left, right)?;
        Ok(())
    }

    /// Removes it again. Only numbers, which have no options in the pool, may have been added
    /// since.
    pub(crate) fn take_raw(&mut self) {
        let start = self.node(Value::RAW).options[0];
        self.pool.truncate(start as usize);
        self.scratch.clear();
    }

    /// A node with these options, added to the pool, without name and fingerprint.
    fn new_node(&mut self, left: &[Value], right: &[Value]) -> Result<Node, Exhausted> {
        let start = self.pool.len();
        let middle = start + left.len();
        let full = Exhausted { limit: u64::from(u32::MAX) };
        let place = |at: usize| u32::try_from(at).map_err(|_| full);
        let options = [place(start)?, place(middle)?, place(middle + right.len())?];
        let node = Node {
            options,
            is_number: false,
            left_stop: self.left_stop_of(left),
            right_stop: self.right_stop_of(right),
            up_star: None,
            fingerprint: 0,
        };
        self.pool.extend_from_slice(left);
        self.pool.extend_from_slice(right);
        Ok(node)
    }

    /// Does not depend on the order of the options.
    fn fingerprint_of(&self, options: &[Value]) -> u64 {
        let mixed =
            options.iter().map(|&option| FxBuildHasher.hash_one(self.node(option).fingerprint));
        mixed.fold(options.len() as u64, u64::wrapping_add)
    }
}

fn hash_options(left: &[Value], right: &[Value]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    left.hash(&mut hasher);
    right.hash(&mut hasher);
    hasher.finish()
}
