//! Verifies answers for a coordinator, which knows no rules itself.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_andor::certificate::Limits;
use hasami_answer::{AllowedFiles, Checked, Doubt, check_answer};
use hasami_coordinator::Verifier;
use hasami_coordinator::core::Found;
use hasami_game::Resources;

use crate::failure::Failure;

/// Most nodes of a certificate in memory at once. Real certificates need a small part of it.
const MOST_HELD: usize = 20_000_000;
/// The longest time for one answer.
const LONGEST: Duration = Duration::from_secs(3600);

/// The rules of all games. Files that questions name are opened only under these directories.
pub fn verifier(allow_files: &[PathBuf]) -> Result<Verifier, Failure> {
    let allowed = AllowedFiles::under(allow_files).map_err(|(path, error)| {
        Failure::Usage(format!("--allow-files {}: {error}", path.display()))
    })?;
    let resources = Resources::default();
    Ok(Arc::new(move |question, answer, files| {
        let started = Instant::now();
        let late = || started.elapsed() > LONGEST;
        let limits = Limits::new(MOST_HELD, &late);
        match check_answer(question, answer, files, &resources, &allowed, &limits) {
            Ok(Checked { basis, unproved }) => Found::Holds { basis, unproved },
            Err(Doubt::Refused(why)) => Found::Refuted(why),
            Err(Doubt::Unable(why)) => Found::Unable(why),
        }
    }))
}

/// How many answers are verified at a time: a quarter of the machine.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(4))
}
