//! The file: a header, blocks of compressed values in the order of their numbers, and an index at
//! the end. While it is built it has no index and another name, so that a file with the final name
//! is complete.
//!
//! ```text
//! "hasami database\n"  length:u32  text of the header  checksum:16 bytes
//! for each block: length:u32  checksum:8 bytes  compressed values
//! for each block: where it begins:u64
//! where the index begins:u64  checksum of header and index:16 bytes  "end of database\n"
//! ```
//! Numbers are little-endian. A block's checksum also covers its number, so blocks cannot be
//! swapped. Checksums are the first bytes of BLAKE3.

mod header;
mod reader;
mod writer;

pub use header::{Header, VERSION};
pub use reader::Reader;
pub(crate) use writer::LEVEL;
pub use writer::Writer;

/// Number of values in a block.
pub(crate) const BLOCK: usize = 1 << 16;
/// The last bytes of a complete file.
const END: &[u8; 16] = b"end of database\n";
/// Number of bytes before the values of a block.
const BLOCK_HEAD: usize = 12;
/// Maximum length of a block; a longer one means the file is damaged.
pub(crate) const MAX_BLOCK: usize = 2 * BLOCK;

/// The checksum of a block.
fn block_sum(number: u64, bytes: &[u8]) -> [u8; 8] {
    let mut hash = blake3::Hasher::new();
    hash.update(&number.to_le_bytes());
    hash.update(bytes);
    let mut sum = [0; 8];
    sum.copy_from_slice(&hash.finalize().as_bytes()[..8]);
    sum
}

/// The checksum of header or index.
pub(crate) fn long_sum(parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = blake3::Hasher::new();
    for part in parts {
        hash.update(part);
    }
    let mut sum = [0; 16];
    sum.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    sum
}

/// Number of values in block `number`.
fn values_in(number: u64, values: u64) -> usize {
    let from = number * BLOCK as u64;
    values.saturating_sub(from).min(BLOCK as u64) as usize
}

#[cfg(test)]
mod tests;
