//! Certificates that are whole, with checksum and hash that fit, but say something that does not
//! hold: refused by the rules alone, with the node at fault.

use hasami_forge::{Node, Part, file, forgeries, parts};
use hasami_tests::{Hasami, Run};

const CHOMP: &str = "chomp rows=3 columns=4";
const MNK: &str = "mnk width=3 height=3 line=3";
const LOST: &str = "polyomino Skinny board=5x5 stones=6";
const DAG: &str = "graph nodes=300 leaves=0.15 seed=4";
const DAG_LOST: &str = "graph nodes=300 leaves=0.15 seed=10";
/// The repetition rule is against the verdict: nobody may rely on going round.
const AGAINST: [&str; 2] = [
    "graph nodes=300 shape=cyclic sharing=0.3 leaves=0.15 repetition=disproven seed=0",
    "graph nodes=300 shape=cyclic sharing=0.3 leaves=0.15 repetition=proven seed=2",
];
/// The repetition rule favours the verdict: a node may refer to an open one.
const FAVOURED: [&str; 2] = [
    "graph nodes=300 shape=cyclic sharing=0.3 leaves=0.15 repetition=proven seed=1",
    "graph nodes=300 shape=cyclic sharing=0.3 leaves=0.15 repetition=disproven seed=9",
];

fn questions() -> impl Iterator<Item = &'static str> {
    [CHOMP, MNK, LOST, DAG, DAG_LOST].into_iter().chain(AGAINST).chain(FAVOURED)
}

/// The certificate of a question, with more than one node.
fn certificate(hasami: &Hasami, question: &str) -> Part {
    hasami.solve(&format!("{question} --certificate true.cert"));
    let part = Part::parse(&parts(&hasami.path("true.cert"))[0]);
    assert!(part.root.count() > 3, "{question} is large enough to forge");
    part
}

fn verify(hasami: &Hasami, forged: &Part) -> Run {
    hasami.write("forged.cert", file(&[forged.bytes()]));
    hasami.run("verify forged.cert")
}

/// The file is sound but does not hold: exit code 1.
#[track_caller]
fn refused(hasami: &Hasami, forged: &Part) -> Run {
    let run = verify(hasami, forged).expect(1).complains(&["refused at node"]);
    assert_eq!(run.stdout, "");
    run
}

#[test]
fn a_certificate_written_again_unchanged_is_accepted() {
    let hasami = Hasami::new();
    for question in questions() {
        let part = certificate(&hasami, question);
        verify(&hasami, &part).expect(0);
        assert_eq!(parts(&hasami.path("forged.cert")), parts(&hasami.path("true.cert")));
    }
}

#[test]
fn a_missing_or_repeated_reply_is_refused_with_its_place() {
    let hasami = Hasami::new();
    for question in questions().filter(|&question| question != MNK && question != LOST) {
        let part = certificate(&hasami, question);
        for (what, forged) in forgeries(&part) {
            if what.ends_with("a move left out") || what.ends_with("a move twice") {
                refused(&hasami, &forged);
            }
        }
    }
}

#[test]
fn the_opposite_verdict_is_refused() {
    let hasami = Hasami::new();
    for question in questions() {
        let part = certificate(&hasami, question);
        let turned = forgeries(&part)
            .into_iter()
            .find(|(what, _)| what.contains("(verdict ") && what.ends_with("the other word"));
        let forged = turned.expect("the other verdict").1;
        refused(&hasami, &forged).complains(&["refused at node 1"]);
    }
}

#[test]
fn a_question_settled_at_once_is_not_settled_the_other_way() {
    let hasami = Hasami::new();
    hasami.solve("chomp rows=1 columns=1 --certificate true.cert");
    let part = Part::parse(&parts(&hasami.path("true.cert"))[0]);
    assert_eq!(part.root, Node::Leaf(1, Vec::new()));
    let turned = forgeries(&part)
        .into_iter()
        .find(|(what, _)| what.contains("(verdict ") && what.ends_with("the other word"));
    refused(&hasami, &turned.unwrap().1).complains(&["the rules say disproven"]);
}

#[test]
fn a_proof_that_rests_on_itself_is_refused_unless_repetition_favours_it() {
    let hasami = Hasami::new();
    // The root names its first move and then refers to itself: true only if going round is good.
    let mut good = 0;
    for question in AGAINST.into_iter().chain(FAVOURED) {
        let mut part = certificate(&hasami, question);
        let circle = |node: &mut Node, kept: bool| match node {
            Node::One(flag, _, _) | Node::All(flag, _, _) => *flag = kept,
            _ => panic!("a question that is settled at once"),
        };
        circle(&mut part.root, true);
        let last = part.root.count() - 1;
        *part.root.at(last).unwrap() = Node::Same(1, false, Vec::new());
        let run = verify(&hasami, &part);
        if run.code == Some(1) {
            good += 1;
        }
    }
    assert!(good >= 2, "{good}");
}

