//! Tokens: the secrets by which the coordinator knows its workers and its users apart. One is a
//! line of hexadecimal digits, so that it passes through headers, files and shells unharmed.

use std::io;

use http::HeaderValue;

/// What stands before the token in an `authorization` header.
const SCHEME: &str = "Bearer ";

/// A new token: 256 bits that nobody can guess.
///
/// # Errors
/// When the system has no randomness to give.
pub fn fresh_token() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A number that nobody can guess, never 0.
///
/// # Errors
/// When the system has no randomness to give.
pub fn fresh_number() -> io::Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(u64::from_le_bytes(bytes).max(1))
}

/// The value of the `authorization` header that carries `token`; `None` where it has characters
/// that no header may have.
#[must_use]
pub fn to_header(token: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("{SCHEME}{token}")).ok()?;
    // Kept out of the compression tables of HTTP/2 and out of debug output.
    value.set_sensitive(true);
    Some(value)
}

/// The token in the value of an `authorization` header.
#[must_use]
pub fn from_header(value: &HeaderValue) -> Option<&[u8]> {
    value.as_bytes().strip_prefix(SCHEME.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_survive_a_header() {
        let (one, other) = (fresh_token().unwrap(), fresh_token().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 64);
        let header = to_header(&one).unwrap();
        assert_eq!(from_header(&header), Some(one.as_bytes()));
        assert!(!format!("{header:?}").contains(&one), "a header must not show its token");
        assert_eq!(to_header("two\nlines"), None);
    }
}
