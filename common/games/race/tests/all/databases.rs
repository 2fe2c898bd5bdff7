//! Databases of small boards: every value against the reference, which uses neither row numbers nor
//! symmetry.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use hasami_andor::Problem;
use hasami_database::{Build, Plan, build};
use hasami_game::race::ExactSolver;
use hasami_game::random::SplitMix;
use hasami_race::mancala::{Mancala, database::Endings};
use hasami_race::pyonpyon::{NoMove, Pyonpyon, database::Solution, row::Rows};
use hasami_race::query::AnyDatabase;

use crate::races_reference::{mancala, pyonpyon};
use hasami_trials::made;

fn built(plan: &impl Plan, path: &Path) -> AnyDatabase {
    let stop = AtomicBool::new(false);
    build(plan, path, Build { threads: 2, stop: &stop, progress: &mut |_| {} }).unwrap();
    AnyDatabase::open(path).unwrap()
}

/// All rows of a board, as the reference writes them.
pub fn all_rows(columns: usize, home: usize) -> Vec<Vec<u8>> {
    let mut rows = vec![Vec::new()];
    for _ in 0..columns {
        rows = rows
            .into_iter()
            .flat_map(|row: Vec<u8>| b"SG.".map(|cell| [&row[..], &[cell]].concat()))
            .collect();
    }
    let count = |row: &Vec<u8>, piece| row.iter().filter(|&&cell| cell == piece).count();
    rows.retain(|row| count(row, b'S') == home && count(row, b'G') == home);
    rows
}

#[test]
fn every_position_of_two_rows_of_seven_has_the_value_of_the_reference() {
    let dir = tempfile::tempdir().unwrap();
    let rows = all_rows(7, 2);
    assert_eq!(rows.len(), 210);
    for (word, rule) in NoMove::WORDS {
        let plan = Solution::<2>::new(&Rows::new(7, 2), rule);
        let database = built(&plan, &dir.path().join(word));
        let mut reference = pyonpyon::Reference::new(2, word);
        let mut checked = 0;
        for (at, first) in rows.iter().enumerate() {
            for second in &rows[at..] {
                let position = (vec![second.clone(), first.clone()], checked % 2 == 0);
                let spelled = pyonpyon::spell(&position);
                let Ok(answer) = database.ask(&spelled) else {
                    // Only if the side to move has already won.
                    let goal = if position.1 { ".....SS" } else { "GG....." };
                    let won = |row: &Vec<u8>| {
                        (0..7)
                            .all(|at| goal.as_bytes()[at] == b'.' || goal.as_bytes()[at] == row[at])
                    };
                    assert!(position.0.iter().all(won), "{spelled}");
                    continue;
                };
                assert_eq!(answer.value, reference.value(&position), "{spelled} {word}");
                for (mv, (cell, next)) in answer.moves.iter().zip(reference.moves(&position)) {
                    assert_eq!(mv.name, cell.to_string());
                    assert_eq!(mv.value, reference.value(&next).after_a_ply());
                }
                checked += 1;
            }
        }
        assert!(checked > 22_000, "{checked}");
    }
}

#[test]
fn random_positions_of_three_rows_have_the_value_of_the_search() {
    let dir = tempfile::tempdir().unwrap();
    let rows = all_rows(7, 2);
    for (word, rule) in NoMove::WORDS {
        let plan = Solution::<3>::new(&Rows::new(7, 2), rule);
        let database = built(&plan, &dir.path().join(word));
        let mut random = SplitMix::new(8);
        let mut checked = 0;
        for number in 0..400 {
            let mut row = || rows[random.below(210) as usize].clone();
            let position = (vec![row(), row(), row()], number % 2 == 0);
            let spelled = pyonpyon::spell(&position);
            let Ok(answer) = database.ask(&spelled) else { continue };
            let game: Pyonpyon =
                made(&format!("columns=7 home=2 no-move={word} position={spelled}"));
            // Skip positions that take the search long.
            let Some(value) = game.solve_exact(&game.root(), 30_000) else { continue };
            assert_eq!(answer.value, value, "{spelled} {word}");
            checked += 1;
        }
        assert!(checked > 200, "{checked}");
    }
}

/// The progress of the pieces of a row, both sides together.
fn progress(row: &[u8]) -> usize {
    let last = row.len() - 1;
    let cell = |(at, &piece): (usize, &u8)| match piece {
        b'S' => at,
        b'G' => last - at,
        _ => 0,
    };
    row.iter().enumerate().map(cell).sum()
}

/// The database of the whole board under a rule: a file `RULE.db` in the directory that the variable
/// names, or built here, which takes minutes and 0.8 GiB.
fn whole_board(word: &str, rule: NoMove, place: &Path) -> AnyDatabase {
    let there = std::env::var_os("HASAMI_PYONPYON_DATABASES");
    let file = there.map(|directory| Path::new(&directory).join(format!("{word}.db")));
    match file.filter(|file| file.exists()) {
        Some(file) => AnyDatabase::open(&file).unwrap(),
        None => built(&Solution::<3>::new(&Rows::new(9, 3), rule), &place.join(word)),
    }
}

