//! Functions of games, by name.

use super::ParseError;
use crate::dyadic::Dyadic;
use crate::games::{Games, Value};
use crate::thermograph::Convention;

/// A function of the notation.
#[derive(Debug)]
pub struct Function {
    /// Name in expressions.
    pub name: &'static str,
    /// Its arguments, for people.
    pub arguments: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Whether it returns a list when it has one argument.
    pub is_list: bool,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Canonical,
    Mean,
    Temperature(Convention),
    LeftStop,
    RightStop,
    Left,
    Right,
    LeftIncentives,
    RightIncentives,
    Chill,
    Cool,
    Heat,
    Overheat,
    Norton,
    Ordinal,
    AtomicWeight,
    Birthday,
    Tiny,
    Miny,
    Switch,
    Star,
    Up,
    UpPower,
}

const fn value(
    name: &'static str,
    arguments: &'static str,
    what: What,
    about: &'static str,
) -> Function {
    Function { name, arguments, about, is_list: false, what }
}

const fn list(name: &'static str, what: What, about: &'static str) -> Function {
    Function { name, arguments: "g", about, is_list: true, what }
}

/// All functions.
pub static FUNCTIONS: &[Function] = &[
    value("canon", "g", What::Canonical, "canonical form; every value is in it anyway"),
    value("mean", "g", What::Mean, "mean value, where the mast stands"),
    value("temp", "g", What::Temperature(Convention::Zero), "temperature; 0 for numbers"),
    value(
        "subzero",
        "g",
        What::Temperature(Convention::Negative),
        "temperature; -1/2^k for numbers m/2^k",
    ),
    value("ls", "g", What::LeftStop, "left stop"),
    value("rs", "g", What::RightStop, "right stop"),
    value("cool", "g,t", What::Cool, "cooled by t; frozen past the temperature"),
    value("chill", "g", What::Chill, "cooled by 1"),
    value("heat", "g,t", What::Heat, "heated by t, a game"),
    value("overheat", "g,s,t", What::Overheat, "overheated from s to t"),
    value("norton", "g,u", What::Norton, "Norton product with u > 0"),
    value("ordinal", "g,h", What::Ordinal, "ordinal sum g:h"),
    value("aw", "g", What::AtomicWeight, "atomic weight of an all-small game"),
    value("birthday", "g", What::Birthday, "day on which the value is born"),
    list("left", What::Left, "left options; left(g,n) is the n-th"),
    list("right", What::Right, "right options; right(g,n) is the n-th"),
    list("leftinc", What::LeftIncentives, "left incentives, not dominated"),
    list("rightinc", What::RightIncentives, "right incentives, not dominated"),
    value("tiny", "x", What::Tiny, "{0||0|-x}"),
    value("miny", "x", What::Miny, "{x|0||0}"),
    value("switch", "x", What::Switch, "{x|-x}, also ±x or +-x"),
    value("star", "n", What::Star, "nim-heap *n"),
    value("up", "n", What::Up, "n ups, also ^n"),
    value("uppow", "n", What::UpPower, "the n-th power of up; ^[n] is the sum of the first n"),
];

/// The result of a function.
pub(super) enum Outcome {
    Value(Value),
    List(Vec<Value>),
}

pub(super) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Calls the function at this place.
pub(super) fn apply(
    games: &mut Games,
    function: &'static Function,
    arguments: &[Value],
    at: usize,
) -> Result<Outcome, ParseError> {
    let call = Call { games, function, at };
    match (function.is_list, arguments) {
        (true, &[g]) => call.list(g).map(Outcome::List),
        (true, &[g, n]) => call.nth(g, n).map(Outcome::Value),
        (false, arguments) if arguments.len() == function.arguments.split(',').count() => {
            call.value(arguments).map(Outcome::Value)
        }
        _ => {
            let (name, expected) = (function.name, function.arguments);
            let message = format!(
                "{name} of {} arguments; expected {name}({expected}), with braces around games with bars",
                arguments.len()
            );
            Err(ParseError::bad(at, message))
        }
    }
}

