use hasami_andor::numbers::INFINITE;
use hasami_andor::{Child, Key, Numbers, PathNode, Role, SearchReport, SearchTask, Stopped, Turn};
use hasami_spec::settings::SUM_RULES;
use hasami_spec::{Evaluation, KernelName, Question, SearchSettings};
use hasami_sweep::{Answer, Basis, Certificate, Check, Measures, Verdict};
use hasami_unit::{
    Assignment, Attempt, EnumerateTask, Failure, FailureKind, ItemNo, Lease, Outcome, Part,
    Progress, Rejection, RunId, Task, UnitNo,
};
use proptest::prelude::*;
use prost::Message;

use crate::v1;

/// Text that may enter: everything that can be shown, on several lines.
fn text() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| hasami_sweep::text::shown(&text).into_owned())
}

/// The same on one line.
fn line() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| hasami_sweep::text::line(&text, 255))
}

fn pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::btree_map("[a-z-]{1,8}", text(), 0..5)
        .prop_map(|map| map.into_iter().collect())
}

fn settings() -> impl Strategy<Value = SearchSettings> {
    (
        prop::option::of(prop::sample::select(&KernelName::NAMES).prop_map(|(_, name)| name)),
        prop::option::of(prop::sample::select(&SUM_RULES).prop_map(|(_, rule)| rule)),
        prop::option::of(1..=u64::MAX),
        prop::option::of(10..=SearchSettings::MAX_TIME_LIMIT.as_millis() as u64),
        any::<u64>(),
        prop::option::of(0.0..=16.0f64),
        prop::option::of(prop::sample::select(&Evaluation::NAMES).prop_map(|(_, one)| one)),
        prop::option::of(1..=SearchSettings::MAX_TABLE_MIB),
    )
        .prop_map(|(kernel, sum, budget, time_limit_ms, seed, epsilon, evaluation, table_mib)| {
            SearchSettings {
                kernel,
                sum,
                budget,
                time_limit_ms,
                seed,
                epsilon,
                evaluation,
                table_mib,
            }
        })
        .prop_filter("a kernel and a sum rule that go together", |search| search.check().is_ok())
}

fn question() -> impl Strategy<Value = Question> {
    ("[a-z]{1,8}", pairs(), settings()).prop_map(|(problem, params, search)| Question {
        problem,
        params,
        search,
    })
}

fn answer() -> impl Strategy<Value = Answer> {
    let verdicts = [Verdict::Proven, Verdict::Disproven, Verdict::Answered, Verdict::Open];
    let certificate = ("[a-z0-9][a-z0-9.-]{0,20}", any::<[u8; 32]>(), any::<u64>())
        .prop_map(|(name, digest, bytes)| Certificate { name, digest, bytes });
    let measures = (any::<u64>(), 0.0..1e9f64, any::<u64>())
        .prop_map(|(nodes, seconds, store_hits)| Measures { nodes, seconds, store_hits });
    let check = (
        any::<String>(),
        any::<String>(),
        prop::sample::select(Basis::ALL.to_vec()),
        prop::collection::vec("[a-z_]{1,9}", 0..3),
        any::<String>(),
    )
        .prop_map(|(sender, by, basis, unproved, note)| Check {
            sender,
            by,
            basis,
            unproved,
            note,
        });
    (
        prop::sample::select(verdicts.to_vec()),
        text(),
        pairs(),
        prop::collection::vec(certificate, 0..3),
        measures,
        prop::option::of(check),
    )
        .prop_map(|(verdict, claim, fields, certificates, measures, check)| Answer {
            verdict,
            claim,
            fields,
            certificates,
            measures,
            check,
        })
}

fn numbers() -> impl Strategy<Value = Numbers> {
    let open = (1..u32::MAX, 1..u32::MAX).prop_map(|(proof, disproof)| Numbers { proof, disproof });
    prop_oneof![Just(Numbers::PROVEN), Just(Numbers::DISPROVEN), open]
}

fn turn() -> impl Strategy<Value = Turn> {
    prop::sample::select(vec![Turn::Or, Turn::And])
}

