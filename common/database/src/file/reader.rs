//! Looking up values in a complete database.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{BLOCK, BLOCK_HEAD, END, Header, MAX_BLOCK, block_sum, long_sum, values_in};
use crate::{DatabaseError, Value};

/// Blocks in the cache: neighbours are often asked for together.
const CACHED: usize = 256;

/// A complete database.
pub struct Reader {
    path: PathBuf,
    header: Header,
    offsets: Vec<u64>,
    inner: Mutex<Inner>,
}

struct Inner {
    file: File,
    /// Recently used blocks, by their number modulo `CACHED`.
    cache: Vec<Option<(u64, Arc<Vec<u8>>)>>,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("path", &self.path).field("header", &self.header).finish()
    }
}

impl Reader {
    /// Opens a database and checks its header and index.
    ///
    /// # Errors
    /// If it cannot be read, is incomplete, or is damaged.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let io = DatabaseError::io(path);
        let damaged = |what: &str| DatabaseError::damaged(path, what);
        let mut file = File::open(path).map_err(&io)?;
        let total = file.metadata().map_err(&io)?.len();
        let header = Header::read(&mut BufReader::new(&file), path)?;
        let first = header.bytes();
        let blocks = header.values.div_ceil(BLOCK as u64);
        let tail = blocks.checked_mul(8).and_then(|index| index.checked_add(8 + 16 + 16));
        let index_at = tail
            .and_then(|tail| total.checked_sub(tail))
            .filter(|&at| at >= first.len() as u64)
            .ok_or_else(|| damaged("not whole: it is too short for its blocks"))?;
        file.seek(SeekFrom::Start(index_at)).map_err(&io)?;
        let mut index = vec![0; (blocks * 8 + 8) as usize];
        let mut sum = [0; 16];
        let mut end = [0; 16];
        file.read_exact(&mut index).map_err(&io)?;
        file.read_exact(&mut sum).map_err(&io)?;
        file.read_exact(&mut end).map_err(&io)?;
        if end != *END {
            return Err(damaged("not whole: its end is missing"));
        }
        if long_sum(&[&first, &index]) != sum {
            return Err(damaged("damaged: the index does not have its checksum"));
        }
        let offsets: Vec<u64> = index
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
            .collect();
        if offsets.last() != Some(&index_at) || !offsets.is_sorted() {
            return Err(damaged("damaged: the index does not fit the blocks"));
        }
        let cache = vec![None; CACHED];
        let inner = Mutex::new(Inner { file, cache });
        Ok(Self { path: path.to_owned(), header, offsets, inner })
    }

    /// The header of the database.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The value of position `number`.
    ///
    /// # Errors
    /// If there is no such number, or its block is damaged.
    pub fn value(&self, number: u64) -> Result<Value, DatabaseError> {
        if number >= self.header.values {
            let what = format!("no value {number}; it has {}", self.header.values);
            return Err(DatabaseError::damaged(&self.path, what));
        }
        let block = self.block(number / BLOCK as u64)?;
        Ok(Value(block[(number % BLOCK as u64) as usize]))
    }

    /// The BLAKE3 hash of the whole file in hexadecimal: identifies this file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn checksum(&self) -> Result<String, DatabaseError> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut hash = blake3::Hasher::new();
        let file = &mut inner.file;
        file.seek(SeekFrom::Start(0))
            .and_then(|_| hash.update_reader(file))
            .map_err(DatabaseError::io(&self.path))?;
        Ok(hash.finalize().to_hex().to_string())
    }

    /// Calls `take` with the values of every block in order; checks each block.
    ///
    /// # Errors
    /// If a block is damaged.
    pub fn for_each_block(&self, mut take: impl FnMut(&[u8])) -> Result<(), DatabaseError> {
        for number in 0..self.offsets.len() as u64 - 1 {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            take(&self.read(&mut inner.file, number)?);
        }
        Ok(())
    }

    fn block(&self, number: u64) -> Result<Arc<Vec<u8>>, DatabaseError> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (number % CACHED as u64) as usize;
        if let Some((cached, block)) = &inner.cache[place]
            && *cached == number
        {
            return Ok(Arc::clone(block));
        }
        let block = Arc::new(self.read(&mut inner.file, number)?);
        inner.cache[place] = Some((number, Arc::clone(&block)));
        Ok(block)
    }

    fn read(&self, file: &mut File, number: u64) -> Result<Vec<u8>, DatabaseError> {
        let damaged =
            || DatabaseError::damaged(&self.path, format!("block {number} of values is damaged"));
        let (from, to) = (self.offsets[number as usize], self.offsets[number as usize + 1]);
        let length = (to - from) as usize;
        if !(BLOCK_HEAD..=MAX_BLOCK + BLOCK_HEAD).contains(&length) {
            return Err(damaged());
        }
        let mut bytes = vec![0; length];
        file.seek(SeekFrom::Start(from))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(DatabaseError::io(&self.path))?;
        let (head, packed) = bytes.split_at(BLOCK_HEAD);
        let claimed = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        if claimed != packed.len() || block_sum(number, packed) != head[4..] {
            return Err(damaged());
        }
        let expected = values_in(number, self.header.values);
        let plain = zstd::bulk::decompress(packed, expected).map_err(|_| damaged())?;
        if plain.len() != expected {
            return Err(damaged());
        }
        Ok(plain)
    }
}
