//! Polyomino achievement on small boards against plain minimax: every kernel, from the empty board
//! and from later positions, and the guarantee of zones.

use crate::polyomino_reference::{Reference, on_two_cores, pictures, random_shapes};
use hasami_andor::{Expansion, Kernel, Moves, Options, Problem, SumRule, Table, Turn, Verdict};
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_polyomino::polyomino::shape::Shape;
use hasami_polyomino::polyomino::{Polyomino, Position, Reply, Stone, Zone, grid::bits};
use hasami_trials::{made, settle, table_for};

const BOARDS: [(u8, u8); 10] =
    [(1, 5), (2, 3), (2, 5), (3, 3), (3, 4), (4, 3), (3, 5), (4, 4), (4, 5), (5, 4)];

/// The kernels and options that questions are asked with, in turn.
fn ways() -> [(Kernel, Options); 4] {
    [
        (Kernel::Dfpn, Polyomino::ADVICE),
        (Kernel::Dfpn, Options { sum: SumRule::Sum, ..Options::DEFAULT }),
        (Kernel::Pn, Options { evaluate: false, ..Options::DEFAULT }),
        (Kernel::Threads(2), Polyomino::ADVICE),
    ]
}

/// A random question: shapes, board, strong or weak.
struct Question {
    shapes: Vec<Shape>,
    board: (u8, u8),
    strong: bool,
}

impl Question {
    fn random(random: &mut SplitMix) -> Self {
        Self {
            shapes: random_shapes(random, 5),
            board: BOARDS[random.below(BOARDS.len() as u32) as usize],
            strong: random.below(3) > 0,
        }
    }

    fn most_stones(&self) -> u32 {
        (u32::from(self.board.0) * u32::from(self.board.1)).div_ceil(2)
    }

    fn spelled(&self, stones: u32) -> String {
        let (rows, columns) = self.board;
        let game = if self.strong { "strong" } else { "weak" };
        let shapes = pictures(&self.shapes);
        format!("shapes={shapes} board={rows}x{columns} game={game} stones={stones}")
    }

    fn reference(&self, stones: u32) -> Reference {
        Reference::new(&self.shapes, self.board, self.strong, stones)
    }
}

fn verdict(wins: bool) -> Verdict {
    if wins { Verdict::Proven } else { Verdict::Disproven }
}

/// Asks every kernel about the empty board with every number of stones; returns the numbers of
/// searches, wins, and questions too hard for minimax.
fn check_question(number: u64) -> [u64; 3] {
    let question = Question::random(&mut SplitMix::new(number));
    let [mut searches, mut wins, mut skipped] = [0; 3];
    for stones in 1..=question.most_stones() {
        let spelling = question.spelled(stones);
        let game: Polyomino = made(&spelling);
        let mut reference = question.reference(stones).with_budget(40_000);
        let Some(truth) = reference.black_wins(0, 0, Turn::Or) else {
            skipped += 1;
            continue;
        };
        for (kernel, options) in ways() {
            let table = table_for(&game, 20_000, &options);
            let outcome = settle(&game, &table, kernel, options, game.root());
            let found = outcome.numbers.verdict();
            assert_eq!(found, Some(verdict(truth)), "{spelling} {kernel:?} {options:?}");
            searches += 1;
        }
        wins += u64::from(truth);
    }
    [searches, wins, skipped]
}

#[test]
fn every_kernel_gives_random_sets_on_small_boards_their_value() {
    let [searches, wins, skipped] = on_two_cores(400, check_question);
    println!("{searches} searches, {wins} wins, {skipped} too hard for minimax");
    assert!(searches > 7000 && wins > 800, "{searches} {wins} {skipped}");
}

/// Random moves from the start, with White sometimes passing, up to `plies` or before a shape is
/// complete.
fn wander(game: &Polyomino, reference: &Reference, random: &mut SplitMix, plies: u32) -> Position {
    let mut state = game.root();
    let passes = random.below(3);
    for _ in 0..plies {
        let empty = game.grid().all & !(state.black | state.white);
        let mut mv = Stone::Reply(Reply::new(None, false, 0));
        if state.turn == Turn::Or || random.below(4) >= passes {
            let cells: Vec<u8> = bits(empty).collect();
            if cells.is_empty() {
                break;
            }
            mv = Stone::Cell(cells[random.below(cells.len() as u32) as usize]);
        }
        let next = game.play(&state, mv);
        if reference.completes(next.black as u32) || reference.completes(next.white as u32) {
            break;
        }
        state = next;
    }
    state
}

/// The zone of a proven state on its grid.
fn zone_of(game: &Polyomino, state: &Position, table: &Table<Zone>) -> Zone {
    let reason = match game.expand(state, &mut Moves::new()) {
        Expansion::Settled(verdict) => game.reason(state, verdict, &[]),
        Expansion::Open => table.lookup(game.key(state)).unwrap().reason,
    };
    Zone { cells: game.grid().turned_back(reason.cells, state.symmetry()), ..reason }
}

