use hasami_spec::settings::SUM_RULES;
use hasami_spec::{KernelName, Question, SearchSettings};
use hasami_sweep::{Answer, Certificate, Measures, Verdict};
use proptest::prelude::*;
use prost::Message;

use crate::v1;

fn pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::btree_map("[a-z-]{1,8}", any::<String>(), 0..5)
        .prop_map(|map| map.into_iter().collect())
}

fn settings() -> impl Strategy<Value = SearchSettings> {
    (
        prop::option::of(prop::sample::select(&KernelName::NAMES).prop_map(|(_, name)| name)),
        prop::option::of(prop::sample::select(&SUM_RULES).prop_map(|(_, rule)| rule)),
        prop::option::of(1..=u64::MAX),
        any::<u64>(),
        prop::option::of(0.0..=16.0f64),
        prop::option::of(1..=SearchSettings::MAX_TABLE_MIB),
    )
        .prop_map(|(kernel, sum, budget, seed, epsilon, table_mib)| SearchSettings {
            kernel,
            sum,
            budget,
            seed,
            epsilon,
            table_mib,
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
    (
        prop::sample::select(verdicts.to_vec()),
        any::<String>(),
        pairs(),
        prop::collection::vec(certificate, 0..3),
        measures,
    )
        .prop_map(|(verdict, claim, fields, certificates, measures)| Answer {
            verdict,
            claim,
            fields,
            certificates,
            measures,
        })
}

proptest! {
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
        search(|search| search.kernel = "dfpm".to_string()),
        "search.kernel: found \"dfpm\"; expected nothing or one of pn, pds, dfpn, multipath, threads, wpns"
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
    assert_eq!(
        search(|search| search.table_mib = u32::MAX),
        "search.table_mib: found 4294967295; expected at most 1048576"
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
