//! Pyonpyon shogi: small boards in full, the whole board near the end of games.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use hasami_andor::{Expansion, Moves, Problem, Verdict};
use hasami_database::{Build, DatabaseError, Header, Plan, Value, Values, build};
use hasami_game::Game;
use hasami_game::race::{ExactSearch, QueryError};
use hasami_game::random::SplitMix;
use hasami_puzzles::{
    Analyst, ByRace, Deepening, Generator, Method, Order, Plies, Puzzle, Unique, WholeGame,
};
use hasami_race::pyonpyon::exact::Fast;
use hasami_race::pyonpyon::{NoMove, Pyonpyon, database::Solution, row::Rows};
use hasami_race::query::AnyDatabase;
use hasami_spec::Params;

use super::{Asker, ENOUGH, exact, lost, try_analyst, try_exact, won};
use crate::plain::pyonpyon::{Position, Pyonpyon as Plainly};
use crate::plain::{Ending, Plain, Rules};
use hasami_trials::made;

const READINGS: [&str; 3] = ["pass", "loses", "draw"];

/// An upper bound: every ply is a step of a piece, or a pass before one.
fn most_plies(rules: &Plainly, position: &Position) -> u32 {
    let steps = position.cells.iter().enumerate().map(|(at, cell)| match cell {
        b'S' => rules.columns - 1 - at % rules.columns,
        b'G' => at % rules.columns,
        _ => 0,
    });
    2 * steps.sum::<usize>() as u32 + 2
}

fn spelled(rules: &Plainly, position: &Position) -> String {
    let height = position.cells.len() / rules.columns;
    format!(
        "rows={height} columns={} home={} no-move={} position={}",
        rules.columns,
        rules.home,
        rules.no_move,
        rules.spell(position)
    )
}

/// Checks everything about one position; returns the winner, and after how many plies.
fn try_position(
    asker: &mut Asker,
    plain: &mut Plain<Plainly>,
    position: &Position,
) -> Option<(u32, Ending)> {
    let rules = spelled(&plain.rules, position);
    let most = most_plies(&plain.rules, position);
    let decided = asker.ask_all::<Pyonpyon, _>(plain, position, &rules, most);
    try_exact::<Pyonpyon>(&rules, decided);
    let game: Pyonpyon = made(&rules);
    let fast = Fast::new(game.board(), game.no_move());
    let seen = fast.seen(&game.root());
    for plies in 0..=decided.map_or(4, |(plies, _)| plies + 2) {
        // A new search each time: the order of questions must not matter.
        let ending = plain.within(position, plies);
        let search = || ExactSearch::new(&fast);
        let wins = search().wins_within(seen, plies as u16, ENOUGH);
        assert_eq!(wins, Some(ending == Ending::Won), "{rules} wins within {plies}");
        let loses = search().loses_within(seen, plies as u16, ENOUGH);
        assert_eq!(loses, Some(ending == Ending::Lost), "{rules} loses within {plies}");
    }
    decided
}

/// Checks the analysts of puzzles on a position and those after each move.
fn try_analysts(
    analysts: &mut [Box<dyn Analyst<Pyonpyon>>],
    plain: &mut Plain<Plainly>,
    position: &Position,
) {
    let what = spelled(&plain.rules, position);
    let most = most_plies(&plain.rules, position);
    let game: Pyonpyon = made(&what);
    let mut moves = Moves::new();
    let open = game.expand(&game.root(), &mut moves) == Expansion::Open;
    let after = if open { plain.rules.plies(position) } else { Vec::new() };
    assert_eq!(moves.len(), after.len(), "{what}");
    for analyst in analysts {
        let wanted = won(plain.decided(position, most));
        try_analyst(analyst.as_mut(), (&game, &game.root()), wanted, &what);
        for (mv, next) in moves.iter().zip(&after) {
            let state = game.play(&game.root(), mv);
            let wanted = lost(plain.decided(next, most));
            try_analyst(analyst.as_mut(), (&game, &state), wanted, &what);
        }
    }
}

fn analysts() -> Vec<Box<dyn Analyst<Pyonpyon>>> {
    vec![
        Pyonpyon::analyst(),
        Box::new(WholeGame::default()),
        Box::new(ByRace::default()),
        Box::new(Deepening::new()),
    ]
}

