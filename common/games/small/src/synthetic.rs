//! Implicit trees and layered dags whose expansion takes a few nanoseconds, to measure kernels and
//! tables rather than rules. Everything about a node is a hash of its place.

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Problem, ProblemId, Turn, Verdict};

use hasami_game::random::{Chance, scramble};
use hasami_game::{BuildError, Game, Resources};
use hasami_spec::{Param, ParamError, Params, Spec};

const VERSION: u32 = 1;

/// A tree, or a dag with at most `width` nodes in each layer. Below some nodes the lines of play
/// join repeatedly: such a *knot* has few nodes in each layer, however many paths lead there.
#[derive(Clone, Debug)]
pub struct Synthetic {
    depth: u16,
    branching: u8,
    width: u64,
    knots: Chance,
    knot: u64,
    leaves: Chance,
    bias: Chance,
    salt: u64,
    id: ProblemId,
}

/// A node: its layer, and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    depth: u16,
    /// Whether it is inside a knot.
    knotted: bool,
    /// The index in the layer; in a knot, the upper bits identify the knot.
    index: u64,
}

/// Most nodes in a layer of a knot.
const MAX_KNOT: u64 = 256;

/// The index of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch(u8);

static PARAMS: &[Param] = &[
    Param::number("depth", "layer where all nodes are settled, 1 to 10000").or("16"),
    Param::number("branching", "moves of every open node, 1 to 255").or("4"),
    Param::number("width", "most nodes in a layer; 0 for a tree").or("0"),
    Param::fraction("knots", "nodes below which lines of play meet again and again").or("0"),
    Param::number("knot", "most nodes in a layer of a knot, 1 to 256").or("4"),
    Param::fraction("leaves", "nodes that are settled before the last layer").or("0"),
    Param::fraction("bias", "settled nodes that are proven").or("0.5"),
    Param::number("seed", "which of these").or("0"),
];

impl Game for Synthetic {
    const SPEC: Spec = Spec::game(
        "synthetic",
        "an endless supply of random trees and dags: is the root proven?",
        "synthetic depth=14 branching=4 width=5000 seed=1",
        PARAMS,
    )
    .checks(|params| Self::read(params).map(drop));

    const RULES: u32 = 1;

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        Ok(Self::read(params)?)
    }
}

impl Synthetic {
    fn read(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            depth: params.number("depth", 1..=10_000)?,
            branching: params.number("branching", 1..=255)?,
            width: params.number("width", 0..=1 << 32)?,
            knots: Chance::new(params.fraction("knots")?),
            knot: params.number("knot", 1..=MAX_KNOT)?,
            leaves: Chance::new(params.fraction("leaves")?),
            bias: Chance::new(params.fraction("bias")?),
            salt: scramble(params.number("seed", 0..=u64::MAX)?),
            id: ProblemId::new(Self::NAME, VERSION, &params.canonical()),
        })
    }
}

impl Synthetic {
    /// A random word for a node.
    fn word(&self, place: &Place) -> u64 {
        scramble(place.index ^ self.salt ^ u64::from(place.depth) << 48)
    }

    fn settled(&self, place: &Place) -> Option<Verdict> {
        let word = self.word(place);
        let early = place.depth > 0 && self.leaves.hit(word);
        // The lower half: the upper one is already used.
        (early || place.depth == self.depth)
            .then(|| if self.bias.hit(word << 32) { Verdict::Proven } else { Verdict::Disproven })
    }
}

impl Problem for Synthetic {
    type State = Place;
    type Move = Branch;
    type Reason = ();

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Place {
        Place { depth: 0, knotted: false, index: 0 }
    }

    fn turn(&self, state: &Place) -> Turn {
        match state.depth % 2 {
            0 => Turn::Or,
            _ => Turn::And,
        }
    }

    fn expand(&self, state: &Place, moves: &mut Moves<Branch>) -> Expansion {
        match self.settled(state) {
            Some(verdict) => Expansion::Settled(verdict),
            None => {
                (0..self.branching).for_each(|branch| moves.push(Branch(branch)));
                Expansion::Open
            }
        }
    }

    fn play(&self, state: &Place, mv: Branch) -> Place {
        let word = scramble(self.word(state).wrapping_add(u64::from(mv.0) + 1));
        let depth = state.depth + 1;
        let below = |bound: u64| ((u128::from(word) * u128::from(bound)) >> 64) as u64;
        if state.knotted {
            let index = state.index & !(MAX_KNOT - 1) | below(self.knot);
            return Place { depth, knotted: true, index };
        }
        let index = if self.width == 0 { word } else { below(self.width) };
        let knotted = self.knots.hit(scramble(index ^ self.salt));
        if knotted {
            Place { depth, knotted, index: index & !(MAX_KNOT - 1) }
        } else {
            Place { depth, knotted, index }
        }
    }

