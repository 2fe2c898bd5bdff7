//! Winning patterns (Yakuwa et al., section 5.3) as cards. A card says: with Black to move, if the
//! cells it needs are Black's and those it wants free are not White's, Black wins the weak game
//! with this many more stones. It holds in every position and orientation, on every board.
//!
//! Every proof is a card: its zone, and those of Black's stones that it uses. A search that reaches
//! one stops there. Certificates do not rest on cards: what lies below one is searched when the
//! certificate is made, so a wrong card could cost a verdict but not make one.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use hasami_andor::{Key, ProblemId};

use super::grid::{Grid, bits};
use super::shape::{Shape, spell_set};
use hasami_game::Resources;
use hasami_game::learned::Learned;

pub use pattern::Card;
use pattern::Laid;

mod pattern;

/// Increase it whenever the bytes of cards or their meaning change.
const VERSION: u32 = 1;
/// Most cards for one set of shapes.
const MOST: usize = 512;
/// Slots in a store for the cards of one set of shapes.
const SLOTS: u32 = 256;
/// The cards of one set of shapes, for all boards.
#[derive(Debug)]
pub struct Library {
    family: ProblemId,
    /// Each with its number of uses.
    cards: Mutex<BTreeMap<Card, Arc<AtomicU32>>>,
}

impl Library {
    /// The cards of these shapes.
    pub(super) fn of(shapes: &[Shape], resources: &Resources) -> Arc<Self> {
        let name = spell_set(shapes);
        let family = ProblemId::new("polyomino/cards", VERSION, &name);
        let Ok(library) =
            resources.get(&name, || Ok::<_, Infallible>(Self { family, cards: Mutex::default() }));
        library
    }

    fn cards(&self) -> MutexGuard<'_, BTreeMap<Card, Arc<AtomicU32>>> {
        self.cards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a card, unless it exists. If there are too many, the least used ones are dropped.
    fn add(&self, card: Card) -> Option<Arc<AtomicU32>> {
        let mut cards = self.cards();
        if cards.contains_key(&card) {
            return None;
        }
        if cards.len() >= MOST {
            let mut uses: Vec<u32> = cards.values().map(|uses| uses.load(Relaxed)).collect();
            uses.sort_unstable();
            let median = uses[uses.len() / 2];
            cards.retain(|_, uses| uses.load(Relaxed) > median);
        }
        let uses = Arc::new(AtomicU32::new(0));
        cards.insert(card, Arc::clone(&uses));
        Some(uses)
    }
}

impl Learned for Library {
    fn family(&self) -> ProblemId {
        self.family
    }

    fn keys(&self) -> Vec<Key> {
        (0..SLOTS).map(|slot| Key(slot.into())).collect()
    }

    /// The most used cards, each in the slot that its bytes determine.
    fn notes(&self) -> Vec<(Key, Vec<u8>)> {
        let cards = self.cards();
        let mut by_use: Vec<(u32, &Card)> =
            cards.iter().map(|(card, uses)| (uses.load(Relaxed), card)).collect();
        by_use.sort_unstable_by(|a, b| b.cmp(a));
        let mut notes = BTreeMap::new();
        for (_, card) in by_use {
            let bytes = card.to_bytes();
            let hash = blake3::hash(&bytes);
            let slot = u32::from(hash.as_bytes()[0]) % SLOTS;
            notes.entry(Key(slot.into())).or_insert(bytes);
        }
        notes.into_iter().collect()
    }

    fn merge(&self, notes: &[Vec<u8>]) -> usize {
        let cards = notes.iter().filter_map(|note| Card::from_bytes(note));
        cards.filter_map(|card| self.add(card)).count()
    }
}

/// Orientations with the same step from the first stone to the second.
#[derive(Debug)]
struct Group {
    /// From the first stone to the second, in cells; 0 if there is only one stone.
    step: u8,
    laid: Vec<Laid>,
}

/// The cards of a library on one grid.
#[derive(Debug)]
pub struct Deck {
    library: Arc<Library>,
    groups: RwLock<Vec<Group>>,
}

impl Deck {
    /// The cards of a library, for a grid.
    pub(super) fn new(library: Arc<Library>, grid: &Grid) -> Self {
        let deck = Self { groups: RwLock::default(), library: Arc::clone(&library) };
        for (card, uses) in library.cards().iter() {
            deck.lay(card, uses, grid);
        }
        deck
    }

    /// The cards of these shapes on all boards.
    pub(super) fn library(&self) -> &Library {
        &self.library
    }

    /// Adds the cards that the library has received since.
    pub(super) fn refresh(&self, grid: &Grid) {
        self.groups.write().unwrap_or_else(PoisonError::into_inner).clear();
        for (card, uses) in self.library.cards().iter() {
            self.lay(card, uses, grid);
        }
    }

    fn lay(&self, card: &Card, uses: &Arc<AtomicU32>, grid: &Grid) {
        let mut groups = self.groups.write().unwrap_or_else(PoisonError::into_inner);
        for turned in card.orientations() {
            let Some(laid) = Laid::new(&turned, uses, grid) else { continue };
            let step = laid.step();
            match groups.iter_mut().find(|group| group.step == step) {
                Some(group) => group.laid.push(laid),
                None => groups.push(Group { step, laid: vec![laid] }),
            }
        }
    }

    /// A card that matches these stones and needs at most `left` more: the cells that it rests on,
    /// and how many stones it needs.
    pub(super) fn find(&self, black: u128, white: u128, left: u32) -> Option<(u128, u32)> {
        let groups = self.groups.read().unwrap_or_else(PoisonError::into_inner);
        groups.iter().find_map(|group| {
            let pairs = black & black >> group.step;
            if pairs == 0 {
                return None;
            }
            let fits = |laid: &&Laid| laid.stones <= left;
            group.laid.iter().filter(fits).find_map(|laid| laid.found(pairs, black, white))
        })
    }

    /// Adds the card of a proof that rests on `cells`, some of them Black's.
    pub(super) fn add(&self, grid: &Grid, cells: u128, black: u128, stones: u32) {
        let places = |cells: u128| bits(cells).map(|cell| grid.place(cell));
        let Some(card) = Card::new(places(cells & black), places(cells & !black), stones) else {
            return;
        };
        if let Some(uses) = self.library.add(card.clone()) {
            self.lay(&card, &uses, grid);
        }
    }
}