/// Positions that White may really have where a proof sees `state`: stones on the cells `outside`.
/// In the weak game all at once, which is the strongest. In the strong game at most as many as
/// White has played elsewhere, and `slack` more in place of stones that the proof sees.
fn really(state: &Position, outside: u32, slack: Option<u32>, random: &mut SplitMix) -> Vec<u32> {
    let seen = state.white as u32;
    let Some(slack) = slack else {
        return vec![seen | outside];
    };
    let pick = |cells: u32, count: u32, random: &mut SplitMix| {
        let mut left: Vec<u8> = bits(cells.into()).collect();
        let mut set = 0u32;
        for _ in 0..count.min(left.len() as u32) {
            set |= 1 << left.swap_remove(random.below(left.len() as u32) as usize);
        }
        set
    };
    let mut sets = Vec::new();
    for _ in 0..40 {
        let moved = random.below(slack.min(seen.count_ones()) + 1);
        let gone = pick(seen, moved, random);
        sets.push(seen & !gone | pick(outside, state.elsewhere() + moved, random));
    }
    sets.sort_unstable();
    sets.dedup();
    sets
}

/// Settles random positions, compares verdicts, and gives White stones outside the zone of a proof,
/// some of them in place of others. The claim: Black still wins with the stones left, and on cells
/// of the zone alone, unless White has already completed a shape with those stones (the parent's
/// zone covers that).
fn check_positions(number: u64) -> [u64; 4] {
    let random = &mut SplitMix::new(number ^ 0x7a6f_6e65);
    let question = Question::random(random);
    let [mut states, mut proofs, mut zones, mut moved] = [0; 4];
    for _ in 0..12 {
        let stones = 1 + random.below(question.most_stones());
        let spelling = question.spelled(stones);
        let game: Polyomino = made(&spelling);
        let mut reference = question.reference(stones).with_budget(40_000);
        let plies = random.below(2 * stones);
        let state = wander(&game, &reference, random, plies);
        let Some(truth) = reference.value(&state) else {
            continue;
        };
        let (kernel, options) = ways()[random.below(4) as usize];
        let table = table_for(&game, 20_000, &options);
        let outcome = settle(&game, &table, kernel, options, state);
        let what = format!("{spelling} {kernel:?} {:?}\n{}", state.turn, game.show(&state));
        assert_eq!(outcome.numbers.verdict(), Some(verdict(truth)), "{what}");
        states += 1;
        // Best-first search does not expose its reasons.
        if !truth || kernel == Kernel::Pn {
            continue;
        }
        proofs += 1;
        let zone = zone_of(&game, &state, &table);
        let mut within = reference.within(zone.cells as u32);
        let outside = (game.grid().all & !(state.black | state.white | zone.cells)) as u32;
        let slack = question.strong.then_some(zone.slack);
        for white in really(&state, outside, slack, random) {
            if question.strong && state.turn == Turn::Or && reference.completes(white) {
                continue;
            }
            let Some(wins) = within.black_wins(state.black as u32, white, state.turn) else {
                continue;
            };
            assert!(wins, "{what}\n{zone:x?}, White's stones {white:b}");
            zones += 1;
            moved += u64::from(state.white as u32 & !white != 0);
        }
    }
    [states, proofs, zones, moved]
}

#[test]
fn positions_on_the_way_have_their_value_and_zones_keep_their_promise() {
    let [states, proofs, zones, moved] = on_two_cores(1500, check_positions);
    println!("{states} positions, {proofs} proofs, {zones} Whites, {moved} with stones moved");
    assert!(states > 10_000 && proofs > 3000, "{states} {proofs}");
    assert!(zones > 10_000 && moved > 3000, "{zones} {moved}");
}

#[test]
fn black_may_need_a_cell_only_to_keep_it_from_white() {
    // Three in a row. White must stop d1 e1 at c1, which threatens a1: a cell of no row that Black
    // can still fill. Black takes it and still wins.
    let game: Polyomino = made("shapes=Tic board=3x5 stones=8");
    let black = [(0, 3), (0, 4), (1, 2), (2, 1)];
    let white = [(0, 1), (1, 0), (1, 1)];
    let cells =
        |places: &[_]| places.iter().fold(0, |all, &place| all | 1 << game.grid().cell(place));
    let state = Position::new(cells(&black), cells(&white), Turn::And, game.grid()).unwrap();
    let mut reference = Reference::new(&[Shape::parse("Tic").unwrap()], (3, 5), true, 8);
    assert_eq!(reference.value(&state), Some(true));
    for (kernel, options) in ways() {
        let table = table_for(&game, 20_000, &options);
        let outcome = settle(&game, &table, kernel, options, state);
        assert_eq!(outcome.numbers.verdict(), Some(Verdict::Proven), "{kernel:?}");
    }
}
