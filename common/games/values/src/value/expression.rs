//! Evaluates expressions by the grammar of `docs/certificates-values.md`, apart from the reader of
//! the kernel: sums, negatives, multiples, names, braces and bars, by their definitions. There is no
//! search in this.

use hasami_cgt::{Dyadic, Exhausted, Games, Value};

/// Why an expression has no value here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is beyond the grammar.
    Beyond,
    /// The limit is reached.
    Exhausted(Exhausted),
}

impl From<Exhausted> for Unread {
    fn from(limit: Exhausted) -> Self {
        Self::Exhausted(limit)
    }
}

/// Deepest nesting.
const DEEPEST: usize = 200;

/// The value of an expression.
pub(super) fn evaluate(games: &mut Games, text: &str) -> Result<Value, Unread> {
    let tokens = tokens(text).ok_or(Unread::Beyond)?;
    let mut reader = Reader { games, tokens: &tokens, next: 0, depth: 0 };
    let value = reader.group(true)?;
    if reader.next == tokens.len() { Ok(value) } else { Err(Unread::Beyond) }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A number, ups and a nim-heap.
    Atom(Dyadic, i32, u32),
    /// An integer and a dot.
    Times(Dyadic),
    Bar(usize),
    Word(bool),
    Sign(char),
}

/// The tokens; `None` if a sign is beyond the grammar.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&sign) = letters.get(at) {
        let digit_next = letters.get(at + 1).is_some_and(char::is_ascii_digit);
        match sign {
            ' ' => at += 1,
            '|' => {
                let height = letters[at..].iter().take_while(|sign| **sign == '|').count();
                found.push(Token::Bar(height));
                at += height;
            }
            't' | 'm' => {
                let word: String = letters[at..].iter().take(4).collect();
                if word != "tiny" && word != "miny" {
                    return None;
                }
                found.push(Token::Word(sign == 't'));
                at += 4;
            }
            // After a game the minus is a difference.
            '-' if digit_next && !found.last().is_some_and(ends_game) => {
                found.push(atom(&letters, &mut at)?);
            }
            '0'..='9' | '^' | 'v' | '*' => found.push(atom(&letters, &mut at)?),
            '{' | '}' | '(' | ')' | ',' | '+' | '-' | '±' => {
                found.push(Token::Sign(sign));
                at += 1;
            }
            _ => return None,
        }
    }
    Some(found)
}

fn ends_game(token: &Token) -> bool {
    matches!(token, Token::Atom(..) | Token::Sign('}' | ')'))
}

/// Reads a number, ups and a nim-heap, or a multiple.
fn atom(letters: &[char], at: &mut usize) -> Option<Token> {
    let mut number = String::new();
    if letters[*at] == '-' {
        number.push('-');
        *at += 1;
    }
    number.push_str(&digits(letters, at));
    let has_number = !number.is_empty();
    let is_integer = has_number;
    let mut fraction = false;
    if has_number
        && letters.get(*at) == Some(&'/')
        && letters.get(*at + 1).is_some_and(char::is_ascii_digit)
    {
        *at += 1;
        number.push('/');
        number.push_str(&digits(letters, at));
        fraction = true;
    }
    let number: Dyadic = if has_number { number.parse().ok()? } else { 0.into() };
    if is_integer && !fraction && letters.get(*at) == Some(&'.') {
        *at += 1;
        // A decimal point is beyond the grammar.
        let decimal = letters.get(*at).is_some_and(char::is_ascii_digit);
        return (!decimal).then_some(Token::Times(number));
    }
    let mut ups = 0;
    if let Some(&sign @ ('^' | 'v')) = letters.get(*at) {
        let count = letters[*at..].iter().take_while(|other| **other == sign).count();
        *at += count;
        ups = i32::try_from(count).ok()?;
        let times = digits(letters, at);
        if !times.is_empty() {
            if count > 1 {
                return None;
            }
            ups = times.parse().ok()?;
        }
        if sign == 'v' {
            ups = -ups;
        }
    }
    let mut star = 0;
    if letters.get(*at) == Some(&'*') {
        *at += 1;
        let size = digits(letters, at);
        star = if size.is_empty() { 1 } else { size.parse::<i32>().ok()?.unsigned_abs() };
    }
    Some(Token::Atom(number, ups, star))
}

