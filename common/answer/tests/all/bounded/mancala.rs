//! Mancala: few seeds in full, with and without a database, and the opponent who passes.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use hasami_andor::Problem;
use hasami_database::{Build, build};
use hasami_game::race::ExactSearch;
use hasami_game::random::SplitMix;
use hasami_puzzles::{Analyst, Deepening, Puzzle};
use hasami_race::mancala::exact::Fast;
use hasami_race::mancala::{Mancala, database::Endings};
use hasami_race::query::AnyDatabase;

use super::{Asker, ENOUGH, exact, try_analyst, try_exact, won};
use crate::plain::mancala::{Mancala as Plainly, Position};
use crate::plain::{Ending, Plain};
use hasami_trials::made;

/// An upper bound: seeds go at most once round before they fall into a goal, and a turn moves one.
fn most_plies(rules: &Plainly, position: &Position) -> u32 {
    let seeds: u32 = position.ring.iter().sum();
    2 * seeds * (2 * rules.pits as u32 + 2)
}

fn spelled(rules: &Plainly, position: &Position) -> String {
    let goal = if rules.either { "either" } else { "own" };
    let replies = if rules.passes.is_some() { "pass" } else { "real" };
    let (pits, position) = (rules.pits, Plainly::spell(position));
    format!("pits={pits} goal={goal} replies={replies} position={position}")
}

type Analysts = [Box<dyn Analyst<Mancala>>; 2];

/// One set for all positions: their tables are large.
fn analysts() -> Analysts {
    [Mancala::analyst(), Box::new(Deepening::new())]
}

/// Checks everything about one position; `database` settles its endings, if given.
fn try_position(
    (asker, analysts): (&mut Asker, &mut Analysts),
    plain: &mut Plain<Plainly>,
    position: &Position,
    database: Option<&Path>,
) -> Option<(u32, Ending)> {
    let rules = spelled(&plain.rules, position);
    let most = most_plies(&plain.rules, position);
    let decided = asker.ask_all::<Mancala, _>(plain, position, &rules, most);
    assert!(decided.is_some(), "{rules}: there are no draws");
    try_exact::<Mancala>(&rules, decided);
    let game: Mancala = made(&rules);
    for analyst in analysts {
        try_analyst(analyst.as_mut(), (&game, &game.root()), won(decided), &rules);
    }
    if let Some(file) = database {
        let rules = format!("{rules} database={}", file.display());
        asker.ask_all::<Mancala, _>(plain, position, &rules, most);
    }
    if plain.rules.passes.is_none() {
        let fast = Fast::new(game.ring(), game.goal());
        let seen = fast.seen(&game.root());
        for plies in 0..=decided.map_or(0, |(plies, _)| plies + 2) {
            let ending = plain.within(position, plies);
            let search = || ExactSearch::new(&fast);
            let wins = search().wins_within(seen, plies as u16, ENOUGH);
            assert_eq!(wins, Some(ending == Ending::Won), "{rules} wins within {plies}");
            let loses = search().loses_within(seen, plies as u16, ENOUGH);
            assert_eq!(loses, Some(ending == Ending::Lost), "{rules} loses within {plies}");
        }
    }
    decided
}

/// The database of all positions with at most this many seeds.
fn endings(pits: usize, goal: &str, seeds: u8, directory: &Path) -> PathBuf {
    let game: Mancala = made(&format!("pits={pits} goal={goal}"));
    let path = directory.join(format!("{pits}-{goal}-{seeds}"));
    let stop = AtomicBool::new(false);
    let how = Build { threads: 1, stop: &stop, progress: &mut |_| {} };
    build(&Endings::new(game.ring(), game.goal(), seeds), &path, how).unwrap();
    path
}

