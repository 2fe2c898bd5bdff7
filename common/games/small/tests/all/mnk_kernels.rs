//! Maker–Breaker through every kernel: hidden moves, zones as reasons, symmetric keys.

use hasami_andor::{Kernel, Options, Problem, SumRule, oracle};
use hasami_small::mnk::Mnk;
use hasami_trials::{KERNELS, lie, made, settle, table_for};

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

/// One kernel on one board, with a table for this fraction of the states.
struct Trial {
    kernel: Kernel,
    sum: SumRule,
    percent: usize,
}

/// Every kernel with a table for all; with a tiny one every kernel on small boards, and one kernel
/// in turn on large ones, where it takes long. The sum rules rotate too.
fn trials(turn: usize, cells: u8) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (number, kernel) in KERNELS.into_iter().enumerate() {
        let sum = [SumRule::Sum, SumRule::Weak, SumRule::Hybrid][(turn + number) % 3];
        trials.push(Trial { kernel, sum, percent: 100 });
        if cells <= 9 || number == turn % KERNELS.len() {
            trials.push(Trial { kernel, sum, percent: 5 });
        }
    }
    trials
}

fn check_board(turn: usize, (width, height, line): (u8, u8, u8)) -> usize {
    let sym = if turn.is_multiple_of(4) { "off" } else { "on" };
    let game: Mnk = made(&format!("width={width} height={height} line={line} zones=on sym={sym}"));
    let truth = oracle::solve(&game, 10_000_000).unwrap();
    let trials = trials(turn, width * height);
    for Trial { kernel, sum, percent } in &trials {
        let options = Options { sum: *sum, ..Options::default() };
        let table = table_for(&game, truth.verdicts.len() * percent / 100, &options);
        let outcome = settle(&game, &table, *kernel, options, game.root());
        let what = format!("{width}x{height} line {line} sym={sym} {kernel:?} {sum:?} {percent} %");
        assert_eq!(outcome.numbers.verdict(), Some(truth.root), "{what}");
        assert_eq!(lie::<Mnk>(&table, &truth), None, "{what}");
    }
    trials.len()
}

#[test]
fn every_kernel_gives_every_board_up_to_twelve_cells_its_value() {
    let boards = boards(12);
    let lane = |lane: usize| {
        let own = boards.iter().enumerate().skip(lane).step_by(2);
        own.map(|(turn, &board)| check_board(turn, board)).sum::<usize>()
    };
    let searches = std::thread::scope(|scope| {
        let other = scope.spawn(|| lane(1));
        lane(0) + other.join().unwrap()
    });
    assert!(searches > 1500, "{searches}");
}
