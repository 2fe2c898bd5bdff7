//! Every analyst finds the same lengths.

use crate::parsed;
use hasami_game::random::SplitMix;
use hasami_puzzles::{Analyst, ByRace, Deepening, Exhausted, Puzzle, WholeGame};
use hasami_race::mancala::Mancala;
use hasami_race::pyonpyon::Pyonpyon;
use hasami_small::quarto::Quarto;

const NODES: u64 = 300_000;

/// Compares analysts on positions of a game; returns the number of won positions.
fn compare<G: Puzzle>(
    spelling: &str,
    analysts: &mut [Box<dyn Analyst<G>>],
    plies: u32,
    positions: usize,
    guided: bool,
) -> u32 {
    let params = parsed::<G>(spelling);
    let game = G::from_params(&params).unwrap();
    let mut random = SplitMix::new(11);
    let (mut compared, mut won) = (0, 0);
    while compared < positions {
        let asked = if guided {
            game.composed(&params, plies, &mut random)
        } else {
            game.free(&params, plies, &mut random)
        };
        let Some(asked) = asked else { continue };
        let game = G::from_params(&asked).unwrap();
        for most in [u32::MAX, plies] {
            let found: Vec<Result<Option<u32>, Exhausted>> = analysts
                .iter_mut()
                .map(|analyst| {
                    analyst.begin(NODES);
                    analyst.shortest(&game, &game.root(), most)
                })
                .collect();
            let known: Vec<Option<u32>> = found.into_iter().flatten().collect();
            assert!(known.iter().all(|one| *one == known[0]), "{asked}: {known:?} within {most}");
            won += u32::from(known.len() > 1 && known[0].is_some());
        }
        compared += 1;
    }
    won
}

#[test]
fn the_exact_solver_of_quarto_agrees_with_the_search_for_every_game() {
    let mut analysts: Vec<Box<dyn Analyst<Quarto>>> =
        vec![Quarto::analyst(), Box::new(Deepening::new())];
    assert!(compare::<Quarto>("", &mut analysts, 5, 100, true) > 20);
}

#[test]
fn the_analysts_of_pyonpyon_agree() {
    for no_move in ["pass", "loses", "draw"] {
        let mut analysts: Vec<Box<dyn Analyst<Pyonpyon>>> = vec![
            Box::new(WholeGame::default()),
            Box::new(ByRace::default()),
            Box::new(Deepening::new()),
        ];
        let spelling = format!("rows=2 columns=6 home=2 no-move={no_move}");
        assert!(compare(&spelling, &mut analysts, 5, 40, false) > 10);
    }
}

#[test]
fn the_analysts_of_mancala_agree() {
    for goal in ["either", "own"] {
        let mut analysts: Vec<Box<dyn Analyst<Mancala>>> = vec![
            Box::new(WholeGame::default()),
            Box::new(ByRace::default()),
            Box::new(Deepening::new()),
        ];
        assert!(compare(&format!("pits=4 goal={goal}"), &mut analysts, 3, 40, false) > 10);
    }
}

#[test]
fn an_analyst_without_nodes_says_so() {
    let params = parsed::<Pyonpyon>("rows=2 columns=7 home=2");
    let game = <Pyonpyon as hasami_game::Game>::from_params(&params).unwrap();
    let root = hasami_andor::Problem::root(&game);
    let mut analysts: Vec<Box<dyn Analyst<Pyonpyon>>> = vec![
        Box::new(WholeGame::default()),
        Box::new(ByRace::default()),
        Box::new(Deepening::new()),
    ];
    for analyst in &mut analysts {
        analyst.begin(3);
        assert_eq!(analyst.shortest(&game, &root, u32::MAX), Err(Exhausted));
        analyst.begin(u64::MAX);
        assert!(analyst.shortest(&game, &root, u32::MAX).is_ok());
    }
}
