//! Recently published records of one problem, in order: a ring of packed pieces. A reader that
//! misses a piece loses only time; the store has all records.

use std::collections::VecDeque;

use hasami_proto::pack::Packer;
use hasami_proto::v1::Records;

use super::batch::{Origin, Published};

/// Pieces are dropped as a whole, so they are small.
const PIECE: usize = 1024;
/// Memory of a piece besides its bytes.
const OVERHEAD: usize = size_of::<Piece>() + 16;

/// Records of one worker with consecutive sequence numbers.
struct Piece {
    /// The number before that of the first record.
    before: u64,
    count: usize,
    origin: Origin,
    packed: Box<[u8]>,
}

impl Piece {
    fn last(&self) -> u64 {
        self.before + self.count as u64
    }

    fn cost(&self) -> usize {
        self.packed.len() + OVERHEAD
    }
}

/// The records that a worker receives.
#[derive(Debug, Default, PartialEq)]
pub(super) struct News {
    pub records: Records,
    /// Position of the reader: records up to here were delivered, dropped, or its own.
    pub sequence: u64,
    pub more: bool,
}

/// The ring of one problem.
pub(super) struct Feed {
    pieces: VecDeque<Piece>,
    records: usize,
    bytes: usize,
}

impl Feed {
    pub fn new() -> Self {
        Self { pieces: VecDeque::new(), records: 0, bytes: 0 }
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds records, numbered from `before + 1`, and keeps at most `limit` records.
    pub fn push(&mut self, before: u64, published: &Published, limit: usize) {
        let (mut before, mut rest) = (before, published.packed.as_slice());
        while !rest.is_empty() {
            let (count, length) = measure(rest, PIECE, usize::MAX);
            let (packed, tail) = rest.split_at(length);
            let piece = Piece { before, count, origin: published.origin, packed: packed.into() };
            (before, rest) = (piece.last(), tail);
            self.records += count;
            self.bytes += piece.cost();
            self.pieces.push_back(piece);
        }
        while self.records > limit && self.drop_oldest() {}
    }

    /// Drops the oldest piece; returns false if there is none.
    pub fn drop_oldest(&mut self) -> bool {
        let Some(piece) = self.pieces.pop_front() else { return false };
        self.records -= piece.count;
        self.bytes -= piece.cost();
        true
    }

    /// Records by workers other than `reader` after number `after`, up to `limit` records and about
    /// `bytes` bytes. `head` is the last number assigned for any problem.
    pub fn since(&self, after: u64, reader: Origin, limit: usize, bytes: usize, head: u64) -> News {
        let mut news = News { sequence: after, ..News::default() };
        let first = self.pieces.partition_point(|piece| piece.last() <= after);
        for piece in self.pieces.iter().skip(first).filter(|piece| piece.origin != reader) {
            let known = usize::try_from(after.saturating_sub(piece.before)).unwrap_or(usize::MAX);
            let (_, skipped) = measure(&piece.packed, known, usize::MAX);
            let rest = &piece.packed[skipped..];
            let room = limit - news.records.count as usize;
            let (count, length) =
                measure(rest, room, bytes.saturating_sub(news.records.packed.len()));
            news.records.packed.extend_from_slice(&rest[..length]);
            news.records.count += count as u32;
            news.sequence = piece.before + (known + count) as u64;
            if known + count < piece.count {
                news.more = true;
                return news;
            }
        }
        news.sequence = head;
        news
    }
}

/// How many whole records, at most `most` and within `room` bytes, are at the start of packed
/// records that were checked on arrival, and their length in bytes.
fn measure(packed: &[u8], most: usize, room: usize) -> (usize, usize) {
    let (mut count, mut length) = (0, 0);
    while count < most && length < packed.len() {
        let next = Packer::first_length(&packed[length..]).expect("records that were checked");
        if length + next > room {
            break;
        }
        (count, length) = (count + 1, length + next);
    }
    (count, length)
}

#[cfg(test)]
mod tests;
