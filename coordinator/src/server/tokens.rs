//! The tokens of a coordinator: one for each worker and each client, kept by their hashes. A token
//! is 256 random bits, so its hash needs no salt and tells nothing about it.

mod file;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use hasami_proto::token::fresh_token;
use hasami_proto::{Access, Role, limits};
use subtle::ConstantTimeEq;

use super::complaints::Complaints;
use super::share::Share;
use crate::engine::wall_ms;

/// The name of the token for clients in the coordinator's own access file.
pub const OPERATOR: &str = "operator";
/// The name of the token for workers there.
pub const WORKER: &str = "worker";

type Digest = [u8; 32];

/// Why tokens cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The name cannot be used.
    #[error(
        "token name {found:?}: expected 1 to {} letters, digits, -, _ and . , not . at first",
        limits::TOKEN_NAME
    )]
    Name {
        /// What was found.
        found: String,
    },
    /// There is one of this name.
    #[error("there is a token {0} already: `hasami access rotate` replaces it")]
    Exists(String),
    /// There is none of this name.
    #[error("there is no token {0}: `hasami access list` shows them")]
    Missing(String),
    /// Nobody could give out tokens any more.
    #[error("{0} is the last operator: `hasami access rotate` replaces its token")]
    LastOperator(String),
    /// There is no room for another.
    #[error("there are {} tokens already, the most that are kept", limits::TOKENS)]
    Full,
    /// This coordinator lets everybody in.
    #[error("this coordinator uses no tokens")]
    Open,
    /// A file operation failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// The file has another format.
    #[error("{} is no list of tokens: {detail}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
}

/// A token that is in force.
#[derive(Debug)]
pub(super) struct Token {
    pub name: Arc<str>,
    pub role: Role,
    digest: Digest,
    created_ms: u64,
    used_ms: AtomicU64,
    revoked: AtomicBool,
    pub share: Share,
    pub complaints: Complaints,
}

impl Token {
    fn new(name: &str, role: Role, digest: Digest, created_ms: u64) -> Arc<Self> {
        Arc::new(Self {
            name: name.into(),
            role,
            digest,
            created_ms,
            used_ms: AtomicU64::new(0),
            revoked: AtomicBool::new(false),
            share: Share::of_one(),
            complaints: Complaints::default(),
        })
    }

    /// Tells apart tokens that had the same name one after the other.
    pub fn id(&self) -> u64 {
        id(&self.digest)
    }

    pub fn is_revoked(&self) -> bool {
        self.revoked.load(Ordering::SeqCst)
    }

    fn info(&self) -> TokenInfo {
        TokenInfo {
            name: self.name.to_string(),
            role: self.role,
            created_ms: self.created_ms,
            used_ms: self.used_ms.load(Ordering::Relaxed),
            id: self.id(),
        }
    }
}

/// A token as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenInfo {
    /// Its name.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// Milliseconds since 1970.
    pub created_ms: u64,
    /// Its last call since the coordinator has started; 0: none.
    pub used_ms: u64,
    /// Its number among connections.
    pub id: u64,
}

#[derive(Default)]
struct State {
    by_name: BTreeMap<String, Arc<Token>>,
    by_id: HashMap<u64, Arc<Token>>,
}

impl State {
    fn put(&mut self, token: Arc<Token>) {
        self.by_id.insert(token.id(), Arc::clone(&token));
        self.by_name.insert(token.name.to_string(), token);
    }

    fn remove(&mut self, name: &str) -> Option<Arc<Token>> {
        let token = self.by_name.remove(name)?;
        self.by_id.remove(&token.id());
        Some(token)
    }

    fn add(&mut self, name: &str, role: Role, secret: &str) {
        self.put(Token::new(name, role, digest(secret.as_bytes()), wall_ms()));
    }
}

/// Called when a file of tokens was written, before the change is in force; an error undoes it.
pub type Saved = Box<dyn Fn() -> Result<(), String> + Send + Sync>;

struct Inner {
    /// The list, and the coordinator's own access file.
    files: Option<(PathBuf, PathBuf)>,
    saved: OnceLock<Saved>,
    state: RwLock<State>,
    /// One change at a time.
    changing: Mutex<()>,
}

/// The tokens of a coordinator. Without any, every caller is admitted. Clones share them.
#[derive(Clone)]
pub struct Tokens(Arc<Inner>);

