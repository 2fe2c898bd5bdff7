//! Certificates that are texts.

use sha2::{Digest as _, Sha256};

/// The text with a last line that has its hash.
#[must_use]
pub fn with_hash(body: impl AsRef<str>) -> String {
    let body = body.as_ref();
    let hash: String = Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{body}sha256 {hash}\n")
}
