//! Best moves by values, against a plain search of the whole board that does not use values.

use std::collections::HashMap;

use hasami_cgt::Dyadic;
use hasami_game::random::SplitMix;
use hasami_values::go::{Advice, Board, Cell, Colour, Endgames, Suicide, Unvalued, territory};

/// Players alternate and may pass. After two passes they continue in order to capture dead stones;
/// from there a pass costs a point and both make equally many moves, so that capturing is free.
/// Then territory and prisoners are counted, with all stones alive.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    Playing { passed: bool },
    Settling { passed: bool, first: Colour },
}

#[derive(Default)]
struct Search {
    known: HashMap<(Board, Colour, Phase), Option<i64>>,
}

impl Search {
    /// The score from here under best play; `None` if play can repeat.
    fn score(&mut self, board: &Board, colour: Colour, phase: Phase) -> Option<i64> {
        let key = (board.clone(), colour, phase);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        self.known.insert(key.clone(), None);
        let mut best = self.pass(board, colour, phase)?;
        let next = match phase {
            Phase::Playing { .. } => Phase::Playing { passed: false },
            Phase::Settling { first, .. } => Phase::Settling { passed: false, first },
        };
        for point in board.empty().collect::<Vec<_>>() {
            let Ok(played) = board.play(colour, point, Suicide::Forbidden) else { continue };
            let score = played.prisoners + self.score(&played.board, colour.other(), next)?;
            best = match colour {
                Colour::Black => best.max(score),
                Colour::White => best.min(score),
            };
        }
        self.known.insert(key, Some(best));
        Some(best)
    }

    fn pass(&mut self, board: &Board, colour: Colour, phase: Phase) -> Option<i64> {
        let other = colour.other();
        match phase {
            Phase::Playing { passed: false } => {
                self.score(board, other, Phase::Playing { passed: true })
            }
            Phase::Playing { passed: true } => {
                self.score(board, other, Phase::Settling { passed: false, first: other })
            }
            Phase::Settling { passed, first } => {
                let rest = if passed && colour != first {
                    territory(board)
                } else {
                    self.score(board, other, Phase::Settling { passed: true, first })?
                };
                Some(rest - colour.sign())
            }
        }
    }
}

const BEGIN: Phase = Phase::Playing { passed: false };

/// Walls with some open points and stones.
fn random_board(random: &mut SplitMix, rows: usize, columns: usize, most: usize) -> Option<Board> {
    let cells = (0..rows * columns).map(|_| match random.below(20) {
        0..6 => Cell::Wall(Colour::Black),
        6..12 => Cell::Wall(Colour::White),
        12..17 => Cell::Empty,
        17 => Cell::Stone(Colour::Black),
        18 => Cell::Stone(Colour::White),
        _ => Cell::Outside,
    });
    let board = Board::new(columns, cells.collect());
    let open = board.cells().iter().filter(|cell| cell.is_open()).count();
    ((2..=most).contains(&open) && board.choked().is_none()).then_some(board)
}

#[test]
fn scores_and_best_moves_by_values_are_those_of_plain_search() {
    let mut random = SplitMix::new(20_261_116);
    let mut endgames = Endgames::new(Suicide::Forbidden, 1_000_000, u64::MAX);
    let (mut checked, mut several, mut loopy) = (0, 0, 0);
    while checked < 800 {
        let Some(board) = random_board(&mut random, 4, 5, 8) else { continue };
        let mut search = Search::default();
        let [Some(black), Some(white)] =
            Colour::BOTH.map(|colour| search.score(&board, colour, BEGIN))
        else {
            loopy += 1;
            continue;
        };
        let whole = endgames.whole(&board);
        if whole.total == Err(Unvalued::Loopy) {
            loopy += 1;
            continue;
        }
        let total = whole.total.unwrap();
        let (left, right) = endgames.games.stops(total);
        let shown = endgames.games.show(total);
        assert_eq!((left, right), (&black.into(), &white.into()), "{board}\n{shown}");
        for (colour, best) in Colour::BOTH.into_iter().zip([black, white]) {
            let score = match endgames.advice(&whole, colour).unwrap() {
                Advice::Play(choice) => {
                    assert_eq!(choice.score, Some(best.into()), "{board}\n{shown}");
                    let played = board.play(colour, choice.point, Suicide::Forbidden).unwrap();
                    played.prisoners + search.score(&played.board, colour.other(), BEGIN).unwrap()
                }
                Advice::Pass(score) => {
                    let after = search.score(&board, colour.other(), BEGIN).unwrap();
                    assert_eq!(score, Dyadic::from(after), "{board}\n{shown}");
                    after
                }
                other => panic!("{other:?}"),
            };
            assert_eq!(score, best, "{board}\n{colour:?} {shown}");
        }
        checked += 1;
        several += usize::from(whole.regions.len() > 1);
    }
    println!("{checked} boards, {several} with several regions; {loopy} with ko left out");
    assert!(several > 400);
}
