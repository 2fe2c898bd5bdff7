//! The database that a result rests on.

/// The database that a result rests on. Anyone with the same file can look the result up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The game and its rules.
    pub about: String,
    /// The BLAKE3 hash of the file.
    pub blake3: String,
}
