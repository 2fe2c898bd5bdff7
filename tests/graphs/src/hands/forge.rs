//! Certificates made to prove what is not so. A tree for one hand is put below a yield of a state with
//! another, and changed at random: it must hold only where it should.

use std::path::Path;

use super::{Hand, Hands, Holding, Truth};
use crate::asked;
use hasami_andor::certificate::{Listener, Sink, Source, Strategy};
use hasami_andor::{Problem, Verdict};
use hasami_game::random::SplitMix;

/// Random changes of each tree.
const CHANGES: usize = 8;

fn holds(game: &Hands, verdict: Verdict, tree: &[u8]) -> bool {
    let mut from = Source::new(tree);
    let checked = game.check(verdict, &mut from, &mut Listener::nobody());
    checked.is_ok() && from.is_at_end() == Ok(true)
}

/// A tree below a yield to this hand.
fn yielding(game: &Hands, to: Hand, tree: &[u8]) -> Vec<u8> {
    let mut bytes = vec![8];
    let mut out = Sink::new(&mut bytes);
    game.put_rank(&game.root(), Hands::rank(to), &mut out);
    out.finish().expect("memory");
    bytes.extend_from_slice(tree);
    bytes
}

/// Tries the tree of the certificate at `file` with every first hand.
pub(super) fn forge(
    game: &Hands,
    truth: &Truth,
    file: &Path,
    random: &mut SplitMix,
) -> Result<(), String> {
    let strategy = Strategy::load(file, game, &asked(game)).map_err(|error| error.to_string())?;
    let (verdict, tree, first) = (strategy.verdict(), strategy.tree(), game.root().hand);
    for hand in game.hands().filter(|&hand| hand != first) {
        let other = game.starting_with(hand);
        let follows = match verdict {
            Verdict::Proven => game.at_least(Hands::rank(hand), Hands::rank(first)),
            Verdict::Disproven => game.at_least(Hands::rank(first), Hands::rank(hand)),
        };
        // A state that the rules settle is a leaf, and a leaf needs no yield; but it may have one.
        let forged = yielding(&other, first, tree);
        if holds(&other, verdict, &forged) != follows {
            return Err(format!("a yield from {hand:?} to {first:?}: it should be {follows}"));
        }
        if truth.verdict(&Holding { node: 0, hand }) == verdict {
            continue;
        }
        for _ in 0..CHANGES {
            let mut forged = if random.below(2) == 0 { tree.to_vec() } else { forged.clone() };
            let at = random.below(forged.len() as u32) as usize;
            match random.below(3) {
                0 => forged[at] = forged[at].wrapping_add(1),
                1 => forged[at] = forged[at].wrapping_sub(1),
                _ => forged[at] = random.word() as u8,
            }
            if holds(&other, verdict, &forged) {
                return Err(format!("a forged tree proves {verdict:?} with {hand:?}"));
            }
        }
    }
    Ok(())
}
