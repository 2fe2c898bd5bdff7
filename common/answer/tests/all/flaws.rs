//! Other solutions of mate problems, counted by the second program of the shogi crate.

#[allow(dead_code, reason = "only a part of the second program is needed")]
#[path = "../../../games/shogi/tests/all/plain.rs"]
mod plain;

use std::path::Path;

use hasami_andor::{Control, Kernel, Problem as _, Verdict};
use hasami_answer::mates::{self, flaws};
use hasami_answer::settle::{Bare, End, Plan, Settled};
use hasami_answer::{JobError, entry};
use hasami_game::{DEFAULT_EVALUATION, Game as _, Resources};
use hasami_shogi::solution::{Wanted, solution};
use hasami_shogi::{Shogi, sfen};
use hasami_spec::{ParamError, Params};

const SET: &str = include_str!("../../../games/shogi/tests/data/mates.sfen");

#[derive(Debug)]
enum Trouble {
    Param(#[allow(dead_code, reason = "shown if it happens")] ParamError),
    Job(#[allow(dead_code, reason = "shown if it happens")] JobError),
}

impl From<ParamError> for Trouble {
    fn from(error: ParamError) -> Self {
        Self::Param(error)
    }
}

fn settle(params: &Params, directory: &Path) -> Result<Settled, JobError> {
    let plan = Plan {
        kernel: Kernel::Dfpn,
        options: &|advice| advice,
        table_mib: 16,
        place: &|name, below| directory.join(format!("{}{name}", below.map_or("", |_| "below-"))),
        details: false,
        resources: &Resources::default(),
        evaluation: DEFAULT_EVALUATION,
    };
    let rules = entry("shogi").expect("shogi").rules.expect("rules");
    rules.settle(params, &plan, &Control::with_budget(1_000_000), &mut Bare)
}

/// At every check of the line, as many others mate in time as the second program counts.
#[test]
fn as_many_checks_mate_as_the_second_program_counts() {
    let directory = tempfile::tempdir().expect("a directory");
    let (mut compared, mut flawed) = (0, 0);
    let lines = SET.lines().filter(|line| !line.starts_with('#') && !line.ends_with('-'));
    for line in lines.step_by(3) {
        let (text, length) = line.split_once('\t').expect("a position and a length");
        let length: u32 = length.parse().expect("a length");
        if length > 5 {
            continue;
        }
        let given = [("position", text), ("within", &length.to_string())];
        let params = Shogi::SPEC.read(&given).expect("a question");
        let settled = settle(&params, directory.path()).expect("an answer");
        let End::Claim(claim) = settled.end else { panic!("{line}: open") };
        let (problem, strategy) = mates::open(&claim.certified.file).expect("a proof");
        let control = Control::unlimited();
        let wanted = Wanted { nodes: 100_000, variations: 0 };
        let found = solution(&problem, &strategy, &control, wanted).expect("a solution");
        if !found.exact || found.without_futile != length {
            continue;
        }
        let flaws = flaws::find(&problem, &found, flaws::Within::Same, &mut |params| {
            settle(params, directory.path()).map(Some).map_err(Trouble::Job)
        })
        .expect("flaws");
        assert!(flaws.open.is_empty(), "{line}");
        let mut state = problem.root();
        for (at, &mv) in found.line.iter().enumerate() {
            if state.turn() == problem.attacker() {
                let left = u32::try_from(found.line.len() - at).expect("a length");
                let (here, after) = (sfen::write(&state), sfen::write(&state.play(mv)));
                let counted = plain::mating_checks(&here, &after, left, 20_000);
                if let Ok((count, main)) = counted {
                    // With every interposition counted the line itself may take longer.
                    let expected = count - usize::from(main);
                    let others = flaws.mates.iter().filter(|mate| mate.other.ply == at + 1).count();
                    assert_eq!(others, expected, "{line} at ply {}", at + 1);
                    compared += 1;
                    flawed += usize::from(others > 0);
                }
            }
            state = state.play(mv);
        }
        for mate in &flaws.mates {
            let (_, strategy) = mates::open(&mate.certificate).expect("a certificate that holds");
            assert_eq!(strategy.verdict(), Verdict::Proven);
        }
    }
    assert!(compared > 15 && flawed > 3, "{compared} {flawed}");
}