fn digits(letters: &[char], at: &mut usize) -> String {
    let found: String = letters[*at..].iter().take_while(|sign| sign.is_ascii_digit()).collect();
    *at += found.len();
    found
}

struct Reader<'a> {
    games: &'a mut Games,
    tokens: &'a [Token],
    next: usize,
    depth: usize,
}

/// What a group is read as: its bars and the lists between them.
struct Sides {
    lists: Vec<Vec<Value>>,
    bars: Vec<usize>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    fn takes(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.next += usize::from(found);
        found
    }

    fn deeper(&mut self) -> Result<(), Unread> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(Unread::Beyond) } else { Ok(()) }
    }

    /// A group up to its end; a game alone counts if `plain`.
    fn group(&mut self, plain: bool) -> Result<Value, Unread> {
        self.deeper()?;
        let Sides { lists, bars } = self.sides()?;
        self.depth -= 1;
        match (&lists[..], plain) {
            ([list], true) => match list[..] {
                [value] => Ok(value),
                _ => Err(Unread::Beyond),
            },
            ([_], false) => Err(Unread::Beyond),
            _ => self.barred(&lists, &bars),
        }
    }

    /// Lists of sums with bars between.
    fn sides(&mut self) -> Result<Sides, Unread> {
        let mut sides = Sides { lists: vec![Vec::new()], bars: Vec::new() };
        loop {
            if let Some(&Token::Bar(height)) = self.peek() {
                self.next += 1;
                sides.bars.push(height);
                sides.lists.push(Vec::new());
                continue;
            }
            if matches!(self.peek(), None | Some(Token::Sign('}' | ')'))) {
                return Ok(sides);
            }
            loop {
                let sum = self.sum()?;
                sides.lists.last_mut().expect("a list").push(sum);
                if !self.takes(',') {
                    break;
                }
            }
            if !matches!(self.peek(), None | Some(Token::Bar(_) | Token::Sign('}' | ')'))) {
                return Err(Unread::Beyond);
            }
        }
    }

    /// The game whose outermost bar is the highest.
    fn barred(&mut self, lists: &[Vec<Value>], bars: &[usize]) -> Result<Value, Unread> {
        self.deeper()?;
        let highest = bars.iter().copied().max().ok_or(Unread::Beyond)?;
        let mut places = (0..bars.len()).filter(|&at| bars[at] == highest);
        let (Some(place), None) = (places.next(), places.next()) else {
            return Err(Unread::Beyond);
        };
        let left = self.side(&lists[..=place], &bars[..place])?;
        let right = self.side(&lists[place + 1..], &bars[place + 1..])?;
        self.depth -= 1;
        Ok(self.games.make(&left, &right)?)
    }

    fn side(&mut self, lists: &[Vec<Value>], bars: &[usize]) -> Result<Vec<Value>, Unread> {
        match lists {
            [list] => Ok(list.clone()),
            _ => Ok(vec![self.barred(lists, bars)?]),
        }
    }

    fn sum(&mut self) -> Result<Value, Unread> {
        let mut sum = self.term()?;
        loop {
            if self.takes('+') {
                let term = self.term()?;
                sum = self.games.add(sum, term)?;
            } else if self.takes('-') {
                let term = self.term()?;
                let negative = self.games.neg(term)?;
                sum = self.games.add(sum, negative)?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn term(&mut self) -> Result<Value, Unread> {
        self.deeper()?;
        let token = self.peek().cloned().ok_or(Unread::Beyond)?;
        self.next += 1;
        let value = match token {
            Token::Atom(number, ups, star) => self.atom(&number, ups, star)?,
            Token::Times(times) => {
                let term = self.term()?;
                self.games.multiple(&times, term)?
            }
            Token::Word(tiny) => {
                if !self.takes('(') {
                    return Err(Unread::Beyond);
                }
                let x = self.closed(')', true)?;
                self.threat(x, tiny)?
            }
            Token::Sign('-') => {
                let term = self.term()?;
                self.games.neg(term)?
            }
            Token::Sign('±') => self.switch()?,
            Token::Sign('(') => self.closed(')', true)?,
            Token::Sign('{') => self.closed('}', false)?,
            Token::Sign(_) | Token::Bar(_) => return Err(Unread::Beyond),
        };
        self.depth -= 1;
        Ok(value)
    }

    fn closed(&mut self, sign: char, plain: bool) -> Result<Value, Unread> {
        let value = self.group(plain)?;
        if self.takes(sign) { Ok(value) } else { Err(Unread::Beyond) }
    }

    /// `±t` or `±(a,b)`.
    fn switch(&mut self) -> Result<Value, Unread> {
        let options = if self.takes('(') {
            let Sides { lists, bars } = self.sides()?;
            if !self.takes(')') {
                return Err(Unread::Beyond);
            }
            match &lists[..] {
                [list] if !list.is_empty() => list.clone(),
                [_] => return Err(Unread::Beyond),
                _ => vec![self.barred(&lists, &bars)?],
            }
        } else {
            vec![self.term()?]
        };
        let mut negatives = Vec::new();
        for &option in &options {
            negatives.push(self.games.neg(option)?);
        }
        Ok(self.games.make(&options, &negatives)?)
    }

    fn threat(&mut self, x: Value, tiny: bool) -> Result<Value, Unread> {
        let zero = self.games.zero();
        Ok(if tiny {
            let low = self.games.neg(x)?;
            let threat = self.games.make(&[zero], &[low])?;
            self.games.make(&[zero], &[threat])?
        } else {
            let threat = self.games.make(&[x], &[zero])?;
            self.games.make(&[threat], &[zero])?
        })
    }

    /// A number plus ups plus a nim-heap, by sums.
    fn atom(&mut self, number: &Dyadic, ups: i32, star: u32) -> Result<Value, Unread> {
        let number = self.games.dyadic(number)?;
        let ups = self.games.up(ups, star)?;
        Ok(self.games.add(number, ups)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(text: &str) -> (Option<String>, Option<String>) {
        let mut games = Games::new();
        let ours = evaluate(&mut games, text).ok();
        let theirs = games.parse(text).ok();
        (ours.map(|value| games.show(value)), theirs.map(|value| games.show(value)))
    }

    #[test]
    fn it_agrees_with_the_reader_of_the_kernel() {
        for text in [
            "0",
            "-3/4",
            "5-2",
            "5 - 2",
            "5+-2",
            "-2^",
            "-(2^)",
            "- 2^",
            "-^",
            "^^",
            "^3*2",
            "vv",
            "v2*",
            "2^*",
            "*3",
            "tiny(1)",
            "miny(1|0)",
            "±1",
            "±(1,{2|0})",
            "±{3|1}",
            "3.^",
            "-3.^",
            "2.{1|0}",
            "3||2|0",
            "3||||2|||1||0|0",
            "1,2|0||5",
            "{1,2|0||5}",
            "{|}",
            "{1|}",
            "(1|0)+*",
            "{3|1}+^*",
            "--1",
            "-±1",
            "4/8",
            "{a|b}",
            "1|0|2",
            "1||0||2",
            "{1}",
            "()",
            "(1,2)",
            "1,2",
            "",
            "{1|0",
            "1|0}",
            "{1,|0}",
            "{3|1}-{2|0}",
            "*-*2",
            "{0|0}-1",
            "2^-1",
            "0.5",
            "cool(3|0,1)",
            "↑",
            "3.2",
            "1 1",
            "^ *",
            "tiny 1",
            "±(1|0)",
            "-1.^",
        ] {
            let (ours, theirs) = both(text);
            if ours.is_some() {
                assert_eq!(ours, theirs, "{text}");
            } else {
                let beyond = ["0.5", "cool(3|0,1)", "↑", "3.2"];
                assert!(theirs.is_none() || beyond.contains(&text), "{text}: {theirs:?}");
            }
        }
        assert_eq!(both("{3|1}+^*").0.as_deref(), Some("{3^*|1^*}"));
    }

    #[test]
    fn deep_nests_are_beyond_it() {
        for text in [
            "{1|".repeat(100_000),
            "-".repeat(100_000),
            "(".repeat(100_000),
            format!(
                "1{}",
                (1..300).map(|height| format!("{}0", "|".repeat(height))).collect::<String>()
            ),
        ] {
            assert_eq!(evaluate(&mut Games::new(), &text), Err(Unread::Beyond));
        }
    }
}
