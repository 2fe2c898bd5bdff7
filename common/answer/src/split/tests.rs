//! Units run by hand: two workers with a table each, and a store between them.

use std::collections::HashMap;
use std::sync::Mutex;

use hasami_andor::certificate::read_asked;
use hasami_andor::numbers::INFINITE;
use hasami_andor::{Control, Numbers, Role, Stopped, Turn, Verdict};

use super::*;
use crate::{Place, answer};

/// A store in memory: settled beats open, more work beats less.
#[derive(Default)]
struct Memory(Mutex<HashMap<Key, Record>>);

impl Memory {
    fn publish(&self, records: Vec<(Key, Record)>) {
        let mut known = self.0.lock().unwrap();
        for (key, record) in records {
            let better = |old: &Record| {
                (record.numbers.settled(), record.work) > (old.numbers.settled(), old.work)
            };
            if known.get(&key).is_none_or(better) {
                known.insert(key, record);
            }
        }
    }
}

impl Share for Memory {
    fn load(&self, _: ProblemId) -> Result<Vec<(Key, Record)>, ShareError> {
        Ok(self.0.lock().unwrap().iter().map(|(key, record)| (*key, *record)).collect())
    }

    fn lookup(&self, _: ProblemId, keys: &[Key]) -> Result<Vec<(Key, Record)>, ShareError> {
        let known = self.0.lock().unwrap();
        Ok(keys.iter().filter_map(|key| Some((*key, *known.get(key)?))).collect())
    }
}

/// A store that never answers.
struct Broken;

impl Share for Broken {
    fn load(&self, _: ProblemId) -> Result<Vec<(Key, Record)>, ShareError> {
        Err(ShareError("no connection".to_string()))
    }
    fn lookup(&self, _: ProblemId, _: &[Key]) -> Result<Vec<(Key, Record)>, ShareError> {
        Err(ShareError("no connection".to_string()))
    }
}

fn asked(words: &str) -> Question {
    let mut words = words.split(' ');
    let problem = words.next().unwrap().to_string();
    let pair = |word: &str| {
        let (name, value) = word.split_once('=').unwrap();
        (name.to_string(), value.to_string())
    };
    let search = SearchSettings { table_mib: Some(8), ..Default::default() };
    Question { problem, params: words.map(pair).collect(), search }
}

fn unit(nodes: u64) -> SearchTask {
    let nodes = Some(nodes);
    SearchTask { nodes, children: true, share: true, ..SearchTask::default() }
}

fn run(
    question: &Question,
    unit: &SearchTask,
    tables: &HotTables,
    share: &dyn Share,
) -> UnitReport {
    split(question, &Resources::default())
        .unwrap()
        .search(unit, tables, &Control::unlimited(), share)
        .unwrap()
}

fn publish(question: &Question, tables: &HotTables, store: &Memory) {
    let problem = split(question, &Resources::default()).unwrap().problem();
    let mut news = Vec::new();
    for table in tables.of(problem) {
        table.drain(&mut |key, record| news.push((key, record)));
    }
    store.publish(news);
}

/// A leader at the root and slaves on its path, in turns, on two machines.
fn by_two(question: &Question) -> (Verdict, [HotTables; 2], Memory) {
    let (store, tables) = (Memory::default(), [HotTables::new(64, 1), HotTables::new(64, 1)]);
    let (mut helped, mut hits) = (0, 0);
    let questions = Questions::default();
    for turn in 0..100_000 {
        let leader = SearchTask { role: Role::Leader, ..unit(200) };
        let control = Control::unlimited();
        let report = questions.open(question).unwrap();
        let report = report.search(&leader, &tables[0], &control, &store).unwrap();
        publish(question, &tables[0], &store);
        hits += report.report.store_hits;
        if let Some(verdict) = report.report.numbers.verdict() {
            assert!(turn == 0 || (helped > 0 && hits > 0), "{helped} units, {hits} hits");
            return (verdict, tables, store);
        }
        let path = control.path();
        let node = &path[turn % path.len()];
        let slave = SearchTask { state: node.state.clone(), role: Role::Slave, ..unit(500) };
        let report = run(question, &slave, &tables[1], &store);
        assert_eq!((report.key, report.report.turn), (node.key, node.turn));
        helped += 1;
        publish(question, &tables[1], &store);
    }
    panic!("{}: no end", question.spelled())
}

