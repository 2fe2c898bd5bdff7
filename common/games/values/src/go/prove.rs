//! Proves that a board has a value by play alone: the definition of `<=` on boards and options of
//! the value. It shares only the rules with the search for values: no parts, no normal forms, no
//! pruned moves, no canonical forms.

use std::collections::HashMap;

use hasami_cgt::{Exhausted, Games, Value};

use super::board::{Board, Colour, Suicide};
use super::territory::territory;
use super::value::Unvalued;

/// A board by its number in the proof.
type Number = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Claim {
    AtMost(Number, Value),
    AtLeast(Number, Value),
    /// Neither player gains by moving, so that the board is worth its territory.
    Quiet(Number),
}

/// Whether the board has the value, and the number of claims needed.
///
/// # Errors
/// If play repeats on the way, or more than `most` claims are needed: then nothing is proven.
pub fn is_worth(
    games: &mut Games,
    board: &Board,
    value: Value,
    suicide: Suicide,
    most: usize,
) -> Result<(bool, usize), Unvalued> {
    let mut proof = Proof {
        suicide,
        numbers: HashMap::new(),
        boards: Vec::new(),
        moves: HashMap::new(),
        known: HashMap::new(),
        most,
    };
    let number = proof.number(board.clone());
    let holds = proof.holds(games, Claim::AtMost(number, value))?
        && proof.holds(games, Claim::AtLeast(number, value))?;
    Ok((holds, proof.known.len()))
}

struct Proof {
    suicide: Suicide,
    numbers: HashMap<Board, Number>,
    boards: Vec<Board>,
    /// The results of the moves of a colour, with the prisoners.
    moves: HashMap<(Number, Colour), Vec<(Number, i64)>>,
    /// `None` while the claim is in progress.
    known: HashMap<Claim, Option<bool>>,
    most: usize,
}

/// A claim in progress, with the claims that would refute it, once they are known.
struct Frame {
    claim: Claim,
    refuting: Option<Vec<Claim>>,
}

impl Proof {
    fn number(&mut self, board: Board) -> Number {
        let next = self.boards.len() as Number;
        let number = *self.numbers.entry(board.clone()).or_insert(next);
        if number == next {
            self.boards.push(board);
        }
        number
    }

    fn holds(&mut self, games: &mut Games, claim: Claim) -> Result<bool, Unvalued> {
        if let Some(Some(answer)) = self.known.get(&claim) {
            return Ok(*answer);
        }
        let mut stack = Vec::new();
        self.begin(claim, &mut stack)?;
        while let Some(frame) = stack.last_mut() {
            let claim = frame.claim;
            let refuting = match &mut frame.refuting {
                Some(refuting) => refuting,
                None => match self.quiet(games, claim)? {
                    Quiet::Ask(next) => {
                        self.begin(next, &mut stack)?;
                        continue;
                    }
                    Quiet::Answer(answer) => {
                        self.known.insert(claim, Some(answer));
                        stack.pop();
                        continue;
                    }
                    Quiet::Not => frame.refuting.insert(self.refuting(games, claim)?),
                },
            };
            // Any one of them that holds refutes the claim.
            let mut answer = Some(true);
            while let Some(&last) = refuting.last() {
                match self.known.get(&last) {
                    Some(Some(true)) => {
                        answer = Some(false);
                        break;
                    }
                    Some(Some(false)) => drop(refuting.pop()),
                    Some(None) => return Err(Unvalued::Loopy),
                    None => {
                        answer = None;
                        self.begin(last, &mut stack)?;
                        break;
                    }
                }
            }
            if let Some(answer) = answer {
                self.known.insert(claim, Some(answer));
                stack.pop();
            }
        }
        Ok(self.known.get(&claim).copied().flatten().expect("a claim just looked at"))
    }

    fn begin(&mut self, claim: Claim, stack: &mut Vec<Frame>) -> Result<(), Unvalued> {
        if self.known.insert(claim, None).is_some() {
            return Err(Unvalued::Loopy);
        }
        if self.known.len() > self.most {
            return Err(Unvalued::TooLarge { limit: self.most });
        }
        stack.push(Frame { claim, refuting: None });
        Ok(())
    }

    /// Whether the board is quiet, which answers a claim about its value.
    fn quiet(&self, games: &mut Games, claim: Claim) -> Result<Quiet, Exhausted> {
        let board = match claim {
            Claim::AtMost(board, _) | Claim::AtLeast(board, _) => board,
            Claim::Quiet(_) => return Ok(Quiet::Not),
        };
        match self.known.get(&Claim::Quiet(board)) {
            Some(Some(false)) => Ok(Quiet::Not),
            Some(Some(true)) => {
                let stop = games.integer(territory(&self.boards[board as usize]))?;
                Ok(Quiet::Answer(match claim {
                    Claim::AtMost(_, value) => games.le(stop, value)?,
                    Claim::AtLeast(_, value) => games.le(value, stop)?,
                    Claim::Quiet(_) => true,
                }))
            }
            _ => Ok(Quiet::Ask(Claim::Quiet(board))),
        }
    }

    /// `P <= v` unless some `P^L >= v` or some `v^R <= P`; and vice versa.
    fn refuting(&mut self, games: &mut Games, claim: Claim) -> Result<Vec<Claim>, Unvalued> {
        match claim {
            Claim::Quiet(board) => {
                let stop = games.integer(territory(&self.boards[board as usize]))?;
                let mut all = self.moves(games, board, Colour::Black, stop)?;
                all.extend(self.moves(games, board, Colour::White, stop)?);
                Ok(all)
            }
            Claim::AtMost(board, value) => {
                let mut all = self.moves(games, board, Colour::Black, value)?;
                let options = games.right(value)?.into_iter();
                all.extend(options.map(|option| Claim::AtLeast(board, option)));
                Ok(all)
            }
            Claim::AtLeast(board, value) => {
                let mut all = self.moves(games, board, Colour::White, value)?;
                let options = games.left(value)?.into_iter();
                all.extend(options.map(|option| Claim::AtMost(board, option)));
                Ok(all)
            }
        }
    }

    /// The claims that a move of Black leads to at least the value, or one of White to at most it.
    fn moves(
        &mut self,
        games: &mut Games,
        board: Number,
        colour: Colour,
        value: Value,
    ) -> Result<Vec<Claim>, Exhausted> {
        if !self.moves.contains_key(&(board, colour)) {
            let from = self.boards[board as usize].clone();
            let mut found = Vec::new();
            for point in from.empty() {
                if let Ok(played) = from.play(colour, point, self.suicide) {
                    found.push((self.number(played.board), played.prisoners));
                }
            }
            self.moves.insert((board, colour), found);
        }
        let mut claims = Vec::new();
        for &(next, prisoners) in &self.moves[&(board, colour)] {
            let rest = match prisoners {
                0 => value,
                _ => {
                    let prisoners = games.integer(-prisoners)?;
                    games.add(value, prisoners)?
                }
            };
            claims.push(match colour {
                Colour::Black => Claim::AtLeast(next, rest),
                Colour::White => Claim::AtMost(next, rest),
            });
        }
        Ok(claims)
    }
}

enum Quiet {
    Not,
    Answer(bool),
    Ask(Claim),
}
