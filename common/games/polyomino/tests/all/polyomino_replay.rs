//! Proofs on the infinite board, replayed on a 40×40 board with the window in the middle: Black
//! follows the certificate, White plays freely, and Black must win in time.

use crate::polyomino_reference::{on_two_cores, pictures, random_shapes};
use crate::polyomino_replay_setup::play;
use crate::polyomino_replay_setup::strategy::Strategy;
use crate::polyomino_replay_setup::white::White;
use hasami_game::random::SplitMix;

/// Plays this many games against every White; returns the number of games.
fn replay(strategy: &Strategy, games: u64) -> u64 {
    for game in 0..games {
        for (kind, white) in White::ALL.into_iter().enumerate() {
            play(strategy, white, &mut SplitMix::new(game << 3 | kind as u64));
        }
    }
    games * White::ALL.len() as u64
}

/// Sets of shapes with a sufficient number of stones (known results, and from searches).
const WINNERS: [(&str, u32); 14] = [
    ("Square,W", 5),
    ("Square,R", 5),
    ("Square,U", 6),
    ("Z,U", 5),
    ("R,U", 6),
    ("R,I", 6),
    ("R,UU", 7),
    ("Tic", 3),
    ("El", 3),
    ("Elly", 4),
    ("Knobby", 4),
    ("Tippy", 5),
    ("N5", 6),
    ("Y5", 6),
];

#[test]
fn black_wins_every_game_on_a_board_much_larger_than_the_window() {
    let [games, records, _] = on_two_cores(WINNERS.len() as u64, |number| {
        let (shapes, stones) = WINNERS[number as usize];
        let strategy = Strategy::found(&format!("shapes={shapes} stones={stones}")).unwrap();
        [replay(&strategy, 400), strategy.records as u64, 0]
    });
    println!("{games} games from {records} records");
    assert!(games >= 20_000);
}

#[test]
fn black_wins_over_the_edge_of_small_windows() {
    // Shapes of four cells and more: Black needs more stones than the smallest has, so that White
    // has the time to complete one.
    let [games, wins, records] = on_two_cores(500, |number| {
        let random = &mut SplitMix::new(number ^ 0x6564_6765);
        let mut shapes = random_shapes(random, 5);
        shapes.retain(|shape| shape.size() > 3);
        let window = ["4x4", "5x4", "5x5", "6x5"][random.below(4) as usize];
        let smallest = shapes.iter().map(|shape| shape.size() as u32).min().unwrap_or(0);
        for stones in smallest..smallest + 4 {
            let spelling = format!("shapes={} window={window} stones={stones}", pictures(&shapes));
            if shapes.is_empty() || stones == smallest && Strategy::found(&spelling).is_some() {
                break;
            }
            if let Some(strategy) = Strategy::found(&spelling) {
                return [replay(&strategy, 100), 1, strategy.records as u64];
            }
        }
        [0; 3]
    });
    println!("{games} games, {wins} sets won, {records} records");
    assert!(games > 10_000, "{games} {wins}");
}

/// `HASAMI_REPLAY="shapes=L,I stones=8" cargo test … -- --ignored --nocapture`: any question.
#[test]
#[ignore = "takes minutes; for questions by hand"]
fn black_wins_every_game_of_a_question_given_by_hand() {
    let spelling = std::env::var("HASAMI_REPLAY").unwrap();
    let strategy = Strategy::found_with(&spelling, 1 << 24).unwrap();
    let games = replay(&strategy, 2500);
    println!("{spelling}: {} records, {games} games", strategy.records);
}
