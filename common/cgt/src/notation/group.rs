//! Open groups of an expression: braces, parentheses, calls, and the whole line.

use super::ParseError;
use super::functions::Function;
use crate::dyadic::Dyadic;
use crate::games::Value;

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Top,
    /// `{`; after `+_` a brace may hold a game without bars.
    Brace {
        subscript: bool,
    },
    Paren,
    Call(&'static Function),
}

/// What may come next in a group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// A game, or nothing: a side without options.
    Item,
    /// A game.
    Operand,
    /// What can follow a game.
    Operator,
}

/// What applies to the next game, the last one first.
pub(super) enum Prefix {
    Negative,
    PlusMinus,
    Tiny,
    Miny,
    Times(Dyadic),
}

pub(super) struct OpenBar {
    pub(super) height: usize,
    pub(super) at: usize,
    pub(super) left: Vec<Value>,
}

pub(super) struct Group {
    pub(super) kind: Kind,
    pub(super) at: usize,
    pub(super) bars: Vec<OpenBar>,
    /// Complete games since the last bar.
    pub(super) items: Vec<Value>,
    /// The place of the first comma.
    pub(super) comma: Option<usize>,
    /// The sum so far, and whether the next summand is subtracted.
    pub(super) sum: Option<Value>,
    pub(super) minus: bool,
    pub(super) prefixes: Vec<Prefix>,
    pub(super) want: Want,
}

impl Group {
    pub(super) fn new(kind: Kind, at: usize) -> Self {
        Self {
            kind,
            at,
            bars: Vec::new(),
            items: Vec::new(),
            comma: None,
            sum: None,
            minus: false,
            prefixes: Vec::new(),
            want: Want::Item,
        }
    }
}

/// The only game of a group, where there must be exactly one.
pub(super) fn one(side: &[Value], comma: Option<usize>, end: usize) -> Result<Value, ParseError> {
    match (side, comma) {
        (&[value], _) => Ok(value),
        (_, Some(comma)) => {
            Err(ParseError::bad(comma, "found `,`; expected one game, or a bar after several"))
        }
        _ => Err(ParseError::bad(end, "found nothing; expected a game, such as `{1|-1}`")),
    }
}

pub(super) fn ambiguous(height: usize, first: usize, second: usize) -> ParseError {
    let bars =
        |height: usize| if height > 8 { format!("|…({height})") } else { "|".repeat(height) };
    ParseError::bad(
        second,
        format!(
            "two bars `{0}` of one height (the other in column {1}): which is the outer one? \
             Make it higher, `{2}`, or use braces",
            bars(height),
            first + 1,
            bars(height + 1)
        ),
    )
}