#[test]
fn two_workers_settle_a_question_and_its_certificate_is_that_of_one() {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::alone(directory.path().to_owned(), 8);
    let control = Arc::new(Control::unlimited());
    for words in [
        "mnk width=4 height=4 line=3",
        "mnk width=4 height=4 line=4",
        "chomp rows=4 columns=5",
        "polyomino shapes=Square,W stones=9",
        "paving shapes=I,L board=5x5 pairs=any",
    ] {
        let question = asked(words);
        let (verdict, _, store) = by_two(&question);
        // A third worker, which knows only the contents of the store.
        let third = HotTables::new(64, 1);
        let split = split(&question, &Resources::default()).unwrap();
        let split = split.certify(verdict, &place, &third, &control, &store).unwrap();
        assert_eq!(read_asked(&split.files[0]).unwrap().1[0].verdict, verdict);
        assert!(split.answer.measures.store_hits > 0, "{words}");
        let alone = answer(&question, &place, &control).unwrap().answer;
        assert_eq!((split.answer.verdict, split.answer.claim), (alone.verdict, alone.claim));
    }
}

#[test]
fn what_settles_nothing_is_worded_as_by_one_worker() {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::alone(directory.path().to_owned(), 8);
    let control = Arc::new(Control::unlimited());
    let question = asked("polyomino shapes=I,SS stones=5");
    let alone = answer(&question, &place, &control).unwrap().answer;
    let split = split(&question, &Resources::default()).unwrap();
    let tables = HotTables::new(64, 1);
    let split = split.certify(Verdict::Disproven, &place, &tables, &control, &Alone);
    let split = split.unwrap().answer;
    assert_eq!((split.verdict, split.claim), (alone.verdict, alone.claim));
    assert_eq!(split.fields, alone.fields);
}

#[test]
fn the_table_of_a_whole_question_that_is_stopped_is_there_for_its_units() {
    let directory = tempfile::tempdir().unwrap();
    let tables = Arc::new(HotTables::new(64, 1));
    let kept = Some(Arc::clone(&tables));
    let place = Place { tables: kept, ..Place::alone(directory.path().to_owned(), 8) };
    // Takes longer than any test.
    let question = asked("synthetic depth=40 branching=3 seed=1");
    let control = Arc::new(Control::unlimited());
    let stop = Arc::clone(&control);
    let stopped = std::thread::scope(|scope| {
        scope.spawn(move || {
            while stop.nodes() < 1_000 {
                std::thread::yield_now();
            }
            stop.cancel();
        });
        answer(&question, &place, &control)
    });
    assert!(matches!(stopped, Err(JobError::Stopped)), "{stopped:?}");
    let known = |tables: &HotTables| {
        let mut known = 0;
        let problem = split(&question, &Resources::default()).unwrap().problem();
        tables.of(problem).iter().for_each(|table| table.each(&mut |_, _| known += 1));
        known
    };
    let before = known(&tables);
    assert!(before > 100, "{before} states");
    run(&question, &unit(100), &tables, &Alone);
    assert!(known(&tables) >= before, "the unit goes on with this table");
}

#[test]
fn the_game_of_a_question_is_made_once_while_it_is_among_the_last() {
    let questions = Questions::default();
    let of = |rows: usize| questions.open(&asked(&format!("chomp rows={rows} columns=2"))).unwrap();
    let first = of(1);
    assert!(Arc::ptr_eq(&first, &of(1)));
    (2..=Questions::MOST).for_each(|rows| drop(of(rows)));
    assert!(Arc::ptr_eq(&first, &of(1)), "still among the last");
    drop(of(Questions::MOST + 1));
    assert!(!Arc::ptr_eq(&first, &of(1)), "another one has taken its place");
}

