//! The first position of an SGF file: size, and the stones set up in the root node.

use super::board::{Board, Cell, Colour};

/// What is wrong with an SGF file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: found {found}; expected {expected}")]
pub struct SgfError {
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// What is there.
    pub found: String,
    /// What should be there.
    pub expected: String,
}

/// SGF names points with one letter for each coordinate: a to z, then A to Z.
const MAX_SIZE: usize = 52;

/// Reads the stones of the root node (`SZ`, `AB`, `AW`, `AE`); they are ordinary stones, all of which
/// can be captured. Moves and variations are left alone.
///
/// # Errors
/// When it is no SGF of Go, or a stone has no liberty.
pub fn read_sgf(text: &str) -> Result<Board, SgfError> {
    let mut reader = Reader { signs: text.chars().collect(), at: 0 };
    let root = reader.root()?;
    let (columns, rows) = size(&reader, &root)?;
    let mut board = Board::new(columns, vec![Cell::Empty; columns * rows]);
    for property in &root {
        let cell = match property.name.as_str() {
            "AB" => Cell::Stone(Colour::Black),
            "AW" => Cell::Stone(Colour::White),
            "AE" => Cell::Empty,
            _ => continue,
        };
        for value in &property.values {
            put(&reader, &mut board, value, cell)?;
        }
    }
    match board.choked() {
        None => Ok(board),
        Some(point) => Err(reader.error(
            0,
            format!("a stone without a liberty on {}", name(point % columns, point / columns)),
            "chains with a liberty",
        )),
    }
}

struct Property {
    name: String,
    values: Vec<Text>,
}

/// The text of a value and where it starts.
struct Text {
    text: String,
    at: usize,
}

struct Reader {
    signs: Vec<char>,
    at: usize,
}

impl Reader {
    fn error(&self, at: usize, found: impl Into<String>, expected: impl Into<String>) -> SgfError {
        let before = &self.signs[..at.min(self.signs.len())];
        let line = 1 + before.iter().filter(|sign| **sign == '\n').count();
        let column = 1 + before.iter().rev().take_while(|sign| **sign != '\n').count();
        SgfError { line, column, found: found.into(), expected: expected.into() }
    }

    fn wrong(&self, expected: &str) -> SgfError {
        let found = match self.signs.get(self.at) {
            Some(sign) => format!("{sign:?}"),
            None => "the end of the file".to_string(),
        };
        self.error(self.at, found, expected)
    }

    fn space(&mut self) {
        while self.signs.get(self.at).is_some_and(|sign| sign.is_whitespace()) {
            self.at += 1;
        }
    }

