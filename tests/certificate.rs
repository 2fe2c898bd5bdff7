//! A second implementation of the certificate format, made to forge: reads a certificate, lets a
//! test change anything, and writes it with a checksum and hash that fit again.
//!
//! The format: `HASAMIC`, version 1, a zstd frame, and the BLAKE3 hash of all before. In the frame:
//! question, 16 bytes of id, verdict, root; records as tag 1 (every move counts) or 2 and the number
//! of the move, then the state; tag 0 and how many records. Numbers are LEB128, strings carry their
//! length.

use std::io::Write;
use std::path::Path;

const START: &[u8] = b"HASAMIC\x01";
const HASH: usize = 32;

/// All of a certificate, open to forgery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What it says it is about.
    pub question: String,
    /// Rules and parameters.
    pub id: [u8; 16],
    /// 1 for proven, 0 for disproven.
    pub verdict: u8,
    /// The encoded root.
    pub root: Vec<u8>,
    /// Children first.
    pub records: Vec<Record>,
    /// How many records the file says it has.
    pub count: u64,
    /// What comes after the count: nothing.
    pub rest: Vec<u8>,
}

/// One state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What kind of record it is: 1 or 2.
    pub tag: u8,
    /// The move that is enough; only with tag 2.
    pub choice: Option<u64>,
    /// The encoded state.
    pub state: Vec<u8>,
}

impl Record {
    /// Every move counts.
    #[must_use]
    pub fn all(state: &[u8]) -> Self {
        Self { tag: 1, choice: None, state: state.to_vec() }
    }

    /// One move is enough.
    #[must_use]
    pub fn one(state: &[u8], choice: u64) -> Self {
        Self { tag: 2, choice: Some(choice), state: state.to_vec() }
    }
}

impl Certificate {
    /// Reads a file that the program has written.
    ///
    /// # Panics
    /// When the file is not as the format says.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("a certificate");
        assert!(bytes.starts_with(START), "{} starts as a certificate does", path.display());
        let (body, hash) = bytes.split_at(bytes.len() - HASH);
        assert_eq!(hash, blake3::hash(body).as_bytes(), "the hash of {}", path.display());
        let plain = zstd::decode_all(&body[START.len()..]).expect("a zstd frame");
        Self::parse(&mut Bytes(&plain))
    }

    fn parse(bytes: &mut Bytes) -> Self {
        let question = String::from_utf8(bytes.string()).expect("a question in UTF-8");
        let id = bytes.take(16).try_into().expect("16 bytes");
        let verdict = bytes.byte();
        let root = bytes.string();
        let mut records = Vec::new();
        loop {
            let tag = bytes.byte();
            if tag == 0 {
                break;
            }
            let choice = (tag == 2).then(|| bytes.number());
            records.push(Record { tag, choice, state: bytes.string() });
        }
        let count = bytes.number();
        assert_eq!(count, records.len() as u64, "the count at the end");
        assert!(bytes.0.is_empty(), "bytes after the end");
        Self { question, id, verdict, root, records, count, rest: Vec::new() }
    }

    /// Writes it so that only what it says can be wrong, not its checksum or hash.
    pub fn write(&self, path: &Path) {
        let mut plain = Vec::new();
        put_string(&mut plain, self.question.as_bytes());
        plain.extend(self.id);
        plain.push(self.verdict);
        put_string(&mut plain, &self.root);
        for record in &self.records {
            plain.push(record.tag);
            if let Some(choice) = record.choice {
                put_number(&mut plain, choice);
            }
            put_string(&mut plain, &record.state);
        }
        plain.push(0);
        put_number(&mut plain, self.count);
        plain.extend(&self.rest);
        let mut frame = zstd::Encoder::new(START.to_vec(), 1).expect("an encoder");
        frame.include_checksum(true).expect("a checksum");
        frame.write_all(&plain).expect("memory takes bytes");
        let mut bytes = frame.finish().expect("memory takes bytes");
        let hash = blake3::hash(&bytes);
        bytes.extend(hash.as_bytes());
        std::fs::write(path, bytes).expect("a forged certificate is written");
    }

    /// The same with other records and a count that fits them.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(&mut Vec<Record>)) -> Self {
        let mut forged = self.clone();
        change(&mut forged.records);
        forged.count = forged.records.len() as u64;
        forged
    }
}

fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_string(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend(bytes);
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return number;
            }
            shift += 7;
        }
    }

    fn string(&mut self) -> Vec<u8> {
        let length = self.number();
        self.take(usize::try_from(length).expect("a length")).to_vec()
    }
}
