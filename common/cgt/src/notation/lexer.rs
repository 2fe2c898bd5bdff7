//! Splits text into tokens, each with its place.

use super::ParseError;
use super::statement::Comparison;
use crate::dyadic::Dyadic;

/// Longer numbers are refused: reading one takes quadratic time.
const LONGEST_NUMBER: usize = 100_000;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(Dyadic),
    /// `*` or `*n`.
    Star(u32),
    /// `^`, `^n`, `v`, `vn`.
    Ups(i32),
    /// `^[n]`, `v[n]`.
    UpSum(i32),
    Name(String),
    Bar(usize),
    Comma,
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    Plus,
    Minus,
    PlusMinus,
    /// `+_`, as in `+_{1}`.
    Tiny,
    /// `-_`.
    Miny,
    Dot,
    Assign,
    Compare(Comparison),
    End,
}

impl Token {
    /// Description of the token for a message.
    pub(super) fn found(&self) -> String {
        match self {
            Token::Number(number) => {
                let text = number.to_string();
                if text.len() > 40 { "found a number".to_string() } else { format!("found {text}") }
            }
            Token::Star(_) => "found `*`".to_string(),
            Token::Ups(ups) => format!("found `{}`", if *ups < 0 { 'v' } else { '^' }),
            Token::UpSum(ups) => format!("found `{}[`", if *ups < 0 { 'v' } else { '^' }),
            Token::Name(name) => format!("found `{name}`"),
            Token::Bar(_) => "found a bar".to_string(),
            Token::Comma => "found `,`".to_string(),
            Token::OpenBrace => "found `{`".to_string(),
            Token::CloseBrace => "found `}`".to_string(),
            Token::OpenParen => "found `(`".to_string(),
            Token::CloseParen => "found `)`".to_string(),
            Token::Plus => "found `+`".to_string(),
            Token::Minus => "found `-`".to_string(),
            Token::PlusMinus => "found `±`".to_string(),
            Token::Tiny => "found `+_`".to_string(),
            Token::Miny => "found `-_`".to_string(),
            Token::Dot => "found `.`".to_string(),
            Token::Assign => "found `:=`".to_string(),
            Token::Compare(comparison) => format!("found `{}`", comparison.sign()),
            Token::End => "found the end".to_string(),
        }
    }
}

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    /// Start and end, in characters from 0.
    pub(super) at: usize,
    pub(super) end: usize,
}

