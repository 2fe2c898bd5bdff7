//! Puzzles are as claimed, by every method.

use hasami_andor::{Moves, Verdict, oracle};

use crate::{any_unique, first, order, parsed};
use hasami_puzzles::{
    Analyst, Deepening, Generator, Grade, Made, Method, Order, Plies, Puzzle, Unique, thresholds,
};
use hasami_race::mancala::Mancala;
use hasami_race::pyonpyon::Pyonpyon;
use hasami_small::quarto::Quarto;

/// Checks length and first moves: the bounded question by the oracle, the moves by the general
/// search.
fn check<G: Puzzle>(made: &Made, unique: Unique) {
    for (plies, verdict) in [(made.plies, Verdict::Proven), (made.plies - 1, Verdict::Disproven)] {
        if plies > 0 {
            let game = G::from_params(&G::bounded(&made.params, plies)).unwrap();
            let answer = oracle::solve(&game, 2_000_000).unwrap();
            assert_eq!(answer.root, verdict, "{} within {plies}", made.params);
        }
    }
    let free = made.params.with("within", "any").unwrap();
    let game = G::from_params(&free).unwrap();
    let root = game.root();
    let mut moves = Moves::new();
    game.expand(&root, &mut moves);
    assert!(moves.len() > 1);
    let most = if unique == Unique::Win { u32::MAX } else { made.plies };
    let mut analyst = Deepening::<G>::new();
    let wins = moves.iter().filter(|&mv| {
        analyst.begin(u64::MAX);
        let cost = game.length(&root, mv).unwrap();
        let left = if most == u32::MAX { most } else { most - cost };
        analyst.shortest(&game, &game.play(&root, mv), left).unwrap().is_some()
    });
    let wins: Vec<String> = wins.map(|mv| game.told(&root, mv)).collect();
    let named: Vec<String> = made.winning.iter().map(|(mv, _)| mv.clone()).collect();
    assert_eq!(wins, named, "{}", made.params);
    assert_eq!(made.line[0], named[0]);
    assert_eq!(named.len(), 1);
}

#[test]
fn puzzles_of_quarto_are_won_by_one_move_in_their_plies() {
    for (plies, method, count) in [
        (3, Method::Guided, 20),
        (5, Method::Guided, 5),
        (3, Method::Played, 3),
        (3, Method::Free, 3),
    ] {
        for made in first::<Quarto>("", order::<Quarto>(plies, method, 5), count) {
            // The oracle is for positions with few empty cells.
            if made.position.matches('.').count() <= 6 {
                check::<Quarto>(&made, Unique::Win);
            }
            assert_eq!(made.line.len() as u32, plies);
        }
    }
}

#[test]
fn puzzles_of_mancala_are_won_by_one_sowing_in_their_plies() {
    for (plies, method) in
        [(1, Method::Guided), (3, Method::Free), (3, Method::Passing), (3, Method::Played)]
    {
        let order = order::<Mancala>(plies, method, 5);
        for made in first::<Mancala>("pits=4", order, 4) {
            check::<Mancala>(&made, order.unique);
            let passes = made.label.as_ref().is_some_and(|label| label.contains("passes"));
            assert_eq!(passes, method == Method::Passing);
        }
    }
}

#[test]
fn puzzles_of_pyonpyon_are_won_by_one_move_in_their_plies() {
    let small = "rows=2 columns=7 home=2";
    for (plies, method) in [(5, Method::Guided), (7, Method::Free), (5, Method::Played)] {
        for made in first::<Pyonpyon>(small, order::<Pyonpyon>(plies, method, 5), 4) {
            check::<Pyonpyon>(&made, Unique::Win);
        }
    }
}

