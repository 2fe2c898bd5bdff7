//! Secrets that must not stand on a command line, where every user of the machine can read them.

use crate::failure::Failure;
use crate::tree::variable;

/// Refuses a URL with a password among the words of this process. The environment and a
/// configuration file are seen by their owner only.
pub fn not_on_command_line(option: &str, url: &str) -> Result<(), Failure> {
    let words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if !has_password(url) || !words.iter().any(|word| word.contains(url)) {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "--{option}: every user of this machine can read a password in the list of processes; \
         expected the URL in the variable {}, or in a configuration file under [coordinator]",
        variable(option)
    )))
}

/// Whether a URL has `user:password@` or `password=` in it.
fn has_password(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return false };
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    if query.split('&').any(|pair| pair.starts_with("password=") && pair != "password=") {
        return true;
    }
    let login = rest.rsplit_once('@').map_or("", |(login, _)| login);
    login.split_once(':').is_some_and(|(_, password)| !password.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_found_in_every_spelling() {
        for url in [
            "redis://me:secret@db:1",
            "rediss://:secret@a:1,b:2?ca=x",
            "redis+single://u:p@h:1",
            "postgres://me:a@b@db/x?journal=y",
            "postgres://db/x?journal=y&password=secret",
        ] {
            assert!(has_password(url), "{url}");
        }
        for url in [
            "redis://db1:6379,db2:6379",
            "hasami-data/store",
            "redis://me@db:1",
            "a:b@c",
            "postgres://me@db/x?ca=a:b@c",
        ] {
            assert!(!has_password(url), "{url}");
        }
    }
}
