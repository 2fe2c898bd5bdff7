//! The bounds and the last three stones against brute force, on random positions of small boards.

use hasami_andor::Turn;

use super::Polyomino;
use super::endgame::Endgame;
use super::grid::bits;
use super::scan::WHOLE;
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_spec::params::Params;

/// Whether Black fills one of `lacking` with `left` stones if White only blocks: by trying all.
fn fills(lacking: &[u128], left: u32, turn: Turn) -> bool {
    let cells: Vec<u8> = bits(lacking.iter().fold(0, |all, lacks| all | lacks)).collect();
    let near: Vec<u128> =
        lacking.iter().copied().filter(|lacks| lacks.count_ones() <= left).collect();
    match turn {
        _ if near.contains(&0) => true,
        _ if near.is_empty() => false,
        Turn::Or => cells.iter().any(|cell| {
            let after: Vec<u128> = near.iter().map(|lacks| lacks & !(1 << cell)).collect();
            fills(&after, left - 1, Turn::And)
        }),
        Turn::And => cells.iter().all(|cell| {
            let after: Vec<u128> =
                near.iter().copied().filter(|lacks| lacks >> cell & 1 == 0).collect();
            fills(&after, left, Turn::Or)
        }),
    }
}

/// Random sets of two or three of `cells` cells.
fn random_sets(random: &mut SplitMix, cells: u32, count: u32) -> Vec<u128> {
    (0..count)
        .map(|_| {
            loop {
                let set = (0..3).fold(0u128, |set, _| set | 1 << random.below(cells));
                if set.count_ones() >= 2 {
                    break set;
                }
            }
        })
        .collect()
}

fn endgame_of(sets: &[u128]) -> Endgame {
    let mut endgame = Endgame::default();
    for &set in sets {
        match set.count_ones() {
            2 => endgame.add_pair(set),
            _ => endgame.add_triple(set),
        }
    }
    endgame
}

/// Those that lie within `zone`.
fn within(sets: &[u128], zone: u128) -> Vec<u128> {
    sets.iter().copied().filter(|set| set & !zone == 0).collect()
}

#[test]
fn forks_survive_any_reply_just_when_brute_force_says_so() {
    let (mut wins, mut losses) = (0, 0);
    let random = &mut SplitMix::new(1);
    for _ in 0..20_000 {
        let count = 1 + random.below(24);
        let mut sets = random_sets(random, 7, count);
        sets.retain(|set| set.count_ones() == 2);
        let found = endgame_of(&sets).survives_any_reply(0);
        assert_eq!(found.is_some(), fills(&sets, 2, Turn::And), "{sets:x?}");
        match found {
            Some(zone) => {
                assert!(fills(&within(&sets, zone), 2, Turn::And), "{sets:x?} zone {zone:b}");
                wins += 1;
            }
            None => losses += 1,
        }
    }
    assert!(wins > 1000 && losses > 1000, "{wins} {losses}");
}

#[test]
fn three_stones_are_enough_just_when_brute_force_says_so() {
    let (mut wins, mut losses) = (0, 0);
    let random = &mut SplitMix::new(2);
    while wins < 3000 || losses < 3000 {
        let (cells, count) = (6 + random.below(4), 1 + random.below(12));
        let sets = random_sets(random, cells, count);
        let mut endgame = endgame_of(&sets);
        if endgame.fork(0).is_some() {
            continue;
        }
        // Asked twice: the first call must have no side effects.
        let found = endgame.wins_with_three(u128::MAX);
        assert_eq!(found, endgame.wins_with_three(u128::MAX), "{sets:x?}");
        assert_eq!(found.is_some(), fills(&sets, 3, Turn::Or), "{sets:x?}");
        match found {
            Some(zone) => {
                assert!(fills(&within(&sets, zone), 3, Turn::Or), "{sets:x?} zone {zone:b}");
                wins += 1;
            }
            None => losses += 1,
        }
    }
}

