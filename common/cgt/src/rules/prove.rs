//! Checks the value of a position by play alone: the definition of `<=` on positions and options.
//! It makes no canonical forms, adds nothing, and has no memory but that of the proof itself.

use rustc_hash::FxHashMap;

use super::{Rules, Unvalued};
use crate::budget::Exhausted;
use crate::games::{Games, Value};

/// The claim that the position is at most, or at least, the value.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Claim<P> {
    AtMost(P, Value),
    AtLeast(P, Value),
}

/// Whether the position has this value, shown by play in both directions; and the number of claims.
///
/// `P <= v` unless some `P^L >= v` or some `v^R <= P`; and the other way round.
pub fn is_worth<R: Rules>(
    games: &mut Games,
    rules: &R,
    position: &R::Position,
    value: Value,
    most: usize,
) -> Result<(bool, usize), Unvalued> {
    let mut proof = Proof { rules, known: FxHashMap::default(), most };
    let holds = proof.holds(games, Claim::AtMost(position.clone(), value))?
        && proof.holds(games, Claim::AtLeast(position.clone(), value))?;
    Ok((holds, proof.known.len()))
}

struct Proof<'a, R: Rules> {
    rules: &'a R,
    /// `None` while a claim is in progress.
    known: FxHashMap<Claim<R::Position>, Option<bool>>,
    most: usize,
}

impl<R: Rules> Proof<'_, R> {
    fn holds(&mut self, games: &mut Games, claim: Claim<R::Position>) -> Result<bool, Unvalued> {
        let mut stack = vec![(claim.clone(), None::<Vec<Claim<R::Position>>>)];
        while let Some((top, refuting)) = stack.last_mut() {
            if let Some(Some(_)) = self.known.get(top) {
                stack.pop();
                continue;
            }
            let refuting = match refuting {
                Some(refuting) => refuting,
                None => {
                    if self.known.insert(top.clone(), None).is_some() {
                        return Err(Unvalued::Loopy);
                    }
                    if self.known.len() > self.most {
                        return Err(Exhausted { limit: self.most as u64 }.into());
                    }
                    refuting.insert(self.refuting(games, top)?)
                }
            };
            // Any one of them that holds refutes the claim.
            let mut next = None;
            let mut answer = Some(true);
            while let Some(last) = refuting.last() {
                match self.known.get(last) {
                    Some(Some(true)) => {
                        answer = Some(false);
                        break;
                    }
                    Some(Some(false)) => drop(refuting.pop()),
                    Some(None) => return Err(Unvalued::Loopy),
                    None => {
                        next = Some(last.clone());
                        answer = None;
                        break;
                    }
                }
            }
            match (answer, next) {
                (Some(answer), _) => {
                    self.known.insert(top.clone(), Some(answer));
                    stack.pop();
                }
                (None, Some(next)) => stack.push((next, None)),
                (None, None) => unreachable!("an answer, or a claim to look at first"),
            }
        }
        Ok(self.known.get(&claim).copied().flatten().expect("a claim just looked at"))
    }

    fn refuting(
        &self,
        games: &mut Games,
        claim: &Claim<R::Position>,
    ) -> Result<Vec<Claim<R::Position>>, Unvalued> {
        Ok(match claim {
            Claim::AtMost(position, value) => {
                let moves = self.rules.left_moves(position).into_iter();
                let mut all: Vec<_> = moves.map(|next| Claim::AtLeast(next, *value)).collect();
                let options = games.right(*value)?.into_iter();
                all.extend(options.map(|option| Claim::AtLeast(position.clone(), option)));
                all
            }
            Claim::AtLeast(position, value) => {
                let moves = self.rules.right_moves(position).into_iter();
                let mut all: Vec<_> = moves.map(|next| Claim::AtMost(next, *value)).collect();
                let options = games.left(*value)?.into_iter();
                all.extend(options.map(|option| Claim::AtMost(position.clone(), option)));
                all
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::clobber::{Clobber, ClobberBoard};
    use super::super::toads::{Strip, Toads};
    use super::*;
    use crate::evaluate;

    const MOST: usize = 1_000_000;

    #[test]
    fn values_found_by_canonical_forms_are_proven_by_play_and_others_are_not() {
        let mut games = Games::new();
        let star = games.star(1).unwrap();
        let words = |length: u32, signs: [char; 3]| {
            (0..3_u32.pow(length)).map(move |mut number| {
                let sign = |_| {
                    let sign = signs[(number % 3) as usize];
                    number /= 3;
                    sign
                };
                (0..length).map(sign).collect::<String>()
            })
        };
        for length in 1..=6 {
            for text in words(length, ['x', 'o', '.']) {
                let board = ClobberBoard::parse(&text).unwrap();
                let value = evaluate(&mut games, &Clobber, &board).unwrap();
                assert!(is_worth(&mut games, &Clobber, &board, value, MOST).unwrap().0, "{text}");
                let wrong = games.add(value, star).unwrap();
                assert!(!is_worth(&mut games, &Clobber, &board, wrong, MOST).unwrap().0, "{text}");
            }
            for text in words(length, ['T', 'F', '.']) {
                let strip = Strip::parse(&text).unwrap();
                let value = evaluate(&mut games, &Toads, &strip).unwrap();
                assert!(is_worth(&mut games, &Toads, &strip, value, MOST).unwrap().0, "{text}");
                let wrong = games.add(value, star).unwrap();
                assert!(!is_worth(&mut games, &Toads, &strip, wrong, MOST).unwrap().0, "{text}");
            }
        }
    }
}
