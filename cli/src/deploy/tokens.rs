//! Tokens for workers that a launcher starts: one for each host or batch, by a name that says which.

use hasami_proto::v1::{AddTokenRequest, RevokeTokenRequest, RotateTokenRequest, TokenRole};
use hasami_proto::{Access, Trouble};
use tonic::Code;

use crate::cluster::access::Operator;
use crate::cluster::client::patient;
use crate::failure::Failure;

/// The longest name of a token.
const LONGEST: usize = 64;

/// A name made of what a token's name may have: letters, digits, `-`, `_` and `.`.
pub fn name(prefix: &str, of: &str) -> String {
    let allowed = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    let of: String = of.chars().map(|sign| if allowed(sign) { sign } else { '-' }).collect();
    let whole = format!("{prefix}-{of}");
    if whole.len() <= LONGEST {
        return whole;
    }
    // Long names that begin alike must not become one.
    let digest = blake3::hash(of.as_bytes()).to_hex();
    format!("{}-{}", &whole[..LONGEST - 13], &digest[..12])
}

/// A new secret for this name: a new token, or the old one replaced.
pub async fn give(operator: &Operator, name: &str) -> Result<Access, Failure> {
    let mut calls = operator.calls.clone();
    let request = AddTokenRequest { name: name.to_string(), role: TokenRole::Worker.into() };
    let added = patient(async || calls.add_token(request.clone()).await).await;
    let secret = match added {
        Ok(reply) => reply.into_inner().secret,
        Err(status) if status.code() == Code::AlreadyExists => {
            let request = RotateTokenRequest { name: name.to_string() };
            match patient(async || calls.rotate_token(request.clone()).await).await {
                Ok(reply) => {
                    let reply = reply.into_inner();
                    let role = reply.token.map(|token| token.role());
                    if !matches!(role, Some(TokenRole::Worker | TokenRole::Stranger)) {
                        return Err(Failure::Usage(format!(
                            "the token {name} is there and is no worker's; it has a new secret \
                             now: `hasami access rotate {name}`"
                        )));
                    }
                    reply.secret
                }
                Err(status) => return Err(operator.failure(&status)),
            }
        }
        Err(status) => return Err(operator.failure(&status)),
    };
    Ok(Access { client_token: None, worker_token: Some(secret), ..operator.access.clone() })
}

/// Ends a token; says whether there was one.
pub async fn end(operator: &Operator, name: &str) -> Result<bool, Failure> {
    let mut calls = operator.calls.clone();
    let request = RevokeTokenRequest { name: name.to_string() };
    match patient(async || calls.revoke_token(request.clone()).await).await {
        Ok(_) => Ok(true),
        Err(status)
            if matches!(Trouble::from(&status), Trouble::Other { code: Code::NotFound, .. }) =>
        {
            Ok(false)
        }
        Err(status) => Err(operator.failure(&status)),
    }
}

/// Workers elsewhere cannot use an address that means their own machine.
pub fn reachable(access: &Access) -> Result<(), Failure> {
    let is_loopback = |url: &str| {
        let rest = url.trim().split_once("://").map_or(url.trim(), |(_, rest)| rest);
        rest.starts_with("127.")
            || rest.starts_with("[::1]")
            || rest.split([':', '/']).next() == Some("localhost")
    };
    // Of several coordinators one is enough.
    if access.url.split(',').all(is_loopback) {
        return Err(Failure::Usage(format!(
            "the access file names {}, which other machines cannot reach\n  \
             start the coordinator with --listen 0.0.0.0:7444 --name HOST, or give \
             --coordinator URL",
            access.url
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_only_what_a_token_may_have_and_stay_apart() {
        assert_eq!(name("ssh", "lab7"), "ssh-lab7");
        assert_eq!(name("ssh", "[fe80::1%eth0]:22"), "ssh--fe80--1-eth0--22");
        let (a, b) = ("x".repeat(80), "x".repeat(81));
        assert_eq!(name("ssh", &a).len(), LONGEST);
        assert_ne!(name("ssh", &a), name("ssh", &b));
    }

    #[test]
    fn an_address_of_the_machine_itself_is_refused() {
        let at = |url: &str| reachable(&Access { url: url.to_string(), ..Access::default() });
        for url in ["http://127.0.0.1:7444", "localhost:7444", "https://[::1]:7"] {
            assert!(at(url).is_err(), "{url}");
        }
        for url in ["https://lab1.example.org:7444", "10.0.0.1:7444", "https://localhost.lab:1"] {
            assert!(at(url).is_ok(), "{url}");
        }
    }
}
