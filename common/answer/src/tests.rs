//! Each job on small questions with known answers.

use hasami_polyomino::polyomino::paper::PaperClass;
use hasami_spec::settings::SUM_RULES;
use hasami_spec::{KernelName, SearchSettings};
use hasami_sweep::Verdict;

use super::jobs::pair::{Differs, Row};
use super::*;

fn asked(words: &str) -> Question {
    let mut words = words.split(' ');
    let problem = words.next().unwrap().to_string();
    let pair = |word: &str| {
        let (name, value) = word.split_once('=').unwrap();
        (name.to_string(), value.to_string())
    };
    Question { problem, params: words.map(pair).collect(), search: SearchSettings::default() }
}

fn with_budget(words: &str, budget: u64) -> Question {
    let search = SearchSettings { budget: Some(budget), ..Default::default() };
    Question { search, ..asked(words) }
}

fn get(question: &Question) -> Result<Answered, JobError> {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::alone(directory.path().join("certificates"), 16);
    let answered = answer(question, &place, &Arc::new(Control::unlimited()));
    if let Ok(Answered { answer, files }) = &answered {
        assert_eq!(answer.certificates.len(), files.len());
        for (listed, file) in answer.certificates.iter().zip(files) {
            let bytes = std::fs::read(file).unwrap();
            assert_eq!(listed.digest, *blake3::hash(&bytes).as_bytes());
            assert_eq!(listed.bytes, bytes.len() as u64);
        }
    }
    answered
}

fn field<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

#[test]
fn a_game_is_proven_or_disproven_with_a_certificate() {
    // The first player wins Chomp on every bar but a single piece (strategy stealing).
    let won = get(&asked("chomp rows=3 columns=4")).unwrap().answer;
    assert_eq!((won.verdict, won.certificates.len()), (Verdict::Proven, 1));
    let lost = get(&asked("chomp rows=1 columns=1")).unwrap().answer;
    assert_eq!(lost.verdict, Verdict::Disproven);
}

#[test]
fn stages_tell_the_fewest_stones_and_that_fewer_do_not_do() {
    // Elly on a 4×4 board: on a finite board both verdicts are exact.
    let answer = get(&asked("polyomino shapes=El board=4x4")).unwrap().answer;
    assert_eq!(answer.verdict, Verdict::Proven);
    assert_eq!(field(&answer, "moves"), Some("3"));
    let tic = get(&asked("polyomino shapes=Tic board=4x4")).unwrap().answer;
    assert_eq!(tic.certificates.len(), if field(&tic, "not_with_less").is_some() { 2 } else { 1 });
}

#[test]
fn a_verdict_that_settles_nothing_is_open_and_says_how_far_it_went() {
    let answer = get(&asked("polyomino shapes=I,L stones=5 window=7x7")).unwrap().answer;
    assert_eq!(answer.verdict, Verdict::Open);
    assert!(answer.claim.contains("no win within 5 stones found"), "{}", answer.claim);
    assert!(answer.certificates.is_empty());
}

#[test]
fn a_budget_leaves_a_question_open_and_is_told() {
    let answer = get(&with_budget("mnk width=4 height=4 line=4", 100)).unwrap().answer;
    assert_eq!(answer.verdict, Verdict::Open);
    assert_eq!(answer.claim, "not settled within 100 nodes");
}

#[test]
fn the_same_question_has_the_same_answer() {
    for words in [
        "polyomino shapes=Square,W",
        "pair shapes=Square,W",
        "pave shapes=Square,I",
        "pavings shapes=Square,I period=4x4 list=yes",
    ] {
        let [first, second] = [get(&asked(words)), get(&asked(words))].map(|answered| {
            let Answer { verdict, claim, fields, certificates, .. } = answered.unwrap().answer;
            (verdict, claim, fields, certificates)
        });
        assert_eq!(first, second, "{words}");
    }
}

#[test]
fn every_kernel_and_sum_rule_comes_to_the_same_verdict() {
    for (kernel, name) in KernelName::NAMES {
        for (sum, rule) in SUM_RULES {
            let mut question = asked("mnk width=3 height=3 line=3");
            question.search.kernel = Some(name);
            question.search.sum = (name != KernelName::Wpns).then_some(rule);
            let answer = get(&question).unwrap().answer;
            assert_eq!(answer.verdict, Verdict::Proven, "{kernel} {sum}");
        }
    }
}

