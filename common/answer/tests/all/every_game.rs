//! What every game must do: each check runs on every game of the registry.

use std::collections::HashMap;

use hasami_andor::{Expansion, Key, Moves, Problem, oracle};
use hasami_answer::registry::{Visitor, games, visit};
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_spec::Params;

/// Parameters to test, beside the defaults and the example.
const MORE: &[&str] = &[
    "mnk width=3 height=3 line=3 zones=off sym=off",
    "mnk width=5 height=3 line=4 zones=on sym=on",
    "mnk width=8 height=8 line=5",
    "mnk width=64 height=1 line=3 zones=off",
    "chomp rows=1 columns=1",
    "chomp rows=2 columns=7",
    "chomp rows=16 columns=16",
    "quarto position=.c0.d.47...15e9f,2 ask=not-lose within=5",
    "quarto position=23...e10d.b.8.ac,7 within=shortest",
    "graph nodes=1",
    "graph nodes=300 shape=tree evaluate=on",
    "graph nodes=300 shape=cyclic sharing=0.6 turns=random chain=on evaluate=on",
    "pyonpyon rows=1 columns=3 home=1 no-move=draw ask=not-lose",
    "pyonpyon rows=2 columns=7 home=2 no-move=loses within=9 position=start:second",
    "pyonpyon rows=4 columns=12 home=4",
    "mancala pits=1 seeds=1",
    "mancala pits=3 seeds=2 goal=own ask=not-lose within=7 position=start:second",
    "mancala position=0,1,0,0,0,0/4,4,4,4,4,4 replies=pass within=3",
    "shogi position=8k/7G1/8G/9/9/9/9/9/9_w_2r2b2g4s4n4l18p_1 attacker=other within=4",
    "shogi position=9/7R1/9/7G1/8k/8N/9/9/9_b fill-hand=yes within=shortest",
    "shogi position=startpos_moves_7g7f_3c3d_8h2b+",
    "paving Square board=3x3 prune=off",
    "paving I L board=5x5 pairs=adjacent",
    "paving Snaky board=11x11",
    "paving El board=1x9",
    "paving Domino board=121x1",
    "synthetic depth=7 branching=3 width=10 leaves=0.1",
    "synthetic depth=40 branching=255",
];

/// Calls `visitor()` for every game with every set of parameters.
fn each<V: Visitor<Output = ()>>(visitor: impl Fn() -> V) {
    let mut asked: Vec<&str> = MORE.to_vec();
    for game in games().map(|game| game.spec) {
        asked.push(game.name);
        asked.push(game.example);
    }
    for line in asked {
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let info = games().find(|game| game.spec.name == name).expect("a game").spec;
        let pairs = info.read_words(rest.split_terminator(' ')).expect("valid words");
        visit(name, &pairs, visitor()).expect("parameters are valid");
    }
}

/// All moves of a state, including hidden ones; none if it is settled.
fn all_moves<G: Problem>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Moves::new();
    if let Expansion::Settled(_) = game.expand(state, &mut moves) {
        return Vec::new();
    }
    assert!(!moves.is_empty(), "an open state has a move");
    let mut list: Vec<G::Move> = moves.iter().collect();
    let mut at = 0;
    while at < list.len() {
        moves.clear();
        game.open(state, list[at], None, &mut moves);
        list.extend(moves.iter());
        at += 1;
    }
    list
}

/// Calls `check` on the states of random walks from the root.
fn walk<G: Game>(game: &G, walks: u64, mut check: impl FnMut(&G::State)) {
    for seed in 0..walks {
        let mut random = SplitMix::new(seed);
        let mut state = game.root();
        for _ in 0..100 {
            check(&state);
            let moves = all_moves(game, &state);
            if moves.is_empty() {
                break;
            }
            state = game.play(&state, moves[random.below(moves.len() as u32) as usize]);
        }
    }
}

fn encoded<G: Problem>(game: &G, state: &G::State) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.encode(state, &mut bytes);
    bytes
}

/// Calls every method on a state; only a panic or a failed check is an error.
fn ask_everything<G: Game>(game: &G, state: &G::State) {
    let key = game.key(state);
    assert_eq!(key, game.key(&state.clone()));
    game.turn(state);
    game.show(state);
    let mut moves = Moves::new();
    if let Expansion::Settled(verdict) = game.expand(state, &mut moves) {
        game.reason(state, verdict, &[]);
    }
    if let Some(verdict) = game.evaluate(state).verdict() {
        let found = game.expand(state, &mut Moves::new());
        assert_eq!(found, Expansion::Settled(verdict));
    }
    for mv in all_moves(game, state) {
        game.show_move(state, mv);
        game.length(state, mv);
        assert_eq!(game.key_after(state, mv), game.key(&game.play(state, mv)));
    }
}

struct RoundTrip;

impl Visitor for RoundTrip {
    type Output = ();
    fn visit<G: Game>(self, game: G, _: &Params) {
        walk(&game, 50, |state| {
            let bytes = encoded(&game, state);
            let again = game.decode(&bytes).expect("own bytes are valid");
            assert_eq!(encoded(&game, &again), bytes);
            assert_eq!(game.key(&again), game.key(state));
            assert_eq!(game.turn(&again), game.turn(state));
            assert_eq!(game.show(&again), game.show(state));
            ask_everything(&game, state);
        });
    }
}

