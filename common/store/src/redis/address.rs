//! The address of a store on servers: the parsed url. Never shows a password.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::percent_decode_str;

use super::tls::Tls;
use crate::error::StoreError;

const EXPECTED: &str = "redis://[user:password@]host:port[,host:port...] or \
                        redis+single://[user:password@]host:port, with TLS rediss://... or \
                        rediss+single://...[?ca=FILE][&cert=FILE&key=FILE]";

/// One server.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node {
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl Node {
    /// Parses `host:port`; an IPv6 host may be in brackets.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (host, port) = text.rsplit_once(':')?;
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let host = bare.unwrap_or(host);
        let port = port.parse().ok().filter(|&port| port != 0)?;
        let odd = |c: char| c.is_whitespace() || "/[]?#@".contains(c);
        (!host.is_empty() && !host.contains(odd)).then(|| Self { host: host.to_owned(), port })
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// A parsed url. Shown without the password.
#[derive(Clone)]
pub(crate) struct Address {
    /// Servers to ask first; any members of the cluster.
    pub(crate) seeds: Vec<Node>,
    /// Whether the servers are a cluster, which knows where each key is.
    pub(crate) cluster: bool,
    /// User and password; the user may be empty.
    pub(crate) login: Option<(String, String)>,
    /// TLS settings, if encrypted.
    pub(crate) tls: Option<Tls>,
}

impl Address {
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        let wrong = |found: String| StoreError::Url { found, expected: EXPECTED };
        let known = [(true, false), (false, false), (true, true), (false, true)];
        let found = known.into_iter().find_map(|(cluster, encrypted)| {
            Some((cluster, encrypted, url.strip_prefix(scheme(cluster, encrypted))?))
        });
        let Some((cluster, encrypted, rest)) = found else {
            let scheme = url.split_inclusive("://").next().unwrap_or("");
            // Without a scheme the rest may be anything, even a password.
            let shown = if scheme.ends_with("://") { scheme } else { "no scheme" };
            return Err(wrong(shown.to_owned()));
        };
        let (rest, tls) = match rest.split_once('?') {
            Some((rest, query)) if encrypted => (rest, Some(Tls::parse(query).map_err(wrong)?)),
            _ => (rest, encrypted.then(Tls::default)),
        };
        let (login, hosts) = match rest.rsplit_once('@') {
            Some((login, hosts)) => (Some(login), hosts),
            None => (None, rest),
        };
        let login = login
            .map(|login| {
                read_login(login)
                    .ok_or_else(|| wrong("a login that is not user:password".to_owned()))
            })
            .transpose()?;
        let seeds = hosts
            .strip_suffix('/')
            .unwrap_or(hosts)
            .split(',')
            .map(|text| Node::parse(text).ok_or_else(|| wrong(format!("the server {text:?}"))))
            .collect::<Result<Vec<_>, _>>()?;
        if !cluster && seeds.len() > 1 {
            return Err(wrong(format!(
                "{} with {} servers",
                scheme(false, encrypted),
                seeds.len()
            )));
        }
        Ok(Self { seeds, cluster, login, tls })
    }

    /// The url of one of these servers without a cluster.
    pub(crate) fn single(&self, node: &Node) -> String {
        format!("{}{node}", scheme(false, self.tls.is_some()))
    }
}

fn scheme(cluster: bool, encrypted: bool) -> &'static str {
    match (cluster, encrypted) {
        (true, false) => "redis://",
        (false, false) => "redis+single://",
        (true, true) => "rediss://",
        (false, true) => "rediss+single://",
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(scheme(self.cluster, self.tls.is_some()))?;
        for (index, seed) in self.seeds.iter().enumerate() {
            write!(f, "{}{seed}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// Parses `user:password` or `:password`, percent-encoded: `%40` is `@`.
fn read_login(login: &str) -> Option<(String, String)> {
    let (user, password) = login.split_once(':')?;
    Some((unescape(user)?, unescape(password).filter(|password| !password.is_empty())?))
}

fn unescape(text: &str) -> Option<String> {
    let digits =
        |rest: &str| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    if !text.split('%').skip(1).all(digits) {
        return None;
    }
    percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_servers_and_a_login() {
        let address = Address::parse("redis://me:a%40b:c@one:7000,[::1]:7001/").unwrap();
        let node = |host: &str, port| Node { host: host.to_owned(), port };
        assert_eq!(address.seeds, [node("one", 7000), node("::1", 7001)]);
        assert_eq!(address.login, Some(("me".to_owned(), "a@b:c".to_owned())));
        assert!(address.cluster);
        assert!(!Address::parse("redis+single://:secret@one:7000").unwrap().cluster);
        assert_eq!(address.tls, None);
    }

    #[test]
    fn encryption_is_asked_for_by_the_scheme() {
        let url = "rediss://:a%3Fb@one:7000,two:7000?ca=/etc/ca.pem";
        let address = Address::parse(url).unwrap();
        assert_eq!(address.tls, Some(Tls::parse("ca=/etc/ca.pem").unwrap()));
        assert_eq!(address.login, Some((String::new(), "a?b".to_owned())));
        assert_eq!(address.to_string(), "rediss://one:7000,two:7000");
        assert_eq!(address.single(&address.seeds[0]), "rediss+single://one:7000");
        let address = Address::parse("rediss+single://one:7000/").unwrap();
        assert_eq!((address.cluster, address.tls), (false, Some(Tls::default())));
    }

    #[test]
    fn a_password_is_never_shown() {
        let address = Address::parse("redis://me:secret@one:7000,two:7000").unwrap();
        assert_eq!(address.to_string(), "redis://one:7000,two:7000");
        for url in ["redis://me:secret@one", "me:secret@one:7000", "redis://me:secret%@one:1"] {
            let error = Address::parse(url).err().unwrap().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_bad_url_is_told_with_what_was_found_and_what_was_expected() {
        for (url, found) in [
            ("redis://", r#"the server """#),
            ("redis://one", r#"the server "one""#),
            ("redis://one:", r#"the server "one:""#),
            ("redis://one:0", r#"the server "one:0""#),
            ("redis://one:70000", r#"the server "one:70000""#),
            ("redis://one:7000,", r#"the server """#),
            ("redis://one:7000/2", r#"the server "one:7000/2""#),
            ("redis+single://one:1,two:2", "redis+single:// with 2 servers"),
            ("redis://name@one:1", "a login that is not user:password"),
            ("redisss://one:1", "redisss://"),
            ("rediss://one:1?insecure=yes", "?insecure="),
            ("redis://one:1?ca=x", r#"the server "one:1?ca=x""#),
            ("rediss+single://one:1,two:2", "rediss+single:// with 2 servers"),
            ("redis:one:1", "no scheme"),
        ] {
            let error = Address::parse(url).err().unwrap().to_string();
            assert!(error.contains(&format!("found {found}, expected redis://[user")), "{error}");
        }
    }
}