/// Every board with this many rows, both sides to move, except those that the side to move has
/// already won.
fn every_position(rules: &Plainly, height: usize) -> Vec<Position> {
    let mut rows = vec![Vec::new()];
    for _ in 0..rules.columns {
        let longer = |row: Vec<u8>| b"SG.".map(|cell| [&row[..], &[cell]].concat());
        rows = rows.into_iter().flat_map(longer).collect();
    }
    let count = |row: &Vec<u8>, piece| row.iter().filter(|&&cell| cell == piece).count();
    rows.retain(|row| [b'S', b'G'].iter().all(|&piece| count(row, piece) == rules.home));
    let mut boards = vec![Vec::new()];
    for _ in 0..height {
        let higher =
            |board: Vec<u8>| rows.iter().map(|row| [&board[..], row].concat()).collect::<Vec<_>>();
        boards = boards.into_iter().flat_map(higher).collect();
    }
    let both = |cells: Vec<u8>| [b'S', b'G'].map(|mover| Position { cells: cells.clone(), mover });
    let all = boards.into_iter().flat_map(both);
    all.filter(|position| !rules.arrived(&position.cells, position.mover)).collect()
}

fn database(height: u8, columns: u8, home: u8, rule: NoMove, path: &Path) -> AnyDatabase {
    let stop = AtomicBool::new(false);
    let how = Build { threads: 1, stop: &stop, progress: &mut |_| {} };
    let rows = Rows::new(columns, home);
    match height {
        1 => build(&Solution::<1>::new(&rows, rule), path, how).unwrap(),
        2 => build(&Solution::<2>::new(&rows, rule), path, how).unwrap(),
        _ => build(&Solution::<3>::new(&rows, rule), path, how).unwrap(),
    };
    AnyDatabase::open(path).unwrap()
}

#[test]
fn every_position_of_small_boards_of_pyonpyon() {
    let mut asker = Asker::new(12);
    let mut analysts = analysts();
    let mut ended_by_no_move = 0;
    let boards = [(1, 3, 1), (1, 5, 1), (1, 5, 2), (1, 6, 2), (2, 3, 1), (2, 4, 1), (3, 3, 1)];
    for (height, columns, home) in boards {
        for (no_move, rule) in NoMove::WORDS {
            let file = asker.directory.path().join(format!("{height}{columns}{home}{no_move}"));
            let database = database(height, columns, home, rule, &file);
            let rules = Plainly { columns: columns.into(), home: home.into(), no_move };
            let mut plain = Plain::new(rules);
            for (at, position) in every_position(&plain.rules, height.into()).iter().enumerate() {
                let decided = try_position(&mut asker, &mut plain, position);
                let spelled = plain.rules.spell(position);
                let value = database.ask(&spelled).unwrap().value;
                assert_eq!(value, exact(decided), "{spelled} no-move={no_move}");
                if at % 8 == 0 {
                    try_analysts(&mut analysts, &mut plain, position);
                }
                let stuck = plain.rules.moves(position).is_empty();
                ended_by_no_move += u32::from(stuck && no_move == "loses");
            }
        }
    }
    assert!(ended_by_no_move > 20, "{ended_by_no_move}");
    asker.finish(20_000, 200);
}

/// Starts from a board where all pieces have arrived and undoes moves.
fn undone(rules: &Plainly, random: &mut SplitMix, steps: u32) -> Option<Position> {
    let row = |_| b"GGG...SSS".to_vec();
    let mut cells: Vec<u8> = (0..3).flat_map(row).collect();
    for _ in 0..steps {
        let pieces: Vec<usize> = (0..cells.len()).filter(|&at| cells[at] != b'.').collect();
        let from = pieces[random.below(pieces.len() as u32) as usize];
        if let Some(to) = rules.target(&cells, from, true) {
            cells.swap(from, to);
        }
    }
    let mover = if random.below(2) == 0 { b'S' } else { b'G' };
    let goes_on = !rules.arrived(&cells, mover);
    goes_on.then_some(Position { cells, mover })
}

#[test]
fn random_endings_of_the_whole_board_of_pyonpyon() {
    let mut asker = Asker::new(4);
    let mut analysts = analysts();
    let mut random = SplitMix::new(11);
    let mut found = [0; 3];
    for number in 0..360 {
        let no_move = READINGS[number % 3];
        let mut plain = Plain::new(Plainly { columns: 9, home: 3, no_move });
        let steps = 3 + random.below(6);
        let Some(position) = undone(&plain.rules, &mut random, steps) else { continue };
        let decided = try_position(&mut asker, &mut plain, &position);
        try_analysts(&mut analysts, &mut plain, &position);
        found[decided.map_or(1, |(_, ending)| ending as usize)] += 1;
    }
    assert!(found[0] > 20 && found[2] > 60, "{found:?}");
    asker.finish(2_000, 60);
}

