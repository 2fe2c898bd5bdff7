//! The certificate of a value: a text with a position, its value, and a proof.
//!
//! ```text
//! hasami value 3
//! game go
//! position XXXX/O..X/XXXX
//! value {1|*}
//! proof table
//! part XXX/O.X/XXX *
//! part XXXX/O..X/XXXX {1|*}
//! sha256 (64 hexadecimal digits: the hash of all lines before)
//! ```
//!
//! `docs/certificates-values.md` describes it for strangers, with the proofs. The position is
//! complete in itself: who checks it need not know our families.

mod read;
#[cfg(test)]
mod tests;

use std::path::Path;

use hasami_game::text_certificate::{TextCertificate as _, TextFileError};

use super::game::Game;
use super::prove::{Checked, Proof, check};

/// The claim of a certificate: this position has this value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The game.
    pub game: Game,
    /// The position, as the game spells it.
    pub position: String,
    /// The canonical form, as the kernel shows it.
    pub value: String,
    /// Why it holds.
    pub proof: Proof,
}

/// A claim that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The claim.
    pub claim: Claim,
    /// How it was checked.
    pub checked: Checked,
}

impl Claim {
    /// A short file name for this position.
    #[must_use]
    pub fn file_name(&self) -> String {
        let question = format!("{} {}", self.game.name(), self.position);
        let id = blake3::hash(question.as_bytes()).to_hex();
        format!("value-{}.value", &id[..12])
    }
}

/// Reads a certificate and checks its claim.
///
/// # Errors
/// If the file is damaged, or its claim does not hold.
pub fn verify(path: &Path) -> Result<Verified, TextFileError> {
    let claim = Claim::read(path)?;
    let refused = |detail| TextFileError::refused(path, detail);
    let checked =
        check(claim.game, &claim.position, &claim.value, &claim.proof).map_err(refused)?;
    Ok(Verified { claim, checked })
}
