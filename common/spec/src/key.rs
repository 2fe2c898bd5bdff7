//! Content keys: equal questions have the same key in every run.

use std::fmt;

/// A fingerprint of a question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentKey(pub [u8; 16]);

impl ContentKey {
    /// The key of a list of texts.
    #[must_use]
    pub fn of(parts: &[&str]) -> Self {
        let mut bytes = Vec::with_capacity(256);
        parts.iter().for_each(|part| push_part(&mut bytes, part));
        Self::of_bytes(&bytes)
    }

    /// The key of texts that [`push_part`] has put together.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let mut key = [0; 16];
        key.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Self(key)
    }
}

/// Appends a text with its length, so that different lists never become the same bytes.
pub(crate) fn push_part(bytes: &mut Vec<u8>, part: &str) {
    bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
    bytes.extend_from_slice(part.as_bytes());
}

impl fmt::Display for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
