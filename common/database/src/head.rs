//! The start of our files: the kind of file, a text that describes its contents, and its checksum.

use std::io::Read;
use std::path::Path;

use crate::DatabaseError;
use crate::file::long_sum;

/// The head of one kind of file.
pub(crate) struct Head {
    /// Name of the kind, for messages.
    pub kind: &'static str,
    /// Its first bytes.
    pub magic: &'static [u8; 16],
    /// Maximum length of the text.
    pub longest: u32,
}

impl Head {
    /// Encodes the head of a file with this text.
    pub fn write(&self, text: &str) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        let sum = long_sum(&[&bytes]);
        bytes.extend(sum);
        bytes
    }

    /// Decodes the text that [`Head::write`] wrote.
    pub fn read(&self, from: &mut impl Read, file: &Path) -> Result<Vec<u8>, DatabaseError> {
        let Self { kind, magic, longest } = self;
        let damaged = |what: String| DatabaseError::damaged(file, &what);
        let mut start = [0; 20];
        from.read_exact(&mut start).map_err(|_| damaged(format!("no {kind}: it is too short")))?;
        if start[..16] != **magic {
            let expected = String::from_utf8_lossy(*magic);
            let expected = expected.trim_end();
            return Err(damaged(format!("no {kind}: expected {expected:?} at its beginning")));
        }
        let length = u32::from_le_bytes([start[16], start[17], start[18], start[19]]);
        if length > *longest {
            return Err(damaged(format!("a damaged {kind}: the header is too long")));
        }
        let mut text = vec![0; length as usize];
        let mut sum = [0; 16];
        from.read_exact(&mut text)
            .and_then(|()| from.read_exact(&mut sum))
            .map_err(|_| damaged(format!("a damaged {kind}: it ends within its header")))?;
        if long_sum(&[&start, &text]) == sum {
            Ok(text)
        } else {
            Err(damaged(format!("a damaged {kind}: the header does not have its checksum")))
        }
    }
}