#[test]
#[ignore = "minutes: the whole board"]
fn random_positions_of_the_whole_board_have_the_value_of_the_search() {
    let dir = tempfile::tempdir().unwrap();
    let rows = all_rows(9, 3);
    assert_eq!(rows.len(), 1680);
    // Near the end of the game the search is quick more often.
    let late: Vec<_> = rows.iter().filter(|row| progress(row) >= 28).cloned().collect();
    for (word, rule) in NoMove::WORDS {
        let database = whole_board(word, rule, dir.path());
        let mut random = SplitMix::new(41);
        let (mut checked, mut longest) = (0, 0);
        for number in 0..6000 {
            let from = if number % 3 == 0 { &rows } else { &late };
            let mut row = || from[random.below(from.len() as u32) as usize].clone();
            let position = (vec![row(), row(), row()], number % 2 == 0);
            let spelled = pyonpyon::spell(&position);
            let Ok(answer) = database.ask(&spelled) else { continue };
            let game: Pyonpyon = made(&format!("no-move={word} position={spelled}"));
            let Some(value) = game.solve_exact(&game.root(), 30_000) else { continue };
            assert_eq!(answer.value, value, "{spelled} {word}");
            checked += 1;
            longest = longest.max(value.plies.unwrap_or(0));
        }
        println!("no-move={word}: {checked} of 6000 positions, up to {longest} plies");
        assert!(checked >= 1000, "{checked}");
    }
}

#[test]
fn every_ending_of_mancala_has_the_value_of_the_reference() {
    let dir = tempfile::tempdir().unwrap();
    for (goal, pits, seeds) in
        [("either", 1, 20), ("own", 2, 14), ("either", 2, 14), ("own", 3, 7), ("either", 6, 4)]
    {
        let game: Mancala = made(&format!("pits={pits} goal={goal}"));
        let plan = Endings::new(game.ring(), game.goal(), seeds as u8);
        let database = built(&plan, &dir.path().join(format!("{goal}{pits}")));
        let mut reference = mancala::Reference::new(pits, goal == "either");
        let mut checked = 0;
        for_each_filling(2 * pits, seeds, &mut |pockets| {
            let mut ring = pockets.to_vec();
            ring.insert(pits, 0);
            ring.push(0);
            let empty = |row: &[u32]| row.iter().all(|&seeds| seeds == 0);
            if empty(&pockets[..pits]) || empty(&pockets[pits..]) {
                return;
            }
            let position = (ring, checked % 2 == 0);
            let spelled = mancala::spell(&position);
            let answer = database.ask(&spelled).unwrap();
            assert_eq!(answer.value, reference.value(&position), "{spelled} {goal}");
            let moves = reference.moves(&position);
            let answered: Vec<_> =
                answer.moves.iter().map(|mv| (mv.name.clone(), mv.value)).collect();
            let expected: Vec<_> =
                moves.iter().map(|(pocket, value)| (pocket.to_string(), *value)).collect();
            assert_eq!(answered, expected);
            checked += 1;
        });
        assert!(checked > 100, "{checked}");
        let many = format!("{seeds}{0}/1{0}", ",0".repeat(pits - 1));
        let wrong = database.ask(&many).unwrap_err().to_string();
        assert!(
            wrong.contains(&format!("expected at most {seeds} seeds, not {}", seeds + 1)),
            "{wrong}"
        );
    }
}

/// All ways to put at most `seeds` seeds into this many pockets.
fn for_each_filling(pockets: usize, seeds: u32, take: &mut impl FnMut(&[u32])) {
    let mut filling = vec![0; pockets];
    loop {
        take(&filling);
        let mut at = 0;
        while at < pockets {
            if filling.iter().sum::<u32>() < seeds {
                filling[at] += 1;
                break;
            }
            filling[at] = 0;
            at += 1;
        }
        if at == pockets {
            return;
        }
    }
}

#[test]
fn a_database_settles_the_endings_of_a_search() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("endings");
    let game: Mancala = made("pits=3 goal=own");
    built(&Endings::new(game.ring(), game.goal(), 6), &path);
    let mut random = SplitMix::new(9);
    for _ in 0..50 {
        let mut row = || format!("{},{},{}", random.below(4), random.below(4), random.below(4) + 1);
        let position = format!("pits=3 goal=own position={}/{}", row(), row());
        let plain: Mancala = made(&position);
        let value = plain.solve_exact(&plain.root(), 10_000_000).unwrap();
        for within in ["any".to_string(), value.plies.unwrap().to_string(), "3".to_string()] {
            let spelling = format!("{position} within={within}");
            let with: Mancala = made(&format!("{spelling} database={}", path.display()));
            let without: Mancala = made(&spelling);
            let verdict = |game: &Mancala| hasami_andor::oracle::solve(game, 1_000_000).unwrap();
            let (fewer, all) = (verdict(&with), verdict(&without));
            assert_eq!(fewer.root, all.root, "{spelling}");
            assert!(fewer.verdicts.len() <= all.verdicts.len());
        }
    }
    let wrong = "pits=3 goal=either database=".to_string() + path.to_str().unwrap();
    let params = hasami_spec::Params::parse(<Mancala as hasami_game::Game>::params(), &wrong);
    let error = <Mancala as hasami_game::Game>::from_params(&params.unwrap()).err().unwrap();
    assert!(error.to_string().contains("expected mancala pits=3 goal=either"), "{error}");
}