/// All rings with at most this many seeds and no empty row.
fn every_ring(pits: usize, seeds: u32) -> Vec<Vec<u32>> {
    let mut rings = vec![Vec::new()];
    for cell in 0..2 * pits + 2 {
        let longer = |ring: Vec<u32>| {
            let left = seeds - ring.iter().sum::<u32>();
            // Goals are empty.
            let most = if cell == pits || cell == 2 * pits + 1 { 0 } else { left };
            (0..=most).map(|seeds| [&ring[..], &[seeds]].concat()).collect::<Vec<_>>()
        };
        rings = rings.into_iter().flat_map(longer).collect();
    }
    rings
}

#[test]
fn every_position_of_mancala_with_few_seeds() {
    let mut asker = Asker::new(40);
    let mut analysts = analysts();
    for (pits, seeds, kept) in [(1, 8, 4), (2, 4, 2), (3, 3, 2)] {
        for (goal, either) in [("either", true), ("own", false)] {
            let file = endings(pits, goal, kept, asker.directory.path());
            let whole = AnyDatabase::open(&endings(pits, goal, seeds, asker.directory.path()));
            let whole = whole.unwrap();
            for (first, passing) in [(true, false), (false, false), (true, true), (false, true)] {
                let passes = passing.then_some(!first);
                let mut plain = Plain::new(Plainly { pits, either, passes });
                for ring in every_ring(pits, seeds.into()) {
                    let position = Position { ring, first };
                    if !plain.rules.goes_on(&position) {
                        continue;
                    }
                    let database = (!passing).then_some(file.as_path());
                    let decided =
                        try_position((&mut asker, &mut analysts), &mut plain, &position, database);
                    if !passing {
                        let value = whole.ask(&Plainly::spell(&position)).unwrap().value;
                        assert_eq!(value, exact(decided), "{position:?} goal={goal}");
                    }
                }
            }
        }
    }
    asker.finish(10_000, 40);
}

#[test]
fn random_endings_of_the_whole_ring_of_mancala() {
    let mut asker = Asker::new(8);
    let mut analysts = analysts();
    let files = ["own", "either"].map(|goal| endings(6, goal, 3, asker.directory.path()));
    let mut random = SplitMix::new(12);
    let mut found = [0; 3];
    for number in 0..80 {
        let either = number % 2 == 1;
        let first = random.below(2) == 0;
        let passes = (number % 5 == 0).then_some(!first);
        let mut plain = Plain::new(Plainly { pits: 6, either, passes });
        let mut ring = vec![0; 14];
        for from in [0, 7] {
            for _ in 0..=random.below(2) {
                // Near the goal of the row, so that games end soon.
                ring[(from + random.below(4)) as usize] += 1;
            }
            ring[from as usize] += random.below(2) * random.below(9);
        }
        let position = Position { ring, first };
        let database = passes.is_none().then_some(files[usize::from(either)].as_path());
        // Long games are many questions with the same answer.
        if plain.decided(&position, 13).is_none() {
            continue;
        }
        let decided = try_position((&mut asker, &mut analysts), &mut plain, &position, database);
        found[decided.map_or(1, |(_, ending)| ending as usize)] += 1;
    }
    assert!(found[0] > 5 && found[2] > 10, "{found:?}");
    asker.finish(500, 20);
}

/// Figures 6 and 13: five sowings, the last of which ends the game, are one ply.
#[test]
fn a_turn_of_many_sowings_that_ends_the_game_is_within_one_ply() {
    let mut asker = Asker::new(1);
    for either in [true, false] {
        let mut plain = Plain::new(Plainly { pits: 6, either, passes: None });
        let ring = vec![4, 2, 2, 4, 0, 0, 0, 4, 4, 4, 4, 4, 4, 0];
        let position = Position { ring, first: true };
        assert_eq!(plain.decided(&position, 1), Some((1, Ending::Won)));
        let rules = spelled(&plain.rules, &position);
        let verified =
            asker.ask::<Mancala>(&format!("{rules} within=1"), hasami_andor::Verdict::Proven, true);
        assert_eq!(verified.unwrap().length, Some(1));
        try_exact::<Mancala>(&rules, Some((1, Ending::Won)));
    }
}