#[test]
fn a_wrong_verdict_gets_no_certificate() {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::alone(directory.path().to_owned(), 8);
    let control = Arc::new(Control::unlimited());
    let tables = HotTables::new(64, 1);
    let question = asked("mnk width=3 height=3 line=3");
    let wrong = split(&question, &Resources::default()).unwrap().certify(
        Verdict::Disproven,
        &place,
        &tables,
        &control,
        &Alone,
    );
    let wrong = wrong.unwrap_err();
    assert!(matches!(wrong, JobError::Contradiction(_)), "{wrong:?}");
}

#[test]
fn a_table_is_filled_from_the_store_once_and_a_unit_goes_on_where_another_stopped() {
    let question = asked("mnk width=5 height=5 line=4");
    let (store, one, two) = (Memory::default(), HotTables::new(64, 1), HotTables::new(64, 1));
    let first = run(&question, &unit(3_000), &one, &store);
    assert_eq!((first.report.stopped, first.report.store_hits), (Stopped::Budget, 0));
    assert!((3_000..4_000).contains(&first.report.nodes), "{}", first.report.nodes);
    publish(&question, &one, &store);
    let loaded = run(&question, &unit(1), &two, &store);
    assert!(loaded.report.store_hits > 100, "{}", loaded.report.store_hits);
    let again = run(&question, &unit(1), &two, &store);
    assert!(again.report.store_hits < 30, "only the children: {}", again.report.store_hits);
}

#[test]
fn a_unit_tells_children_that_can_be_searched_for_themselves() {
    let question = asked("mnk width=4 height=4 line=4");
    let tables = HotTables::new(64, 1);
    let root = run(&question, &unit(50), &tables, &Alone);
    assert_eq!((root.report.turn, root.report.stopped), (Turn::Or, Stopped::Budget));
    assert!(!root.report.children.is_empty());
    for child in &root.report.children {
        let below = SearchTask { state: child.state.clone(), ..unit(u64::MAX) };
        let report = run(&question, &below, &tables, &Alone);
        assert_eq!((report.key, report.report.turn), (child.key, child.turn));
        assert_eq!(report.report.numbers, Numbers::DISPROVEN, "Breaker holds four in a row");
        assert_eq!(report.record.unwrap().numbers, Numbers::DISPROVEN);
    }
    let root = run(&question, &unit(u64::MAX), &tables, &Alone);
    assert_eq!(root.report.numbers, Numbers::DISPROVEN);
}

#[test]
fn a_target_a_budget_and_a_cancellation_stop_a_unit() {
    let question = asked("mnk width=6 height=6 line=5");
    let tables = HotTables::new(64, 1);
    let near = SearchTask { target: Numbers { proof: INFINITE, disproof: 40 }, ..unit(u64::MAX) };
    let report = run(&question, &near, &tables, &Alone);
    assert_eq!(report.report.stopped, Stopped::Target);
    assert!(report.report.numbers.disproof >= 40);
    let control = Control::unlimited();
    control.cancel();
    let question = split(&question, &Resources::default()).unwrap();
    let report = question.search(&unit(u64::MAX), &tables, &control, &Alone).unwrap();
    assert_eq!(report.report.stopped, Stopped::Cancelled);
}

#[test]
fn a_store_that_does_not_answer_stops_nobody() {
    let question = asked("chomp rows=3 columns=4");
    let report = run(&question, &unit(u64::MAX), &HotTables::new(64, 1), &Broken);
    assert_eq!((report.report.numbers, report.report.store_hits), (Numbers::PROVEN, 0));
}

#[test]
fn wrong_units_are_refused() {
    let tables = HotTables::new(64, 1);
    let refused = |question: &Question, unit: &SearchTask| {
        let split = split(question, &Resources::default())?;
        split.search(unit, &tables, &Control::unlimited(), &Alone)
    };
    let refused = |question: &Question, unit: &SearchTask| refused(question, unit).unwrap_err();
    let bad = SearchTask { state: vec![255; 3], ..unit(10) };
    let error = refused(&asked("chomp rows=3 columns=4"), &bad);
    assert!(matches!(error, JobError::Question(_)), "{error:?}");
    let error = refused(&asked("polyomino shapes=Square,W"), &unit(10));
    assert!(error.to_string().contains("asks several questions in turn"), "{error}");
    let error = refused(&asked("pair shapes=Square,W"), &unit(10));
    assert!(error.to_string().contains("no game, so it cannot be split"), "{error}");
}
