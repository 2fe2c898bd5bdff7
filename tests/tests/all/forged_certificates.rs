//! Certificates that are whole, with checksum and hash that fit, but say something that does not
//! hold: refused by the rules alone, with the node at fault.

use hasami_tests::{Certificate, Hasami, Record, Run};

const MNK: &str = "mnk width=3 height=3 line=3";
const MNK_LOST: &str = "mnk width=3 height=2 line=3";
const DAG: &str = "graph nodes=300 leaves=0.15 seed=4";
const DAG_LOST: &str = "graph nodes=300 leaves=0.15 seed=10";
const ACYCLIC: [&str; 4] = [MNK, MNK_LOST, DAG, DAG_LOST];
/// The repetition rule is against the verdict: nobody may rely on going round.
const AGAINST: [&str; 2] = [
    "graph nodes=300 shape=cyclic sharing=0.3 leaves=0.15 repetition=disproven seed=0",
    "graph nodes=300 shape=cyclic sharing=0.3 leaves=0.15 repetition=proven seed=2",
];
/// The repetition rule favours the verdict: records may point to later ones.
const FAVOURED: [&str; 2] = [
    "graph nodes=300 shape=cyclic sharing=0.3 leaves=0.15 repetition=proven seed=1",
    "graph nodes=300 shape=cyclic sharing=0.3 leaves=0.15 repetition=disproven seed=9",
];

/// The certificate of a question, with more than one record.
fn certificate(hasami: &Hasami, question: &str) -> Certificate {
    hasami.solve(&format!("{question} --certificate true.cert"));
    let certificate = Certificate::read(&hasami.path("true.cert"));
    assert!(certificate.records.len() > 3, "{question} is large enough to forge");
    certificate
}

fn verify(hasami: &Hasami, forged: &Certificate) -> Run {
    forged.write(&hasami.path("forged.cert"));
    hasami.run("verify forged.cert")
}

/// The file is sound but does not hold: exit code 1 and the node at fault.
#[track_caller]
fn refused(hasami: &Hasami, forged: &Certificate) -> Run {
    let run = verify(hasami, forged).expect(1).complains(&["refused at node"]);
    assert_eq!(run.stdout, "");
    run
}

#[test]
fn a_certificate_written_again_unchanged_is_accepted() {
    let hasami = Hasami::new();
    for question in ACYCLIC.iter().chain(&AGAINST).chain(&FAVOURED) {
        let certificate = certificate(&hasami, question);
        verify(&hasami, &certificate).expect(0);
        assert_eq!(Certificate::read(&hasami.path("forged.cert")), certificate);
    }
}

#[test]
fn a_missing_reply_is_refused() {
    let hasami = Hasami::new();
    for question in ACYCLIC.iter().chain(&AGAINST).chain(&FAVOURED) {
        let certificate = certificate(&hasami, question);
        for missing in 0..certificate.records.len() {
            let forged = certificate.with(|records| drop(records.remove(missing)));
            let run = refused(&hasami, &forged);
            // None of these certificates has a record that is not needed.
            let why = ["nothing before it shows", "never comes", "no record shows it"];
            assert!(why.iter().any(|why| run.stderr.contains(why)), "{question}: {run:#?}");
        }
    }
}

#[test]
fn a_certificate_without_records_is_refused() {
    let hasami = Hasami::new();
    for question in ACYCLIC.iter().chain(&AGAINST).chain(&FAVOURED) {
        let forged = certificate(&hasami, question).with(Vec::clear);
        refused(&hasami, &forged).complains(&["after 0 records"]);
    }
}

#[test]
fn another_first_move_than_the_one_shown_is_refused() {
    let hasami = Hasami::new();
    let certificate = certificate(&hasami, MNK);
    let root = certificate.records.len() - 1;
    let right = certificate.records[root].choice.expect("Maker moves first");
    // Cells that a symmetry of the board turns into each other are as good as each other.
    let like = [0, 1, 0, 1, 2, 1, 0, 1, 0];
    for choice in (0..9).filter(|&choice| like[choice as usize] != like[right as usize]) {
        let forged = certificate.with(|records| records[root].choice = Some(choice));
        let run = refused(&hasami, &forged).complains(&["nothing before it shows"]);
        assert!(run.stderr.contains(&format!("at node {} ", root + 1)), "{run:#?}");
    }
}

