//! Proofs in a small window, on a larger board: what is proven of a position on the infinite board
//! must hold wherever White's ignored stones are, over the edge of the window and beyond.

use crate::polyomino_reference::{Reference, on_two_cores, pictures, random_shapes};
use hasami_andor::{Expansion, Kernel, Moves, Problem, Turn, Verdict};
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_polyomino::polyomino::{Polyomino, Position, grid::bits};
use hasami_trials::{made, settle, table_for};

/// Windows, each with a board of at most 32 cells that has it in the middle.
const WINDOWS: [((u8, u8), (u8, u8)); 5] =
    [((3, 3), (5, 5)), ((3, 3), (5, 6)), ((3, 4), (5, 6)), ((2, 4), (4, 8)), ((3, 2), (5, 6))];

/// A window on its board.
struct Embedded {
    window: (u8, u8),
    board: (u8, u8),
}

impl Embedded {
    /// Cells of the window as cells of the board.
    fn on_board(&self, cells: u128) -> u32 {
        let down = (self.board.0 - self.window.0) / 2;
        let right = (self.board.1 - self.window.1) / 2;
        bits(cells).fold(0, |all, cell| {
            let (row, column) = (cell / self.window.1 + down, cell % self.window.1 + right);
            all | 1 << (row * self.board.1 + column)
        })
    }
}

/// A random position with `elsewhere` White stones off the window, no shape complete on it.
fn random_position(game: &Polyomino, elsewhere: u32, random: &mut SplitMix) -> Option<Position> {
    let cells = game.grid().all.count_ones();
    let turn = [Turn::Or, Turn::And][random.below(2) as usize];
    let white = random.below(4);
    let black = white + elsewhere + u32::from(turn == Turn::And);
    let (mut blacks, mut whites) = (0u128, 0u128);
    for count in 0..black + white {
        let free: Vec<u8> = bits(game.grid().all & !(blacks | whites)).collect();
        let cell = *free.get(random.below(cells) as usize % free.len().max(1))?;
        *(if count < black { &mut blacks } else { &mut whites }) |= 1 << cell;
    }
    Position::new(blacks, whites, turn, game.grid()).ok()
}

/// At most `count` of the cells `may`, half of the time as many as possible of one placement.
fn ignored(reference: &Reference, may: u32, count: u32, random: &mut SplitMix) -> u32 {
    let placements = &reference.placements;
    let wanted = placements[random.below(placements.len() as u32) as usize] & may;
    let mut set = 0u32;
    for _ in 0..count {
        let cells = if wanted & !set != 0 && random.below(4) > 0 { wanted } else { may } & !set;
        let cells: Vec<u8> = bits(cells.into()).collect();
        if let Some(&cell) = cells.get(random.below(32) as usize % cells.len().max(1)) {
            set |= 1 << cell;
        }
    }
    set
}

/// Random positions of one question. The claim about a proof with zone Z and `o` stones elsewhere:
/// wherever they are outside Z, and with up to `slack` more in place of stones that the proof sees,
/// Black wins on cells of Z with the stones left, before White, unless White's stones are already a
/// shape and it is Black's turn (the parent covers that).
fn check(number: u64) -> [u64; 4] {
    let random = &mut SplitMix::new(number ^ 0x7769_6e64);
    let shapes = random_shapes(random, 5);
    let (window, board) = WINDOWS[random.below(WINDOWS.len() as u32) as usize];
    let embedded = Embedded { window, board };
    let ([mut positions, mut proofs], mut games) = ([0; 2], [0; 2]);
    for _ in 0..40 {
        let (elsewhere, left) = (random.below(4), 1 + random.below(3));
        let spelled = |stones: u32| {
            let (shapes, (rows, columns)) = (pictures(&shapes), window);
            format!("shapes={shapes} window={rows}x{columns} stones={stones}")
        };
        let plain: Polyomino = made(&spelled(1));
        let Some(state) = random_position(&plain, elsewhere, random) else {
            continue;
        };
        let spelling = spelled(state.black.count_ones() + left);
        let game: Polyomino = made(&spelling);
        // The game may allow Black fewer stones than the spelling.
        let reference = Reference::new(&shapes, board, true, game.stones()).with_budget(20_000);
        let (black, white) = (embedded.on_board(state.black), embedded.on_board(state.white));
        if reference.completes(black) || reference.completes(white) {
            continue;
        }
        positions += 1;
        let table = table_for(&game, 4000, &Polyomino::ADVICE);
        let outcome = settle(&game, &table, Kernel::Dfpn, Polyomino::ADVICE, state);
        if outcome.numbers.verdict() != Some(Verdict::Proven) {
            continue;
        }
        proofs += 1;
        let reason = match game.expand(&state, &mut Moves::new()) {
            Expansion::Settled(verdict) => game.reason(&state, verdict, &[]),
            Expansion::Open => table.lookup(game.key(&state)).unwrap().reason,
        };
        let zone = embedded.on_board(game.grid().turned_back(reason.cells, state.symmetry()));
        let mut within = reference.within(zone);
        let outside = ((1u64 << reference.cells) - 1) as u32 & !(black | white | zone);
        for _ in 0..20 {
            let moved = random.below(reason.slack.min(white.count_ones()) + 1);
            let white = white & !ignored(&reference, white, moved, random);
            let more = ignored(&reference, outside, elsewhere + moved, random);
            if state.turn == Turn::Or && reference.completes(white | more) {
                continue;
            }
            let wins = within.black_wins(black, white | more, state.turn);
            let shown = game.show(&state);
            assert!(
                wins != Some(false),
                "{spelling} on {board:?}: {:?}\n{shown}\nzone {zone:b}, White's {white:b}, ignored {more:b}",
                state.turn
            );
            games[usize::from(moved > 0)] += u64::from(wins.is_some());
        }
    }
    [positions, proofs, games[0], games[1]]
}

#[test]
fn a_proof_in_a_window_holds_whatever_lies_over_its_edge() {
    let [positions, proofs, games, moved] = on_two_cores(350, check);
    println!("{positions} positions, {proofs} proofs, {games} Whites, {moved} with stones moved");
    assert!(proofs > 1500 && games > 10_000 && moved > 5000, "{proofs} {games} {moved}");
}
