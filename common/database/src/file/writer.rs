//! Writing a database block by block, so that it can continue after any interruption.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{BLOCK, BLOCK_HEAD, END, Header, MAX_BLOCK, block_sum, long_sum, values_in};
use crate::DatabaseError;

/// Level of zstd: fast, because compression is part of the build time.
pub(crate) const LEVEL: i32 = 3;

/// An unfinished database, under the name `FILE.partial`.
pub struct Writer {
    target: PathBuf,
    partial: PathBuf,
    out: BufWriter<File>,
    header: Header,
    /// The offset of each block.
    offsets: Vec<u64>,
    length: u64,
}

impl Writer {
    /// Starts a database, or continues one: `take` gets the values of every block that is there
    /// already, in order.
    ///
    /// # Errors
    /// If the file cannot be written, another process writes it, or it is about something else.
    pub fn open(
        target: &Path,
        header: Header,
        mut take: impl FnMut(&[u8]),
    ) -> Result<Self, DatabaseError> {
        let mut name = target.file_name().unwrap_or_default().to_os_string();
        name.push(".partial");
        let partial = target.with_file_name(name);
        let io = DatabaseError::io(&partial);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&partial)
            .map_err(&io)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => DatabaseError::Busy { file: partial.clone() },
            TryLockError::Error(error) => io(error),
        })?;
        let first = header.bytes();
        let mut from = BufReader::with_capacity(1 << 20, &file);
        let mut offsets = Vec::new();
        let mut length = first.len() as u64;
        if let Ok(found) = Header::read(&mut from, &partial) {
            if found != header {
                return Err(DatabaseError::damaged(
                    &partial,
                    format!(
                        "begun for {} {}; expected {} {}; remove it to begin anew",
                        found.game, found.rules, header.game, header.rules
                    ),
                ));
            }
            let mut number = 0;
            while let Some((values, bytes)) = next_block(&mut from, number, header.values) {
                take(&values);
                offsets.push(length);
                length += bytes;
                number += 1;
            }
        } else {
            (&file).seek(SeekFrom::Start(0)).map_err(&io)?;
            file.set_len(0).map_err(&io)?;
            (&file).write_all(&first).map_err(&io)?;
        }
        // What follows the last complete block was cut off while it was written.
        file.set_len(length).map_err(&io)?;
        (&file).seek(SeekFrom::Start(length)).map_err(&io)?;
        drop(io);
        let out = BufWriter::with_capacity(1 << 20, file);
        Ok(Self { target: target.to_owned(), partial, out, header, offsets, length })
    }

    /// Number of values written: whole blocks, or all.
    #[must_use]
    pub fn written(&self) -> u64 {
        (self.offsets.len() as u64 * BLOCK as u64).min(self.header.values)
    }

    /// Length of the file so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// Writes the next blocks; `values` fills the block of each number. Several threads fill them;
    /// they are written in order.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn append(
        &mut self,
        up_to: u64,
        threads: usize,
        values: &(impl Fn(u64, &mut Vec<u8>) + Sync),
    ) -> Result<(), DatabaseError> {
        let whole = if up_to >= self.header.values {
            self.header.values.div_ceil(BLOCK as u64)
        } else {
            up_to / BLOCK as u64
        };
        let total = self.header.values;
        // A few blocks for each thread at a time, so that little waits to be written.
        while (self.offsets.len() as u64) < whole {
            let first = self.offsets.len() as u64;
            let each = (whole - first).div_ceil(threads as u64).min(64);
            let packed: Vec<std::io::Result<Vec<Vec<u8>>>> = std::thread::scope(|scope| {
                let parts: Vec<_> = (0..threads as u64)
                    .map(|part| {
                        let from = (first + part * each).min(whole);
                        let to = (from + each).min(whole);
                        scope.spawn(move || (from..to).map(|at| pack(at, total, values)).collect())
                    })
                    .collect();
                parts.into_iter().map(|part| part.join().expect("a packing thread")).collect()
            });
            for part in packed {
                for block in part.map_err(DatabaseError::io(&self.partial))? {
                    self.out.write_all(&block).map_err(DatabaseError::io(&self.partial))?;
                    self.offsets.push(self.length);
                    self.length += block.len() as u64;
                }
            }
        }
        self.out.flush().map_err(DatabaseError::io(&self.partial))
    }

    /// Writes the index and renames the file to its final name.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn finish(mut self) -> Result<u64, DatabaseError> {
        debug_assert_eq!(self.written(), self.header.values, "all values are there");
        let mut index = Vec::with_capacity(8 * self.offsets.len() + 8);
        self.offsets.iter().for_each(|offset| index.extend(offset.to_le_bytes()));
        index.extend(self.length.to_le_bytes());
        let sum = long_sum(&[&self.header.bytes(), &index]);
        let io = DatabaseError::io(&self.partial);
        self.out.write_all(&index).map_err(&io)?;
        self.out.write_all(&sum).map_err(&io)?;
        self.out.write_all(END).map_err(&io)?;
        self.out.flush().map_err(&io)?;
        let file = self.out.get_ref();
        file.sync_all().map_err(&io)?;
        hasami_files::rename(&self.partial, &self.target).map_err(&io)?;
        Ok(self.length + index.len() as u64 + 32)
    }
}

/// An encoded block.
fn pack(number: u64, total: u64, values: &impl Fn(u64, &mut Vec<u8>)) -> std::io::Result<Vec<u8>> {
    let mut plain = Vec::with_capacity(BLOCK);
    values(number, &mut plain);
    assert_eq!(plain.len(), values_in(number, total), "a whole block");
    let packed = zstd::bulk::compress(&plain, LEVEL)?;
    let mut block = Vec::with_capacity(packed.len() + BLOCK_HEAD);
    block.extend((packed.len() as u32).to_le_bytes());
    block.extend(block_sum(number, &packed));
    block.extend(packed);
    Ok(block)
}

/// The values of the next block and its length in bytes, if it is there and complete.
fn next_block(from: &mut impl Read, number: u64, total: u64) -> Option<(Vec<u8>, u64)> {
    let expected = values_in(number, total);
    if expected == 0 {
        return None;
    }
    let mut head = [0; BLOCK_HEAD];
    from.read_exact(&mut head).ok()?;
    let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
    if length > MAX_BLOCK {
        return None;
    }
    let mut packed = vec![0; length];
    from.read_exact(&mut packed).ok()?;
    if block_sum(number, &packed) != head[4..] {
        return None;
    }
    let plain = zstd::bulk::decompress(&packed, expected).ok()?;
    (plain.len() == expected).then_some((plain, (length + BLOCK_HEAD) as u64))
}
