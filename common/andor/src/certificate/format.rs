//! The file format: magic and version, a zstd stream of header and records, and a hash of both.
//!
//! Numbers are LEB128; byte strings are length-prefixed. The file is written under a temporary name
//! and renamed, so that a certificate is either complete or absent.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use hasami_files::Draft;

use super::CertificateError;
use crate::numbers::Verdict;
use crate::problem::ProblemId;

const MAGIC: &[u8; 7] = b"HASAMIC";
/// Version of the format.
pub const VERSION: u8 = 1;
const HASH: u64 = 32;
/// Limit on the length of a state or question; a larger length means the file is damaged.
const MAX_BYTES: u64 = 1 << 20;

const TAG_END: u8 = 0;
const TAG_ALL: u8 = 1;
const TAG_ONE: u8 = 2;

/// Header of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The question, as spelled by the program that wrote the file.
    pub question: String,
    /// Fingerprint of rules and parameters.
    pub problem: ProblemId,
    /// The verdict that the certificate claims.
    pub verdict: Verdict,
    /// The encoded state that the claim is about.
    pub root: Vec<u8>,
}

/// One state of a certificate.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    pub state: Vec<u8>,
    /// Index of the move that is enough; `None` where all moves count.
    pub choice: Option<u32>,
}

/// Writes a certificate.
pub struct Writer {
    path: PathBuf,
    stream: zstd::Encoder<'static, Hashing<BufWriter<Draft>>>,
    count: u64,
}

impl Writer {
    /// Starts a certificate. It appears at `path` when it is finished.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path, header: &Header) -> Result<Self, CertificateError> {
        let begin = || -> io::Result<_> {
            let mut file = Hashing::new(BufWriter::new(Draft::new(path)?));
            file.write_all(MAGIC)?;
            file.write_all(&[VERSION])?;
            let mut stream = zstd::Encoder::new(file, 1)?;
            stream.include_checksum(true)?;
            write_bytes(&mut stream, header.question.as_bytes())?;
            stream.write_all(&header.problem.0.to_le_bytes())?;
            stream.write_all(&[match header.verdict {
                Verdict::Proven => 1,
                Verdict::Disproven => 0,
            }])?;
            write_bytes(&mut stream, &header.root)?;
            Ok(stream)
        };
        let stream = begin().map_err(|source| io_error(path, source))?;
        Ok(Self { path: path.to_owned(), stream, count: 0 })
    }

    pub(super) fn record(&mut self, record: &Record) -> Result<(), CertificateError> {
        self.count += 1;
        self.put(record).map_err(|source| io_error(&self.path, source))
    }

    fn put(&mut self, record: &Record) -> io::Result<()> {
        match record.choice {
            None => self.stream.write_all(&[TAG_ALL])?,
            Some(choice) => {
                self.stream.write_all(&[TAG_ONE])?;
                write_number(&mut self.stream, u64::from(choice))?;
            }
        }
        write_bytes(&mut self.stream, &record.state)
    }

    /// Finishes the certificate and renames it to its path. Returns the number of records and
    /// bytes. A certificate dropped before that leaves no file behind.
    ///
    /// # Errors
    /// If the file cannot be written; no file is left behind then.
    pub fn finish(mut self) -> Result<(u64, u64), CertificateError> {
        let path = self.path.clone();
        let end = move || -> io::Result<(u64, u64)> {
            self.stream.write_all(&[TAG_END])?;
            write_number(&mut self.stream, self.count)?;
            let hashing = self.stream.finish()?;
            let digest = hashing.hash.finalize();
            let mut file = hashing.inner;
            file.write_all(digest.as_bytes())?;
            let draft = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            let bytes = draft.length()?;
            draft.finish()?;
            Ok((self.count, bytes))
        };
        end().map_err(|source| io_error(&path, source))
    }
}

/// Reads a certificate, record by record.
pub struct Reader {
    path: String,
    header: Header,
    stream: zstd::Decoder<'static, BufReader<Hashing<io::Take<File>>>>,
    digest: [u8; HASH as usize],
    count: u64,
}