    fn sign(&mut self, sign: char, expected: &str) -> Result<(), SgfError> {
        self.space();
        if self.signs.get(self.at) != Some(&sign) {
            return Err(self.wrong(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn root(&mut self) -> Result<Vec<Property>, SgfError> {
        self.sign('(', "\"(\", the start of a game tree")?;
        self.sign(';', "\";\", the start of the root node")?;
        let mut properties = Vec::new();
        loop {
            self.space();
            match self.signs.get(self.at) {
                Some(';' | '(' | ')') => return Ok(properties),
                Some(sign) if sign.is_ascii_alphabetic() => properties.push(self.property()?),
                _ => return Err(self.wrong("a property like AB[cd], or \")\"")),
            }
        }
    }

    fn property(&mut self) -> Result<Property, SgfError> {
        let mut name = String::new();
        while let Some(sign) = self.signs.get(self.at).filter(|sign| sign.is_ascii_alphabetic()) {
            // Old files have lower-case letters in between that mean nothing.
            if sign.is_ascii_uppercase() {
                name.push(*sign);
            }
            self.at += 1;
        }
        let mut values = Vec::new();
        self.space();
        while values.is_empty() || self.signs.get(self.at) == Some(&'[') {
            self.sign('[', "\"[\", a value of the property")?;
            values.push(self.value()?);
            self.space();
        }
        Ok(Property { name, values })
    }

    fn value(&mut self) -> Result<Text, SgfError> {
        let at = self.at;
        let mut text = String::new();
        loop {
            match self.signs.get(self.at) {
                None => return Err(self.wrong("\"]\", the end of the value")),
                Some(']') => break,
                Some('\\') => {
                    self.at += 1;
                    text.extend(self.signs.get(self.at));
                }
                Some(sign) => text.push(*sign),
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(Text { text, at })
    }
}

fn size(reader: &Reader, root: &[Property]) -> Result<(usize, usize), SgfError> {
    let one = |name: &str| root.iter().find(|property| property.name == name);
    if let Some(game) = one("GM").and_then(|property| property.values.first())
        && game.text.trim() != "1"
    {
        return Err(reader.error(game.at, format!("GM[{}]", game.text), "GM[1], the game of Go"));
    }
    let Some(value) = one("SZ").and_then(|property| property.values.first()) else {
        return Ok((19, 19));
    };
    let (columns, rows) = value.text.split_once(':').unwrap_or((&value.text, &value.text));
    let number = |text: &str| text.trim().parse().ok().filter(|n| (1..=MAX_SIZE).contains(n));
    number(columns).zip(number(rows)).ok_or_else(|| {
        let expected = format!("SZ[N] or SZ[COLUMNS:ROWS], each from 1 to {MAX_SIZE}");
        reader.error(value.at, format!("SZ[{}]", value.text), expected)
    })
}

/// One point, or a rectangle `aa:cc`.
fn put(reader: &Reader, board: &mut Board, value: &Text, cell: Cell) -> Result<(), SgfError> {
    let wrong = || {
        let expected = format!(
            "a point like \"cd\" of the board with {} columns and {} rows, or two with \":\"",
            board.columns(),
            board.rows()
        );
        reader.error(value.at, format!("[{}]", value.text), expected)
    };
    let (from, to) = value.text.split_once(':').unwrap_or((&value.text, &value.text));
    let (left, top) = point(from, board).ok_or_else(wrong)?;
    let (right, bottom) = point(to, board).ok_or_else(wrong)?;
    if left > right || top > bottom {
        return Err(wrong());
    }
    for row in top..=bottom {
        for column in left..=right {
            board.set(row * board.columns() + column, cell);
        }
    }
    Ok(())
}

fn point(text: &str, board: &Board) -> Option<(usize, usize)> {
    let mut signs = text.trim().chars();
    let (column, row) = (coordinate(signs.next()?)?, coordinate(signs.next()?)?);
    let whole = signs.next().is_none() && column < board.columns() && row < board.rows();
    whole.then_some((column, row))
}

fn coordinate(sign: char) -> Option<usize> {
    match sign {
        'a'..='z' => Some(sign as usize - 'a' as usize),
        'A'..='Z' => Some(sign as usize - 'A' as usize + 26),
        _ => None,
    }
}

fn name(column: usize, row: usize) -> String {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    [letters[column], letters[row]].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_root_is_read_and_the_rest_left_alone() {
        let text =
            "(;GM[1]FF[4]SZ[4:3]C[a \\] b]AB[aa:ba][ca]AW[bc] [dc] ; B[dd] (;W[aa])(;W[bb]))";
        assert_eq!(read_sgf(text).unwrap().to_string(), "xxx.\n....\n.o.o");
        assert_eq!(read_sgf("(;)").unwrap().columns(), 19);
    }

    #[test]
    fn errors_have_a_place() {
        for (text, place, words) in [
            ("", "line 1, column 1", "the start of a game tree"),
            ("(;\nSZ[9]AB[zz])", "line 2, column 9", "a point like"),
            ("(;SZ[0])", "line 1, column 6", "SZ[N]"),
            ("(;AB", "line 1, column 5", "a value of the property"),
            ("(;AB[aa", "line 1, column 8", "the end of the value"),
            ("(;GM[2])", "line 1, column 6", "the game of Go"),
            ("(;SZ[2]AB[aa][ba][ab][bb])", "line 1, column 1", "chains with a liberty"),
        ] {
            let told = read_sgf(text).unwrap_err().to_string();
            assert!(told.starts_with(place) && told.contains(words), "{text}: {told}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "[(;)\\[\\]A-Za-c:0-9\\\\ \n]{0,60}") {
            let _ = read_sgf(&text);
            let _ = read_sgf(&format!("(;SZ[5]{text}"));
        }
    }
}
