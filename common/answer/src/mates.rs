//! Mate problems of shogi beyond the verdict: the solution in a certificate, and other solutions.

pub mod flaws;

use std::path::Path;

use hasami_andor::certificate::Strategy;
use hasami_game::Resources;
use hasami_shogi::Shogi;

use crate::checked::{Opened, strategy};
use crate::entry::CheckError;

/// Loads the certificate of a verdict on a mate problem, verified.
///
/// # Errors
/// If it does not hold, or is about another game.
pub fn open(file: &Path) -> Result<(Shogi, Strategy), CheckError> {
    strategy::<Shogi>(&Opened::open(file)?, &Resources::default())
}
