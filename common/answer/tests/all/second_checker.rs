//! The checker in another language, `tests/checker/check.py`, against ours: on certificates of every
//! game and every claim, and on every small change of small ones. The two must agree on each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use hasami_andor::certificate::{Header, Source, Verified};
use hasami_andor::{Control, Kernel};
use hasami_answer::registry::entry;
use hasami_answer::settle::{Bare, End, Plan};
use hasami_answer::{CheckError, Opened};
use hasami_forge::{Part, forgeries, parts};
use hasami_game::{DEFAULT_EVALUATION, Resources};

/// Questions with small certificates: each game, both verdicts, each rule that matters.
const QUESTIONS: &str = "\
chomp rows=2 columns=3
chomp rows=3 columns=3
chomp rows=1 columns=1
quarto position=.1.0.fd.6..2.e..,c within=3
quarto position=...0.fd1...2....,c within=1
quarto position=.1.0.fd.6..2.e..,7 ask=not-lose within=2
mancala pits=2 seeds=1
mancala pits=2 seeds=2 goal=own
mancala pits=3 position=1,0,1/1,1,0:second ask=not-lose
mancala position=1,0,1,1,1,0/0,1,0,1,0,1:first within=3
mancala pits=2 seeds=2 replies=pass within=5
pyonpyon rows=1 columns=5 home=2
pyonpyon rows=2 columns=4 home=1
pyonpyon rows=2 columns=5 home=1 no-move=loses ask=not-lose
pyonpyon rows=2 columns=5 home=2 no-move=draw within=6
graph nodes=60 leaves=0.15 seed=4
graph nodes=60 leaves=0.15 seed=10
graph nodes=80 shape=cyclic sharing=0.3 leaves=0.15 repetition=disproven seed=0
graph nodes=80 shape=cyclic sharing=0.3 leaves=0.15 repetition=proven seed=1
graph nodes=80 shape=cyclic sharing=0.3 leaves=0.15 repetition=disproven turns=random seed=9
synthetic depth=4 branching=3 seed=1
synthetic depth=6 branching=2 width=6 knots=0.3 leaves=0.1 seed=2
mnk width=3 height=3 line=3
mnk width=4 height=2 line=3
mnk width=3 height=2 line=3
mnk width=4 height=4 line=3
polyomino Elly board=4x4 game=weak stones=4
polyomino Elly stones=4
polyomino Tic board=3x3 stones=5
polyomino Tic board=4x4 stones=3
polyomino Square board=3x3 stones=4
polyomino Square board=4x4 game=weak stones=5
polyomino Square W stones=5
polyomino Z U stones=5
polyomino Tippy stones=5 game=weak
polyomino Square I
paving Elly board=3x3 pairs=any
paving Elly board=3x3 pairs=adjacent
paving Tic board=4x4 pairs=adjacent
paving I L board=5x5 pairs=any
shogi position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p
shogi position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p within=3
shogi position=8k/9/7G1/9/R8/9/9/9/9_b_2p within=9
shogi position=8k/7G1/8G/9/9/9/9/9/9_w_- attacker=other
shogi position=6+N2/8k/9/6R1+S/8n/9/9/2K6/9_b_BN within=3
shogi position=8k/9/8P/9/9/9/9/9/9_b_GP
";

/// Mutants of one certificate that are tried at most, evenly spread over all.
const MOST: usize = 9_000;

fn python() -> Option<&'static str> {
    let works = |python: &&str| {
        let module =
            ["-c", "try:\n import compression.zstd\nexcept ImportError:\n import zstandard"];
        Command::new(python).args(module).output().is_ok_and(|output| output.status.success())
    };
    ["python3", "/usr/bin/python3"].into_iter().find(works)
}

fn checker() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/checker/check.py")
}

/// Solves a question; returns its certificate.
fn certificate(question: &str, directory: &Path) -> PathBuf {
    let mut words = question.split(' ');
    let entry = entry(words.next().unwrap()).unwrap();
    let given = entry.spec.read_words(words).unwrap();
    let params = entry.spec.read(&given).unwrap();
    let plan = Plan {
        kernel: Kernel::Dfpn,
        options: &|advice| advice,
        table_mib: 64,
        place: &|name, below| {
            directory.join(format!("{}-{name}", below.map_or(String::new(), |at| at.to_string())))
        },
        details: false,
        resources: &Resources::default(),
        evaluation: DEFAULT_EVALUATION,
    };
    let rules = entry.rules.unwrap();
    let settled = rules.settle(&params, &plan, &Control::unlimited(), &mut Bare).unwrap();
    match settled.end {
        End::Claim(claim) => claim.certified.file,
        end => panic!("{question}: {end:?}"),
    }
}

fn verified(file: &Path) -> Result<Verified, CheckError> {
    let opened = Opened::open(file)?;
    let rules = opened.entry.rules.unwrap();
    Ok(rules.verify(&opened, None, &Resources::default())?.0)
}