#[test]
fn pairs_are_what_the_paper_says() {
    // Yakuwa et al., table 4.
    let answer = get(&asked("pair shapes=Square,W")).unwrap().answer;
    assert_eq!(answer.verdict, Verdict::Answered);
    assert_eq!([field(&answer, "class"), field(&answer, "mark")], [Some("winner"), Some("◎")]);
    let answer = get(&asked("pair shapes=X,I")).unwrap().answer;
    assert_eq!([field(&answer, "class"), field(&answer, "mark")], [Some("loser"), Some("4 6")]);
    assert_eq!(answer.certificates.len(), 1);
    let answer = get(&with_budget("pair shapes=I,L most-stones=6", 50_000)).unwrap().answer;
    assert_eq!(answer.verdict, Verdict::Open, "more search may find a win");
    assert_eq!(
        [field(&answer, "class"), field(&answer, "mark")],
        [Some("paving-winner"), Some("△")]
    );
    assert_eq!([field(&answer, "adjacent"), field(&answer, "any")], [Some("5"), Some("5")]);
    assert_eq!([field(&answer, "paper"), field(&answer, "differs")], [Some("open"), None]);
    assert_eq!(answer.certificates.len(), 2);
}

#[test]
fn a_pair_without_a_win_is_tried_where_white_only_blocks() {
    let question = with_budget("pair shapes=Square,SS most-stones=12", 150_000);
    let Answered { answer, files } = get(&question).unwrap();
    assert_eq!([field(&answer, "class"), field(&answer, "stones")], [Some("paving-winner"), None]);
    let stones: u32 = field(&answer, "weak_stones").unwrap().parse().unwrap();
    assert!((10..=12).contains(&stones), "{answer:?}");
    assert!(answer.claim.contains("weak game (White only blocks): won with"), "{answer:?}");
    // The certificate of the weak game comes before those of the pavings.
    assert!(files[0].to_string_lossy().contains("polyomino-"), "{files:?}");
    let row = Row::of(["Square".to_string(), "SS".to_string()], &answer).unwrap();
    assert_eq!(row.weak_stones, Some(stones));
    // The paper calls it a winner.
    assert_eq!(row.differs(), Some(Differs::NotConfirmed(PaperClass::Winner)));
    assert_eq!(field(&answer, "differs"), Some("not confirmed"));
}

#[test]
fn a_row_of_the_table_is_read_back_from_its_answer() {
    for words in ["pair shapes=Square,W", "pair shapes=X,I", "pair shapes=Z,SS"] {
        let Answered { answer, .. } = get(&asked(words)).unwrap();
        let row = Row::of(["one".to_string(), "two".to_string()], &answer).unwrap();
        assert_eq!(row.words(), answer.claim);
        assert_eq!(Some(row.mark().as_str()), field(&answer, "mark"));
        assert_eq!(row.nodes, answer.measures.nodes);
    }
}

#[test]
fn a_paving_is_found_or_it_is_told_how_far_one_was_looked_for() {
    let answer = get(&asked("pave shapes=Square,I")).unwrap().answer;
    assert_eq!(answer.verdict, Verdict::Answered);
    assert_eq!([field(&answer, "period"), field(&answer, "number")], [Some("1x4+1"), Some("6")]);
    assert!(field(&answer, "picture").unwrap().contains("<>"));
    let none = get(&asked("pave shapes=Square,W")).unwrap().answer;
    assert_eq!(none.verdict, Verdict::Open);
    assert!(none.claim.contains("no paving with any period"), "{}", none.claim);
    let few = get(&asked("pave shapes=Square,I max-area=3")).unwrap().answer;
    assert!(few.claim.contains("no paving with a period of at most 3 cells"), "{}", few.claim);
}

#[test]
fn all_domino_tilings_of_a_torus_are_counted() {
    // Kasteleyn 1961: every complete paving blocks a 3×3 square.
    let answer = get(&asked("pavings shapes=###/###/### period=4x4")).unwrap().answer;
    assert_eq!((answer.verdict, field(&answer, "sets")), (Verdict::Answered, Some("272")));
    assert_eq!(field(&answer, "list"), None);
}