/// A weak game on a board of at most 16 cells, and the cells that each placement lacks after random
/// stones.
fn random_position(random: &mut SplitMix) -> (Polyomino, u128, u128, Vec<u128>) {
    let sets = [
        "Tic",
        "El",
        "Elly",
        "Tippy,Tic",
        "Skinny,Square",
        "Knobby",
        "Domino",
        "L,I",
        "Y5",
        "####/####",
        "###/###/###",
    ];
    let boards = ["3x3", "3x4", "2x5", "4x4"];
    let shapes = sets[random.below(sets.len() as u32) as usize];
    let board = boards[random.below(boards.len() as u32) as usize];
    let spelling = format!("shapes={shapes} board={board} game=weak stones=any");
    let params = Params::parse(Polyomino::params(), &spelling).expect("a valid spelling");
    let game = Polyomino::from_params(&params).expect("valid parameters");
    let cells = game.grid.all.count_ones();
    let mut pick =
        |most| (0..random.below(most)).fold(0u128, |all, _| all | 1 << random.below(cells));
    let white = pick(4);
    let black = pick(5) & !white;
    let alive = game.placements.iter().filter(|placement| placement & white == 0);
    let lacking = alive.map(|placement| placement & !black).collect();
    (game, black, white, lacking)
}

/// Erdős & Selfridge: below 1/2 with Black to move and below 1 with White to move Black fails. Also
/// checks that the potential is the documented sum, with the part that needs every stone.
#[test]
fn black_wins_nothing_below_the_potential_of_erdos_and_selfridge() {
    let random = &mut SplitMix::new(3);
    let (mut refuted, mut close) = (0, 0);
    for _ in 0..4000 {
        let (game, black, white, lacking) = random_position(random);
        let left = 1 + random.below(4);
        let chances = game.placements.chances(black, white, left);
        assert_eq!(chances.won, lacking.contains(&0));
        if chances.won {
            continue;
        }
        let counts = lacking.iter().map(|lacks| lacks.count_ones());
        let sum = |wanted: &dyn Fn(u32) -> bool| -> u64 {
            counts.clone().filter(|&count| wanted(count)).map(|count| WHOLE >> count).sum()
        };
        assert_eq!(chances.potential, sum(&|count| count <= left));
        assert_eq!(chances.tight, sum(&|count| count == left));
        for (turn, bound) in [(Turn::Or, WHOLE / 2), (Turn::And, WHOLE)] {
            if chances.potential < bound {
                assert!(!fills(&lacking, left, turn), "{left} {turn:?} {lacking:x?}");
                refuted += 1;
            } else if chances.potential == bound && fills(&lacking, left, turn) {
                // The bound is sharp: one more unit would be wrong.
                close += 1;
            }
        }
    }
    assert!(refuted > 1000 && close > 20, "{refuted} {close}");
}

#[test]
fn threats_forks_and_what_is_lacking_are_those_of_every_placement() {
    let random = &mut SplitMix::new(4);
    for _ in 0..2000 {
        let (game, black, white, lacking) = random_position(random);
        let of = |count: u32| lacking.iter().filter(move |lacks| lacks.count_ones() == count);
        let chances = game.placements.chances(black, white, 4);
        assert_eq!(chances.threats, of(1).fold(0, |all, lacks| all | lacks));
        let partners =
            |cell: u8| of(2).filter(|l| *l >> cell & 1 == 1).fold(0, |all, lacks| all | lacks);
        let forks = bits(game.grid.all).filter(|&cell| partners(cell).count_ones() > 2);
        assert_eq!(chances.forks, forks.fold(0, |all, cell| all | 1 << cell));
        for most in 0..5 {
            let near = lacking.iter().filter(|lacks| lacks.count_ones() <= most);
            let cells = near.fold(0, |all, lacks| all | lacks);
            assert_eq!(game.placements.lacking(black, white, most), cells);
        }
    }
}
