//! Turns tokens into values, with a stack of open groups instead of recursion.
//!
//! Values are made while reading: a bar keeps the options on its left until a higher bar or the end
//! of its group completes its right side.

use std::collections::BTreeMap;

use super::ParseError;
use super::functions::{self, Outcome};
use super::group::{Group, Kind, OpenBar, Prefix, Want, ambiguous, one};
use super::lexer::{Placed, Token};
use crate::dyadic::Dyadic;
use crate::games::{Games, Value};

/// Named values.
pub(super) type Names = BTreeMap<String, Value>;

/// The value of an expression up to the end.
pub(super) fn read(
    games: &mut Games,
    names: &Names,
    tokens: &[Placed],
) -> Result<Value, ParseError> {
    Reader { games, names, tokens, next: 0, groups: vec![Group::new(Kind::Top, 0)] }.run()
}

/// The list from a call of a list function, if the tokens are one.
pub(super) fn read_list(
    games: &mut Games,
    names: &Names,
    tokens: &[Placed],
) -> Result<Option<Vec<Value>>, ParseError> {
    let [name, open, inner @ .., close, _] = tokens else {
        return Ok(None);
    };
    let Token::Name(word) = &name.token else {
        return Ok(None);
    };
    let function = functions::find(word).filter(|function| function.is_list);
    let call = open.token == Token::OpenParen && close.token == Token::CloseParen;
    let Some(function) = function.filter(|_| call && is_one_argument(inner)) else {
        return Ok(None);
    };
    let mut argument = inner.to_vec();
    argument.push(Placed { token: Token::End, ..close.clone() });
    let value = read(games, names, &argument)?;
    match functions::apply(games, function, &[value], name.at)? {
        Outcome::List(list) => Ok(Some(list)),
        Outcome::Value(_) => Ok(None),
    }
}

/// Whether the tokens are inside one pair of parentheses, with no comma of their own.
fn is_one_argument(tokens: &[Placed]) -> bool {
    let mut depth = 0usize;
    for placed in tokens {
        match placed.token {
            Token::OpenBrace | Token::OpenParen => depth += 1,
            Token::CloseBrace | Token::CloseParen if depth == 0 => return false,
            Token::CloseBrace | Token::CloseParen => depth -= 1,
            Token::Comma if depth == 0 => return false,
            _ => {}
        }
    }
    true
}

struct Reader<'a> {
    games: &'a mut Games,
    names: &'a Names,
    tokens: &'a [Placed],
    next: usize,
    groups: Vec<Group>,
}

impl<'a> Reader<'a> {
    fn run(mut self) -> Result<Value, ParseError> {
        loop {
            let placed = self.take();
            if let Token::End = placed.token {
                return self.finish(placed.at);
            }
            if self.group().want == Want::Operator {
                self.operator(placed)?;
            } else {
                self.operand(placed)?;
            }
        }
    }