#[test]
fn moves_to_states_that_nothing_shows_are_refused() {
    let hasami = Hasami::new();
    for question in [DAG, DAG_LOST].iter().chain(&AGAINST) {
        let certificate = certificate(&hasami, question);
        let mut wrong = 0;
        for (place, record) in certificate.records.iter().enumerate() {
            let Some(right) = record.choice else { continue };
            // Another move may be as good; one that is not is named.
            for choice in (0..4).filter(|&choice| choice != right) {
                let forged = certificate.with(|records| records[place].choice = Some(choice));
                let run = verify(&hasami, &forged);
                if run.code != Some(0) {
                    wrong += 1;
                    let run = run.expect(1);
                    let node = format!("refused at node {} ", place + 1);
                    assert!(run.stderr.contains(&node), "{question}: {run:#?}");
                }
            }
        }
        assert!(wrong > 0, "{question}: some move is wrong");
    }
}

#[test]
fn a_move_that_does_not_exist_is_refused() {
    let hasami = Hasami::new();
    for question in ACYCLIC.iter().chain(&AGAINST).chain(&FAVOURED) {
        let certificate = certificate(&hasami, question);
        let place = certificate.records.iter().rposition(|record| record.choice.is_some());
        let place = place.expect("a record with a move");
        for choice in [64, u64::from(u32::MAX)] {
            let forged = certificate.with(|records| records[place].choice = Some(choice));
            let run = refused(&hasami, &forged).complains(&["does not exist"]);
            assert!(run.stderr.contains(&format!("at node {} ", place + 1)), "{run:#?}");
        }
    }
}

#[test]
fn the_opposite_verdict_is_refused() {
    let hasami = Hasami::new();
    for question in ACYCLIC.iter().chain(&AGAINST).chain(&FAVOURED) {
        let mut forged = certificate(&hasami, question);
        forged.verdict ^= 1;
        refused(&hasami, &forged).complains(&["refused at node 1 "]);
    }
}

#[test]
fn the_opposite_verdict_of_a_question_settled_at_once_is_refused() {
    let hasami = Hasami::new();
    hasami.solve("chomp rows=1 columns=1 --certificate true.cert");
    let mut forged = Certificate::read(&hasami.path("true.cert"));
    assert_eq!(forged.records, []);
    forged.verdict ^= 1;
    refused(&hasami, &forged).complains(&["the rules say disproven"]);
}

#[test]
fn a_move_where_all_count_and_none_where_one_is_needed_are_refused() {
    let hasami = Hasami::new();
    for question in ACYCLIC.iter().chain(&AGAINST).chain(&FAVOURED) {
        let certificate = certificate(&hasami, question);
        for (place, record) in certificate.records.iter().enumerate() {
            let forged = certificate.with(|records| {
                records[place] = match record.choice {
                    Some(_) => Record::all(&record.state),
                    None => Record::one(&record.state, 0),
                };
            });
            let run = refused(&hasami, &forged);
            let node = format!("refused at node {} ", place + 1);
            assert!(run.stderr.contains(&node), "{question}: {run:#?}");
        }
    }
}

#[test]
fn a_parent_before_its_children_is_refused() {
    let hasami = Hasami::new();
    for question in ACYCLIC.iter().chain(&AGAINST) {
        let certificate = certificate(&hasami, question);
        let root_first = certificate.with(|records| records.rotate_right(1));
        let run = refused(&hasami, &root_first);
        run.complains(&["refused at node 1 ", "nothing before it shows"]);
        refused(&hasami, &certificate.with(|records| records.reverse()));
    }
}

#[test]
fn the_order_does_not_matter_where_repetition_favours_the_verdict() {
    let hasami = Hasami::new();
    for question in FAVOURED {
        let certificate = certificate(&hasami, question);
        let backwards = certificate.with(|records| records.reverse());
        verify(&hasami, &backwards).expect(0);
        for missing in 0..backwards.records.len() {
            refused(&hasami, &backwards.with(|records| drop(records.remove(missing))));
        }
    }
}

