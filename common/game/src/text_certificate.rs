//! Certificates that are small texts: sealed with a hash, written whole or not at all.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The body with the hash of all its lines as the last one.
pub fn sealed(body: &str) -> String {
    let hash = blake3::hash(body.as_bytes()).to_hex();
    format!("{body}blake3 {hash}\n")
}

/// Writes a text whole or not at all. Returns its size in bytes.
pub fn write(path: &Path, text: &str) -> io::Result<u64> {
    hasami_files::write_whole(path, text.as_bytes())?;
    Ok(text.len() as u64)
}

/// Whether a file starts so.
pub fn starts_with(path: &Path, start: &str) -> io::Result<bool> {
    let mut found = Vec::new();
    File::open(path)?.take(start.len() as u64).read_to_end(&mut found)?;
    Ok(found == start.as_bytes())
}
