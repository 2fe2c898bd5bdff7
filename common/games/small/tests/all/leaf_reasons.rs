//! Two leaves with one key and different reasons: extraction and verification must agree on which.

use hasami_andor::certificate::{Header, extract, verify};
use hasami_andor::problem::BadState;
use hasami_andor::*;

/// 0: all of [to 1, elsewhere to 2 (opens what its zone says)]; 2: one of [3]; 1 and 3 are leaves
/// with one key; 4 and 5: one of [6]; 6: a leaf.
struct Zoned;
impl Problem for Zoned {
    type State = u8;
    type Move = u8;
    type Reason = u64;
    fn id(&self) -> ProblemId {
        ProblemId::new("zoned", 1, "")
    }
    fn root(&self) -> u8 {
        0
    }
    fn turn(&self, s: &u8) -> Turn {
        if *s == 0 { Turn::And } else { Turn::Or }
    }
    fn expand(&self, s: &u8, moves: &mut Moves<u8>) -> Expansion {
        match s {
            0 => {
                moves.push(1);
                moves.push_opening(2, Numbers::UNKNOWN)
            }
            2 => moves.push(3),
            4 | 5 => moves.push(6),
            _ => return Expansion::Settled(Verdict::Proven),
        }
        Expansion::Open
    }
    fn play(&self, _: &u8, mv: u8) -> u8 {
        mv
    }
    fn key(&self, s: &u8) -> Key {
        Key::mixed(if *s == 3 { 1 } else { (*s).into() })
    }
    fn encode(&self, s: &u8, out: &mut Vec<u8>) {
        out.push(*s)
    }
    fn decode(&self, b: &[u8]) -> Result<u8, BadState> {
        Ok(b[0])
    }
    fn open(&self, _: &u8, mv: u8, reason: Option<u64>, moves: &mut Moves<u8>) {
        let zone = reason.unwrap_or(u64::MAX);
        if mv == 2 {
            (4..=5).filter(|c| zone >> c & 1 == 1).for_each(|c| moves.push(c))
        }
    }
    fn reason(&self, s: &u8, _: Verdict, basis: &[(u8, u64)]) -> u64 {
        match s {
            1 => 1 << 4,
            3 => 1 << 5,
            _ => basis.iter().fold(0, |z, b| z | b.1),
        }
    }
    fn show(&self, s: &u8) -> String {
        s.to_string()
    }
    fn show_move(&self, _: &u8, mv: u8) -> String {
        mv.to_string()
    }
}

#[test]
fn leaves_that_share_a_key_may_have_different_reasons() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x");
    let header = Header {
        question: "x".into(),
        problem: Zoned.id(),
        verdict: Verdict::Proven,
        root: vec![0],
    };
    extract(&Zoned, &Table::with_entries(64, false), &Control::unlimited(), &header, &file)
        .unwrap();
    verify(&file, &Zoned).map_err(|e| e.to_string()).unwrap();
}