#[test]
fn an_enumeration_in_parts_adds_up_and_lists_the_same() {
    let control = Arc::new(Control::unlimited());
    for words in [
        "pavings shapes=###/###/### period=4x4 list=yes",
        "pavings shapes=U period=2x3 pairs=any kind=minimal list=yes",
    ] {
        let question = asked(words);
        let whole = enumerate(&question, "all", &|| false, &control).unwrap();
        assert!(whole.rest.is_empty() && whole.found.len() as u64 == whole.patterns);
        for every in [1, 10, 77] {
            let asked = std::cell::Cell::new(0);
            let until = || {
                asked.set(asked.get() + 1);
                asked.get() % every == 0
            };
            let (mut sum, mut parts) = (Part::default(), vec!["all".to_string()]);
            while let Some(prefix) = parts.pop() {
                let part = enumerate(&question, &prefix, &until, &control).unwrap();
                sum.raw += part.raw;
                sum.patterns += part.patterns;
                sum.found.extend(part.found);
                parts.extend(part.rest);
            }
            sum.found.sort_unstable();
            let mut expected = whole.found.clone();
            expected.sort_unstable();
            assert_eq!((sum.raw, sum.patterns), (whole.raw, whole.patterns), "{words}");
            assert_eq!(sum.found, expected, "{words}");
        }
    }
}

#[test]
fn batches_of_puzzles_are_the_same_each_time_and_differ_from_one_another() {
    let batch = |number: u32| {
        let words = format!("puzzles game=quarto plies=3 count=5 batch={number} certificates=yes");
        get(&asked(&words)).unwrap().answer
    };
    let first = batch(0);
    assert_eq!((first.verdict, first.certificates.len()), (Verdict::Answered, 5));
    assert_eq!(field(&first, "puzzles"), Some("5"));
    assert_eq!(field(&first, "list"), field(&batch(0), "list"));
    assert_ne!(field(&first, "list"), field(&batch(1), "list"));
    for (words, part) in [
        ("puzzles game=chomp", "game=chomp: expected one of pyonpyon, mancala, quarto"),
        ("puzzles game=quarto plies=x", "plies=x: expected plies like 5"),
        ("puzzles game=mancala rules=goal=none", "expected one of either, own"),
    ] {
        let error = get(&asked(words)).unwrap_err();
        assert!(error.to_string().contains(part) && error.permanent(), "{error}");
    }
}

#[test]
fn a_value_is_told_with_its_certificate() {
    let corridor = get(&asked("value family=go-corridor position=5")).unwrap();
    assert_eq!(corridor.answer.verdict, Verdict::Answered);
    assert_eq!(field(&corridor.answer, "value"), Some("{4|{3|{2|{1|*}}}}"));
    assert_eq!(field(&corridor.answer, "chilled"), Some("49/16"));
    assert_eq!(field(&corridor.answer, "temperature"), Some("15/16"));
    assert_eq!(corridor.answer.certificates.len(), 1);
    let cold = get(&asked("value family=domineering position=2x2")).unwrap().answer;
    assert_eq!((field(&cold, "value"), field(&cold, "mean")), (Some("±1"), Some("0")));
}

#[test]
fn a_ko_stays_open_with_its_mean_and_temperature() {
    let ko = get(&asked("value family=go position=#XO#/X.xO/#XO#")).unwrap().answer;
    assert_eq!((ko.verdict, ko.certificates.len()), (Verdict::Open, 0));
    for key in ["temperature", "temperature_black_komaster", "temperature_white_komaster"] {
        assert_eq!(field(&ko, key), Some("1/3"), "{key}");
    }
    assert_eq!(field(&ko, "mean"), Some("-1/3"));
}