#[test]
fn a_certificate_of_another_question_is_refused() {
    let hasami = Hasami::new();
    let honest = certificate(&hasami, CHOMP);
    let with = |from: &str, to: &str| {
        let mut forged = honest.clone();
        let line = forged.header.iter_mut().find(|line| *line == from).unwrap();
        *line = to.to_string();
        forged
    };
    refused(&hasami, &with("columns 4", "columns 5"));
    verify(&hasami, &with("columns 4", "columns 99")).is_bad_input(&["columns=99"]);
    verify(&hasami, &with("columns 4", "columns 04")).is_bad_input(&["columns"]);
    verify(&hasami, &with("columns 4", "cows 4")).is_bad_input(&["cows"]);
    verify(&hasami, &with("rules chomp 1", "rules go 1")).is_bad_input(&["forged.cert", "go"]);
    verify(&hasami, &with("rules chomp 1", "rules chomp 9")).is_bad_input(&["rules 9"]);
    verify(&hasami, &with("verdict proven", "verdict maybe")).is_bad_input(&["maybe"]);
    verify(&hasami, &with("claim verdict", "claim truth")).is_bad_input(&["claim"]);
}

#[test]
fn a_stream_that_breaks_the_format_is_not_believed() {
    let hasami = Hasami::new();
    let honest = certificate(&hasami, CHOMP).bytes();
    let write = |bytes: Vec<u8>| hasami.write("forged.cert", file(&[bytes]));
    write([&honest[..], &[1]].concat());
    hasami.run("verify forged.cert").expect(1).complains(&["bytes after the end"]);
    write(honest[..honest.len() - 1].to_vec());
    hasami.run("verify forged.cert").expect(1).complains(&["cut off"]);
    write(b"claim verdict\nrules chomp 1".to_vec());
    hasami.run("verify forged.cert").is_bad_input(&["forged.cert", "header"]);
    hasami.write("forged.cert", file(&[honest.clone(), honest.clone()]));
    hasami.run("verify forged.cert").is_bad_input(&["more parts than the claim needs"]);
    hasami.write("forged.cert", file(&[]));
    hasami.run("verify forged.cert").is_bad_input(&["forged.cert"]);
}

/// The parts of "within=shortest": the claim, the proof, and the disproof of less.
#[test]
fn the_shortest_win_needs_both_of_its_parts() {
    let hasami = Hasami::new();
    hasami.solve("quarto position=...0.fd1...2....,c within=shortest --certificate least.cert");
    let whole = parts(&hasami.path("least.cert"));
    assert_eq!(whole.len(), 3);
    let verify = |parts: &[Vec<u8>]| {
        hasami.write("forged.cert", file(parts));
        hasami.run("verify forged.cert")
    };
    verify(&whole).expect(0);
    let [claim, proof, disproof] = &whole[..] else { panic!("three parts") };
    verify(&[claim.clone(), proof.clone()]).expect(1).complains(&["no part disproves less"]);
    verify(&[claim.clone(), disproof.clone(), proof.clone()]).expect(1);
    verify(&[claim.clone(), proof.clone(), proof.clone()]).expect(1);
    verify(&[claim.clone(), disproof.clone()]).expect(1);
    verify(std::slice::from_ref(claim)).is_bad_input(&["no part"]);
    verify(&[claim.clone(), proof.clone(), disproof.clone(), proof.clone()])
        .is_bad_input(&["more parts"]);
    let other = |text: &str| text.as_bytes().to_vec();
    let same = [proof.clone(), disproof.clone()];
    let with = |text: &str| verify(&[&[other(text)], &same[..]].concat());
    with("claim least within\nstep 1\n\n").expect(1);
    with("claim least within\nstep 3\n\n").expect(1);
    with("claim least ask\nstep 2\n\n").expect(1);
    with("claim only-move\n\n").expect(1);
    with("claim most within\nstep 2\n\n").is_bad_input(&["claim"]);
}

/// The certificate of a puzzle says that one move wins, and no other.
#[test]
fn the_only_move_of_a_puzzle_needs_both_of_its_parts() {
    let hasami = Hasami::new();
    hasami
        .run("puzzles make quarto --count 1 --plies 3 --seed 3 -o p.jsonl --certificates certs")
        .expect(0);
    let name = std::fs::read_dir(hasami.path("certs")).unwrap().next().unwrap().unwrap().path();
    let run = hasami.run(&format!("verify {} --output json", name.display())).expect(0);
    assert!(run.stdout.contains("\"claim\":\"only-move\""), "{run:#?}");
    let whole = parts(&name);
    let [claim, proof, others] = &whole[..] else { panic!("three parts") };
    let verify = |parts: &[Vec<u8>]| {
        hasami.write("forged.cert", file(parts));
        hasami.run("verify forged.cert")
    };
    verify(&[claim.clone(), proof.clone()]).expect(1);
    verify(&[claim.clone(), proof.clone(), proof.clone()]).expect(1);
    verify(&[claim.clone(), others.clone(), proof.clone()]).expect(1);
    // Without the word "except" it would say that nothing wins.
    let mut all = Part::parse(others);
    all.header.retain(|line| !line.starts_with("except "));
    verify(&[claim.clone(), proof.clone(), all.bytes()]).expect(1);
}