fn lease() -> impl Strategy<Value = Lease> {
    any::<(u64, u32, u32, u32)>().prop_map(|(run, item, unit, attempt)| Lease {
        run: RunId(run),
        item: ItemNo(item),
        unit: UnitNo(unit),
        attempt: Attempt(attempt),
    })
}

fn search_task() -> impl Strategy<Value = SearchTask> {
    let limit = || prop_oneof![Just(INFINITE), 1..INFINITE];
    let role = prop::sample::select(vec![Role::Plain, Role::Leader, Role::Slave]);
    let state = any::<Vec<u8>>();
    let flags = any::<(Option<u64>, u64, bool, bool)>();
    (state, (limit(), limit()), role, flags).prop_map(
        |(state, (proof, disproof), role, (nodes, seed, share, children))| {
            let target = Numbers { proof, disproof };
            SearchTask { state, target, nodes, role, seed, share, children }
        },
    )
}

fn assignment() -> impl Strategy<Value = Assignment> {
    let verdicts = [hasami_andor::Verdict::Proven, hasami_andor::Verdict::Disproven];
    let part = (any::<String>(), any::<u32>())
        .prop_map(|(prefix, split_ms)| Task::Enumerate(EnumerateTask { prefix, split_ms }));
    let task = prop_oneof![
        Just(Task::Answer),
        search_task().prop_map(Task::Search),
        prop::sample::select(verdicts.to_vec()).prop_map(Task::Certify),
        part,
    ];
    (lease(), question(), task).prop_map(|(lease, question, task)| Assignment {
        lease,
        question,
        task,
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let child = (any::<Vec<u8>>(), any::<u128>(), turn(), numbers(), any::<u64>()).prop_map(
        |(state, key, turn, numbers, work)| Child { state, key: Key(key), turn, numbers, work },
    );
    let stops = [Stopped::Settled, Stopped::Target, Stopped::Budget, Stopped::Cancelled];
    let children = prop::collection::vec(child, 0..3);
    let counts = (any::<u64>(), 0.0..1e9f64, any::<u64>());
    let search = (numbers(), turn(), counts, prop::sample::select(stops.to_vec()), children)
        .prop_map(|(numbers, turn, (nodes, seconds, store_hits), stopped, children)| {
            // A settled state has one reason to stop.
            let stopped = if numbers.settled() { Stopped::Settled } else { stopped };
            SearchReport { numbers, turn, nodes, seconds, stopped, children, store_hits }
        });
    let lines = || prop::collection::vec(line(), 0..5);
    let part = (any::<(u64, u64, u64)>(), lines(), lines(), 0.0..1e9f64).prop_map(
        |((raw, patterns, nodes), found, rest, seconds)| {
            Outcome::Part(Part { raw, patterns, found, rest, seconds, nodes })
        },
    );
    let kinds = [
        FailureKind::Question,
        FailureKind::Contradiction,
        FailureKind::Machine,
        FailureKind::Panic,
        FailureKind::UnknownTask,
        FailureKind::Delivery,
    ];
    let failure = (prop::sample::select(kinds.to_vec()), text())
        .prop_map(|(kind, message)| Outcome::Failure(Failure { kind, message }));
    prop_oneof![
        answer().prop_map(Outcome::Answer),
        search.prop_map(Outcome::Search),
        part,
        failure,
        Just(Outcome::HandedBack),
    ]
}

fn progress() -> impl Strategy<Value = Progress> {
    let node = (any::<Vec<u8>>(), any::<u128>(), turn(), numbers(), any::<u32>()).prop_map(
        |(state, key, turn, numbers, open)| PathNode { state, key: Key(key), turn, numbers, open },
    );
    (lease(), any::<u64>(), prop::option::of(numbers()), prop::collection::vec(node, 0..3))
        .prop_map(|(lease, nodes, numbers, path)| Progress::new(lease, nodes, numbers, path))
}

proptest! {
    #[test]
    fn assignments_survive_the_wire(assignment in assignment()) {
        let bytes = v1::Assignment::from(assignment.clone()).encode_to_vec();
        let message = v1::Assignment::decode(bytes.as_slice()).unwrap();
        prop_assert_eq!(Assignment::try_from(message).unwrap(), assignment);
    }

    #[test]
    fn outcomes_survive_the_wire(sent in (lease(), outcome())) {
        let bytes = v1::Outcome::from(sent.clone()).encode_to_vec();
        let message = v1::Outcome::decode(bytes.as_slice()).unwrap();
        prop_assert_eq!(<(Lease, Outcome)>::try_from(message).unwrap(), sent);
    }

    #[test]
    fn progress_survives_the_wire(progress in progress()) {
        let bytes = v1::Progress::from(progress.clone()).encode_to_vec();
        let message = v1::Progress::decode(bytes.as_slice()).unwrap();
        prop_assert_eq!(Progress::try_from(message).unwrap(), progress);
    }

    #[test]
    fn questions_survive_the_wire(question in question()) {
        let bytes = v1::Question::from(question.clone()).encode_to_vec();
        let message = v1::Question::decode(bytes.as_slice()).unwrap();
        let again = Question::try_from(message).unwrap();
        prop_assert_eq!(again.settled_key(), question.settled_key());
        prop_assert_eq!(again.open_key(), question.open_key());
        prop_assert_eq!(again, question);
    }

    #[test]
    fn answers_survive_the_wire(answer in answer()) {
        let bytes = v1::Answer::from(answer.clone()).encode_to_vec();
        let message = v1::Answer::decode(bytes.as_slice()).unwrap();
        prop_assert_eq!(Answer::try_from(message).unwrap(), answer);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = v1::Question::decode(bytes.as_slice()).map(Question::try_from);
        let _ = v1::Answer::decode(bytes.as_slice()).map(Answer::try_from);
        let _ = v1::Assignment::decode(bytes.as_slice()).map(Assignment::try_from);
        let _ = v1::Outcome::decode(bytes.as_slice()).map(<(Lease, Outcome)>::try_from);
        let _ = v1::Progress::decode(bytes.as_slice()).map(Progress::try_from);
    }
}

fn refused_question(change: impl FnOnce(&mut v1::Question)) -> String {
    let search = v1::Search::default();
    let mut message =
        v1::Question { problem: "chomp".to_string(), params: Vec::new(), search: Some(search) };
    assert!(Question::try_from(message.clone()).is_ok());
    change(&mut message);
    Question::try_from(message).unwrap_err().to_string()
}

fn refused_answer(change: impl FnOnce(&mut v1::Answer)) -> String {
    let certificate = v1::Certificate { name: "a.cert".to_string(), digest: vec![0; 32], bytes: 1 };
    let mut message = v1::Answer {
        verdict: 1,
        certificates: vec![certificate],
        measures: Some(v1::Measures::default()),
        check: None,
        ..v1::Answer::default()
    };
    assert!(Answer::try_from(message.clone()).is_ok());
    change(&mut message);
    Answer::try_from(message).unwrap_err().to_string()
}

fn param(name: &str) -> v1::Param {
    v1::Param { name: name.to_string(), value: String::new() }
}

#[test]
fn hostile_questions_are_refused() {
    let search = |change: fn(&mut v1::Search)| {
        refused_question(|question| change(question.search.as_mut().unwrap()))
    };
    assert_eq!(
        refused_question(|question| question.problem.clear()),
        "question.problem: found a name of 0 bytes; expected 1 to 255 of them"
    );
    assert_eq!(
        refused_question(|question| question.params = vec![param("a"), param("b"), param("a")]),
        "question.params: found \"a\" twice; expected it once"
    );
    assert_eq!(
        refused_question(|question| question.params = vec![param("a"); 1025]),
        "question.params: found 1025 entries; expected at most 1024 of them"
    );
    assert_eq!(
        search(|search| search.kernel = 7),
        "search.kernel: found 7; expected a kind of this version"
    );
    assert_eq!(
        search(|search| search.sum = -1),
        "search.sum: found -1; expected a kind of this version"
    );
    assert_eq!(
        search(|search| search.budget = Some(0)),
        "search.budget: found 0; expected at least 1"
    );
    for epsilon in [f64::NAN, f64::INFINITY, -1.0, 16.5] {
        let wrong = refused_question(|question| {
            question.search.as_mut().unwrap().epsilon = Some(epsilon);
        });
        assert_eq!(
            wrong,
            format!("search.epsilon: found {epsilon}; expected a number from 0 to 16")
        );
    }
    let wrong = refused_question(|question| {
        question.search.as_mut().unwrap().evaluation = "best\u{1b}".to_string();
    });
    assert_eq!(wrong, "search.evaluation: found best\u{fffd}; expected a name of this version");
    assert_eq!(
        search(|search| search.table_mib = Some(u32::MAX)),
        "search.table_mib: found 4294967295; expected 1 to 1048576"
    );
}

#[test]
fn hostile_answers_are_refused() {
    for verdict in [0, 5, -1, i32::MAX] {
        assert_eq!(
            refused_answer(|answer| answer.verdict = verdict),
            "verdict: found none; expected a verdict of this version"
        );
    }
    assert_eq!(
        refused_answer(|answer| answer.certificates[0].digest = vec![0; 31]),
        "certificate.digest: found 31 bytes; expected the 32 bytes of a blake3 hash"
    );
    for name in
        ["../etc/passwd", "/etc/passwd", "..", ".hidden", "a/b", "a\u{1b}[2J", "a\0b", "a\\b"]
    {
        let wrong = refused_answer(|answer| answer.certificates[0].name = name.to_string());
        assert!(wrong.starts_with("certificate.name: found "), "{wrong}");
    }
    for seconds in [f64::NAN, f64::INFINITY, -1.0] {
        let wrong = refused_answer(|answer| answer.measures.as_mut().unwrap().seconds = seconds);
        assert_eq!(wrong, format!("measures.seconds: found {seconds}; expected a time"));
    }
    assert_eq!(
        refused_answer(|answer| answer.claim = "x".repeat((4 << 20) + 1)),
        "answer.claim: found a text of 4194305 bytes; expected at most 4194304 of them"
    );
}

#[test]
fn every_receipt_status_stands_for_one_thing() {
    let all = (1..).map_while(|number| v1::ReceiptStatus::try_from(number).ok());
    let mut seen = 0;
    for status in all {
        let used = <Result<(), Rejection>>::try_from(status).unwrap();
        assert_eq!(v1::ReceiptStatus::from(used), status);
        seen += 1;
    }
    assert_eq!(seen, 10);
    assert!(<Result<(), Rejection>>::try_from(v1::ReceiptStatus::Unspecified).is_err());
}

#[test]
fn numbers_that_no_state_has_and_other_hostile_reports_are_refused() {
    let numbers = Some(v1::Numbers { proof: 3, disproof: 4 });
    let report = v1::SearchReport {
        numbers,
        turn: v1::Turn::Or.into(),
        stopped: v1::StopReason::Budget.into(),
        ..v1::SearchReport::default()
    };
    let refused = |change: &dyn Fn(&mut v1::SearchReport)| {
        let mut report = report.clone();
        assert!(SearchReport::try_from(report.clone()).is_ok());
        change(&mut report);
        SearchReport::try_from(report).unwrap_err().field
    };
    for (proof, disproof) in [(0, 0), (0, 7), (7, 0), (0, INFINITE - 1)] {
        let numbers = Some(v1::Numbers { proof, disproof });
        assert_eq!(refused(&|report| report.numbers = numbers), "numbers");
    }
    assert_eq!(refused(&|report| report.numbers = None), "numbers");
    assert_eq!(refused(&|report| report.turn = 3), "turn");
    assert_eq!(refused(&|report| report.stopped = 0), "stopped");
    assert_eq!(refused(&|report| report.seconds = f64::NAN), "search.seconds");
    let child = v1::Child { key: vec![0; 15], turn: 1, numbers, ..v1::Child::default() };
    assert_eq!(refused(&|report| report.children = vec![child.clone()]), "key");
}