#[test]
fn a_rule_proof_puzzle_is_won_under_every_reading() {
    let wanted = Order { rule_proof: true, ..order::<Pyonpyon>(7, Method::Guided, 5) };
    for made in first::<Pyonpyon>("rows=2 columns=7 home=2", wanted, 6) {
        for no_move in ["pass", "loses", "draw"] {
            let params = made.params.with("no-move", no_move).unwrap();
            let params = params.with("within", "any").unwrap();
            let game = <Pyonpyon as hasami_game::Game>::from_params(&params).unwrap();
            let answer = oracle::solve(&game, 2_000_000).unwrap();
            assert_eq!(answer.root, Verdict::Proven, "{params}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_puzzles_and_another_seed_others() {
    let set = |seed| first::<Quarto>("", order::<Quarto>(5, Method::Guided, seed), 20);
    assert_eq!(set(7), set(7));
    let keys = |seed| set(seed).iter().map(|made| made.key).collect::<Vec<_>>();
    assert!(keys(8).iter().all(|key| !keys(7).contains(key)));
}

#[test]
fn no_two_puzzles_are_equal_up_to_symmetry() {
    // A tiny board, on which positions repeat often.
    let mut generator = Generator::<Pyonpyon>::new(
        &parsed::<Pyonpyon>("rows=2 columns=5 home=1"),
        any_unique(order::<Pyonpyon>(3, Method::Guided, 1)),
    )
    .unwrap();
    let mut keys = Vec::new();
    for _ in 0..3000 {
        keys.extend(generator.attempt().map(|made| made.key));
    }
    let found = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert!(found > 1 && keys.len() == found, "{found}");
}

#[test]
fn lengths_and_grades_are_those_that_were_ordered() {
    for grade in [Grade::Easy, Grade::Medium, Grade::Hard] {
        let wanted = Order {
            plies: Plies { least: 3, most: 5 },
            grade: Some(grade),
            ..order::<Quarto>(3, Method::Guided, 3)
        };
        for made in first::<Quarto>("", wanted, 5) {
            assert!(made.grade == grade && [3, 5].contains(&made.plies));
            assert_eq!(made.difficulty.grade(thresholds(Quarto::GRADES, made.plies)), grade);
        }
    }
}

/// Each grade has a third of the puzzles of a length, as far as equal scores allow it.
fn all_grades_are_common<G: Puzzle>(plies: u32, count: usize) {
    let mut of_grade = [0; 3];
    for made in first::<G>("", order::<G>(plies, G::METHOD, 11), count) {
        of_grade[made.grade as usize] += 1;
    }
    let found: usize = of_grade.iter().sum();
    assert_eq!(found, count);
    for grade in of_grade {
        assert!(
            grade * 100 >= 15 * found && grade * 100 <= 55 * found,
            "{} {plies}: {of_grade:?}",
            G::NAME
        );
    }
}

#[test]
fn no_grade_is_rare_at_any_length() {
    for plies in [3, 5, 7] {
        all_grades_are_common::<Quarto>(plies, 100);
    }
    all_grades_are_common::<Mancala>(3, 100);
    for plies in [5, 9, 15] {
        all_grades_are_common::<Pyonpyon>(plies, 100);
    }
}

#[test]
fn a_game_in_which_nobody_passes_has_no_such_method() {
    let order = order::<Quarto>(3, Method::Passing, 0);
    let wrong = Generator::<Quarto>::new(&parsed::<Quarto>(""), order).err().unwrap().to_string();
    assert_eq!(wrong, "method=passing: expected another method: nobody passes in quarto");
}

#[test]
fn a_range_of_plies_is_read_or_refused() {
    let plies = |text: &str| text.parse::<Plies>();
    assert_eq!(plies("5"), Ok(Plies { least: 5, most: 5 }));
    assert_eq!(plies("4-6"), Ok(Plies { least: 4, most: 6 }));
    assert!(plies("4").is_err_and(|error| error.contains("an odd number")));
    assert_eq!(plies("5-9").unwrap().to_string(), "5-9");
    for wrong in ["", "0", "9-5", "5-", "-5", "1-1000", "five", "5-7-9"] {
        assert!(plies(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn every_game_has_its_lengths_in_order_and_medium_before_hard() {
    for known in [Quarto::GRADES, Mancala::GRADES, Pyonpyon::GRADES] {
        assert!(known.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(!known.is_empty() && known.iter().all(|(_, [medium, hard])| medium < hard));
    }
}
