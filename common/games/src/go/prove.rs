//! Whether a board is worth a value, by play alone: the definition of `<=` on boards and options of the
//! value. It shares the rules with the search for values, and nothing else: no parts, no normal forms, no
//! moves left out, no canonical forms made.

use std::collections::HashMap;

use hasami_cgt::{Games, Value};

use super::board::{Board, Colour, Suicide};
use super::territory::territory;
use super::value::Unvalued;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Claim {
    AtMost(Board, Value),
    AtLeast(Board, Value),
    /// Nobody gains by moving, so that the board is worth its territory.
    Quiet(Board),
}

/// What has to be known first.
enum Step {
    Known(bool),
    Needs(Claim),
}

/// Whether the board is worth the value, and how many claims it took.
///
/// # Errors
/// When play repeats on the way, or more than `most` claims are needed: then nothing is shown.
pub fn is_worth(
    games: &mut Games,
    board: &Board,
    value: Value,
    suicide: Suicide,
    most: usize,
) -> Result<(bool, usize), Unvalued> {
    let mut proof = Proof { suicide, known: HashMap::new(), most };
    let holds = proof.holds(games, Claim::AtMost(board.clone(), value))?
        && proof.holds(games, Claim::AtLeast(board.clone(), value))?;
    Ok((holds, proof.known.len()))
}

struct Proof {
    suicide: Suicide,
    /// Nothing while it is under way.
    known: HashMap<Claim, Option<bool>>,
    most: usize,
}

impl Proof {
    fn holds(&mut self, games: &mut Games, claim: Claim) -> Result<bool, Unvalued> {
        let mut stack = vec![claim.clone()];
        while let Some(top) = stack.last() {
            if let Some(Some(_)) = self.known.get(top) {
                stack.pop();
                continue;
            }
            self.known.insert(top.clone(), None);
            if self.known.len() > self.most {
                return Err(Unvalued::TooLarge { limit: self.most });
            }
            match self.step(games, top)? {
                Step::Known(answer) => {
                    self.known.insert(top.clone(), Some(answer));
                    stack.pop();
                }
                Step::Needs(next) if self.known.contains_key(&next) => return Err(Unvalued::Loopy),
                Step::Needs(next) => stack.push(next),
            }
        }
        Ok(self.known.get(&claim).copied().flatten().expect("a claim just looked at"))
    }

    /// The first claim that is not known, or whether all of `claims` fail.
    fn none_of(&self, claims: impl IntoIterator<Item = Claim>) -> Step {
        for claim in claims {
            match self.known.get(&claim) {
                Some(Some(true)) => return Step::Known(false),
                Some(Some(false)) => {}
                _ => return Step::Needs(claim),
            }
        }
        Step::Known(true)
    }

    fn step(&self, games: &mut Games, claim: &Claim) -> Result<Step, Unvalued> {
        match claim {
            Claim::Quiet(board) => {
                let stop = games.integer(territory(board))?;
                let mut all = self.moves(games, board, Colour::Black, stop)?;
                all.extend(self.moves(games, board, Colour::White, stop)?);
                Ok(self.none_of(all))
            }
            Claim::AtMost(board, value) => {
                if let Some(step) =
                    self.stopped(games, board, |games, stop| games.le(stop, *value))?
                {
                    return Ok(step);
                }
                let mut all = self.moves(games, board, Colour::Black, *value)?;
                let options = games.right(*value)?.into_iter();
                all.extend(options.map(|option| Claim::AtLeast(board.clone(), option)));
                Ok(self.none_of(all))
            }
            Claim::AtLeast(board, value) => {
                if let Some(step) =
                    self.stopped(games, board, |games, stop| games.le(*value, stop))?
                {
                    return Ok(step);
                }
                let mut all = self.moves(games, board, Colour::White, *value)?;
                let options = games.left(*value)?.into_iter();
                all.extend(options.map(|option| Claim::AtMost(board.clone(), option)));
                Ok(self.none_of(all))
            }
        }
    }

    /// What follows if the board is quiet; nothing if it is not.
    fn stopped(
        &self,
        games: &mut Games,
        board: &Board,
        compare: impl Fn(&mut Games, Value) -> Result<bool, hasami_cgt::Exhausted>,
    ) -> Result<Option<Step>, Unvalued> {
        let quiet = Claim::Quiet(board.clone());
        match self.known.get(&quiet) {
            Some(Some(true)) => {
                let stop = games.integer(territory(board))?;
                Ok(Some(Step::Known(compare(games, stop)?)))
            }
            Some(Some(false)) => Ok(None),
            _ => Ok(Some(Step::Needs(quiet))),
        }
    }

    /// That a move of the colour leads to at least the value, for White to at most it.
    fn moves(
        &self,
        games: &mut Games,
        board: &Board,
        colour: Colour,
        value: Value,
    ) -> Result<Vec<Claim>, Unvalued> {
        let mut claims = Vec::new();
        for point in board.empty() {
            let Ok(played) = board.play(colour, point, self.suicide) else { continue };
            let prisoners = games.integer(-played.prisoners)?;
            let rest = games.add(value, prisoners)?;
            claims.push(match colour {
                Colour::Black => Claim::AtLeast(played.board, rest),
                Colour::White => Claim::AtMost(played.board, rest),
            });
        }
        Ok(claims)
    }
}
