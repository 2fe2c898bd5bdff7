//! Maker–Breaker against a reference written without any of its shortcuts, on every small board.

use std::collections::HashMap;
use std::thread;

use hasami_andor::oracle;

use super::*;
use hasami_game::random::SplitMix;

fn made(width: u8, height: u8, line: u8, zones: bool, sym: bool) -> Mnk {
    let word = |on| if on { "on" } else { "off" };
    let (zones, sym) = (word(zones), word(sym));
    let spelling = format!("width={width} height={height} line={line} zones={zones} sym={sym}");
    Mnk::from_params(&Params::parse(PARAMS, &spelling).unwrap()).unwrap()
}

/// The rules only: cell by cell, no threats, no zones, no symmetry.
struct Reference {
    width: i32,
    height: i32,
    line: i32,
    known: HashMap<(u64, u64, bool), bool>,
}

impl Reference {
    fn new(width: u8, height: u8, line: u8) -> Self {
        let (width, height, line) = (width.into(), height.into(), line.into());
        let known = HashMap::new();
        Self { width, height, line, known }
    }

    fn has_line(&self, maker: u64) -> bool {
        let owns = |column: i32, row: i32| {
            (0..self.width).contains(&column)
                && (0..self.height).contains(&row)
                && maker >> (row * self.width + column) & 1 == 1
        };
        (0..self.width * self.height).any(|cell| {
            let (column, row) = (cell % self.width, cell / self.width);
            [(1, 0), (0, 1), (1, 1), (-1, 1)].iter().any(|(right, down)| {
                (0..self.line).all(|step| owns(column + step * right, row + step * down))
            })
        })
    }

    fn maker_wins(&mut self, maker: u64, breaker: u64, makers_turn: bool) -> bool {
        if self.has_line(maker) {
            return true;
        }
        if let Some(&known) = self.known.get(&(maker, breaker, makers_turn)) {
            return known;
        }
        let mut cells = (0..self.width * self.height)
            .map(|cell| 1u64 << cell)
            .filter(|bit| (maker | breaker) & bit == 0)
            .peekable();
        let wins = if cells.peek().is_none() {
            false
        } else if makers_turn {
            cells.any(|bit| self.maker_wins(maker | bit, breaker, false))
        } else {
            cells.all(|bit| self.maker_wins(maker, breaker | bit, true))
        };
        self.known.insert((maker, breaker, makers_turn), wins);
        wins
    }

    fn verdict(&mut self, state: &Position) -> Verdict {
        if self.maker_wins(state.maker, state.breaker, state.turn == Turn::Or) {
            Verdict::Proven
        } else {
            Verdict::Disproven
        }
    }
}

/// A plain search that opens only what the reasons require, and stores both by key.
struct ZoneSearch<'a> {
    game: &'a Mnk,
    known: HashMap<Key, (Verdict, u64)>,
    /// One state of each key.
    states: Vec<Position>,
}

impl ZoneSearch<'_> {
    fn solve(&mut self, state: &Position) -> (Verdict, u64) {
        let key = self.game.key(state);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut moves = Moves::new();
        let mut basis = Vec::new();
        let verdict = match self.game.expand(state, &mut moves) {
            Expansion::Settled(verdict) => verdict,
            Expansion::Open => {
                let wish = self.game.turn(state).wish();
                let mut verdict = wish.opposite();
                let mut queue: Vec<Placement> = moves.iter().collect();
                let mut at = 0;
                while at < queue.len() {
                    let mv = queue[at];
                    at += 1;
                    let (found, reason) = self.solve(&self.game.play(state, mv));
                    if found == wish {
                        verdict = wish;
                        basis = vec![(mv, reason)];
                        break;
                    }
                    basis.push((mv, reason));
                    moves.clear();
                    self.game.open(state, mv, Some(reason), &mut moves);
                    queue.extend(moves.iter());
                }
                verdict
            }
        };
        let reason = self.game.reason(state, verdict, &basis);
        self.known.insert(key, (verdict, reason));
        self.states.push(*state);
        (verdict, reason)
    }
}

/// Every board of at most `cells` cells with every line that could fit, spread over threads.
fn on_every_board(cells: u8, check: impl Fn(u8, u8, u8) + Sync) {
    let mut boards = Vec::new();
    for width in 1..=cells {
        for height in 1..=cells / width {
            // Also one more than fits.
            (1..=width.max(height) + 1).for_each(|line| boards.push((width, height, line)));
        }
    }
    // The expensive ones last, assigned one by one.
    boards.sort_by_key(|&(width, height, _)| width * height);
    let lanes = thread::available_parallelism().map_or(4, usize::from);
    thread::scope(|scope| {
        for lane in 0..lanes {
            let (boards, check) = (&boards, &check);
            scope.spawn(move || {
                for &(width, height, line) in boards.iter().skip(lane).step_by(lanes) {
                    check(width, height, line);
                }
            });
        }
    });
}

#[test]
fn every_board_up_to_twelve_cells_has_the_value_of_the_bare_rules() {
    on_every_board(12, |width, height, line| {
        let mut reference = Reference::new(width, height, line);
        for (zones, sym) in [(false, false), (false, true), (true, false), (true, true)] {
            let game = made(width, height, line, zones, sym);
            let expected = reference.verdict(&game.root());
            let answer = oracle::solve(&game, 10_000_000).unwrap();
            assert_eq!(answer.root, expected, "{width}x{height} line {line}");
        }
    });
}