/// After its second own move the opponent has no move and has lost, even if the limit is reached
/// there.
#[test]
fn a_player_without_a_move_on_the_last_ply_has_lost() {
    let mut asker = Asker::new(1);
    let mut plain = Plain::new(Plainly { columns: 9, home: 3, no_move: "loses" });
    let cells = b"GG.SG..SSGGGS..SS.GGSG..S.S".to_vec();
    let position = Position { cells, mover: b'S' };
    assert_eq!(plain.rules.spell(&position), "GG.SG..SS/GGGS..SS./GGSG..S.S:first");
    let decided = try_position(&mut asker, &mut plain, &position);
    assert_eq!(decided, Some((3, Ending::Won)));
    try_analysts(&mut analysts(), &mut plain, &position);
    asker.finish(8, 4);
}

/// Checks lengths and first moves of puzzles, and the question that certifies them.
#[test]
fn puzzles_of_every_reading_are_won_in_their_plies() {
    let mut asker = Asker::new(1);
    for no_move in READINGS {
        let mut plain = Plain::new(Plainly { columns: 9, home: 3, no_move });
        let params = Params::parse(Pyonpyon::params(), &format!("no-move={no_move}")).unwrap();
        let order = Order {
            plies: Plies { least: 1, most: 5 },
            unique: Unique::Any,
            grade: None,
            rule_proof: false,
            method: Method::Guided,
            seed: 15,
            nodes: ENOUGH,
        };
        let mut generator: Generator<Pyonpyon> = Generator::new(&params, order).unwrap();
        let mut found = 0;
        while found < 12 {
            let Some(puzzle) = generator.attempt() else { continue };
            found += 1;
            let (rows, mover) = puzzle.position.split_once(':').unwrap();
            assert_eq!(mover, "first");
            let cells = rows.bytes().filter(|&cell| cell != b'/').collect();
            let position = Position { cells, mover: b'S' };
            let decided = plain.decided(&position, puzzle.plies);
            assert_eq!(decided, Some((puzzle.plies, Ending::Won)), "{}", puzzle.params);
            asker.ask::<Pyonpyon>(&puzzle.params.canonical(), Verdict::Proven, true);
            let mut winning = Vec::new();
            for (cell, next) in plain.rules.moves(&position) {
                let after = lost(plain.decided(&next, puzzle.plies - 1));
                winning.extend(after.map(|after| (cell.to_string(), after + 1)));
            }
            winning.sort_by_key(|(_, plies)| *plies);
            // Any number of solutions was ordered, all as short as the first.
            assert_eq!(puzzle.winning, winning, "{}", puzzle.params);
        }
    }
    asker.finish(36, 36);
}

/// A solution with one wrong value.
struct Wrong(Solution<1>);

impl Plan for Wrong {
    fn header(&self) -> Header {
        self.0.header()
    }

    fn steps(&self) -> usize {
        self.0.steps()
    }

    fn final_after(&self, step: usize) -> u64 {
        self.0.final_after(step)
    }

    fn tasks(&self, step: usize) -> usize {
        self.0.tasks(step)
    }

    fn fill(&self, step: usize, task: usize, values: &Values) -> Result<(), DatabaseError> {
        self.0.fill(step, task, values)?;
        if step + 1 == self.steps() {
            // The starting position has the last number.
            values.set(self.header().values - 1, Value::DRAW);
        }
        Ok(())
    }
}

#[test]
fn a_database_that_contradicts_itself_has_no_answer() {
    let directory = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let solution = || Solution::<1>::new(&Rows::new(5, 2), NoMove::Pass);
    let asked = |file: &str, build: &dyn Fn(&Path)| {
        let path = directory.path().join(file);
        build(&path);
        AnyDatabase::open(&path).unwrap().ask("start")
    };
    let right = asked("right", &|path| {
        build(&solution(), path, Build { threads: 1, stop: &stop, progress: &mut |_| {} }).unwrap();
    });
    let value = right.unwrap().value;
    assert_ne!(value.plies, None, "a draw would be no lie");
    let wrong = asked("wrong", &|path| {
        let how = Build { threads: 1, stop: &stop, progress: &mut |_| {} };
        build(&Wrong(solution()), path, how).unwrap();
    });
    let Err(QueryError::Contradiction(what)) = wrong else { panic!("{wrong:?}") };
    assert!(what.ends_with(&format!("draw by its own value, {value} by its best move")), "{what}");
}
