//! Certificates of many boards, and forged ones. The truth comes from the SAT solver, and from trying
//! every pair in every state.

use std::collections::HashMap;

use hasami_andor::certificate::{Listener, Strategy, Verified, extract, verify};
use hasami_andor::{Control, Job, Kernel, Search, Table};
use hasami_game::play::{Status, Trouble};
use hasami_game::random::SplitMix;
use proptest::prelude::*;

use super::laid::{pairs_within, symmetries, turned};
use super::tests::{by_sat, game, pairs, shape_sets};
use super::*;

/// A certificate of a game, written and read again.
struct Certificate {
    verified: Verified,
    strategy: Strategy,
    bytes: u64,
}

fn params(game: &PavingWinner) -> Params {
    Params::new(PARAMS, &game.stated(&Params::parse(PARAMS, "").unwrap())).unwrap()
}

/// Searches with a table of this many entries, and certifies what it finds.
fn certify(game: &PavingWinner, entries: usize) -> Certificate {
    let table = Table::with_entries(entries, false);
    let control = Control::unlimited();
    let job = Job::settle(game.root());
    let mut search = Search::new(Kernel::Dfpn, game, &table, PavingWinner::ADVICE, job);
    let verdict = search.run(&control).numbers.verdict().unwrap();
    search.park();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("c.cert");
    let asked = game.asked(&params(game));
    let bytes = extract(game, &table, &control, &asked, verdict, &file).unwrap();
    // The question is made again from the lines of the certificate.
    let (_, headers) = hasami_andor::certificate::read_asked(&file).unwrap();
    let again = Params::new(PARAMS, &headers[0].asked.lines).unwrap();
    let stated = PavingWinner::from_params(&again).unwrap();
    assert_eq!(stated.asked(&again), asked);
    let verified = verify(&file, &stated, &asked).unwrap();
    assert_eq!(verified.header.verdict, verdict);
    let strategy = Strategy::load(&file, game, &asked).unwrap();
    Certificate { verified, strategy, bytes }
}

/// Whether White can block all placements with more pairs: tries every pair in some open placement.
struct Truth<'a> {
    game: &'a PavingWinner,
    known: HashMap<[u8; MAX_CELLS], bool>,
}

impl<'a> Truth<'a> {
    fn of(game: &'a PavingWinner) -> Self {
        Self { game, known: HashMap::new() }
    }

    fn white_can(&mut self, laid: &Laid) -> bool {
        if let Some(&known) = self.known.get(&laid.mates) {
            return known;
        }
        let board = &self.game.board;
        let open = board.placements.iter().find(|&&placement| {
            let whole = |cell: u8| match laid.mates[usize::from(cell)] {
                FREE => false,
                mate => placement >> mate & 1 != 0,
            };
            !bits(placement).any(whole)
        });
        let can = open.is_none_or(|&placement| {
            let pairs = board.pairs_in(placement);
            let free: Vec<Pair> =
                pairs.filter(|&(a, b)| laid.is_free(a) && laid.is_free(b)).collect();
            free.into_iter().any(|pair| self.white_can(&laid.and(pair)))
        });
        self.known.insert(laid.mates, can);
        can
    }
}

fn laid_of(mates: &[u8; MAX_CELLS]) -> Laid {
    let mut laid = Laid::none();
    for (a, &b) in mates.iter().enumerate().filter(|(_, mate)| **mate != FREE) {
        if (a as u8) < b {
            laid.lay((a as u8, b));
        }
    }
    laid
}

/// Checks a tree; every state that is passed on must be true, whether the tree holds or not.
fn try_tree(truth: &mut Truth<'_>, verdict: Verdict, tree: &[u8]) -> Result<(), Refusal> {
    let mut from = Source::new(tree);
    let game = truth.game;
    let mut states = Vec::new();
    let mut each = |state: &Paving, _| states.push(state.mates);
    let checked = game.check(verdict, &mut from, &mut Listener::new(&mut each));
    for mates in states {
        assert!(!truth.white_can(&laid_of(&mates)), "false:\n{}", game.picture(&mates, 0));
    }
    checked?;
    if from.is_at_end().unwrap() { Ok(()) } else { Err(Refusal::new(0, "bytes after the tree")) }
}

fn holds(game: &PavingWinner, verdict: Verdict, tree: &[u8]) -> bool {
    game.check(verdict, &mut Source::new(tree), &mut Listener::nobody()).is_ok()
}

