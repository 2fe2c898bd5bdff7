use std::os::unix::fs::PermissionsExt;

use super::*;

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn list(&self) -> PathBuf {
        self.0.path().join("tokens.json")
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("access.json")
    }

    /// What a start of the coordinator does.
    fn start(&self) -> Tokens {
        let found = Access::read(self.file()).ok();
        let (tokens, [client_token, worker_token]) =
            Tokens::prepare(&self.list(), &self.file(), found.as_ref()).unwrap();
        let access = Access { url: "http://h:1".into(), client_token, worker_token, ca_pem: None };
        if found.as_ref() != Some(&access) {
            access.write(self.file()).unwrap();
        }
        tokens
    }

    fn access(&self) -> Access {
        Access::read(self.file()).unwrap()
    }
}

fn role(tokens: &Tokens, secret: Option<&String>) -> Option<Role> {
    tokens.find(secret.unwrap().as_bytes()).map(|token| token.role)
}

#[test]
fn tokens_outlive_a_restart_and_no_secret_is_in_the_list() {
    let home = Home::new();
    let tokens = home.start();
    let first = home.access();
    let (_, secret) = tokens.add("lab-7", Role::Worker).unwrap();
    let tokens = home.start();
    assert_eq!(home.access(), first);
    assert_eq!(role(&tokens, first.client_token.as_ref()), Some(Role::Operator));
    assert_eq!(role(&tokens, first.worker_token.as_ref()), Some(Role::Worker));
    assert_eq!(role(&tokens, Some(&secret)), Some(Role::Worker));
    assert!(tokens.find(b"guess").is_none() && tokens.find(b"").is_none());
    let text = std::fs::read_to_string(home.list()).unwrap();
    let secrets = [secret, first.client_token.unwrap(), first.worker_token.unwrap()];
    assert!(secrets.iter().all(|secret| !text.contains(secret)), "{text}");
    let mode = std::fs::metadata(home.list()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_revoked_token_opens_nothing_also_after_a_restart() {
    let home = Home::new();
    let tokens = home.start();
    let old = home.access().worker_token;
    let token = tokens.find(old.as_ref().unwrap().as_bytes()).unwrap();
    assert_eq!(tokens.revoke(WORKER).unwrap(), token.id());
    assert!(token.is_revoked());
    for tokens in [tokens, home.start()] {
        assert_eq!(role(&tokens, old.as_ref()), None);
        assert_eq!(home.access().worker_token, None, "it does not come back by itself");
        assert!(matches!(tokens.revoke(WORKER), Err(TokenError::Missing(_))));
    }
}

#[test]
fn a_rotated_token_is_another_one_and_the_access_file_has_it() {
    let home = Home::new();
    let tokens = home.start();
    let old = home.access().client_token;
    let (_, secret, _) = tokens.rotate(OPERATOR).unwrap();
    assert_eq!(home.access().client_token.as_ref(), Some(&secret));
    for tokens in [tokens, home.start()] {
        assert_eq!(role(&tokens, old.as_ref()), None);
        assert_eq!(role(&tokens, Some(&secret)), Some(Role::Operator));
    }
}

#[test]
fn an_access_file_of_an_older_release_is_taken_over() {
    let home = Home::new();
    let old = Access {
        url: "http://h:1".into(),
        client_token: Some("c".repeat(64)),
        worker_token: Some("w".repeat(64)),
        ca_pem: None,
    };
    old.write(home.file()).unwrap();
    let tokens = home.start();
    assert_eq!(home.access(), old);
    assert_eq!(role(&tokens, old.client_token.as_ref()), Some(Role::Operator));
    assert_eq!(role(&tokens, old.worker_token.as_ref()), Some(Role::Worker));
}

#[test]
fn an_access_file_that_is_removed_or_behind_is_made_anew() {
    let home = Home::new();
    home.start();
    let first = home.access();
    std::fs::remove_file(home.file()).unwrap();
    let tokens = home.start();
    let second = home.access();
    assert_eq!(role(&tokens, first.client_token.as_ref()), None, "removing it changes the tokens");
    assert_eq!(role(&tokens, second.client_token.as_ref()), Some(Role::Operator));
    // Killed after the list was written and before the access file was.
    tokens.rotate(WORKER).unwrap();
    second.write(home.file()).unwrap();
    let tokens = home.start();
    assert_eq!(role(&tokens, second.worker_token.as_ref()), None);
    assert_eq!(role(&tokens, home.access().worker_token.as_ref()), Some(Role::Worker));
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let home = Home::new();
    let tokens = home.start();
    for name in ["", ".hidden", "a b", "a/b", "\x1b[2J", "ä", &"x".repeat(65)] {
        let error = tokens.add(name, Role::Client).unwrap_err();
        assert!(matches!(error, TokenError::Name { .. }), "{name:?}: {error}");
        assert!(!error.to_string().contains('\x1b'), "{error}");
    }
    assert!(matches!(tokens.add(WORKER, Role::Client), Err(TokenError::Exists(_))));
    assert!(matches!(tokens.rotate("nobody"), Err(TokenError::Missing(_))));
    assert!(matches!(tokens.revoke(OPERATOR), Err(TokenError::LastOperator(_))));
    tokens.add("second", Role::Operator).unwrap();
    tokens.revoke(OPERATOR).unwrap();
    let names: Vec<String> = home.start().list().into_iter().map(|token| token.name).collect();
    assert_eq!(names, ["second", WORKER]);
    assert!(matches!(
        Tokens::from(&Access::default()).add("x", Role::Client),
        Err(TokenError::Open)
    ));
}

#[test]
fn a_list_that_is_none_stops_the_coordinator() {
    let home = Home::new();
    for text in ["", "{}", "{\"format\":2,\"tokens\":[]}", "[1]"] {
        std::fs::write(home.list(), text).unwrap();
        let error = Tokens::prepare(&home.list(), &home.file(), None).err().unwrap();
        assert!(matches!(error, TokenError::Malformed { .. }), "{text}: {error}");
    }
}