#[test]
fn a_leaf_that_the_rules_settle_otherwise_is_refused() {
    let hasami = Hasami::new();
    for question in [DAG, DAG_LOST].iter().chain(&AGAINST).chain(&FAVOURED) {
        let certificate = certificate(&hasami, question);
        let against = match certificate.verdict {
            1 => "the rules say disproven, the certificate proven",
            _ => "the rules say proven, the certificate disproven",
        };
        let wrong_leaf = (0..300u32).find_map(|node| {
            let state = node.to_le_bytes();
            [Record::all(&state), Record::one(&state, 0)].into_iter().find_map(|record| {
                let run = verify(&hasami, &certificate.with(|records| records.insert(0, record)));
                // Not a state whose move leads to such a leaf, but the leaf itself.
                let found = run.stderr.contains(&format!("): {against}"));
                found.then_some((node, run))
            })
        });
        let (node, run) = wrong_leaf.expect("a leaf that speaks against the verdict");
        run.expect(1).complains(&["refused at node 1 ", &format!("node {node}: ")]);
    }
}

#[test]
fn stones_moved_in_one_position_are_refused() {
    let hasami = Hasami::new();
    for question in [MNK, MNK_LOST] {
        let certificate = certificate(&hasami, question);
        for place in 0..certificate.records.len() {
            // All of Maker's stones become Breaker's and the other way round.
            let forged = certificate.with(|records| {
                let state = &mut records[place].state;
                let (maker, breaker) = state[1..].split_at_mut(8);
                maker.swap_with_slice(breaker);
            });
            if forged != certificate {
                refused(&hasami, &forged);
            }
        }
    }
}

#[test]
fn bytes_that_are_no_state_are_refused() {
    let hasami = Hasami::new();
    for question in ACYCLIC {
        let certificate = certificate(&hasami, question);
        for state in [vec![], vec![0xff; 4], vec![0xff; 17], vec![0; 1000]] {
            let forged = certificate.with(|records| records[1].state = state);
            refused(&hasami, &forged).complains(&["refused at node 2 ", "not a state"]);
        }
    }
}

#[test]
fn another_root_is_refused() {
    let hasami = Hasami::new();
    for question in ACYCLIC.iter().chain(&AGAINST).chain(&FAVOURED) {
        let mut forged = certificate(&hasami, question);
        forged.root = forged.records[0].state.clone();
        refused(&hasami, &forged).complains(&["node 0 ", "another state than the root"]);
    }
}

#[test]
fn a_certificate_of_another_question_is_refused() {
    let hasami = Hasami::new();
    let honest = certificate(&hasami, MNK);
    let mut forged = honest.clone();
    forged.question = forged.question.replace("height=3", "height=2");
    verify(&hasami, &forged).is_bad_input(&["height=2", "about problem"]);
    forged.question = "go size=19".to_string();
    verify(&hasami, &forged).is_bad_input(&["forged.cert", "go"]);
    forged.question = honest.question.replace("height=3", "height=99");
    verify(&hasami, &forged).is_bad_input(&["height=99"]);
}

#[test]
fn a_stream_that_breaks_the_format_is_damaged_not_believed() {
    let hasami = Hasami::new();
    let honest = certificate(&hasami, MNK);
    let damaged = |forged: &Certificate, words: &[&str]| {
        verify(&hasami, forged).is_bad_input(&["forged.cert", "damaged"]).complains(words);
    };
    let mut forged = honest.clone();
    forged.count += 1;
    damaged(&forged, &["records"]);
    let mut forged = honest.clone();
    forged.rest = vec![1];
    damaged(&forged, &["bytes after the end"]);
    let mut forged = honest.clone();
    forged.verdict = 2;
    damaged(&forged, &["verdict 2"]);
    let forged = honest.with(|records| records[2].tag = 3);
    damaged(&forged, &["after node 2", "tag 3"]);
    let forged = honest.with(|records| {
        let one = records.iter_mut().find(|record| record.choice.is_some());
        one.expect("a record with a move").choice = Some(1 << 40);
    });
    damaged(&forged, &["out of range"]);
    let forged = honest.with(|records| records[0].state = vec![0; (1 << 20) + 1]);
    damaged(&forged, &["bytes"]);
}