impl Reader {
    /// Opens a certificate and reads its header.
    ///
    /// # Errors
    /// If the file does not exist or is not a certificate of this format.
    pub fn open(path: &Path) -> Result<Self, CertificateError> {
        let name = path.display().to_string();
        let mut file = File::open(path).map_err(|source| io_error(path, source))?;
        let not_one = || CertificateError::NotOne { path: name.clone(), expected: "HASAMIC" };
        let mut start = [0; MAGIC.len() + 1];
        file.read_exact(&mut start).map_err(|_| not_one())?;
        if start[..MAGIC.len()] != MAGIC[..] {
            return Err(not_one());
        }
        let found = start[MAGIC.len()];
        if found != VERSION {
            return Err(CertificateError::Version { path: name, found, expected: VERSION });
        }
        let short = |_| CertificateError::Damaged {
            path: name.clone(),
            node: 0,
            detail: "the file is cut off".to_string(),
        };
        let mut digest = [0; HASH as usize];
        let end = file.seek(SeekFrom::End(-(HASH as i64))).map_err(short)?;
        file.read_exact(&mut digest).map_err(short)?;
        file.seek(SeekFrom::Start(start.len() as u64)).map_err(short)?;
        let mut hashing = Hashing::new(file.take(end.saturating_sub(start.len() as u64)));
        hashing.hash.update(&start);
        let damaged = |source: io::Error| CertificateError::Damaged {
            path: name.clone(),
            node: 0,
            detail: source.to_string(),
        };
        let mut stream = zstd::Decoder::with_buffer(BufReader::new(hashing)).map_err(damaged)?;
        let header = read_header(&mut stream).map_err(damaged)?;
        Ok(Self { path: name, header, stream, digest, count: 0 })
    }

    /// The header of the certificate.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Reads the next record into `record`; `false` at the end, after the hash has been checked.
    pub(super) fn next(&mut self, record: &mut Record) -> Result<bool, CertificateError> {
        match self.read(record) {
            Ok(more) => {
                self.count += u64::from(more);
                Ok(more)
            }
            Err(error) => Err(CertificateError::Damaged {
                path: self.path.clone(),
                node: self.count,
                detail: error.to_string(),
            }),
        }
    }

    fn read(&mut self, record: &mut Record) -> io::Result<bool> {
        let mut tag = [0];
        self.stream.read_exact(&mut tag)?;
        record.choice = match tag[0] {
            TAG_END => return self.read_end().map(|()| false),
            TAG_ALL => None,
            TAG_ONE => {
                let choice = read_number(&mut self.stream)?;
                Some(u32::try_from(choice).map_err(|_| bad("a move number out of range"))?)
            }
            other => return Err(bad(format!("record tag {other}, expected 0, 1 or 2"))),
        };
        read_bytes(&mut self.stream, &mut record.state)?;
        Ok(true)
    }

    fn read_end(&mut self) -> io::Result<()> {
        let count = read_number(&mut self.stream)?;
        if count != self.count {
            return Err(bad(format!("{} records, the file says {count}", self.count)));
        }
        if self.stream.read(&mut [0])? != 0 {
            return Err(bad("bytes after the end"));
        }
        let buffered = self.stream.get_mut();
        io::copy(buffered, &mut io::sink())?;
        if buffered.get_ref().hash.finalize() != self.digest {
            return Err(bad("the hash at the end does not fit the contents"));
        }
        Ok(())
    }
}

fn read_header(stream: &mut impl Read) -> io::Result<Header> {
    let mut question = Vec::new();
    read_bytes(stream, &mut question)?;
    let question = String::from_utf8(question).map_err(|_| bad("the question is not UTF-8"))?;
    let mut id = [0; 16];
    stream.read_exact(&mut id)?;
    let mut verdict = [0];
    stream.read_exact(&mut verdict)?;
    let verdict = match verdict[0] {
        1 => Verdict::Proven,
        0 => Verdict::Disproven,
        other => return Err(bad(format!("verdict {other}, expected 0 or 1"))),
    };
    let mut root = Vec::new();
    read_bytes(stream, &mut root)?;
    Ok(Header { question, problem: ProblemId(u128::from_le_bytes(id)), verdict, root })
}

fn write_number(out: &mut impl Write, number: u64) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(hasami_varint::MAX_BYTES);
    hasami_varint::write(&mut bytes, number);
    out.write_all(&bytes)
}

/// Rejects numbers that have a shorter form, so that a certificate has only one encoding.
fn read_number(from: &mut impl Read) -> io::Result<u64> {
    hasami_varint::read(from)
}

fn write_bytes(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write_number(out, bytes.len() as u64)?;
    out.write_all(bytes)
}

fn read_bytes(from: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let length = read_number(from)?;
    if length > MAX_BYTES {
        return Err(bad(format!("a string of {length} bytes")));
    }
    bytes.resize(length as usize, 0);
    from.read_exact(bytes)
}

fn bad(detail: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, detail.into())
}

/// Removes a partial file. If that fails too, its name still marks it as partial.
fn io_error(path: &Path, source: io::Error) -> CertificateError {
    CertificateError::Io { path: path.display().to_string(), source }
}

struct Hashing<T> {
    inner: T,
    hash: blake3::Hasher,
}

impl<T> Hashing<T> {
    fn new(inner: T) -> Self {
        Self { inner, hash: blake3::Hasher::new() }
    }
}

impl<T: Write> Write for Hashing<T> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.hash.update(&buffer[..written]);
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Hashing<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hash.update(&buffer[..read]);
        Ok(read)
    }
}
