//! Wythoff's game, added as docs/add-a-game.md describes: rules, and one method for puzzles. The
//! generator has no code for it.

use std::collections::HashSet;

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Problem, ProblemId, Turn};
use hasami_game::{BuildError, Game, Resources};
use hasami_puzzles::{Generator, Method, Order, Plies, Puzzle, Unique, sheet};
use hasami_spec::{Param, ParamError, Params, Spec};

/// Two heaps: take any number from one, or the same from both; taking the last stone wins.
#[derive(Clone, Debug)]
struct Wythoff(u8, u8);

#[derive(Clone, Copy, Debug)]
struct Take(u8, u8);

static PARAMS: &[Param] = &[Param::text("position", "two heaps, like 3,5").or("20,17")];

impl Game for Wythoff {
    const SPEC: Spec = Spec::game(
        "wythoff",
        "Take stones from one heap, or as many from both; the last wins.",
        "wythoff position=3,5",
        PARAMS,
    )
    .checks(|params| Self::read(params).map(drop));

    const RULES: u32 = 1;

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        Ok(Self::read(params)?)
    }
}

impl Wythoff {
    fn read(params: &Params) -> Result<Self, ParamError> {
        let text = params.text("position")?;
        let bad = || ParamError::bad("position", text, "two numbers of stones, like 3,5");
        let (one, other) = text.split_once(',').ok_or_else(bad)?;
        Ok(Self(one.parse().map_err(|_| bad())?, other.parse().map_err(|_| bad())?))
    }
}

impl Problem for Wythoff {
    type State = (u8, u8, Turn);
    type Move = Take;
    type Reason = ();

    fn id(&self) -> ProblemId {
        ProblemId::new(Self::NAME, 1, &format!("{},{}", self.0, self.1))
    }

    fn root(&self) -> Self::State {
        (self.0, self.1, Turn::Or)
    }

    fn turn(&self, state: &Self::State) -> Turn {
        state.2
    }

    fn expand(&self, &(one, other, turn): &Self::State, moves: &mut Moves<Take>) -> Expansion {
        (1..=one).for_each(|stones| moves.push(Take(stones, 0)));
        (1..=other).for_each(|stones| moves.push(Take(0, stones)));
        (1..=one.min(other)).for_each(|stones| moves.push(Take(stones, stones)));
        if moves.is_empty() { Expansion::Settled(turn.wish().opposite()) } else { Expansion::Open }
    }

    fn play(&self, &(one, other, turn): &Self::State, take: Take) -> Self::State {
        let next = if turn == Turn::Or { Turn::And } else { Turn::Or };
        (one - take.0, other - take.1, next)
    }

    fn key(&self, &(one, other, turn): &Self::State) -> Key {
        let (small, large) = (one.min(other), one.max(other));
        Key::mixed(u128::from(small) << 16 | u128::from(large) << 8 | u128::from(turn == Turn::Or))
    }

    fn encode(&self, &(one, other, turn): &Self::State, out: &mut Vec<u8>) {
        out.extend([one, other, u8::from(turn == Turn::And)]);
    }

    fn decode(&self, bytes: &[u8]) -> Result<Self::State, BadState> {
        match *bytes {
            [one, other, turn @ (0 | 1)] if one <= self.0 && other <= self.1 => {
                Ok((one, other, if turn == 0 { Turn::Or } else { Turn::And }))
            }
            _ => Err(BadState("wythoff: expected two heaps and a turn".to_string())),
        }
    }

    fn length(&self, _: &Self::State, _: Take) -> Option<u32> {
        Some(1)
    }

    fn put_move(&self, _: &Self::State, take: Take, out: &mut Vec<u8>) {
        out.extend([take.0, take.1]);
    }

    fn take_move(&self, _: &Self::State, from: &mut Source<'_>) -> Result<Take, Fault> {
        Ok(Take(from.byte()?, from.byte()?))
    }

    /// Whether the heaps are exchanged.
    fn put_symmetry(&self, kept: &Self::State, here: &Self::State, out: &mut Vec<u8>) {
        out.push(u8::from(kept != here));
    }

    fn turned(&self, kept: &Self::State, from: &mut Source<'_>) -> Result<Self::State, Fault> {
        match from.byte()? {
            0 => Ok(*kept),
            1 => Ok((kept.1, kept.0, kept.2)),
            byte => Err(format!("symmetry {byte}")),
        }
    }

    fn show(&self, &(one, other, _): &Self::State) -> String {
        format!("{one} and {other} stones")
    }

    fn show_move(&self, _: &Self::State, take: Take) -> String {
        format!("take {},{}", take.0, take.1)
    }
}

/// All that puzzles need.
impl Puzzle for Wythoff {
    fn asked_from(&self, params: &Params, &(one, other, _): &Self::State) -> Option<Params> {
        params.with("position", &format!("{one},{other}")).ok().filter(|_| one + other > 0)
    }
}

/// Whether the side to move loses (Wythoff 1907): the k-th such pair differs by k.
fn cold(one: u8, other: u8) -> bool {
    let (small, large) = (one.min(other), one.max(other));
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    f64::from(small) == (f64::from(large - small) * golden).floor()
}

fn order(method: Method, seed: u64) -> Order {
    let plies = Plies { least: 3, most: 9 };
    let (unique, nodes) = (Unique::Win, 100_000);
    Order { plies, unique, grade: None, rule_proof: false, method, seed, nodes }
}

#[test]
fn puzzles_of_a_game_that_the_generator_has_never_heard_of() {
    let params = Params::parse(PARAMS, "").unwrap();
    for method in [Method::Free, Method::Guided, Method::Played] {
        let mut generator = Generator::<Wythoff>::new(&params, order(method, 7)).unwrap();
        let mut puzzles = Vec::new();
        while puzzles.len() < 8 {
            assert!(generator.attempts() < 20_000, "{method:?}");
            puzzles.extend(generator.attempt());
        }
        let mut keys = HashSet::new();
        for made in &puzzles {
            let game = Wythoff::from_params(&made.params).unwrap();
            let mut moves = Moves::new();
            game.expand(&game.root(), &mut moves);
            let good: Vec<String> = moves
                .iter()
                .filter(|take| cold(game.0 - take.0, game.1 - take.1))
                .map(|take| game.show_move(&game.root(), take))
                .collect();
            assert_eq!([made.winning[0].0.clone()], good[..], "{}", made.position);
            assert!(keys.insert(made.key) && (3..=9).contains(&made.plies));
        }
        let title = "Wythoff";
        let printed = sheet::Sheet {
            title,
            rules: Wythoff::IN_WORDS,
            legend: &[],
            puzzles: &puzzles,
            proof: &[],
        };
        assert!(sheet::text(&printed).contains(" stones\n"));
    }
}