struct Call<'a> {
    games: &'a mut Games,
    function: &'static Function,
    at: usize,
}

impl Call<'_> {
    fn bad(&self, message: &str) -> ParseError {
        ParseError::bad(self.at, format!("{}: {message}", self.function.name))
    }

    fn list(self, g: Value) -> Result<Vec<Value>, ParseError> {
        let list = match self.function.what {
            What::Left => self.games.left(g)?,
            What::Right => self.games.right(g)?,
            What::LeftIncentives => self.games.left_incentives(g)?,
            _ => self.games.right_incentives(g)?,
        };
        Ok(self.games.in_order(&list))
    }

    fn nth(self, g: Value, n: Value) -> Result<Value, ParseError> {
        let place = self.games.number(n).and_then(Dyadic::to_i64);
        let at = self.at;
        let name = self.function.name;
        let list = self.list(g)?;
        let chosen = place.and_then(|place| usize::try_from(place - 1).ok());
        match chosen.and_then(|chosen| list.get(chosen)) {
            Some(&value) => Ok(value),
            None => {
                let message = format!("{name}: no such option; expected 1 to {}", list.len());
                Err(ParseError::bad(at, message))
            }
        }
    }

    fn value(self, arguments: &[Value]) -> Result<Value, ParseError> {
        let g = arguments[0];
        let number = match self.function.what {
            What::Mean => self.games.mean(g)?,
            What::Temperature(convention) => self.games.temperature(g, convention)?,
            What::LeftStop => self.games.stops(g).0.clone(),
            What::RightStop => self.games.stops(g).1.clone(),
            What::Birthday => self.games.birthday(g)?,
            _ => return self.game(arguments),
        };
        Ok(self.games.dyadic(&number)?)
    }

    fn game(self, arguments: &[Value]) -> Result<Value, ParseError> {
        let g = arguments[0];
        Ok(match self.function.what {
            What::Chill => self.games.chill(g)?,
            What::Cool => {
                let Some(t) = self.games.number(arguments[1]).cloned() else {
                    return Err(self.bad("the temperature is no number; expected one such as 1/2"));
                };
                if t.signum() < 0 {
                    return Err(self.bad("the temperature is negative; expected 0 or more"));
                }
                self.games.cool(g, &t)?
            }
            What::Heat => self.games.heat(g, arguments[1])?,
            What::Overheat => self.games.overheat(g, arguments[1], arguments[2])?,
            What::Norton => {
                let u = arguments[1];
                if u == Value::ZERO || !self.games.le(Value::ZERO, u)? {
                    return Err(self.bad("the second game is not positive; expected u > 0"));
                }
                self.games.norton(g, u)?
            }
            What::Ordinal => self.games.ordinal_sum(g, arguments[1])?,
            What::AtomicWeight => match self.games.atomic_weight(g)? {
                Some(weight) => weight,
                None => {
                    return Err(
                        self.bad("the game is not all small; expected no number but 0 in it")
                    );
                }
            },
            What::Tiny => self.games.tiny(g)?,
            What::Miny => self.games.miny(g)?,
            What::Switch => self.games.switch(g)?,
            What::Star => {
                let size = self.games.number(g).and_then(Dyadic::to_i64);
                match size.and_then(|size| u32::try_from(size).ok()) {
                    Some(size) => self.games.star(size)?,
                    None => return Err(self.bad("expected a size, such as star(2)")),
                }
            }
            What::Up | What::UpPower => {
                let ups = self.games.number(g).and_then(Dyadic::to_i64);
                match (ups.and_then(|ups| i32::try_from(ups).ok()), self.function.what) {
                    (Some(ups), What::Up) => self.games.up(ups, 0)?,
                    (Some(power), _) if power != 0 => self.games.up_power(power)?,
                    (_, What::Up) => return Err(self.bad("expected how many, such as up(3)")),
                    _ => return Err(self.bad("expected which, such as uppow(2)")),
                }
            }
            _ => g,
        })
    }
}
