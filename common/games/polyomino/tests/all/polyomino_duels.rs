//! Games against certificates: the side that follows one never fails, whatever the other side plays,
//! every line of small boards included. The referee here knows the rules alone.

use crate::polyomino_reference::{images, on_two_cores};
use hasami_andor::certificate::Strategy;
use hasami_andor::{Kernel, Problem, Table, Verdict};
use hasami_game::Game;
use hasami_game::play::{Duel, Status};
use hasami_game::random::SplitMix;
use hasami_polyomino::polyomino::Polyomino;
use hasami_polyomino::polyomino::shape::parse_set;
use hasami_trials::certified::{asked, certify};
use hasami_trials::{made, settle};

fn certified(spelling: &str) -> (Polyomino, Strategy) {
    let game: Polyomino = made(spelling);
    let table = Table::with_entries(1 << 16, false);
    let outcome = settle(&game, &table, Kernel::Dfpn, Polyomino::ADVICE, game.root());
    let verdict = outcome.numbers.verdict().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("certificate");
    certify(&game, &table, verdict, &file);
    let strategy = Strategy::load(&file, &game, &asked(&game)).unwrap();
    (game, strategy)
}

/// Plays the opponent's moves as far as they go; returns the game and the names of all moves, Black's
/// first.
fn replayed<'a>(
    game: &'a Polyomino,
    strategy: &'a Strategy,
    opponent: &[String],
) -> (Box<dyn Duel + 'a>, Vec<String>) {
    let mut duel = game.duel(strategy);
    let (mut next, mut moves) = (opponent.iter(), Vec::new());
    loop {
        match duel.status() {
            Status::Over(_) => return (duel, moves),
            Status::Program => {
                moves.push(duel.answer().unwrap_or_else(|error| panic!("{moves:?}: {error}")));
            }
            Status::Opponent => match next.next() {
                None => return (duel, moves),
                Some(mv) => moves.push(duel.play(mv).unwrap_or_else(|error| panic!("{error}"))),
            },
        }
    }
}

/// Whether the game ended as the verdict says, by the rules alone.
fn referee(shapes: &str, verdict: Verdict, strong: bool, stones: u32, moves: &[String]) {
    let images: Vec<Vec<(i32, i32)>> = parse_set(shapes).unwrap().iter().flat_map(images).collect();
    let place = |name: &String| {
        if let Some((column, row)) = name.split_once(',') {
            return (row.parse::<i32>().unwrap() - 1, column.parse::<i32>().unwrap() - 1);
        }
        let column = i32::from(name.as_bytes()[0] - b'a');
        (name[1..].parse::<i32>().unwrap() - 1, column)
    };
    let complete = |own: &[(i32, i32)]| {
        images.iter().any(|image| {
            own.iter().any(|corner| {
                let anchor = image[0];
                let moved = |cell: &(i32, i32)| {
                    (cell.0 - anchor.0 + corner.0, cell.1 - anchor.1 + corner.1)
                };
                image.iter().all(|cell| own.contains(&moved(cell)))
            })
        })
    };
    let (mut black, mut white) = (Vec::new(), Vec::new());
    for (at, name) in moves.iter().enumerate().filter(|(_, name)| *name != "pass") {
        let own = if at % 2 == 0 { &mut black } else { &mut white };
        own.push(place(name));
        let (won, lost) = (complete(&black), strong && complete(&white));
        match verdict {
            Verdict::Proven => assert!(!lost, "{shapes} {moves:?}"),
            Verdict::Disproven => assert!(!won, "{shapes} {moves:?}"),
        }
        if won || lost {
            assert_eq!(at + 1, moves.len(), "{shapes} {moves:?}");
        }
    }
    if verdict == Verdict::Proven {
        assert!(complete(&black) && black.len() as u32 <= stones, "{shapes} {moves:?}");
    }
    let mut all = [black, white].concat();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "two stones on a cell: {moves:?}");
}

/// Every line that the opponent can play; returns the number of games.
fn every_line(game: &Polyomino, strategy: &Strategy, check: &dyn Fn(&[String])) -> u64 {
    let mut games = 0;
    let mut todo = vec![Vec::new()];
    while let Some(line) = todo.pop() {
        let (duel, moves) = replayed(game, strategy, &line);
        if matches!(duel.status(), Status::Over(_)) {
            check(&moves);
            games += 1;
            continue;
        }
        for mv in duel.moves() {
            let mut line = line.clone();
            line.push(mv);
            todo.push(line);
        }
    }
    games
}

#[test]
fn no_line_on_a_small_board_refutes_a_certificate() {
    let mut questions = Vec::new();
    for shapes in ["Domino", "El", "Tic", "El,Tic", "Tippy", "Elly", "Knobby", "Square", "Skinny"] {
        for game in ["strong", "weak"] {
            for board in ["1x4", "2x3", "3x3", "2x5", "3x4"] {
                for stones in [2, 3, 4, 6] {
                    questions.push((shapes, game, board, stones));
                }
            }
        }
    }
    let [games, won] = on_two_cores(questions.len() as u64, |number| {
        let (shapes, kind, board, stones) = questions[number as usize];
        let spelling = format!("shapes={shapes} game={kind} board={board} stones={stones}");
        let (game, strategy) = certified(&spelling);
        let verdict = strategy.verdict();
        // Without an end in sight there are too many lines.
        if verdict == Verdict::Disproven && stones > 4 && board == "3x4" {
            return [0; 2];
        }
        let check = |moves: &[String]| {
            referee(shapes, verdict, kind == "strong", stones, moves);
        };
        let games = every_line(&game, &strategy, &check);
        [games, if verdict == Verdict::Proven { games } else { 0 }]
    });
    println!("{games} games, {won} of them won by Black");
    assert!(games > 10_000 && won > 1000, "{games} {won}");
}

#[test]
fn random_opponents_lose_on_larger_boards_and_on_the_infinite_one() {
    let questions = [
        ("Square,W", "", 5),
        ("Square,R", "", 5),
        ("Z,U", "", 5),
        ("R,I", "game=weak", 6),
        ("Elly", "window=7x7", 4),
        ("Tippy", "window=6x7", 5),
        ("Square", "", 20),
        ("Square", "board=5x5", 12),
        ("X", "board=5x5", 6),
        ("Skinny", "board=5x5", 6),
        ("Knobby", "board=4x4", 8),
        ("Knobby", "board=5x5", 7),
        ("Elly", "board=4x5 game=weak", 5),
        ("W,I", "board=5x5 game=weak", 6),
        ("L,Tippy", "board=4x4", 4),
    ];
    let [games, won] = on_two_cores(questions.len() as u64, |number| {
        let (shapes, place, stones) = questions[number as usize];
        let spelling = format!("shapes={shapes} {place} stones={stones}");
        let (game, strategy) = certified(spelling.trim());
        let mut won = 0;
        for seed in 0..300 {
            let random = &mut SplitMix::new(seed);
            let mut duel = game.duel(&strategy);
            let mut moves = Vec::new();
            loop {
                match duel.status() {
                    Status::Over(_) => break,
                    Status::Program => moves.push(duel.answer().unwrap()),
                    Status::Opponent => {
                        let mv = duel.random(random);
                        moves.push(duel.play(&mv).unwrap_or_else(|error| panic!("{error}")));
                    }
                }
            }
            let strong = !place.contains("weak");
            referee(shapes, strategy.verdict(), strong, game.stones(), &moves);
            won += u64::from(strategy.verdict() == Verdict::Proven);
        }
        [300, won]
    });
    assert!(games == 4500 && won > 2000, "{games} {won}");
}
