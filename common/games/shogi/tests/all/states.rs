//! Bytes of states and moves, keys and ranks.

use hasami_andor::problem::all_moves;
use hasami_andor::{Expansion, Moves, Problem, Verdict};
use hasami_game::Game;
use hasami_shogi::{Position, Shogi, sfen};
use hasami_spec::Params;

use crate::asked::{asked, settle};
use crate::random;

fn encoded(problem: &Shogi, state: &Position) -> Vec<u8> {
    let mut bytes = Vec::new();
    problem.encode(state, &mut bytes);
    bytes
}

fn question(given: &[(&str, &str)]) -> Result<Shogi, String> {
    let params = Shogi::SPEC.read(given).map_err(|wrong| wrong.to_string())?;
    Shogi::from_params(&params).map_err(|wrong| wrong.to_string())
}

#[test]
fn states_survive_their_bytes_and_damaged_ones_are_refused_or_whole() {
    let mut random = fastrand::Rng::with_seed(11);
    for round in 0..300 {
        let problem =
            asked(&random::problem(&mut random), if round % 2 == 0 { "any" } else { "9" });
        let mut state = problem.root();
        for _ in 0..8 {
            let bytes = encoded(&problem, &state);
            assert_eq!(problem.decode(&bytes), Ok(state), "{}", sfen::write(&state));
            let mut wrong = bytes.clone();
            let at = random.usize(..wrong.len());
            wrong[at] ^= 1 << random.u8(..8);
            if let Ok(other) = problem.decode(&wrong) {
                assert_eq!(encoded(&problem, &other), wrong);
                all_moves(&problem, &other, &mut Moves::new());
            }
            assert!(problem.decode(&bytes[..bytes.len() - 1]).is_err());
            let mut moves = Moves::new();
            if all_moves(&problem, &state, &mut moves) != Expansion::Open {
                break;
            }
            let list: Vec<_> = moves.iter().collect();
            for &mv in &list {
                assert_eq!(problem.key_after(&state, mv), problem.key(&problem.play(&state, mv)));
            }
            state = problem.play(&state, list[random.usize(..list.len())]);
        }
    }
}

/// All moves of the rules, hidden ones included, each once.
#[test]
fn hidden_moves_complete_the_legal_ones() {
    let mut random = fastrand::Rng::with_seed(12);
    let mut hidden = 0;
    for _ in 0..2000 {
        let problem = asked(&random::problem(&mut random), "any");
        let mut state = problem.root();
        for _ in 0..5 {
            let mut legal = Vec::new();
            if state.turn() == problem.attacker() {
                state.checks(&mut legal);
            } else {
                state.legal_moves(&mut legal);
            }
            let mut moves = Moves::new();
            if problem.expand(&state, &mut moves) != Expansion::Open {
                break;
            }
            let listed = moves.len();
            all_moves(&problem, &state, &mut moves);
            hidden += moves.len() - listed;
            let mut all: Vec<_> = moves.iter().collect();
            all.sort_unstable();
            legal.sort_unstable();
            assert_eq!(all, legal, "{}", sfen::write(&state));
            state = problem.play(&state, all[random.usize(..all.len())]);
        }
    }
    assert!(hidden > 1000, "{hidden}");
}

#[test]
fn evaluation_settles_only_what_the_rules_settle() {
    let mut random = fastrand::Rng::with_seed(13);
    for round in 0..2000 {
        let within = ["any", "1", "3", "5"][round % 4];
        let problem = asked(&random::problem(&mut random), within);
        let mut state = problem.root();
        for _ in 0..6 {
            let mut moves = Moves::new();
            let expansion = all_moves(&problem, &state, &mut moves);
            if let Some(verdict) = problem.evaluate(&state).verdict() {
                assert_eq!(expansion, Expansion::Settled(verdict), "{}", sfen::write(&state));
            }
            if let Expansion::Settled(verdict) = expansion {
                let rule = problem.rule(&state);
                let proven = matches!(rule, 1 | 4);
                assert_eq!(verdict == Verdict::Proven, proven, "rule {rule}");
                assert_eq!(problem.rest(&state).is_some(), proven);
                break;
            }
            assert_eq!(problem.rule(&state), 0);
            let list: Vec<_> = moves.iter().collect();
            state = problem.play(&state, list[random.usize(..list.len())]);
        }
    }
}

#[test]
fn questions_can_be_asked_in_several_spellings() {
    let plain = "8k/9/8G/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1";
    let one = question(&[("position", plain)]).unwrap();
    let spaced = plain.replace(' ', "_");
    for given in [
        vec![("position", spaced.as_str())],
        vec![("position", "sfen 8k/9/8G/9/9/9/9/9/9 b G2r2b2g4s4n4l18p")],
        vec![("position", "8k/9/8G/9/9/9/9/9/9 b G"), ("fill-hand", "yes")],
        vec![("position", plain), ("within", "none")],
    ] {
        assert_eq!(question(&given).unwrap().id(), one.id(), "{given:?}");
    }
    for other in
        [vec![("position", "8k/9/8G/9/9/9/9/9/9 b G")], vec![("position", plain), ("within", "3")]]
    {
        assert_ne!(question(&other).unwrap().id(), one.id(), "{other:?}");
    }
    let wrong = question(&[("position", plain), ("within", "0")]).unwrap_err();
    assert_eq!(wrong, "within=0: expected any, shortest, or a whole number from 1 to 2000");
    let params = Params::new(Shogi::params(), &[("within", "shortest")]).unwrap();
    let second = Shogi::SPEC.stage(&params, 1).unwrap().unwrap();
    assert_eq!(second.text("within"), Ok("3"));
}

/// The defender to move: mated in two plies after every reply, or not.
#[test]
fn the_defender_may_be_to_move() {
    // After G*2b White is mated; with a silver that takes it, not.
    let given = [
        ("position", "8k/7G1/8G/9/9/9/9/9/9 w 2r2b2g4s4n4l18p 1"),
        ("attacker", "other"),
        ("within", "2"),
    ];
    let mated = question(&given).unwrap();
    assert_eq!(settle(&mated, &mated.root()).0, Verdict::Proven);
    let given = [
        ("position", "7sk/7G1/8G/9/9/9/9/9/9 w 2r2b2g3s4n4l18p 1"),
        ("attacker", "other"),
        ("within", "2"),
    ];
    let saved = question(&given).unwrap();
    assert_eq!(settle(&saved, &saved.root()).0, Verdict::Disproven);
    // Not in check: every legal move counts. A lone king in the corner is mated after any of them.
    let given = [
        ("position", "8k/9/6R2/9/9/9/9/9/9 w R2b4g4s4n4l18p 1"),
        ("attacker", "other"),
        ("within", "2"),
    ];
    let quiet = question(&given).unwrap();
    assert_eq!(settle(&quiet, &quiet.root()).0, Verdict::Disproven);
}