    /// The next token; never goes past the last one, the end.
    fn take(&mut self) -> &'a Placed {
        let tokens = self.tokens;
        let placed = &tokens[self.next.min(tokens.len() - 1)];
        self.next += 1;
        placed
    }

    fn peek(&self) -> &'a Placed {
        let tokens = self.tokens;
        &tokens[self.next.min(tokens.len() - 1)]
    }

    fn group(&mut self) -> &mut Group {
        self.groups.last_mut().expect("the group outside all others")
    }

    fn operand(&mut self, placed: &'a Placed) -> Result<(), ParseError> {
        let at = placed.at;
        match &placed.token {
            Token::Number(number) => self.named_sum(number, placed.end),
            Token::Minus => {
                let next = self.peek();
                if let (Token::Number(number), true) = (&next.token, next.at == placed.end) {
                    self.next += 1;
                    return self.named_sum(&-number, next.end);
                }
                self.prefix(Prefix::Negative)
            }
            Token::Ups(ups) => self.ups_and_star(Value::ZERO, *ups, placed.end),
            Token::UpSum(powers) => {
                let value = self.games.up_sum(*powers)?;
                self.complete(value, at)
            }
            Token::Star(star) => {
                let value = self.games.star(*star)?;
                self.complete(value, at)
            }
            Token::Plus if self.peek().token == Token::Minus => {
                self.next += 1;
                self.prefix(Prefix::PlusMinus)
            }
            Token::PlusMinus => self.prefix(Prefix::PlusMinus),
            Token::Tiny => self.prefix(Prefix::Tiny),
            Token::Miny => self.prefix(Prefix::Miny),
            Token::OpenBrace => {
                let subscript =
                    matches!(self.group().prefixes.last(), Some(Prefix::Tiny | Prefix::Miny));
                self.groups.push(Group::new(Kind::Brace { subscript }, at));
                Ok(())
            }
            Token::OpenParen => {
                self.groups.push(Group::new(Kind::Paren, at));
                Ok(())
            }
            Token::Name(name) => self.name(name, at),
            Token::Bar(_) | Token::CloseBrace | Token::CloseParen
                if self.group().want == Want::Item =>
            {
                self.operator(placed)
            }
            other => Err(ParseError::bad(at, format!("{}; expected a game", other.found()))),
        }
    }

    fn prefix(&mut self, prefix: Prefix) -> Result<(), ParseError> {
        let group = self.group();
        group.prefixes.push(prefix);
        group.want = Want::Operand;
        Ok(())
    }

    /// A number with the ups and the star directly after it.
    fn named_sum(&mut self, number: &Dyadic, end: usize) -> Result<(), ParseError> {
        let value = self.games.dyadic(number)?;
        let next = self.peek();
        match &next.token {
            Token::Ups(ups) if next.at == end => {
                self.next += 1;
                self.ups_and_star(value, *ups, next.end)
            }
            _ => self.ups_and_star(value, 0, end),
        }
    }

    fn ups_and_star(&mut self, number: Value, ups: i32, end: usize) -> Result<(), ParseError> {
        let next = self.peek();
        let star = match next.token {
            Token::Star(star) if next.at == end => {
                self.next += 1;
                star
            }
            _ => 0,
        };
        let value = self.games.up_star(number, ups, star)?;
        self.complete(value, end)
    }

    fn name(&mut self, name: &str, at: usize) -> Result<(), ParseError> {
        if let Some(&value) = self.names.get(name) {
            return self.complete(value, at);
        }
        let Some(function) = functions::find(name) else {
            let message = format!("`{name}` has no value; give it one with `{name} := ...`");
            return Err(ParseError::bad(at, message));
        };
        let open = self.take();
        if open.token != Token::OpenParen {
            let message = format!("{}; expected `(` after the function {name}", open.token.found());
            return Err(ParseError::bad(open.at, message));
        }
        self.groups.push(Group::new(Kind::Call(function), at));
        Ok(())
    }

    /// Completes a game: it multiplies the next one, or is added to the sum.
    fn complete(&mut self, mut value: Value, at: usize) -> Result<(), ParseError> {
        if self.peek().token == Token::Dot {
            self.next += 1;
            let integer = self.games.number(value).filter(|number| number.is_integer()).cloned();
            let Some(times) = integer else {
                let found = self.games.show_within(value, 40);
                let message = format!("{found} before the dot; expected an integer, as in `3.^`");
                return Err(ParseError::bad(at, message));
            };
            return self.prefix(Prefix::Times(times));
        }
        while let Some(prefix) = self.group().prefixes.pop() {
            value = match prefix {
                Prefix::Negative => self.games.neg(value)?,
                Prefix::PlusMinus => self.games.switch(value)?,
                Prefix::Tiny => self.games.tiny(value)?,
                Prefix::Miny => self.games.miny(value)?,
                Prefix::Times(n) => self.games.multiple(&n, value)?,
            };
        }
        let (sum, minus) = (self.group().sum, self.group().minus);
        let sum = match sum {
            None => value,
            Some(sum) if minus => self.games.sub(sum, value)?,
            Some(sum) => self.games.add(sum, value)?,
        };
        let group = self.group();
        group.sum = Some(sum);
        group.want = Want::Operator;
        Ok(())
    }

    fn operator(&mut self, placed: &Placed) -> Result<(), ParseError> {
        let at = placed.at;
        let group = self.group();
        match placed.token {
            Token::Plus | Token::Minus | Token::PlusMinus | Token::Tiny | Token::Miny => {
                group.minus = placed.token == Token::Minus;
                group.want = Want::Operand;
                match placed.token {
                    Token::PlusMinus => self.prefix(Prefix::PlusMinus),
                    Token::Tiny => self.prefix(Prefix::Tiny),
                    Token::Miny => self.prefix(Prefix::Miny),
                    _ => Ok(()),
                }
            }
            Token::Comma => {
                group.items.extend(group.sum.take());
                group.minus = false;
                group.want = Want::Operand;
                group.comma.get_or_insert(at);
                Ok(())
            }
            Token::Bar(height) => self.bar(height, at),
            Token::CloseBrace | Token::CloseParen => self.close(placed),
            Token::Star(_) => Err(ParseError::bad(
                at,
                "found `*` after a game; it is the nim-heap: write `g+*` for a sum, `3.g` for a multiple",
            )),
            ref other => Err(ParseError::bad(
                at,
                format!("{}; expected `+`, `-`, `,`, a bar or the end", other.found()),
            )),
        }
    }

    fn bar(&mut self, height: usize, at: usize) -> Result<(), ParseError> {
        let side = self.side_before(Some((height, at)))?;
        let group = self.group();
        group.bars.push(OpenBar { height, at, left: side });
        group.want = Want::Item;
        Ok(())
    }

    /// The options before a bar or the end of a group, after closing all lower bars.
    fn side_before(&mut self, bar: Option<(usize, usize)>) -> Result<Vec<Value>, ParseError> {
        let group = self.group();
        group.items.extend(group.sum.take());
        group.minus = false;
        let mut side = std::mem::take(&mut group.items);
        while let Some(open) = self.group().bars.pop() {
            match bar {
                Some((height, at)) if open.height == height => {
                    return Err(ambiguous(height, open.at, at));
                }
                Some((height, _)) if open.height > height => {
                    self.group().bars.push(open);
                    break;
                }
                _ => side = vec![self.games.make(&open.left, &side)?],
            }
        }
        Ok(side)
    }

    fn close(&mut self, placed: &Placed) -> Result<(), ParseError> {
        let (kind, opened) = (self.group().kind, self.group().at);
        let fits = match kind {
            Kind::Top => false,
            Kind::Brace { .. } => placed.token == Token::CloseBrace,
            Kind::Paren | Kind::Call(_) => placed.token == Token::CloseParen,
        };
        if !fits {
            let message = match kind {
                Kind::Top => format!("{} without its other half", placed.token.found()),
                Kind::Brace { .. } => format!(
                    "{}; expected `}}` for the `{{` in column {}",
                    placed.token.found(),
                    opened + 1
                ),
                _ => format!(
                    "{}; expected `)` for the group from column {}",
                    placed.token.found(),
                    opened + 1
                ),
            };
            return Err(ParseError::bad(placed.at, message));
        }
        let had_bars = !self.group().bars.is_empty();
        let comma = self.group().comma;
        let side = self.side_before(None)?;
        self.groups.pop();
        let value = match (kind, &side[..]) {
            (Kind::Call(function), arguments) => {
                match functions::apply(self.games, function, arguments, opened)? {
                    Outcome::Value(value) => value,
                    Outcome::List(_) => {
                        let name = function.name;
                        let message = format!(
                            "{name}(g) is a list; expected it alone, or {name}(g,1) for its first"
                        );
                        return Err(ParseError::bad(opened, message));
                    }
                }
            }
            (Kind::Brace { subscript: false }, _) if !had_bars => {
                return Err(ParseError::bad(placed.at, "found `}`; expected `|` in the braces"));
            }
            // ±(a,b) is {a,b|-a,-b}.
            (Kind::Paren, [_, _, ..])
                if matches!(self.group().prefixes.last(), Some(Prefix::PlusMinus)) =>
            {
                self.group().prefixes.pop();
                self.games.switches(&side)?
            }
            (_, side) => one(side, comma, placed.at)?,
        };
        self.complete(value, opened)
    }

    fn finish(mut self, at: usize) -> Result<Value, ParseError> {
        if self.groups.len() > 1 {
            let group = self.group();
            let (sign, opened) = match group.kind {
                Kind::Brace { .. } => ('}', group.at),
                _ => (')', group.at),
            };
            let message =
                format!("found the end; expected `{sign}` for what opens in column {}", opened + 1);
            return Err(ParseError::bad(at, message));
        }
        if self.group().want == Want::Operand {
            return Err(ParseError::bad(at, "found the end; expected a game"));
        }
        let comma = self.group().comma;
        one(&self.side_before(None)?, comma, at)
    }
}
