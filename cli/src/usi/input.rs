//! Lines from a GUI, which may be anything.

use std::io::BufRead;

/// Bytes of a line at most: a game of a hundred thousand moves fits.
const LONGEST: usize = 1 << 20;

/// Lines of text, numbered from 1.
pub struct Lines<R> {
    from: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a reader.
    pub fn new(from: R) -> Self {
        Self { from, number: 0 }
    }

    /// The number of the last line.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line without its end, or what is wrong with it; `None` after the last one.
    pub fn next(&mut self) -> Option<Result<String, String>> {
        let mut bytes = Vec::new();
        let mut length = 0;
        loop {
            // Input that cannot be read has ended.
            let piece = self.from.fill_buf().ok()?;
            if piece.is_empty() && length == 0 {
                return None;
            }
            let end = piece.iter().position(|&byte| byte == b'\n');
            let taken = end.unwrap_or(piece.len());
            let room = LONGEST.saturating_sub(bytes.len()).min(taken);
            bytes.extend_from_slice(&piece[..room]);
            length += taken;
            let last = end.is_some() || piece.is_empty();
            self.from.consume(taken + usize::from(end.is_some()));
            if last {
                break;
            }
            // An empty line has a length too.
            length = length.max(1);
        }
        self.number += 1;
        if length > LONGEST {
            return Some(Err(format!("{length} bytes; expected at most {LONGEST}")));
        }
        let text = String::from_utf8(bytes);
        Some(text.map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            format!("not UTF-8 at byte {at}")
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Result<String, String>> {
        let mut lines = Lines::new(std::io::BufReader::with_capacity(3, bytes));
        let list: Vec<_> = std::iter::from_fn(|| lines.next()).collect();
        assert_eq!(lines.number() as usize, list.len());
        list
    }

    #[test]
    fn lines_end_where_they_end() {
        assert_eq!(all(b""), []);
        assert_eq!(all(b"\n"), [Ok(String::new())]);
        assert_eq!(all(b"usi\n\nisready"), ["usi", "", "isready"].map(|text| Ok(text.to_string())));
    }

    #[test]
    fn what_is_no_line_is_refused_and_the_next_one_is_read() {
        let mut bytes = vec![b'x'; LONGEST + 1];
        bytes.extend_from_slice(b"\nab\xff\xfe\nquit\n");
        let long = format!("{} bytes; expected at most {LONGEST}", LONGEST + 1);
        let expected = [Err(long), Err("not UTF-8 at byte 3".to_string()), Ok("quit".to_string())];
        assert_eq!(all(&bytes), expected);
        bytes.remove(0);
        assert_eq!(all(&bytes)[0].as_ref().map(String::len), Ok(LONGEST));
    }
}
