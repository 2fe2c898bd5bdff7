//! Expected values come from the paper (§7), from a SAT solver, and from trying every paving.

use std::collections::HashMap;

use hasami_andor::{Control, Job, Kernel, Options, Search, SumRule, Table, oracle};
use proptest::prelude::*;
use proptest::strategy::Strategy;
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Clause, Lit};
use rustsat_cadical::CaDiCaL;

use super::*;
use hasami_game::random::SplitMix;

pub fn game(shapes: &str, width: u8, height: u8, pairs: Pairs) -> PavingWinner {
    PavingWinner::new(&parse_set(shapes).unwrap(), width, height, pairs)
}

fn verdict(game: &PavingWinner) -> Verdict {
    let table = Table::with_entries(1 << 14, false);
    let options = Options { sum: SumRule::Weak, ..Options::default() };
    let mut search = Search::new(Kernel::Dfpn, game, &table, options, Job::settle(game.root()));
    search.run(&Control::unlimited()).numbers.verdict().unwrap()
}

/// The verdict of CaDiCaL on the clauses.
pub fn by_sat(game: &PavingWinner) -> Verdict {
    let mut solver = CaDiCaL::default();
    for clause in game.clauses().clauses {
        let literals = clause.into_iter().map(|literal| Lit::from_ipasir(literal).unwrap());
        solver.add_clause(literals.collect::<Clause>()).unwrap();
    }
    match solver.solve().unwrap() {
        SolverResult::Sat => Verdict::Disproven,
        SolverResult::Unsat => Verdict::Proven,
        SolverResult::Interrupted => panic!("nobody interrupts"),
    }
}

/// Tries every paving, cell by cell, and checks every placement at the end.
fn by_hand(shapes: &[Shape], width: u8, height: u8, pairs: Pairs) -> Verdict {
    let mut placements: Vec<Vec<u8>> = Vec::new();
    for cells in shapes.iter().flat_map(Shape::orientations) {
        for corner in 0..width * height {
            let (down, right) = (corner / width, corner % width);
            if cells.iter().all(|&(row, column)| row + down < height && column + right < width) {
                let cell = |&(row, column): &(u8, u8)| (row + down) * width + column + right;
                placements.push(cells.iter().map(cell).collect());
            }
        }
    }
    let near = |a: u8, b: u8| {
        (a / width).abs_diff(b / width) + (a % width).abs_diff(b % width) == 1
            || pairs == Pairs::Any
    };
    fn paves(
        cell: u8,
        mates: &mut Vec<Option<u8>>,
        near: &impl Fn(u8, u8) -> bool,
        placements: &[Vec<u8>],
    ) -> bool {
        let Some(mate) = mates.get(usize::from(cell)).copied() else {
            let whole = |cells: &Vec<u8>, cell: u8| {
                mates[usize::from(cell)].is_some_and(|mate| cells.contains(&mate))
            };
            return placements.iter().all(|cells| cells.iter().any(|&cell| whole(cells, cell)));
        };
        if mate.is_some() {
            return paves(cell + 1, mates, near, placements);
        }
        for other in cell + 1..mates.len() as u8 {
            if mates[usize::from(other)].is_none() && near(cell, other) {
                mates[usize::from(cell)] = Some(other);
                mates[usize::from(other)] = Some(cell);
                let paved = paves(cell + 1, mates, near, placements);
                mates[usize::from(cell)] = None;
                mates[usize::from(other)] = None;
                if paved {
                    return true;
                }
            }
        }
        paves(cell + 1, mates, near, placements)
    }
    if paves(0, &mut vec![None; usize::from(width * height)], &near, &placements) {
        Verdict::Disproven
    } else {
        Verdict::Proven
    }
}

#[test]
fn the_open_pairs_win_on_the_boards_of_the_seed_and_on_none_smaller() {
    for (shapes, pairs, size) in [
        ("I,L", Pairs::Adjacent, 5),
        ("I,L", Pairs::Any, 5),
        ("I,UU", Pairs::Adjacent, 5),
        ("I,UU", Pairs::Any, 6),
        ("I,SS", Pairs::Adjacent, 5),
        ("I,SS", Pairs::Any, 6),
        ("I,ZZ", Pairs::Adjacent, 6),
        ("I,ZZ", Pairs::Any, 6),
    ] {
        let shapes = parse_set(shapes).unwrap();
        let smallest = |most| smallest_square(&shapes, pairs, most, &Control::unlimited());
        assert_eq!(smallest(8).map(|found| found.size), Some(size), "{shapes:?} {pairs:?}");
        assert!(smallest(size - 1).is_none(), "{shapes:?} {pairs:?}");
    }
}

#[test]
fn snaky_is_a_paving_winner_on_six_by_six_and_the_sat_solver_says_so_too() {
    for (size, expected) in [(5, Verdict::Disproven), (6, Verdict::Proven)] {
        let game = game("Snaky", size, size, Pairs::Any);
        assert_eq!(verdict(&game), expected, "{size}");
        assert_eq!(by_sat(&game), expected, "{size}");
    }
}

#[test]
fn the_smallest_questions_are_settled_at_the_root() {
    // A single cell cannot be blocked; a board too small for a shape has nothing to block.
    assert_eq!(verdict(&game("Elam", 1, 1, Pairs::Any)), Verdict::Proven);
    assert_eq!(verdict(&game("I", 4, 4, Pairs::Any)), Verdict::Disproven);
    // Dominoes overlap from three cells on.
    assert_eq!(verdict(&game("Domino", 2, 1, Pairs::Any)), Verdict::Disproven);
    assert_eq!(verdict(&game("Domino", 3, 1, Pairs::Any)), Verdict::Proven);
}