    fn key(&self, state: &Place) -> Key {
        let kind = u128::from(state.depth) << 1 | u128::from(state.knotted);
        Key::mixed(kind << 64 | u128::from(state.index))
    }

    fn encode(&self, state: &Place, out: &mut Vec<u8>) {
        let layer = state.depth << 1 | u16::from(state.knotted);
        out.extend_from_slice(&layer.to_le_bytes());
        out.extend_from_slice(&state.index.to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> Result<Place, BadState> {
        let bad = |found: String, expected: &str| {
            BadState(format!("synthetic: found {found}; expected {expected}"))
        };
        let Some((&depth, index)) = bytes.split_first_chunk::<2>() else {
            return Err(bad(format!("{} bytes", bytes.len()), "10"));
        };
        let Ok(index) = <[u8; 8]>::try_from(index) else {
            return Err(bad(format!("{} bytes", bytes.len()), "10"));
        };
        let (layer, index) = (u16::from_le_bytes(depth), u64::from_le_bytes(index));
        let (depth, knotted) = (layer >> 1, layer & 1 == 1);
        if depth > self.depth {
            return Err(bad(format!("layer {depth}"), "one of the question"));
        }
        // In a tree the hash may give any index, except for the root.
        let (knot, place) = (index & !(MAX_KNOT - 1), index & (MAX_KNOT - 1));
        let number = if knotted { knot } else { index };
        if depth == 0 && (index != 0 || knotted)
            || self.width > 0 && number >= self.width
            || knotted && place >= self.knot
        {
            return Err(bad(format!("number {index}"), "one within its layer"));
        }
        Ok(Place { depth, knotted, index })
    }

    fn length(&self, _: &Place, _: Branch) -> Option<u32> {
        Some(1)
    }

    fn put_move(&self, _: &Place, mv: Branch, out: &mut Vec<u8>) {
        out.push(mv.0);
    }

    fn take_move(&self, _: &Place, from: &mut Source<'_>) -> Result<Branch, Fault> {
        from.byte().map(Branch)
    }

    fn show(&self, state: &Place) -> String {
        let knot = if state.knotted { " in a knot" } else { "" };
        format!("layer {} number {}{knot}", state.depth, state.index)
    }

    fn show_move(&self, _: &Place, mv: Branch) -> String {
        format!("branch {}", mv.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_andor::oracle;

    fn made(spelling: &str) -> Synthetic {
        Synthetic::from_params(&Params::parse(PARAMS, spelling).unwrap()).unwrap()
    }

    #[test]
    fn width_zero_is_a_tree_and_a_narrow_layer_is_shared() {
        let tree = oracle::solve(&made("depth=6 branching=3 width=0"), 10_000).unwrap();
        assert_eq!(tree.verdicts.len(), (3usize.pow(7) - 1) / 2);
        let dag = oracle::solve(&made("depth=6 branching=3 width=5"), 10_000).unwrap();
        assert!(dag.verdicts.len() <= 1 + 6 * 5);
    }

    #[test]
    fn knots_are_narrow() {
        let free = oracle::solve(&made("depth=8 branching=3"), 20_000).unwrap();
        let tied = oracle::solve(&made("depth=8 branching=3 knots=1 knot=2"), 20_000).unwrap();
        assert_eq!(free.verdicts.len(), (3usize.pow(9) - 1) / 2);
        assert!(tied.verdicts.len() <= 1 + 3 + 3 * 2 * 7, "{}", tied.verdicts.len());
    }

    #[test]
    fn extreme_chances_decide_the_root() {
        for seed in 0..20 {
            for (bias, verdict) in [(0, Verdict::Disproven), (1, Verdict::Proven)] {
                let game = made(&format!("depth=5 leaves=0.3 bias={bias} seed={seed}"));
                assert_eq!(oracle::solve(&game, 10_000).unwrap().root, verdict);
            }
        }
    }

    #[test]
    fn both_verdicts_occur() {
        let proven = (0..100)
            .filter(|seed| {
                let game = made(&format!("depth=6 branching=3 width=40 seed={seed}"));
                oracle::solve(&game, 10_000).unwrap().root == Verdict::Proven
            })
            .count();
        assert!((10..=90).contains(&proven), "{proven}");
    }

    #[test]
    fn early_leaves_are_as_many_as_asked() {
        let game = made("depth=100 leaves=0.25");
        let settled = (0..10_000)
            .filter(|&index| game.settled(&Place { depth: 7, knotted: false, index }).is_some())
            .count();
        assert!((2_300..2_700).contains(&settled), "{settled}");
    }
}
