//! The bytes of a part, on their way out and in: header and tree, before and after compression.

use std::io::{self, Read, Write};

use super::Limits;

/// Why a tree is no proof, in words. The checker adds the node.
pub type Fault = String;

/// Bytes are passed on in pieces of this size.
const PIECE: usize = 1 << 16;
/// Most bytes of a header; a longer one means the file is damaged.
const MAX_HEADER: usize = 1 << 20;

/// Where the bytes of a part go.
pub struct Sink<'a> {
    out: &'a mut dyn Write,
    piece: Vec<u8>,
    /// The first error; nothing is written after it.
    failed: Option<io::Error>,
}

impl<'a> Sink<'a> {
    /// A sink that writes to `out`.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, piece: Vec::with_capacity(PIECE), failed: None }
    }

    /// Writes a byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes(&[byte]);
    }

    /// Writes a number.
    pub fn number(&mut self, number: u64) {
        hasami_varint::write(&mut self.piece, number);
        self.pass_on(PIECE);
    }

    /// Writes bytes without their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.piece.extend_from_slice(bytes);
        self.pass_on(PIECE);
    }

    fn pass_on(&mut self, least: usize) {
        if self.piece.len() < least {
            return;
        }
        if self.failed.is_none() {
            self.failed = self.out.write_all(&self.piece).err();
        }
        self.piece.clear();
    }

    /// Passes everything on.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub fn finish(mut self) -> io::Result<()> {
        self.pass_on(0);
        self.failed.map_or(Ok(()), Err)
    }
}

/// Where the bytes of a part come from.
pub struct Source<'a> {
    from: Box<dyn Read + 'a>,
    piece: Vec<u8>,
    at: usize,
    limits: Option<&'a Limits<'a>>,
}

impl<'a> Source<'a> {
    /// A source that reads from `from`.
    pub fn new(from: impl Read + 'a) -> Self {
        Self { from: Box::new(from), piece: Vec::new(), at: 0, limits: None }
    }

    /// A source whose reader holds to these limits.
    pub(super) fn within(from: impl Read + 'a, limits: &'a Limits<'a>) -> Self {
        Self { limits: Some(limits), ..Self::new(from) }
    }

    /// Checks the number of nodes that the reader of a tree holds in memory.
    ///
    /// # Errors
    /// If there are too many.
    pub fn hold(&self, nodes: usize) -> Result<(), Fault> {
        self.limits.map_or(Ok(()), |limits| limits.hold(nodes))
    }

    /// Reads a byte.
    ///
    /// # Errors
    /// If there is none.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, Fault> {
        if self.at == self.piece.len() && !self.refill()? {
            return Err("the tree is cut off".to_string());
        }
        self.at += 1;
        Ok(self.piece[self.at - 1])
    }

    /// Reads a number.
    ///
    /// # Errors
    /// If there is none in its one spelling.
    pub fn number(&mut self) -> Result<u64, Fault> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(first.into());
        }
        let mut bytes = [first; hasami_varint::MAX_BYTES];
        for length in 1..bytes.len() {
            bytes[length] = self.byte()?;
            if bytes[length] < 0x80 {
                return hasami_varint::take(&mut &bytes[..=length]).map_err(|e| e.to_string());
            }
        }
        Err("a number of more than 64 bits".to_string())
    }

    /// Whether no bytes are left.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn is_at_end(&mut self) -> Result<bool, Fault> {
        Ok(self.at == self.piece.len() && !self.refill()?)
    }

    /// Reads a header: lines up to an empty one.
    ///
    /// # Errors
    /// If it is too long, or not text.
    pub fn header(&mut self) -> Result<String, Fault> {
        let mut text = Vec::new();
        loop {
            let byte = self.byte().map_err(|_| "the header is cut off".to_string())?;
            if byte == b'\n' && (text.is_empty() || text.ends_with(b"\n")) {
                break;
            }
            text.push(byte);
            if text.len() > MAX_HEADER {
                return Err("the header is too long".to_string());
            }
        }
        String::from_utf8(text).map_err(|_| "the header is not UTF-8".to_string())
    }

    /// Appends all bytes that are left to `out`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn drain(&mut self, out: &mut Vec<u8>) -> Result<(), Fault> {
        while !self.is_at_end()? {
            out.extend_from_slice(&self.piece[self.at..]);
            self.at = self.piece.len();
        }
        Ok(())
    }

    fn refill(&mut self) -> Result<bool, Fault> {
        self.piece.resize(PIECE, 0);
        let read = self.from.read(&mut self.piece).map_err(|error| error.to_string())?;
        self.piece.truncate(read);
        self.at = 0;
        Ok(read > 0)
    }
}
