//! Sessions of browsers. A cookie holds a random number and not the token; it is worth nothing once
//! the token is revoked, the session has ended, or the coordinator was restarted.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hasami_proto::token::fresh_token;
use subtle::ConstantTimeEq;

/// How long a session lasts.
pub(super) const LASTS: Duration = Duration::from_secs(12 * 3600);
/// Most sessions; the oldest ends for a new one.
const MOST: usize = 1024;

/// One session.
#[derive(Clone, Debug)]
pub(super) struct Session {
    /// The number of its token.
    pub token: u64,
    /// What every form must send back.
    pub form_key: String,
    begun: Instant,
}

impl Session {
    /// Whether a form has sent back the right key.
    pub fn has_key(&self, key: &str) -> bool {
        self.form_key.as_bytes().ct_eq(key.as_bytes()).into()
    }
}

/// All sessions, by the hash of their cookie.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<[u8; 32], Session>>);

impl Sessions {
    /// Begins a session; returns the value of its cookie.
    pub fn begin(&self, token: u64) -> io::Result<String> {
        let (cookie, form_key) = (fresh_token()?, fresh_token()?);
        let mut all = self.all();
        all.retain(|_, session| session.begun.elapsed() < LASTS);
        if all.len() >= MOST {
            let oldest = all.iter().min_by_key(|(_, session)| session.begun).map(|(id, _)| *id);
            oldest.map(|id| all.remove(&id));
        }
        all.insert(id(&cookie), Session { token, form_key, begun: Instant::now() });
        Ok(cookie)
    }

    /// The session of a cookie.
    pub fn find(&self, cookie: &str) -> Option<Session> {
        let session = self.all().get(&id(cookie)).cloned()?;
        (session.begun.elapsed() < LASTS).then_some(session)
    }

    /// Ends a session.
    pub fn end(&self, cookie: &str) {
        self.all().remove(&id(cookie));
    }

    fn all(&self) -> MutexGuard<'_, HashMap<[u8; 32], Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A hash, so that looking up tells nothing about cookies that are near.
fn id(cookie: &str) -> [u8; 32] {
    *blake3::hash(cookie.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_found_by_its_cookie_until_it_ends() {
        let sessions = Sessions::default();
        let (one, other) = (sessions.begin(1).unwrap(), sessions.begin(2).unwrap());
        let session = sessions.find(&one).unwrap();
        assert_eq!(session.token, 1);
        assert!(session.has_key(&session.form_key.clone()));
        assert!(!session.has_key("") && !session.has_key(&sessions.find(&other).unwrap().form_key));
        sessions.end(&one);
        assert!(sessions.find(&one).is_none() && sessions.find(&other).is_some());
    }

    #[test]
    fn there_are_only_so_many() {
        let sessions = Sessions::default();
        let first = sessions.begin(0).unwrap();
        for token in 0..MOST as u64 {
            sessions.begin(token).unwrap();
        }
        assert!(sessions.find(&first).is_none());
        assert_eq!(sessions.all().len(), MOST);
    }
}