#[test]
fn states_survive_their_bytes() {
    each(|| RoundTrip);
}

struct Hostile;

impl Visitor for Hostile {
    type Output = ();
    fn visit<G: Game>(self, game: G, _: &Params) {
        let mut random = SplitMix::new(3);
        let try_bytes = |bytes: &[u8]| {
            if let Ok(state) = game.decode(bytes) {
                assert_eq!(encoded(&game, &state), bytes, "one spelling of a state");
                ask_everything(&game, &state);
            }
        };
        for length in 0..40 {
            for _ in 0..50 {
                let mask = [0xff, 0x01, 0x07][random.below(3) as usize];
                let bytes: Vec<u8> = (0..length).map(|_| random.word() as u8 & mask).collect();
                try_bytes(&bytes);
            }
        }
        // Real states with one error.
        walk(&game, 5, |state| {
            let bytes = encoded(&game, state);
            try_bytes(&bytes[..bytes.len() - 1]);
            try_bytes(&[&bytes[..], &[0]].concat());
            for at in 0..bytes.len() {
                for bit in 0..8 {
                    let mut wrong = bytes.clone();
                    wrong[at] ^= 1 << bit;
                    try_bytes(&wrong);
                }
            }
        });
    }
}

#[test]
fn hostile_bytes_are_refused_or_give_a_state_that_can_be_played() {
    each(|| Hostile);
}

struct Truncated;

impl Visitor for Truncated {
    type Output = ();
    fn visit<G: Game>(self, game: G, _: &Params) {
        let bytes = encoded(&game, &game.root());
        assert!(game.decode(&[]).is_err());
        assert!(game.decode(&bytes[..bytes.len() - 1]).is_err());
        assert!(game.decode(&[&bytes[..], &[0]].concat()).is_err());
    }
}

#[test]
fn bytes_too_few_or_too_many_are_refused() {
    each(|| Truncated);
}

struct Numbering;

impl Visitor for Numbering {
    type Output = ();
    fn visit<G: Game>(self, game: G, params: &Params) {
        let spelling = params.canonical();
        let again = Params::parse(G::params(), &spelling).expect("canonical spelling is valid");
        assert_eq!(&again, params);
        let other = G::from_params(&again).expect("the same parameters are valid");
        assert_eq!(other.id(), game.id());
        walk(&game, 20, |state| {
            let shown = |game: &G| -> Vec<String> {
                let moves = all_moves(game, state).into_iter();
                moves.map(|mv| format!("{mv:?}")).collect()
            };
            assert_eq!(shown(&game), shown(&other));
            assert_eq!(game.key(state), other.key(state));
        });
    }
}

#[test]
fn the_same_parameters_give_the_same_id_and_the_same_numbering() {
    each(|| Numbering);
}

struct Keys;

impl Visitor for Keys {
    type Output = ();
    fn visit<G: Game>(self, game: G, params: &Params) {
        // Symmetric states share a key; so do pavings that leave the same demands.
        let shared = ["paving", "pyonpyon", "quarto"].contains(&G::NAME);
        if params.text("sym") == Ok("on") || shared {
            return;
        }
        let mut names: HashMap<Key, Vec<u8>> = HashMap::new();
        walk(&game, 200, |state| {
            let bytes = encoded(&game, state);
            let first = names.entry(game.key(state)).or_insert(bytes.clone());
            assert_eq!(*first, bytes, "two states under one key");
        });
    }
}

#[test]
fn different_states_have_different_keys() {
    each(|| Keys);
}

#[test]
fn ids_differ_when_any_parameter_does() {
    struct Id;
    impl Visitor for Id {
        type Output = u128;
        fn visit<G: Game>(self, game: G, _: &Params) -> u128 {
            game.id().0
        }
    }
    let mut ids = Vec::new();
    for game in games().map(|game| game.spec) {
        ids.push(visit(game.name, &[], Id).expect("defaults are valid"));
        for param in game.params {
            for value in ["1", "2", "0.25", "on", "off", "tree", "cyclic", "proven", "random"] {
                if param.default == Some(value) {
                    continue;
                }
                let pair = [(param.name.to_string(), value.to_string())];
                ids.extend(visit(game.name, &pair, Id));
            }
        }
    }
    let count = ids.len();
    assert!(count > 40, "{count}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

struct Solvable;

impl Visitor for Solvable {
    type Output = usize;
    fn visit<G: Game>(self, game: G, _: &Params) -> usize {
        oracle::solve(&game, 5_000_000).expect("small enough").verdicts.len()
    }
}

#[test]
fn the_defaults_of_every_game_are_small_enough_to_try() {
    // The full games of the paper are larger; their tests use small ones.
    let large = ["synthetic", "pyonpyon", "mancala", "quarto", "shogi"];
    for game in games().map(|game| game.spec).filter(|game| !large.contains(&game.name)) {
        let states = visit(game.name, &[], Solvable).expect("defaults are valid");
        assert!(states > 1, "{}", game.name);
    }
}
