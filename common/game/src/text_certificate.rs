//! Certificates that are small texts: sealed with a hash, written whole or not at all.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use hasami_andor::certificate::partial_name;

/// The body with the hash of all its lines as the last one.
pub fn sealed(body: &str) -> String {
    let hash = blake3::hash(body.as_bytes()).to_hex();
    format!("{body}blake3 {hash}\n")
}

/// Writes a text under another name, syncs it, and gives it its own. Returns its size in bytes.
pub fn write(path: &Path, text: &str) -> io::Result<u64> {
    let partial = partial_name(path);
    let put = || {
        let mut file = File::create(&partial)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&partial, path)
    };
    put().inspect_err(|_| {
        // If that fails too, the name still says what it is.
        let _ = std::fs::remove_file(&partial);
    })?;
    Ok(text.len() as u64)
}

/// Whether a file starts so.
pub fn starts_with(path: &Path, start: &str) -> io::Result<bool> {
    let mut found = Vec::new();
    File::open(path)?.take(start.len() as u64).read_to_end(&mut found)?;
    Ok(found == start.as_bytes())
}