#[test]
fn zones_never_change_a_verdict_and_hold_against_any_stones_outside() {
    on_every_board(12, |width, height, line| {
        let mut reference = Reference::new(width, height, line);
        let mut random = SplitMix::new(1);
        for sym in [false, true] {
            let game = made(width, height, line, true, sym);
            let mut search = ZoneSearch { game: &game, known: HashMap::new(), states: Vec::new() };
            search.solve(&game.root());
            for state in &search.states {
                let (verdict, zone) = search.known[&game.key(state)];
                let shown = game.show(state);
                assert_eq!(verdict, reference.verdict(state), "line {line}\n{shown}");
                if verdict == Verdict::Disproven {
                    continue;
                }
                let outside = game.empty(state) & !game.on_board(state, zone);
                for given in [outside, outside & random.word()] {
                    let hurt = Position { breaker: state.breaker | given, ..*state };
                    let still = reference.verdict(&hurt);
                    assert_eq!(still, Verdict::Proven, "line {line}\n{}", game.show(&hurt));
                }
            }
        }
    });
}

#[test]
fn zones_leave_out_a_third_of_the_replies_of_a_small_board() {
    let game = made(5, 4, 3, true, true);
    let mut search = ZoneSearch { game: &game, known: HashMap::new(), states: Vec::new() };
    assert_eq!(search.solve(&game.root()).0, Verdict::Proven);
    let (mut opened, mut possible) = (0, 0);
    let mut moves = Moves::new();
    for state in &search.states {
        let after = game.play(state, Placement::Elsewhere);
        let elsewhere = search.known.get(&game.key(&after));
        if let (Turn::And, Some(&(Verdict::Proven, zone))) = (state.turn, elsewhere) {
            moves.clear();
            game.open(state, Placement::Elsewhere, Some(zone), &mut moves);
            opened += moves.len();
            possible += game.empty(state).count_ones() as usize;
        }
    }
    assert!(opened > 0 && 3 * opened < 2 * possible, "{opened} of {possible}");
}

#[test]
fn known_values_come_out() {
    // Maker–Breaker tic-tac-toe is Maker's; four in a row on 4x4 is not (Beck 2008).
    for (width, height, line, verdict) in [
        (3, 3, 3, Verdict::Proven),
        (3, 2, 3, Verdict::Disproven),
        (4, 3, 3, Verdict::Proven),
        (2, 2, 2, Verdict::Proven),
        (4, 4, 4, Verdict::Disproven),
        (1, 1, 1, Verdict::Proven),
    ] {
        let game = made(width, height, line, false, true);
        let answer = oracle::solve(&game, 20_000_000).unwrap();
        assert_eq!(answer.root, verdict, "{width}x{height} line {line}");
    }
}

#[test]
fn keys_are_one_for_symmetric_positions_and_different_for_others() {
    let mut random = SplitMix::new(7);
    for (width, height) in [(3, 3), (4, 3), (8, 8), (2, 7)] {
        let game = made(width, height, 3, true, true);
        let plain = made(width, height, 3, true, false);
        for _ in 0..2000 {
            let maker = random.word() & game.board.all;
            let breaker = random.word() & random.word() & game.board.all & !maker;
            let state = Position { maker, breaker, turn: Turn::Or };
            for symmetry in 0..game.board.symmetries() {
                let turned = Position {
                    maker: game.board.turned(maker, symmetry),
                    breaker: game.board.turned(breaker, symmetry),
                    turn: Turn::Or,
                };
                assert_eq!(game.key(&turned), game.key(&state));
                assert_eq!(plain.key(&turned) == plain.key(&state), turned == state);
            }
            let other = Position { turn: Turn::And, ..state };
            assert!(maker == 0 || game.key(&other) != game.key(&state));
        }
    }
}

#[test]
fn impossible_positions_are_refused() {
    let game = made(3, 3, 3, false, true);
    let zoned = made(3, 3, 3, true, true);
    let bytes = |turn: u8, maker: u64, breaker: u64| {
        let mut bytes = vec![turn];
        bytes.extend(maker.to_le_bytes());
        bytes.extend(breaker.to_le_bytes());
        bytes
    };
    assert!(game.decode(&bytes(0, 0b01, 0b10)).is_ok());
    assert!(game.decode(&bytes(1, 0b01, 0b00)).is_ok());
    for wrong in [
        bytes(0, 0b01, 0b01),
        bytes(0, 1 << 9, 0b01),
        bytes(0, 0b01, 1 << 63),
        bytes(2, 0b01, 0b10),
        bytes(1, 0b00, 0b00),
        bytes(1, 0b01, 0b10),
        bytes(0, 0b00, 0b10),
        bytes(0, 0b00, 0b00)[..16].to_vec(),
        Vec::new(),
    ] {
        assert!(game.decode(&wrong).is_err(), "{wrong:?}");
        assert!(zoned.decode(&wrong).is_err(), "{wrong:?}");
    }
    // Breaker has played elsewhere: possible only with zones.
    assert!(game.decode(&bytes(0, 0b11, 0b100)).is_err());
    assert!(zoned.decode(&bytes(0, 0b11, 0b100)).is_ok());
}

#[test]
fn a_board_of_more_than_64_cells_is_refused() {
    let params = Params::parse(PARAMS, "width=13 height=5").unwrap();
    let wrong = Mnk::from_params(&params).unwrap_err().to_string();
    assert_eq!(wrong, "height=5: expected at most 64 cells, so at most 4 rows");
    assert_eq!(made(8, 8, 5, true, true).board.all, u64::MAX);
}

#[test]
fn the_board_is_drawn_row_by_row() {
    let game = made(3, 2, 3, true, true);
    let state = Position { maker: 0b000_001, breaker: 0b100_000, turn: Turn::Or };
    assert_eq!(game.show(&state), "X..\n..O");
    assert_eq!(game.show_move(&state, Placement::Cell(4)), "b2");
}
