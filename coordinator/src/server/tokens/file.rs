//! The list of tokens on disk: names, roles and hashes, readable by its owner only.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use hasami_files::Draft;
use hasami_proto::limits;
use serde::{Deserialize, Serialize};

use super::{Token, TokenError};

const MODE: u32 = 0o600;
const FORMAT: u32 = 1;
/// The longest file that is read: a token takes less than 256 bytes.
const LONGEST: u64 = limits::TOKENS as u64 * 256;

#[derive(Serialize, Deserialize)]
struct List {
    format: u32,
    tokens: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    name: String,
    role: String,
    blake3: String,
    created_ms: u64,
}

/// Reads the list; `None` if there is none yet.
pub(super) fn read(path: &Path) -> Result<Option<Vec<Arc<Token>>>, TokenError> {
    let failed = |source| TokenError::Io { path: path.to_owned(), source };
    let malformed = |detail: String| TokenError::Malformed { path: path.to_owned(), detail };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).map_err(failed)?;
    let list: List = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
    if list.format != FORMAT {
        return Err(malformed(format!("found format {}; expected {FORMAT}", list.format)));
    }
    let mut tokens = Vec::with_capacity(list.tokens.len());
    for entry in list.tokens {
        let role = entry.role.parse().map_err(|error| malformed(format!("role: {error}")))?;
        let hash = blake3::Hash::from_hex(&entry.blake3);
        let hash = hash.map_err(|error| malformed(format!("blake3: {error}")))?;
        tokens.push(Token::new(&entry.name, role, *hash.as_bytes(), entry.created_ms));
    }
    Ok(Some(tokens))
}

/// Writes the list; it is on disk when this returns.
pub(super) fn write<'a>(
    path: &Path,
    tokens: impl Iterator<Item = &'a Arc<Token>>,
) -> Result<(), TokenError> {
    let entry = |token: &Arc<Token>| Entry {
        name: token.name.to_string(),
        role: token.role.to_string(),
        blake3: blake3::Hash::from_bytes(token.digest).to_hex().to_string(),
        created_ms: token.created_ms,
    };
    let list = List { format: FORMAT, tokens: tokens.map(entry).collect() };
    let save = || -> io::Result<()> {
        let mut draft = Draft::with_mode(path, MODE)?;
        serde_json::to_writer_pretty(&mut draft, &list)?;
        draft.write_all(b"\n")?;
        draft.finish()
    };
    save().map_err(|source| TokenError::Io { path: path.to_owned(), source })
}