/// Plays a random game; returns the number of placements chosen, and how it ended.
fn play(game: &PavingWinner, strategy: &Strategy, seed: u64) -> Result<(u32, String), Trouble> {
    let mut random = SplitMix::new(seed);
    let mut duel = game.duel(strategy);
    let mut placements = 0;
    loop {
        let name = match duel.status() {
            Status::Over(end) => return Ok((placements, end)),
            Status::Program => duel.answer()?,
            Status::Opponent => duel.play(&duel.random(&mut random))?,
        };
        placements += u32::from(name.starts_with("place"));
    }
}

fn plays_out(game: &PavingWinner, certificate: &Certificate, games: u64) {
    let verdict = certificate.verified.header.verdict;
    for seed in 0..games {
        let (placements, end) = play(game, &certificate.strategy, seed).unwrap();
        assert_eq!(end, format!("the rules settle it: {}", verdict.word()));
        if verdict == Verdict::Proven {
            assert!(Some(placements) <= certificate.verified.length);
        }
    }
    let drawn = game.drawn(&certificate.strategy);
    assert_eq!(drawn.is_some(), verdict == Verdict::Disproven);
}

#[test]
fn open_pairs_of_the_paper_have_small_certificates() {
    // The sizes of the first format, which wrote neither forced pairs nor those that are left out, and
    // had no question in words: that is more in a small file.
    let before = [673, 13_132, 13_240, 14_921, 36_763];
    for (shapes, before) in ["I,L", "I,UU", "I,SS", "I,ZZ", "Snaky"].into_iter().zip(before) {
        let (size, percent) = if shapes == "I,L" { (5, 180) } else { (6, 150) };
        let game = game(shapes, size, size, Pairs::Any);
        let certificate = certify(&game, 1 << 16);
        assert_eq!(certificate.verified.header.verdict, Verdict::Proven);
        assert!(certificate.bytes <= before * percent / 100, "{shapes}: {}", certificate.bytes);
        plays_out(&game, &certificate, 30);
    }
}

#[test]
fn the_smallest_questions_have_certificates() {
    for (shapes, width, height, tree) in [
        ("Elam", 1, 1, &[0, 1, 1, 0][..]),
        ("I", 4, 4, &[0, 2, 0]),
        ("Domino", 2, 1, &[0, 2, 1, 0, 1]),
        // The first domino forces its pair, and then the other is stuck.
        ("Domino", 3, 1, &[1, 2, 0, 1, 2, 1, 0, 1, 0, 1, 2, 1, 2]),
    ] {
        let game = game(shapes, width, height, Pairs::Any);
        assert_eq!(certify(&game, 1 << 10).strategy.tree(), tree, "{shapes} {width}x{height}");
    }
}