fn digest(secret: &[u8]) -> Digest {
    *blake3::hash(secret).as_bytes()
}

fn id(digest: &Digest) -> u64 {
    u64::from_le_bytes(digest[..8].try_into().expect("eight bytes"))
}

/// The tokens of an access file, with their names and roles.
fn named(access: &Access) -> [(&'static str, Role, Option<&String>); 2] {
    [
        (OPERATOR, Role::Operator, access.client_token.as_ref()),
        (WORKER, Role::Worker, access.worker_token.as_ref()),
    ]
}

impl From<&Access> for Tokens {
    /// The tokens of an access file, kept in memory alone.
    fn from(access: &Access) -> Self {
        let mut state = State::default();
        for (name, role, secret) in named(access) {
            if let Some(secret) = secret {
                state.add(name, role, secret);
            }
        }
        Self::new(None, state)
    }
}

impl Tokens {
    fn new(files: Option<(PathBuf, PathBuf)>, state: State) -> Self {
        Self(Arc::new(Inner {
            files,
            saved: OnceLock::new(),
            state: RwLock::new(state),
            changing: Mutex::new(()),
        }))
    }

    /// Loads the tokens of a data directory. `access` is its access file, as found: what it lacks
    /// is made, unless it was revoked. A token in it that is not known (the coordinator was killed
    /// between writing the two files) is replaced.
    pub(super) fn prepare(
        list: &Path,
        access_file: &Path,
        access: Option<&Access>,
    ) -> Result<(Self, [Option<String>; 2]), TokenError> {
        let kept = file::read(list)?;
        let first = kept.is_none();
        let mut state = State::default();
        kept.into_iter().flatten().for_each(|token| state.put(token));
        let none = Access::default();
        let mut secrets = [None, None];
        let found = named(access.unwrap_or(&none));
        let mut changed = first;
        for ((name, role, secret), place) in found.into_iter().zip(&mut secrets) {
            let known = state.by_name.get(name);
            let same = |secret: &&String| {
                let shown = digest(secret.as_bytes());
                known.is_some_and(|token| token.digest == shown)
            };
            *place = match secret {
                Some(secret) if first || same(&secret) => Some(secret.clone()),
                // Removed by an operator, and to stay so.
                _ if access.is_some() && !first && known.is_none() => None,
                _ => Some(fresh()?),
            };
            if let Some(secret) = &*place
                && !same(&secret)
            {
                state.remove(name);
                state.add(name, role, secret);
                changed = true;
            }
        }
        if changed {
            file::write(list, state.by_name.values())?;
        }
        let files = Some((list.to_owned(), access_file.to_owned()));
        Ok((Self::new(files, state), secrets))
    }

    /// Sets what follows every change of the files; once.
    pub fn when_saved(&self, saved: Saved) {
        // Only the coordinator that has made these tokens calls it.
        let _ = self.0.saved.set(saved);
    }

    fn tell_saved(&self, path: &Path) -> Result<(), TokenError> {
        let Some(saved) = self.0.saved.get() else { return Ok(()) };
        saved()
            .map_err(|why| TokenError::Io { path: path.to_owned(), source: io::Error::other(why) })
    }

    /// Whether everybody is admitted.
    pub(super) fn is_open(&self) -> bool {
        self.read(|state| state.by_name.is_empty()) && self.0.files.is_none()
    }

    /// The token that a caller shows.
    pub(super) fn find(&self, shown: &[u8]) -> Option<Arc<Token>> {
        let shown = digest(shown);
        let token = self.read(|state| state.by_id.get(&id(&shown)).cloned())?;
        // The hash of a guess tells nothing about a token, but comparing is cheap.
        if !bool::from(token.digest.ct_eq(&shown)) {
            return None;
        }
        token.used_ms.store(wall_ms(), Ordering::Relaxed);
        Some(token)
    }

    /// The token that somebody shows on the page.
    #[must_use]
    pub fn shown(&self, secret: &[u8]) -> Option<TokenInfo> {
        self.find(secret).map(|token| token.info())
    }

    /// The token with this number, if it is still in force.
    #[must_use]
    pub fn in_force(&self, id: u64) -> Option<TokenInfo> {
        let token = self.read(|state| state.by_id.get(&id).cloned())?;
        (!token.is_revoked()).then(|| token.info())
    }

    /// All tokens, by name.
    #[must_use]
    pub fn list(&self) -> Vec<TokenInfo> {
        self.read(|state| state.by_name.values().map(|token| token.info()).collect())
    }

    /// Makes a token; returns it and its secret, which is kept nowhere.
    ///
    /// # Errors
    /// If the name is taken or unfit, or the file cannot be written: nothing has changed then.
    pub fn add(&self, name: &str, role: Role) -> Result<(TokenInfo, String), TokenError> {
        let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
        let long = name.is_empty() || name.len() > limits::TOKEN_NAME;
        if long || name.starts_with('.') || !name.chars().all(plain) {
            let found = hasami_sweep::text::line(name, limits::QUOTED);
            return Err(TokenError::Name { found });
        }
        self.change(|state| {
            if state.by_name.contains_key(name) {
                return Err(TokenError::Exists(name.to_string()));
            }
            if state.by_name.len() >= limits::TOKENS {
                return Err(TokenError::Full);
            }
            let secret = fresh()?;
            state.add(name, role, &secret);
            Ok((state.by_name[name].info(), secret))
        })
    }

    /// Ends a token; returns its number among connections.
    ///
    /// # Errors
    /// If there is none, or it is the last operator, or the file cannot be written.
    pub fn revoke(&self, name: &str) -> Result<u64, TokenError> {
        let id = self.change(|state| {
            let token = state.remove(name).ok_or_else(|| missing(name))?;
            if state.by_name.values().all(|other| other.role != Role::Operator) {
                return Err(TokenError::LastOperator(name.to_string()));
            }
            Ok(token.id())
        })?;
        self.tell_access(name, None)?;
        Ok(id)
    }

    /// Replaces a token; returns the new one, its secret, and the number of the old one.
    ///
    /// # Errors
    /// If there is none of this name, or the file cannot be written.
    pub fn rotate(&self, name: &str) -> Result<(TokenInfo, String, u64), TokenError> {
        let (info, secret, old) = self.change(|state| {
            let old = state.remove(name).ok_or_else(|| missing(name))?;
            let secret = fresh()?;
            state.add(name, old.role, &secret);
            Ok((state.by_name[name].info(), secret, old.id()))
        })?;
        self.tell_access(name, Some(&secret))?;
        Ok((info, secret, old))
    }

    /// Makes a change: on disk first, then in force.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut State) -> Result<T, TokenError>,
    ) -> Result<T, TokenError> {
        let _turn = self.0.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((list, _)) = &self.0.files else { return Err(TokenError::Open) };
        let before: Vec<Arc<Token>> = self.read(|state| state.by_name.values().cloned().collect());
        let mut next = State::default();
        before.iter().for_each(|token| next.put(Arc::clone(token)));
        let value = change(&mut next)?;
        file::write(list, next.by_name.values())?;
        if let Err(error) = self.tell_saved(list) {
            // What is in force stays on disk.
            file::write(list, before.iter())?;
            return Err(error);
        }
        for gone in before.iter().filter(|token| !next.by_id.contains_key(&token.id())) {
            gone.revoked.store(true, Ordering::SeqCst);
        }
        *self.0.state.write().unwrap_or_else(PoisonError::into_inner) = next;
        Ok(value)
    }

    /// Brings the coordinator's own access file up to date.
    fn tell_access(&self, name: &str, secret: Option<&str>) -> Result<(), TokenError> {
        let Some((_, path)) = &self.0.files else { return Ok(()) };
        let failed = |error: hasami_proto::AccessError| TokenError::Io {
            path: path.clone(),
            source: io::Error::other(error.to_string()),
        };
        let mut access = Access::read(path).map_err(failed)?;
        match name {
            OPERATOR => access.client_token = secret.map(str::to_string),
            WORKER => access.worker_token = secret.map(str::to_string),
            _ => return Ok(()),
        }
        access.write(path).map_err(failed)?;
        self.tell_saved(path)
    }

    fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.0.state.read().unwrap_or_else(PoisonError::into_inner))
    }
}

fn missing(name: &str) -> TokenError {
    TokenError::Missing(hasami_sweep::text::line(name, limits::QUOTED))
}

fn fresh() -> Result<String, TokenError> {
    fresh_token().map_err(|source| TokenError::Io { path: "/dev/urandom".into(), source })
}

#[cfg(test)]
mod tests;