/// One to three shapes of up to five cells.
pub fn shape_sets() -> impl Strategy<Value = Vec<Shape>> {
    let all: Vec<Shape> = (2..=5).flat_map(Shape::all_of_size).collect();
    proptest::collection::vec(proptest::sample::select(all), 1..=3)
        .prop_map(|shapes| parse_set(&spell_set(&shapes)).unwrap())
}

pub fn pairs() -> impl Strategy<Value = Pairs> {
    prop_oneof![Just(Pairs::Adjacent), Just(Pairs::Any)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_sat_solver_agrees(shapes in shape_sets(), width in 2..=5u8, height in 2..=5u8, pairs in pairs()) {
        let game = PavingWinner::new(&shapes, width, height, pairs);
        prop_assert_eq!(verdict(&game), by_sat(&game));
    }

    #[test]
    fn trying_every_paving_agrees(shapes in shape_sets(), width in 2..=4u8, height in 2..=4u8, pairs in pairs()) {
        prop_assume!(pairs == Pairs::Adjacent || width * height <= 9);
        let game = PavingWinner::new(&shapes, width, height, pairs);
        prop_assert_eq!(verdict(&game), by_hand(&shapes, width, height, pairs));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_is_left_out_changes_the_verdict_of_no_state(shapes in shape_sets(), width in 2..=4u8, height in 2..=3u8, pairs in pairs()) {
        prop_assume!(pairs == Pairs::Adjacent || width * height <= 9);
        let pruned = PavingWinner::new(&shapes, width, height, pairs);
        let plain = PavingWinner { prune: false, ..pruned.clone() };
        let truth = oracle::solve(&plain, 5_000_000).unwrap();
        for (key, verdict) in oracle::solve(&pruned, 5_000_000).unwrap().verdicts {
            prop_assert_eq!(truth.verdicts.get(&key), Some(&verdict));
        }
    }
}

/// Rows and columns of cells, in order.
type Cells = Vec<(u8, u8)>;

/// The demands under the board's symmetry `turn`, and the chosen one, as coordinates.
fn turned(game: &PavingWinner, state: &Paving, turn: u8) -> (Vec<Cells>, Cells) {
    let (width, height) = (game.board.width, game.board.height);
    let set = |cells: u128| {
        let mut cells: Cells = bits(cells)
            .map(|cell| {
                let (row, column) = (cell / width, cell % width);
                let row = if turn & 1 == 0 { row } else { height - 1 - row };
                let column = if turn & 2 == 0 { column } else { width - 1 - column };
                if turn & 4 == 0 { (row, column) } else { (column, row) }
            })
            .collect();
        cells.sort_unstable();
        cells
    };
    let mut sets: Vec<_> = state.demands.sets().iter().map(|&cells| set(cells)).collect();
    sets.sort_unstable();
    (sets, set(state.chosen))
}

#[test]
fn keys_are_equal_exactly_where_a_symmetry_makes_the_questions_equal() {
    let mut states = 0;
    for (width, height, pairs) in [(4, 4, Pairs::Any), (5, 5, Pairs::Adjacent), (5, 3, Pairs::Any)]
    {
        let game = PavingWinner { prune: false, ..game("W,L5", width, height, pairs) };
        let (mut keys, mut questions) = (HashMap::new(), HashMap::new());
        let mut random = SplitMix::new(1);
        let mut moves = Moves::new();
        for _ in 0..2000 {
            let mut state = game.root();
            loop {
                let turns = if width == height { 0..8 } else { 0..4 };
                let least = turns.map(|turn| turned(&game, &state, turn)).min().unwrap();
                let key = game.key(&state);
                assert_eq!(keys.entry(key).or_insert(least.clone()), &least);
                assert_eq!(questions.entry(least).or_insert(key), &key);
                moves.clear();
                if game.expand(&state, &mut moves) != Expansion::Open {
                    break;
                }
                let at = random.below(moves.len() as u32) as usize;
                state = game.play(&state, moves.iter().nth(at).unwrap());
            }
        }
        states += keys.len();
    }
    assert!(states > 1000, "{states}");
}

#[test]
fn a_state_is_drawn_with_its_pairs_and_the_cells_in_question() {
    let game = game("Tic", 4, 2, Pairs::Any);
    let root = game.root();
    assert_eq!(game.show(&root), "....\n....");
    let mut moves = Moves::new();
    assert_eq!(game.expand(&root, &mut moves), Expansion::Open);
    let first = moves.iter().next().unwrap();
    assert_eq!(game.show_move(&root, first), "place a1 b1 c1");
    let chosen = game.play(&root, first);
    assert_eq!(game.show(&chosen), "***.\n....");
    let answer = Choice::Pair(0, 1);
    assert_eq!(game.show_move(&chosen, answer), "pair a1 b1");
    // b1 c1 d1 is left with c1 and d1: that pair is forced.
    let after = game.play(&chosen, answer);
    assert_eq!(game.show(&after), "aabb\n....");
    assert_eq!(game.length(&root, first), Some(1));
    assert_eq!(game.length(&chosen, answer), Some(1));
}
