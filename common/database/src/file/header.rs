//! The header of a database: the game, its rules, and the number of values.

use std::io::Read;
use std::path::Path;

use super::BLOCK;
use crate::DatabaseError;
use crate::head::Head;

/// Version of the format.
pub const VERSION: u32 = 1;
const HEAD: Head = Head { kind: "database", magic: b"hasami database\n", longest: 4096 };

/// Header of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Name of the game.
    pub game: String,
    /// Its parameters as `key=value key=value`, in one spelling.
    pub rules: String,
    /// Number of values.
    pub values: u64,
}

impl Header {
    /// A file name for this database: the game and its rules, without characters special to a
    /// shell.
    #[must_use]
    pub fn file_name(&self) -> String {
        let plain = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
        format!("{} {}", self.game, self.rules).trim().chars().map(plain).collect()
    }

    fn text(&self) -> String {
        let Self { game, rules, values } = self;
        format!("version={VERSION}\ngame={game}\nrules={rules}\nvalues={values}\nblock={BLOCK}\n")
    }

    /// The encoded header.
    pub(super) fn bytes(&self) -> Vec<u8> {
        HEAD.write(&self.text())
    }

    /// Decodes what [`Header::bytes`] wrote.
    pub(super) fn read(from: &mut impl Read, file: &Path) -> Result<Self, DatabaseError> {
        let damaged = |what: &str| DatabaseError::damaged(file, what);
        let text = HEAD.read(from, file)?;
        let text = String::from_utf8(text).map_err(|_| damaged("damaged: header without words"))?;
        Self::parse(&text).ok_or_else(|| {
            damaged(&format!("a database of another version; expected version {VERSION}"))
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut next = |key: &str| lines.next()?.strip_prefix(key)?.strip_prefix('=');
        if next("version")?.parse() != Ok(VERSION) {
            return None;
        }
        let game = next("game")?.to_string();
        let rules = next("rules")?.to_string();
        let values = next("values")?.parse().ok()?;
        let header = Self { game, rules, values };
        (header.text() == text).then_some(header)
    }
}