#[test]
fn both_checkers_accept_certificates_of_every_game_and_claim() {
    let Some(python) = python() else { panic!("no Python with a zstd module: run .ci/setup") };
    let directory = tempfile::tempdir().unwrap();
    let claims = "\
quarto position=...0.fd1...2....,c within=shortest
mancala position=1,0,1,1,1,0/0,1,0,1,0,1:first within=shortest
pyonpyon position=GG.SG..SS/GGGS..SS./GGSG..S.S:first no-move=loses within=shortest
polyomino Tic board=4x4
polyomino Elly board=smallest
polyomino I L stones=8
paving I ZZ board=6x6
mnk width=4 height=4 line=4
shogi position=8k/9/7G1/9/R8/9/9/9/9_b_2p within=shortest
";
    for question in QUESTIONS.lines().chain(claims.lines()) {
        let file = certificate(question, directory.path());
        verified(&file).unwrap_or_else(|error| panic!("{question}: {error}"));
        let second = Command::new(python).arg(checker()).arg(&file).output().unwrap();
        assert!(second.status.success(), "{question}: {}", String::from_utf8_lossy(&second.stdout));
    }
}

/// What our checker says of parts, each with its header.
fn ours(mutants: &[Vec<u8>]) -> Vec<bool> {
    let mut answers = vec![false; mutants.len()];
    let mut by_header: BTreeMap<String, Vec<(usize, &[u8])>> = BTreeMap::new();
    for (at, mutant) in mutants.iter().enumerate() {
        if let Ok(text) = Source::new(&mutant[..]).header() {
            let tree = &mutant[text.len() + 1..];
            by_header.entry(text).or_default().push((at, tree));
        }
    }
    for (text, trees) in by_header {
        let Ok(header) = Header::parse(&text) else { continue };
        let Some(rules) = entry(&header.asked.game).ok().and_then(|entry| entry.rules) else {
            continue;
        };
        let mut bytes = trees.iter().map(|(_, tree)| *tree);
        if let Ok(checked) = rules.check_trees(&header, &mut bytes, &Resources::default()) {
            for ((at, _), checked) in trees.iter().zip(checked) {
                answers[*at] = checked.is_ok();
            }
        }
    }
    answers
}

/// What the other checker says.
fn theirs(python: &str, mutants: &[Vec<u8>], directory: &Path) -> Vec<String> {
    let mut bytes = Vec::new();
    for mutant in mutants {
        let mut length = mutant.len();
        while length >= 0x80 {
            bytes.push(length as u8 | 0x80);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend(mutant);
    }
    let file = directory.join("mutants");
    std::fs::write(&file, bytes).unwrap();
    let output = Command::new(python).arg(checker()).arg("--parts").arg(&file).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), mutants.len(), "{}", String::from_utf8_lossy(&output.stderr));
    lines.lines().map(str::to_string).collect()
}

#[test]
fn both_checkers_agree_on_every_forgery() {
    let Some(python) = python() else { panic!("no Python with a zstd module: run .ci/setup") };
    let directory = tempfile::tempdir().unwrap();
    let (mut mutants, mut names) = (Vec::new(), Vec::new());
    for question in QUESTIONS.lines() {
        let file = certificate(question, directory.path());
        let part = Part::parse(&parts(&file)[0]);
        let all = forgeries(&part);
        let step = all.len().div_ceil(MOST);
        for (what, forged) in all.into_iter().step_by(step) {
            mutants.push(forged.bytes());
            names.push(format!("{question}: {what}"));
        }
        // And without any knowledge of the format: single bytes.
        let bytes = part.bytes();
        let step = bytes.len().div_ceil(700);
        for at in (0..bytes.len()).step_by(step) {
            for value in
                [0, 1, 2, 3, 5, bytes[at] ^ 1, bytes[at] ^ 2, bytes[at] ^ 4, bytes[at] ^ 0x80]
            {
                let mut mutant = bytes.clone();
                mutant[at] = value;
                mutants.push(mutant);
                names.push(format!("{question}: byte {at} is {value}"));
            }
            let mut mutant = bytes.clone();
            mutant.remove(at);
            mutants.push(mutant);
            names.push(format!("{question}: byte {at} left out"));
        }
    }
    let (ours, theirs) = (ours(&mutants), theirs(python, &mutants, directory.path()));
    let mut differ = String::new();
    let mut accepted = 0;
    for ((name, ours), theirs) in names.iter().zip(&ours).zip(&theirs) {
        accepted += usize::from(*ours);
        if *ours != (theirs == "ok") {
            writeln!(
                differ,
                "{name}: we {}, they: {theirs}",
                if *ours { "accept" } else { "refuse" }
            )
            .unwrap();
        }
    }
    let shown: Vec<&str> = differ.lines().take(400).collect();
    let count = differ.lines().count();
    assert!(count == 0, "{count} of {} differ:\n{}", names.len(), shown.join("\n"));
    // Many forgeries are still proofs (a larger slack, another good move), but most are not.
    println!("{} forgeries, {accepted} of them still proofs", names.len());
    assert!(names.len() > 100_000 && accepted < names.len() / 4, "{} {accepted}", names.len());
}
