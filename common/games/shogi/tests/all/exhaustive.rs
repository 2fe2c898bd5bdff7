//! Questions without a limit against exhaustive search, repetitions included.

use hasami_andor::{Verdict, oracle};
use hasami_shogi::sfen;

use crate::asked::{asked, search};
use crate::random;

#[test]
fn small_questions_have_the_verdict_of_exhaustive_search() {
    let mut random = fastrand::Rng::with_seed(21);
    let (mut mates, mut others) = (0, 0);
    for _ in 0..4000 {
        let position = random::small(&mut random);
        let problem = asked(&position, "any");
        let Ok(answer) = oracle::solve(&problem, 6_000) else { continue };
        let (verdict, _) = search(&problem, 1_000_000);
        assert_eq!(verdict, Some(answer.root), "{}", sfen::write(&position));
        if answer.verdicts.len() > 4 {
            mates += u32::from(answer.root == Verdict::Proven);
            others += u32::from(answer.root == Verdict::Disproven);
        }
    }
    eprintln!("{mates} mates, {others} others");
    assert!(mates > 5 && others > 20, "{mates} mates, {others} others");
}
