//! Maker–Breaker through every kernel: hidden moves, zones as reasons, symmetric keys.

mod setups;

use hasami_andor::{Options, Problem, SumRule, oracle};
use hasami_games::mnk::Mnk;
use setups::{KERNELS, lie, made, settle, table_for};

/// Every board of at most `cells` cells with every line that could fit, and one that does not.
fn boards(cells: u8) -> Vec<(u8, u8, u8)> {
    let mut boards = Vec::new();
    for width in 1..=cells {
        for height in 1..=cells / width {
            (1..=width.max(height) + 1).for_each(|line| boards.push((width, height, line)));
        }
    }
    boards
}

#[test]
fn every_kernel_gives_every_board_up_to_twelve_cells_its_value() {
    let mut searches = 0;
    for (turn, (width, height, line)) in boards(12).into_iter().enumerate() {
        let sym = if turn % 4 == 0 { "off" } else { "on" };
        let game: Mnk =
            made(&format!("width={width} height={height} line={line} zones=on sym={sym}"));
        let truth = oracle::solve(&game, 10_000_000).unwrap();
        for (number, kernel) in KERNELS.into_iter().enumerate() {
            for share in [100, 5] {
                // The sum rules take turns.
                let sum = [SumRule::Sum, SumRule::Weak, SumRule::Hybrid][(turn + number) % 3];
                let options = Options { sum, ..Options::default() };
                let table = table_for(&game, truth.verdicts.len() * share / 100, &options);
                let outcome = settle(&game, &table, kernel, options, game.root());
                let what = format!("{width}x{height} line {line} {kernel:?} {sum:?} {share} %");
                assert_eq!(outcome.numbers.verdict(), Some(truth.root), "{what}");
                assert_eq!(lie::<Mnk>(&table, &truth), None, "{what}");
                searches += 1;
            }
        }
    }
    assert!(searches > 1500, "{searches}");
}
