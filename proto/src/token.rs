//! Tokens: the secrets by which the coordinator distinguishes workers and clients. A token is a
//! line of hexadecimal digits, so that it passes through headers, files and shells unchanged.

use std::io;

use http::HeaderValue;

/// The prefix of the token in an `authorization` header.
const SCHEME: &str = "Bearer ";

/// A new token: 256 random bits.
///
/// # Errors
/// If the system has no randomness.
pub fn fresh_token() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// An unguessable number, never 0.
///
/// # Errors
/// If the system has no randomness.
pub fn fresh_number() -> io::Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(u64::from_le_bytes(bytes).max(1))
}

/// The value of the `authorization` header for `token`; `None` if it has characters that are not
/// valid in a header.
#[must_use]
pub fn to_header(token: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("{SCHEME}{token}")).ok()?;
    // Excluded from the HTTP/2 compression tables and from debug output.
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
