//! What a check may use. A certificate is a stranger's file: a small one may expand to terabytes, or
//! ask its checker to remember every node.

use std::cell::Cell;
use std::io::{self, Read};

/// A part expands to at most this many times the size of its file,
const MOST_EXPANSION: u64 = 1024;
/// and this many bytes more.
const ALLOWANCE: u64 = 1 << 20;

/// Limits of one check.
pub struct Limits<'a> {
    /// Most nodes held in memory at once: those of the path, and kept ones that are still needed.
    pub held: usize,
    /// Whether to stop.
    pub stop: &'a dyn Fn() -> bool,
    passed: Cell<Option<&'static str>>,
}

impl<'a> Limits<'a> {
    /// Limits of this many nodes, until `stop`.
    #[must_use]
    pub fn new(held: usize, stop: &'a dyn Fn() -> bool) -> Self {
        Self { held, stop, passed: Cell::new(None) }
    }

    /// No limits: for certificates that this program has just written.
    #[must_use]
    pub fn none() -> Self {
        Self::new(usize::MAX, &|| false)
    }

    /// The limit that ended the check, in words. The certificate may still hold.
    #[must_use]
    pub fn passed(&self) -> Option<&'static str> {
        self.passed.get()
    }

    /// Checks the number of nodes in memory.
    pub(super) fn hold(&self, nodes: usize) -> Result<(), String> {
        if nodes <= self.held {
            return Ok(());
        }
        self.passed.set(Some("it takes more memory than this check may use"));
        Err(format!("more than {} nodes at once", self.held))
    }
}

/// The bytes of a part, as many as a file of its size may expand to.
pub(super) struct Expanding<'a, R> {
    inner: R,
    left: u64,
    limits: &'a Limits<'a>,
}

impl<'a, R: Read> Expanding<'a, R> {
    pub(super) fn new(inner: R, file_bytes: u64, limits: &'a Limits<'a>) -> Self {
        let left = file_bytes.saturating_mul(MOST_EXPANSION).saturating_add(ALLOWANCE);
        Self { inner, left, limits }
    }
}

impl<R: Read> Read for Expanding<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.limits.stop)() {
            self.limits.passed.set(Some("the check was stopped"));
            return Err(io::Error::other("stopped"));
        }
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            io::Error::other(format!("it expands to more than {MOST_EXPANSION} times its file"))
        })?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_where_a_file_of_its_size_cannot_have_come_from() {
        let limits = Limits::none();
        let mut endless = Expanding::new(io::repeat(0), 10, &limits);
        let read = io::copy(&mut endless, &mut io::sink());
        assert!(read.unwrap_err().to_string().contains("1024 times"));
        assert_eq!(limits.passed(), None, "another machine would not do better");
        let most = 10 * MOST_EXPANSION + ALLOWANCE;
        let mut full = Expanding::new(io::repeat(0).take(most), 10, &limits);
        assert_eq!(io::copy(&mut full, &mut io::sink()).unwrap(), most);
    }

    #[test]
    fn what_stops_a_check_is_told_apart_from_a_certificate_that_does_not_hold() {
        let limits = Limits::new(3, &|| true);
        assert!(limits.hold(3).is_ok() && limits.passed().is_none());
        assert!(Expanding::new(io::empty(), 1, &limits).read(&mut [0]).is_err());
        assert_eq!(limits.passed(), Some("the check was stopped"));
        assert!(limits.hold(4).is_err());
        assert!(limits.passed().is_some_and(|what| what.contains("memory")));
    }
}