/// All tokens; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, ParseError> {
    let letters: Vec<char> = text.chars().collect();
    let mut lexer = Lexer { letters: &letters, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let at = lexer.at;
        let token = lexer.next()?;
        let end = token == Token::End;
        tokens.push(Placed { token, at, end: lexer.at });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    letters: &'a [char],
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    fn skip_blanks(&mut self) {
        while let Some(letter) = self.peek(0) {
            match letter {
                '#' => self.at = self.letters.len(),
                letter if letter.is_whitespace() => self.at += 1,
                _ => return,
            }
        }
    }

    /// Consumes the text if it comes next.
    fn take(&mut self, text: &str) -> bool {
        let found = text.chars().enumerate().all(|(i, letter)| self.peek(i) == Some(letter));
        if found {
            self.at += text.chars().count();
        }
        found
    }

    fn next(&mut self) -> Result<Token, ParseError> {
        let Some(letter) = self.peek(0) else {
            return Ok(Token::End);
        };
        if letter.is_ascii_digit() {
            return self.number();
        }
        if letter.is_ascii_alphabetic() {
            return self.word();
        }
        if letter == '|' {
            return Ok(self.bar());
        }
        for (text, token) in fixed() {
            if self.take(text) {
                return Ok(token);
            }
        }
        let start = self.at;
        self.at += 1;
        match letter {
            '*' | '∗' => Ok(Token::Star(self.count(start)?.unwrap_or(1))),
            '^' => self.carets(start),
            '↑' => self.ups(start, 1),
            '↓' => self.ups(start, -1),
            '⇑' => self.ups(start, 2),
            '⇓' => self.ups(start, -2),
            _ => Err(ParseError::bad(start, format!("`{letter}` is no part of the notation"))),
        }
    }

    fn digits(&mut self) -> String {
        let rest = self.letters[self.at..].iter();
        let digits: String = rest.take_while(|letter| letter.is_ascii_digit()).collect();
        self.at += digits.len();
        digits
    }

    /// A number directly after a symbol, if there is one.
    fn count(&mut self, start: usize) -> Result<Option<u32>, ParseError> {
        let digits = self.digits();
        if digits.is_empty() {
            return Ok(None);
        }
        // Ups are signed: one bit less is left, for nim-heaps too.
        match digits.parse::<i32>() {
            Ok(count) => Ok(Some(count.unsigned_abs())),
            Err(_) => Err(ParseError::bad(
                start,
                format!("`{digits}` is too large here; expected at most {}", i32::MAX),
            )),
        }
    }

    fn carets(&mut self, start: usize) -> Result<Token, ParseError> {
        let mut ups = 1;
        while self.peek(0) == Some('^') {
            ups += 1;
            self.at += 1;
        }
        self.ups(start, ups)
    }

    /// Ups may have a number, but then only one symbol: `^3`.
    fn ups(&mut self, start: usize, ups: i32) -> Result<Token, ParseError> {
        if ups.abs() == 1 && self.peek(0) == Some('[') {
            self.at += 1;
            let count = self.count(start)?;
            return match (count, self.take("]")) {
                (Some(count), true) => Ok(Token::UpSum(ups * count as i32)),
                _ => Err(ParseError::bad(self.at, "expected a number and `]`, as in `^[3]`")),
            };
        }
        match self.count(start)? {
            None => Ok(Token::Ups(ups)),
            Some(count) if ups.abs() == 1 => Ok(Token::Ups(ups * count as i32)),
            Some(_) => {
                Err(ParseError::bad(start, "a number of ups has one sign before it, as in `^3`"))
            }
        }
    }

    fn bar(&mut self) -> Token {
        if self.take("|>") {
            return Token::Compare(Comparison::GreaterOrConfused);
        }
        let mut height = 0;
        while self.peek(0) == Some('|') {
            height += 1;
            self.at += 1;
        }
        Token::Bar(height)
    }

    fn number(&mut self) -> Result<Token, ParseError> {
        let start = self.at;
        let mut text = self.digits();
        for sign in ['/', '.'] {
            let more = self.peek(1).is_some_and(|next| next.is_ascii_digit());
            if self.peek(0) == Some(sign) && more {
                self.at += 1;
                text.push(sign);
                text.push_str(&self.digits());
                break;
            }
        }
        if text.len() > LONGEST_NUMBER {
            let message = format!("a number of {} digits; expected at most", text.len());
            return Err(ParseError::bad(start, format!("{message} {LONGEST_NUMBER}")));
        }
        let number = text.parse().map_err(|error| ParseError::bad(start, format!("{error}")))?;
        Ok(Token::Number(number))
    }

    fn word(&mut self) -> Result<Token, ParseError> {
        let start = self.at;
        let rest = self.letters[self.at..].iter();
        let word: String =
            rest.take_while(|letter| letter.is_ascii_alphanumeric() || **letter == '_').collect();
        self.at += word.len();
        let downs = word.trim_start_matches('v');
        let signs = word.len() - downs.len();
        if signs == 0 || !downs.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Token::Name(word));
        }
        // `v`, `vv`, `v3`: downs, not names.
        let end = self.at;
        self.at = start + signs;
        let signs = i32::try_from(signs).map_err(|_| ParseError::bad(start, "too many downs"))?;
        let token = self.ups(start, -signs);
        self.at = self.at.max(end);
        token
    }
}

/// Tokens with a fixed spelling; longer ones before their prefixes.
fn fixed() -> [(&'static str, Token); 30] {
    [
        ("+_", Token::Tiny),
        ("-_", Token::Miny),
        (":=", Token::Assign),
        ("<|", Token::Compare(Comparison::LessOrConfused)),
        ("<=", Token::Compare(Comparison::AtMost)),
        ("<>", Token::Compare(Comparison::Confused)),
        (">=", Token::Compare(Comparison::AtLeast)),
        ("==", Token::Compare(Comparison::Equal)),
        ("!=", Token::Compare(Comparison::Unequal)),
        ("<", Token::Compare(Comparison::Less)),
        (">", Token::Compare(Comparison::Greater)),
        ("=", Token::Compare(Comparison::Equal)),
        ("≤", Token::Compare(Comparison::AtMost)),
        ("≥", Token::Compare(Comparison::AtLeast)),
        ("≠", Token::Compare(Comparison::Unequal)),
        ("∥", Token::Compare(Comparison::Confused)),
        ("‖", Token::Compare(Comparison::Confused)),
        ("⧏", Token::Compare(Comparison::LessOrConfused)),
        ("⧐", Token::Compare(Comparison::GreaterOrConfused)),
        ("{", Token::OpenBrace),
        ("}", Token::CloseBrace),
        ("(", Token::OpenParen),
        (")", Token::CloseParen),
        (",", Token::Comma),
        ("+", Token::Plus),
        ("-", Token::Minus),
        ("−", Token::Minus),
        ("±", Token::PlusMinus),
        (".", Token::Dot),
        ("·", Token::Dot),
    ]
}