#[test]
fn a_certificate_states_the_question_in_full() {
    let game = game("L,I", 5, 6, Pairs::Adjacent);
    let lines = game.stated(&params(&game));
    let lines: Vec<_> = lines.iter().map(|(key, value)| format!("{key} {value}")).collect();
    assert_eq!(lines, ["shapes #####,###/#../#..", "board 6x5", "pairs adjacent"]);
    let unpruned = PavingWinner { prune: false, ..game.clone() };
    assert_eq!(unpruned.asked(&params(&game)), game.asked(&params(&game)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_verdict_has_a_certificate(
        shapes in shape_sets(),
        width in 1..=5u8,
        height in 1..=5u8,
        pairs in pairs(),
        prune in any::<bool>(),
        entries in prop_oneof![Just(1usize), Just(64), Just(1 << 14)],
    ) {
        let mut game = PavingWinner::new(&shapes, width, height, pairs);
        // Without pruning only small boards are searched in time.
        game.prune = prune || width * height > 12;
        let certificate = certify(&game, entries);
        prop_assert_eq!(certificate.verified.header.verdict, by_sat(&game));
        plays_out(&game, &certificate, 10);
        let mut truth = Truth::of(&game);
        if width * height <= 12 {
            let verdict = certificate.verified.header.verdict;
            prop_assert!(try_tree(&mut truth, verdict, certificate.strategy.tree()).is_ok());
        }
    }
}

/// A random state: some pairs laid, one after the other.
fn random_state(game: &PavingWinner, random: &mut SplitMix, most: u32) -> Laid {
    let mut laid = Laid::none();
    let all = !0 >> (128 - u32::from(game.board.cells()));
    for _ in 0..random.below(most + 1) {
        let mut pairs = pairs_within(&game.board, all);
        pairs.retain(|&(a, b)| laid.is_free(a) && laid.is_free(b));
        if pairs.is_empty() {
            break;
        }
        laid.lay(pairs[random.below(pairs.len() as u32) as usize]);
    }
    laid
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_pair_that_does_at_least_as_well_really_does(
        shapes in shape_sets(),
        width in 2..=4u8,
        height in 2..=4u8,
        pairs in pairs(),
        seed in any::<u64>(),
    ) {
        prop_assume!(pairs == Pairs::Adjacent || width * height <= 12);
        let game = PavingWinner::new(&shapes, width, height, pairs);
        let mut truth = Truth::of(&game);
        let mut random = SplitMix::new(seed);
        for _ in 0..5 {
            let laid = random_state(&game, &mut random, 3);
            let demands = laid.least_demands(&game.board);
            let all = !0 >> (128 - u32::from(game.board.cells()));
            let mut pairs = pairs_within(&game.board, all);
            pairs.retain(|&(a, b)| laid.is_free(a) && laid.is_free(b));
            for &worse in &pairs {
                for &better in &pairs {
                    if laid.no_better(&game.board, &demands, worse, better)
                        && truth.white_can(&laid.and(worse))
                    {
                        prop_assert!(truth.white_can(&laid.and(better)));
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_state_whose_demands_ask_for_as_much_is_as_hopeless(
        shapes in shape_sets(),
        width in 2..=4u8,
        height in 2..=3u8,
        pairs in pairs(),
        seed in any::<u64>(),
    ) {
        let game = PavingWinner::new(&shapes, width, height, pairs);
        let board = &game.board;
        let mut truth = Truth::of(&game);
        let mut random = SplitMix::new(seed);
        let states: Vec<Laid> = (0..12).map(|_| random_state(&game, &mut random, 4)).collect();
        for kept in &states {
            let hopeless = !truth.white_can(kept);
            let demands = kept.least_demands(board);
            for (here, symmetry) in states.iter().flat_map(|s| (0..symmetries(board)).map(move |g| (s, g))) {
                let own = here.least_demands(board);
                let asks = |demand: &u128| {
                    own.iter().any(|set| set & !turned(board, symmetry, *demand) == 0)
                };
                if hopeless && demands.iter().all(asks) {
                    prop_assert!(!truth.white_can(here));
                }
            }
        }
    }
}

/// Every tree that differs from this one in a byte: changed, left out, or put in.
fn mutants(tree: &[u8], mut each: impl FnMut(&[u8])) {
    for at in 0..=tree.len() {
        let (before, after) = tree.split_at(at);
        if let Some((_, rest)) = after.split_first() {
            each(&[before, rest].concat());
            (0..=255).for_each(|byte| each(&[before, &[byte], rest].concat()));
        }
        (0..=255).for_each(|byte| each(&[before, &[byte], after].concat()));
    }
}

#[test]
fn a_forged_tree_shows_only_what_is_true() {
    let mut accepted = 0;
    for (shapes, width, height, pairs) in [
        ("Tic", 4, 3, Pairs::Any),
        ("El,Tic", 3, 3, Pairs::Any),
        ("El", 3, 3, Pairs::Any),
        // The tree has pairs that are no better than others.
        ("Square,Elly", 3, 4, Pairs::Any),
        ("Tippy,Tic", 4, 3, Pairs::Adjacent),
        ("Skinny,El", 3, 4, Pairs::Adjacent),
        ("Square,Skinny,Elly", 4, 4, Pairs::Adjacent),
        ("Square", 4, 4, Pairs::Any),
    ] {
        let game = game(shapes, width, height, pairs);
        let certificate = certify(&game, 1 << 12);
        let verdict = certificate.verified.header.verdict;
        let tree = certificate.strategy.tree();
        let mut truth = Truth::of(&game);
        assert_eq!(try_tree(&mut truth, verdict, tree), Ok(()));
        mutants(tree, |mutant| {
            accepted += u32::from(try_tree(&mut truth, verdict, mutant).is_ok());
            // No forged tree shows the opposite.
            assert!(try_tree(&mut truth, verdict.opposite(), mutant).is_err());
        });
    }
    // Pairs may come in another order, and a reference need not be the last one.
    assert!(accepted > 0);
}

#[test]
fn a_tree_for_one_question_does_not_answer_another() {
    // Proven with adjacent pairs, and not with any pairs.
    for (shapes, size) in [("I,UU", 5), ("I,SS", 5)] {
        let [adjacent, any] =
            [Pairs::Adjacent, Pairs::Any].map(|pairs| game(shapes, size, size, pairs));
        assert_eq!(by_sat(&any), Verdict::Disproven);
        let certificate = certify(&adjacent, 1 << 14);
        let tree = certificate.strategy.tree();
        mutants(tree, |mutant| {
            assert!(!holds(&any, Verdict::Proven, mutant));
        });
    }
}

#[test]
fn what_is_wrong_with_a_tree_is_said() {
    let refused = |shapes: &str, width, height, tree: &[u8], expected: &str| {
        let game = game(shapes, width, height, Pairs::Any);
        let said = try_tree(&mut Truth::of(&game), Verdict::Proven, tree).unwrap_err();
        assert!(said.to_string().contains(expected), "{tree:?}: {said}");
        assert!(said.node <= tree.len() as u64);
    };
    // A domino forces its pair, and then the other one is stuck.
    let dominoes = [1, 2, 0, 1, 2, 1, 0, 1, 0, 1, 2, 1, 2];
    let with = |at: usize, byte: u8| {
        let mut tree = dominoes.to_vec();
        tree[at] = byte;
        tree
    };
    refused("Domino", 3, 1, &dominoes[..12], "cut off");
    refused("Domino", 3, 1, &[&dominoes[..], &[0]].concat(), "bytes after the tree");
    refused("Domino", 3, 1, &with(0, 2), "all moves where one is enough");
    refused("Domino", 3, 1, &with(0, 8), "tag 8");
    refused("Domino", 3, 1, &with(1, 3), "the cells are no placement");
    refused("Domino", 3, 1, &with(2, 1), "cells in order");
    refused("Domino", 3, 1, &with(3, 2), "the cells are no placement");
    refused("Domino", 3, 1, &with(4, 6), "not kept");
    refused("Domino", 3, 1, &with(5, 2), "2 pairs; there are 1");
    refused("Domino", 3, 1, &with(6, 1), "cells 1 and 1 are no pair");
    refused("Domino", 3, 1, &with(7, 2), "not within the demand");
    refused("Domino", 3, 1, &with(9, 2), "rule 2 settles nothing here");
    refused("Domino", 3, 1, &[0, 1, 2, 0, 1], "a pair is left within the placement");
    refused("Domino", 3, 1, &[0, 3, 0], "rule 3 settles nothing here");
    let blocked = [&dominoes[..8], &[0, 1, 2, 0, 1]].concat();
    refused("Domino", 3, 1, &blocked, "the placement contains a pair");
    // White can lay any pair here, so nothing can be proven.
    let begin = [5, 3, 0, 1, 2, 2, 3, 0, 1];
    let tree = |rest: &[u8]| [&begin[..], rest].concat();
    refused("Tic", 3, 1, &tree(&[3, 1, 0]), "not closed yet");
    refused("Tic", 3, 1, &tree(&[3, 2, 0]), "no kept node is 2 back");
    refused("Tic", 3, 1, &tree(&[0, 3, 0, 0, 1]), "a pair for the second time");
    for [first, second, third] in [[1, 0, 0], [0, 0, 0], [1, 2, 0], [3, 3, 3], [1, 1, 1]] {
        let circle = tree(&[0, 3, first, 0, 2, 0, 3, second, 1, 2, 0, 3, third]);
        refused("Tic", 3, 1, &circle, "has no node of its own");
    }
}

#[test]
fn a_disproof_is_pairs_that_block_everything() {
    let game = game("Tic", 4, 2, Pairs::Adjacent);
    let check = |tree: &[u8]| try_tree(&mut Truth::of(&game), Verdict::Disproven, tree);
    assert_eq!(check(&[0, 2, 2, 1, 2, 5, 6]), Ok(()));
    assert_eq!(check(&[0, 2, 3, 1, 2, 5, 6, 0, 4]), Ok(()));
    for (tree, expected) in [
        (&[0, 2, 1, 1, 2][..], "a placement contains no pair"),
        (&[0, 2, 2, 0, 1, 5, 6], "a placement contains no pair"),
        (&[0, 2, 2, 1, 2, 6, 5], "cells 6 and 5 are no pair"),
        (&[0, 2, 2, 1, 2, 3, 4], "cells 3 and 4 are no pair"),
        (&[0, 2, 3, 1, 2, 5, 6, 2, 3], "one of them is in another pair"),
        (&[0, 2, 3, 1, 2, 5, 6], "cut off"),
        (&[0, 1, 2, 1, 2, 5, 6], "expected White's pairs"),
    ] {
        let said = check(tree).unwrap_err().to_string();
        assert!(said.contains(expected), "{tree:?}: {said}");
    }
}

#[test]
fn any_bytes_are_refused_in_order() {
    let mut random = SplitMix::new(7);
    for (shapes, size, pairs) in [("Domino", 11, Pairs::Any), ("El,Tic", 3, Pairs::Adjacent)] {
        let game = game(shapes, size, size, pairs);
        for length in 0..2000 {
            let mask = [0xff, 0x07, 0x03][random.below(3) as usize];
            let bytes: Vec<u8> = (0..length).map(|_| random.word() as u8 & mask).collect();
            for verdict in [Verdict::Proven, Verdict::Disproven] {
                assert!(!holds(&game, verdict, &bytes));
            }
            // Only verified trees are played; still, no bytes may do harm.
            drop(Plan::read(&game.board, &bytes));
        }
    }
}

#[test]
fn moves_survive_their_bytes() {
    for pairs in [Pairs::Any, Pairs::Adjacent] {
        let game = PavingWinner { prune: false, ..game("W,L5", 5, 4, pairs) };
        let mut random = SplitMix::new(2);
        let mut moves = Moves::new();
        for _ in 0..20 {
            let mut state = game.root();
            while game.expand(&state, &mut moves) == Expansion::Open {
                let all: Vec<Choice> = moves.iter().collect();
                for &mv in &all {
                    let mut bytes = Vec::new();
                    game.put_move(&state, mv, &mut bytes);
                    let mut from = Source::new(&bytes[..]);
                    assert_eq!(game.take_move(&state, &mut from), Ok(mv));
                    assert_eq!(from.is_at_end(), Ok(true));
                }
                state = game.play(&state, all[random.below(all.len() as u32) as usize]);
                moves.clear();
            }
            moves.clear();
        }
        assert!(game.take_move(&game.root(), &mut Source::new(&[2, 0, 1][..])).is_err());
    }
}

#[test]
fn an_opponent_is_told_of_better_pairs() {
    let game = game("Elly", 3, 4, Pairs::Any);
    let certificate = certify(&game, 1 << 12);
    let mut told = 0;
    for seed in 0..200 {
        let mut random = SplitMix::new(seed);
        let mut duel = game.duel(&certificate.strategy);
        assert_eq!(duel.sides().program, "Black");
        loop {
            match duel.status() {
                Status::Over(_) => break,
                Status::Program => drop(duel.answer().unwrap()),
                Status::Opponent => {
                    let marked = duel.show().chars().filter(|&sign| sign == '*').count();
                    let offered = duel.moves();
                    told += u32::from(offered.len() < marked * (marked - 1) / 2);
                    for (a, b) in pairs_within(&game.board, 0xfff) {
                        let name = game.pair_name((a, b));
                        if !offered.contains(&name) {
                            let Err(Trouble::NoMove(said)) = duel.play(&name) else {
                                panic!("{name}")
                            };
                            assert!(said.contains("no better") || said.contains("expected one of"));
                        }
                    }
                    duel.play(&duel.random(&mut random)).unwrap();
                }
            }
        }
    }
    assert!(told > 0, "no pair was left out");
}

#[test]
fn white_lays_its_pairs_where_black_asks() {
    let game = game("Tic", 4, 2, Pairs::Any);
    let certificate = certify(&game, 1 << 12);
    let drawing = game.drawn(&certificate.strategy).unwrap();
    let mut duel = game.duel(&certificate.strategy);
    assert_eq!(
        duel.moves(),
        ["place a1 b1 c1", "place b1 c1 d1", "place a2 b2 c2", "place b2 c2 d2"]
    );
    assert!(matches!(duel.play("place a1 b1"), Err(Trouble::NoMove(_))));
    duel.play("Place b2 c2 d2").unwrap();
    assert_eq!(duel.show(), "....\n.***");
    let pair = duel.answer().unwrap();
    let letters: Vec<char> = pair.chars().filter(char::is_ascii_lowercase).skip(4).collect();
    let at = |letter: &char| drawing.rows[1].as_bytes()[usize::from(*letter as u8 - b'a')];
    assert_eq!(at(&letters[0]), at(&letters[1]), "{pair} {drawing:?}");
}