#[test]
fn a_wrong_question_says_what_is_expected_and_is_not_tried_again() {
    for (words, message) in [
        ("chess rows=3", "found \"chess\"; expected one of"),
        ("chomp rows=99", "expected a whole number from 1 to 16"),
        ("pair shapes=Square", "expected two different shapes"),
        ("pair shapes=Square,Nothing", "Nothing"),
        ("pair shapes=Square,W stones=3", "most-stones"),
        ("pave shapes=Square max-area=0", "expected a whole number from 1 to"),
        ("pave pairs=any", "shapes"),
        ("pavings shapes=Square period=4", "expected ROWSxCOLUMNS"),
        ("pavings shapes=Square period=2x2 kind=most", "complete, minimal, all"),
    ] {
        let error = get(&asked(words)).unwrap_err();
        assert!(matches!(error, JobError::Question(_)) && error.permanent(), "{words}: {error:?}");
        assert!(error.to_string().contains(message), "{words}: {error}");
    }
    let control = Arc::new(Control::unlimited());
    let wrong = enumerate(&asked("pavings shapes=I period=2x2"), "9.9", &|| false, &control);
    assert!(matches!(wrong, Err(JobError::Question(_))), "{wrong:?}");
}

#[test]
fn whatever_is_stopped_has_no_answer() {
    let directory = tempfile::tempdir().unwrap();
    let place = Place::alone(directory.path().to_owned(), 16);
    let control = Arc::new(Control::unlimited());
    control.cancel();
    for words in [
        "mnk width=4 height=4 line=4",
        "pair shapes=Square,W",
        "pave shapes=Square,W",
        "pavings shapes=###/###/### period=6x6",
    ] {
        assert_eq!(answer(&asked(words), &place, &control), Err(JobError::Stopped), "{words}");
    }
}

#[test]
fn a_job_that_is_stopped_while_it_runs_ends_soon() {
    let control = Arc::new(Control::unlimited());
    let watched = Arc::clone(&control);
    let directory = tempfile::tempdir().unwrap();
    let place = Place::alone(directory.path().to_owned(), 16);
    let job =
        std::thread::spawn(move || answer(&asked("mnk width=6 height=6 line=5"), &place, &watched));
    while control.nodes() == 0 && !job.is_finished() {
        std::thread::yield_now();
    }
    control.cancel();
    assert_eq!(job.join().unwrap(), Err(JobError::Stopped));
}

#[test]
fn a_disk_that_fails_is_not_the_fault_of_the_question() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a file");
    std::fs::write(&file, "").unwrap();
    let place = Place::alone(file, 16);
    for words in ["chomp rows=2 columns=2", "pave shapes=Square,I"] {
        let error = answer(&asked(words), &place, &Arc::new(Control::unlimited())).unwrap_err();
        assert!(matches!(error, JobError::Io(_)) && !error.permanent(), "{error:?}");
    }
}

#[test]
fn a_panic_is_an_error() {
    let caught: Result<(), _> = caught(|| panic!("number {}", 7));
    assert_eq!(caught, Err(JobError::Panicked("number 7".to_string())));
}

/// Takes more nodes than the first table of a job has room for.
const OUTGROWS: &str = "synthetic depth=12 branching=4 bias=0.5 seed=1";

#[test]
fn a_question_that_outgrows_its_table_is_settled_as_by_a_plain_search() {
    use hasami_andor::{Job, Kernel, Options, Problem, Search, Table};
    use hasami_game::Game;
    use hasami_small::synthetic::Synthetic;
    use hasami_spec::Params;
    let answer = get(&asked(OUTGROWS)).unwrap().answer;
    let params = Params::parse(Synthetic::params(), &OUTGROWS["synthetic ".len()..]).unwrap();
    let game = Synthetic::from_params(&params).unwrap();
    let table: Table<()> = Table::with_mib(64, false).unwrap();
    let job = Job::settle(game.root());
    let mut search = Search::new(Kernel::Dfpn, &game, &table, Options::DEFAULT, job);
    let plain = search.run(&Control::unlimited()).numbers.verdict().unwrap();
    assert_eq!(answer.verdict.word(), plain.word());
    let first: Table<()> = Table::with_mib(4, false).unwrap();
    assert!(answer.measures.nodes > first.capacity() as u64, "{} nodes", answer.measures.nodes);
}

#[test]
fn a_budget_larger_than_the_first_table_is_used_up_before_giving_up() {
    let budget = 100_000;
    let answer = get(&with_budget(OUTGROWS, budget)).unwrap().answer;
    assert_eq!(answer.verdict, Verdict::Open);
    assert!(answer.measures.nodes >= budget, "{} nodes", answer.measures.nodes);
}
