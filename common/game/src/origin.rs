//! A database that something rests on.

/// A database that something rests on: whoever has the same file can look it up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The game and its rules.
    pub about: String,
    /// The BLAKE3 sum of the file.
    pub blake3: String,
}
