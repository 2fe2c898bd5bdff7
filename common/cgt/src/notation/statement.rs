//! Statements of a prompt: an expression, a comparison, or a name for a value. A session stores
//! names and the last answer.

use std::collections::BTreeMap;

use super::lexer::{self, Placed, Token};
use super::{ParseError, reader};
use crate::budget::Exhausted;
use crate::games::{Games, Value};
use crate::order::Order;

/// A question about the order of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `||` or `<>`
    Confused,
    /// `<|`
    LessOrConfused,
    /// `|>`
    GreaterOrConfused,
}

impl Comparison {
    /// Whether it holds for two values that compare like this.
    pub fn holds(self, order: Order) -> bool {
        use Order as O;
        match self {
            Self::Equal => order == O::Equal,
            Self::Unequal => order != O::Equal,
            Self::Less => order == O::Less,
            Self::Greater => order == O::Greater,
            Self::AtMost => matches!(order, O::Less | O::Equal),
            Self::AtLeast => matches!(order, O::Greater | O::Equal),
            Self::Confused => order == O::Confused,
            Self::LessOrConfused => matches!(order, O::Less | O::Confused),
            Self::GreaterOrConfused => matches!(order, O::Greater | O::Confused),
        }
    }

    /// Its spelling.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::Greater => ">",
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
            Self::Confused => "||",
            Self::LessOrConfused => "<|",
            Self::GreaterOrConfused => "|>",
        }
    }
}

/// The result of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A value.
    Value(Value),
    /// Several values, such as those of `left(g)`.
    List(Vec<Value>),
    /// This name now has this value.
    Named(String, Value),
    /// A comparison.
    Compared {
        /// The left value.
        a: Value,
        /// The comparison in the statement.
        asked: Comparison,
        /// The right value.
        b: Value,
        /// How they compare.
        order: Order,
    },
}

/// Names with their values. `ans` is the last value.
#[derive(Clone, Debug, Default)]
pub struct Session {
    names: BTreeMap<String, Value>,
}

impl Session {
    /// A session without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// All names with their values.
    pub fn names(&self) -> impl Iterator<Item = (&str, Value)> {
        self.names.iter().map(|(name, &value)| (name.as_str(), value))
    }

    /// Assigns a value to a name.
    pub fn set(&mut self, name: &str, value: Value) {
        self.names.insert(name.to_string(), value);
    }

    /// Parses and runs a statement.
    pub fn run(&mut self, games: &mut Games, text: &str) -> Result<Answer, ParseError> {
        let tokens = lexer::tokens(text)?;
        let answer = self.answer(games, &tokens)?;
        match &answer {
            Answer::Value(value) => self.set("ans", *value),
            Answer::Named(name, value) => {
                self.set(name, *value);
                self.set("ans", *value);
            }
            Answer::List(_) | Answer::Compared { .. } => {}
        }
        Ok(answer)
    }

    fn answer(&self, games: &mut Games, tokens: &[Placed]) -> Result<Answer, ParseError> {
        if let [Placed { token: Token::Name(name), at, .. }, second, rest @ ..] = tokens
            && second.token == Token::Assign
        {
            if super::FUNCTIONS.iter().any(|function| function.name == name) {
                let message = format!("`{name}` is a function; expected another name");
                return Err(ParseError::bad(*at, message));
            }
            let value = reader::read(games, &self.names, rest)?;
            return Ok(Answer::Named(name.clone(), value));
        }
        if let Some((at, asked)) = comparison(tokens) {
            let (left, right) = (&tokens[..at], &tokens[at + 1..]);
            let mut left = left.to_vec();
            left.push(Placed { token: Token::End, ..tokens[at].clone() });
            let a = reader::read(games, &self.names, &left)?;
            let b = reader::read(games, &self.names, right)?;
            return compared(games, a, asked, b).map_err(ParseError::from);
        }
        if let Some(list) = reader::read_list(games, &self.names, tokens)? {
            return Ok(Answer::List(list));
        }
        reader::read(games, &self.names, tokens).map(Answer::Value)
    }
}

fn compared(games: &mut Games, a: Value, asked: Comparison, b: Value) -> Result<Answer, Exhausted> {
    let order = games.compare(a, b)?;
    Ok(Answer::Compared { a, asked, b, order })
}

/// The comparison of a statement. A lone `||` outside all braces is a comparison, too; beside other
/// bars it is a bar.
fn comparison(tokens: &[Placed]) -> Option<(usize, Comparison)> {
    let mut depth = 0usize;
    let mut bars = Vec::new();
    for (at, placed) in tokens.iter().enumerate() {
        match placed.token {
            Token::OpenBrace | Token::OpenParen => depth += 1,
            Token::CloseBrace | Token::CloseParen => depth = depth.saturating_sub(1),
            Token::Compare(asked) if depth == 0 => return Some((at, asked)),
            Token::Bar(height) if depth == 0 => bars.push((at, height)),
            _ => {}
        }
    }
    match bars[..] {
        [(at, 2)] => Some((at, Comparison::Confused)),
        _ => None,
    }
}
