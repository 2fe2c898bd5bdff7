//! A shard: the values of one slice of one stage in its own file, so that machines that share a
//! directory can build a database together. A file with the name of a shard is complete; reading it
//! checks every byte.
//!
//! ```text
//! "hasami shard v1\n"  length:u32  text of the header  checksum:16 bytes
//! for each block of values: length:u32  checksum:8 bytes  compressed values
//! "end of the shard"
//! ```
//! The checksum of a block also covers the header and the number of the block: blocks cannot be
//! swapped within a shard or between shards.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::ops::Range;
use std::path::Path;

use hasami_files::Draft;

use crate::file::{BLOCK, LEVEL, MAX_BLOCK, long_sum};
use crate::head::Head;
use crate::{DatabaseError, Header};

const HEAD: Head = Head { kind: "shard", magic: b"hasami shard v1\n", longest: 1 << 20 };
const END: &[u8; 16] = b"end of the shard";

/// Identifies the values in a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Header of the database.
    pub database: Header,
    /// Number of the stage.
    pub stage: usize,
    /// Number of the slice within the stage.
    pub slice: usize,
    /// Number of slices of a stage.
    pub slices: usize,
    /// The numbers of its positions, in the order of their values.
    pub numbers: Vec<Range<u64>>,
}

impl Shard {
    /// Number of values.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.numbers.iter().map(|numbers| numbers.end - numbers.start).sum()
    }

    /// The text of its header.
    fn text(&self) -> String {
        let Header { game, rules, values } = &self.database;
        let Self { stage, slice, slices, .. } = self;
        let numbers: Vec<String> =
            self.numbers.iter().map(|part| format!("{}..{}", part.start, part.end)).collect();
        format!(
            "game={game}\nrules={rules}\nvalues={values}\nblock={BLOCK}\nstage={stage}\n\
             slice={slice}\nslices={slices}\nnumbers={}\n",
            numbers.join(",")
        )
    }

    fn head(&self) -> Vec<u8> {
        HEAD.write(&self.text())
    }

    /// Writes the shard under another name, syncs and renames it, so that a partial shard is never
    /// visible. `value` returns the value of a number. Returns the length in bytes.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn write(&self, file: &Path, value: impl Fn(u64) -> u8) -> Result<u64, DatabaseError> {
        let io = DatabaseError::io(file);
        // Other threads and machines may be writing the same shard at this moment.
        let mut out = BufWriter::with_capacity(1 << 20, Draft::new(file).map_err(&io)?);
        let head = self.head();
        out.write_all(&head).map_err(&io)?;
        let mut length = head.len() as u64;
        let mut numbers = self.numbers.iter().cloned().flatten();
        for block in 0.. {
            let plain: Vec<u8> = numbers.by_ref().take(BLOCK).map(&value).collect();
            if plain.is_empty() {
                break;
            }
            let packed = zstd::bulk::compress(&plain, LEVEL).map_err(&io)?;
            out.write_all(&(packed.len() as u32).to_le_bytes()).map_err(&io)?;
            out.write_all(&sum(&head, block, &packed)).map_err(&io)?;
            out.write_all(&packed).map_err(&io)?;
            length += packed.len() as u64 + 12;
        }
        out.write_all(END).map_err(&io)?;
        let draft = out.into_inner().map_err(|error| io(error.into_error()))?;
        draft.finish().map_err(&io)?;
        Ok(length + END.len() as u64)
    }

    /// Reads the shard from a file. Calls `take` with a number and the values from it on, block by
    /// block; each block is checked first.
    ///
    /// # Errors
    /// If there is no such file, it is damaged, or it is another shard.
    pub fn read(&self, file: &Path, mut take: impl FnMut(u64, &[u8])) -> Result<(), DatabaseError> {
        let open = File::open(file).map_err(|error| match error.kind() {
            ErrorKind::NotFound => DatabaseError::Missing { file: file.to_owned() },
            _ => DatabaseError::Io { file: file.to_owned(), error },
        })?;
        let mut from = BufReader::with_capacity(1 << 20, open);
        let head = self.head();
        self.read_head(file, &mut from)?;
        let cut = || DatabaseError::damaged(file, "a damaged shard: it is cut off");
        let mut left = self.values();
        let mut numbers = self.numbers.clone().into_iter();
        let mut part = 0..0;
        for block in 0.. {
            let expected = left.min(BLOCK as u64) as usize;
            if expected == 0 {
                break;
            }
            let damaged = || {
                DatabaseError::damaged(file, format!("a damaged shard: block {block} is damaged"))
            };
            let mut head_of = [0; 12];
            from.read_exact(&mut head_of).map_err(|_| cut())?;
            let length = u32::from_le_bytes([head_of[0], head_of[1], head_of[2], head_of[3]]);
            if length as usize > MAX_BLOCK {
                return Err(damaged());
            }
            let mut packed = vec![0; length as usize];
            from.read_exact(&mut packed).map_err(|_| cut())?;
            if sum(&head, block, &packed) != head_of[4..] {
                return Err(damaged());
            }
            let plain = zstd::bulk::decompress(&packed, expected).map_err(|_| damaged())?;
            if plain.len() != expected {
                return Err(damaged());
            }
            left -= expected as u64;
            let mut rest = &plain[..];
            while !rest.is_empty() {
                if part.is_empty() {
                    part = numbers.next().unwrap_or(0..u64::MAX);
                }
                let some = rest.len().min((part.end - part.start) as usize);
                take(part.start, &rest[..some]);
                part.start += some as u64;
                rest = &rest[some..];
            }
        }
        let mut end = Vec::new();
        from.read_to_end(&mut end).map_err(DatabaseError::io(file))?;
        if end == END { Ok(()) } else { Err(cut()) }
    }

    fn read_head(&self, file: &Path, from: &mut impl Read) -> Result<(), DatabaseError> {
        let text = HEAD.read(from, file)?;
        if text == self.text().as_bytes() {
            return Ok(());
        }
        let spelled = |text: &str| text.trim_end().replace('\n', " ");
        Err(DatabaseError::Foreign {
            file: file.to_owned(),
            found: spelled(&String::from_utf8_lossy(&text)),
            expected: spelled(&self.text()),
        })
    }
}

/// The checksum of a block.
fn sum(head: &[u8], number: u64, bytes: &[u8]) -> [u8; 8] {
    let long = long_sum(&[head, &number.to_le_bytes(), bytes]);
    let mut sum = [0; 8];
    sum.copy_from_slice(&long[..8]);
    sum
}

#[cfg(test)]
mod tests;
