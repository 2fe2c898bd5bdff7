//! A certificate that never becomes a file: for programs that answer at once, and must be able to
//! stop at once. It is made and checked as one in a file.

use std::io::{self, Read};
use std::path::Path;

use super::extract::Proof;
use super::limits::Expanding;
use super::verify::{Checked, check_part, read_header};
use super::{
    Asked, CertificateError, ExtractError, Header, Limits, Listener, Sink, Source, Strategy,
};
use crate::numbers::Verdict;
use crate::problem::Problem;
use crate::search::Control;
use crate::table::Table;

/// Bytes that a check reads before it looks again whether to stop.
const STRETCH: usize = 1 << 12;

/// The one part of a certificate, not checked yet: header and tree, as they would be in a file.
#[derive(Clone, Debug)]
pub struct Held(Vec<u8>);

/// Makes the certificate of a verdict on the root of the problem, in memory.
///
/// # Errors
/// If the control stops it, or the verdict is wrong.
pub fn hold<P: Problem>(
    problem: &P,
    table: &Table<P::Reason>,
    control: &Control,
    asked: &Asked,
    verdict: Verdict,
) -> Result<Held, ExtractError> {
    let mut proof = Proof::new(problem, table, control, verdict);
    proof.collect()?;
    let dag = proof.finish();
    if control.is_cancelled() {
        return Err(ExtractError::Stopped);
    }
    let mut bytes = Vec::new();
    let mut sink = Sink::new(&mut bytes);
    problem.prove(&dag, &mut sink, &|length| Header { asked: asked.clone(), verdict, length });
    sink.finish().map_err(|error| CertificateError::from_io(nowhere(), error))?;
    Ok(Held(bytes))
}

impl Held {
    /// Its size in bytes; a file would be smaller.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// Checks it as [`super::verify`] checks a file.
    ///
    /// # Errors
    /// If it does not hold, or the control stops the check.
    pub fn verify<P: Problem>(
        &self,
        problem: &P,
        asked: &Asked,
        control: &Control,
    ) -> Result<Checked, ExtractError> {
        let stop = || control.is_cancelled();
        let limits = Limits::new(usize::MAX, &stop);
        let checked = || {
            let mut from = source(&self.0, &limits);
            let header = header(&mut from, asked)?;
            Ok(check_part(problem, &header, &mut from, &mut Listener::nobody())?)
        };
        or_stopped(checked(), &limits)
    }

    /// Checks it as [`super::verify`] checks a file, and loads it to play by it.
    ///
    /// # Errors
    /// If it does not hold, or the control stops the check.
    pub fn strategy<P: Problem>(
        self,
        problem: &P,
        asked: &Asked,
        control: &Control,
    ) -> Result<Strategy, ExtractError> {
        let stop = || control.is_cancelled();
        let limits = Limits::new(usize::MAX, &stop);
        let loaded = || {
            let mut from = source(&self.0, &limits);
            let header = header(&mut from, asked)?;
            let mut tree = Vec::with_capacity(self.0.len());
            from.drain(&mut tree).map_err(CertificateError::refused)?;
            Strategy::of(problem, header, tree, &limits)
        };
        or_stopped(loaded(), &limits)
    }
}

fn header(from: &mut Source<'_>, asked: &Asked) -> Result<Header, CertificateError> {
    let header = read_header(nowhere(), from)?;
    if header.asked == *asked {
        return Ok(header);
    }
    let (found, expected) = (header.asked.to_string(), asked.to_string());
    Err(CertificateError::OtherQuestion { found, expected })
}

/// A check that was stopped says nothing about the certificate.
fn or_stopped<T>(
    checked: Result<T, CertificateError>,
    limits: &Limits<'_>,
) -> Result<T, ExtractError> {
    checked.map_err(|error| match limits.passed() {
        Some(_) => ExtractError::Stopped,
        None => error.into(),
    })
}

/// The path in messages about a certificate without a file.
fn nowhere() -> &'static Path {
    Path::new("certificate in memory")
}

/// Bytes in memory, read in short stretches within the limits.
pub(super) fn source<'a>(bytes: &'a [u8], limits: &'a Limits<'a>) -> Source<'a> {
    Source::within(Expanding::new(Short(bytes), bytes.len() as u64, limits), limits)
}

struct Short<'a>(&'a [u8]);

impl Read for Short<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(STRETCH);
        self.0.read(&mut buffer[..most])
    }
}
