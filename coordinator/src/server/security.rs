//! How much protection an address needs.

use std::net::IpAddr;

/// What a caller must present, and whether the connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Nothing: for a cluster inside one process, and for tests.
    Open,
    /// A token, unencrypted.
    Tokens,
    /// A token, over TLS.
    TokensAndTls,
}

impl Security {
    /// The protection for an address. On the loopback, anyone who could listen could read the files
    /// as well; elsewhere tokens are encrypted, unless the user insists on `insecure`. Tokens are
    /// always required: a shared machine has other users.
    #[must_use]
    pub fn for_address(address: IpAddr, insecure: bool) -> Self {
        if insecure || address.to_canonical().is_loopback() {
            Self::Tokens
        } else {
            Self::TokensAndTls
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_loopback_goes_unencrypted() {
        let of = |address: &str| Security::for_address(address.parse().unwrap(), false);
        for loopback in ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(of(loopback), Security::Tokens, "{loopback}");
        }
        for other in ["0.0.0.0", "::", "10.0.0.1", "192.168.1.1", "fe80::1"] {
            assert_eq!(of(other), Security::TokensAndTls, "{other}");
        }
        let insists = Security::for_address("0.0.0.0".parse().unwrap(), true);
        assert_eq!(insists, Security::Tokens);
    }
}
