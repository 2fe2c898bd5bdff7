//! Versions of the protocol. Each side sends the range it supports; they use the newest common one,
//! so that coordinators and workers can be upgraded one after the other.

use tonic::Status;

use crate::trouble::wrong_protocol;
use crate::v1::ProtocolRange;

/// The newest version that this build supports.
pub const PROTOCOL: u32 = 3;
/// The oldest version that this build supports.
pub const OLDEST_PROTOCOL: u32 = 3;

impl ProtocolRange {
    /// The range that this build supports.
    pub const OURS: Self = Self { oldest: OLDEST_PROTOCOL, newest: PROTOCOL };

    /// The newest version that both support.
    fn common(self, other: Self) -> Option<u32> {
        let newest = self.newest.min(other.newest);
        (newest >= self.oldest.max(other.oldest)).then_some(newest)
    }

    /// The range in words.
    pub(crate) fn words(self) -> String {
        match self {
            Self { oldest, newest } if oldest == newest => format!("version {newest}"),
            Self { oldest, newest } => format!("versions {oldest} to {newest}"),
        }
    }
}

/// The version to use with a caller.
///
/// # Errors
/// If there is no common version; the refusal names the versions of both sides. Callers from before
/// ranges were sent send nothing readable.
pub fn agree(theirs: Option<ProtocolRange>) -> Result<u32, Status> {
    let theirs = theirs.unwrap_or_default();
    ProtocolRange::OURS.common(theirs).ok_or_else(|| wrong_protocol(theirs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_that_both_speak_is_used() {
        let range = |oldest, newest| ProtocolRange { oldest, newest };
        assert_eq!(range(2, 4).common(range(3, 7)), Some(4));
        assert_eq!(range(3, 7).common(range(2, 4)), Some(4));
        assert_eq!(range(2, 9).common(range(3, 5)), Some(5));
        assert_eq!(range(2, 3).common(range(4, 5)), None);
        assert_eq!(range(4, 5).common(range(2, 3)), None);
        assert_eq!(range(5, 4).common(range(1, 9)), None, "no range at all");
    }

    #[test]
    fn a_refusal_names_both_sides() {
        assert_eq!(agree(Some(ProtocolRange::OURS)).unwrap(), PROTOCOL);
        let newer = ProtocolRange { oldest: PROTOCOL + 1, newest: PROTOCOL + 3 };
        let refused = agree(Some(newer)).unwrap_err();
        let both = [ProtocolRange::OURS.words(), newer.words()];
        assert!(both.iter().all(|words| refused.message().contains(words)), "{refused}");
        assert!(agree(None).is_err());
    }
}
