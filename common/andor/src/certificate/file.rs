//! The file: magic and version, parts as zstd frames, and the SHA-256 of all that.
//!
//! It is written under a temporary name and renamed, so that a certificate is complete or absent.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use hasami_files::Draft;
use sha2::{Digest, Sha256};

use super::bytes::{Sink, Source};
use super::limits::Expanding;
use super::{CertificateError, Limits};

const MAGIC: &[u8; 7] = b"HASAMIC";
/// Version of the format.
pub const VERSION: u8 = 2;
const START: u64 = MAGIC.len() as u64 + 1;
const HASH: u64 = 32;
/// Levels of compression for parts of at most so many bytes. Each takes some milliseconds; what better
/// ones save on longer parts is not worth their time.
const LEVELS: [(usize, i32); 3] = [(1 << 13, 19), (1 << 20, 9), (usize::MAX, 3)];

/// Writes a certificate, part by part.
pub struct Writer {
    path: PathBuf,
    out: Hashing<BufWriter<Draft>>,
}

impl Writer {
    /// Starts a certificate. It appears at `path` when it is finished.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> Result<Self, CertificateError> {
        let begin = || -> io::Result<_> {
            let mut out = Hashing { inner: BufWriter::new(Draft::new(path)?), hash: Sha256::new() };
            out.write_all(MAGIC)?;
            out.write_all(&[VERSION])?;
            Ok(out)
        };
        let out = begin().map_err(|source| io_error(path, source))?;
        Ok(Self { path: path.to_owned(), out })
    }

    /// Writes a part.
    ///
    /// # Errors
    /// If it cannot be written, or `fill` fails.
    pub fn part<E: From<CertificateError>>(
        &mut self,
        fill: impl FnOnce(&mut Sink<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let path = self.path.clone();
        let failed = |source| CertificateError::from_io(&path, source);
        let mut bytes = Vec::new();
        let mut sink = Sink::new(&mut bytes);
        fill(&mut sink)?;
        sink.finish().map_err(failed)?;
        compress(&bytes, &mut self.out).map_err(failed)?;
        Ok(())
    }

    /// Copies the parts of another certificate.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or this one cannot be written.
    pub fn copy(&mut self, other: &Path) -> Result<(), CertificateError> {
        let mut frames = intact(other)?;
        io::copy(&mut frames, &mut self.out).map_err(|source| io_error(&self.path, source))?;
        Ok(())
    }

    /// Finishes the certificate and renames it to its path. Returns its size. A certificate that is
    /// dropped before leaves no file behind.
    ///
    /// # Errors
    /// If the file cannot be written; no file is left behind then.
    pub fn finish(self) -> Result<u64, CertificateError> {
        let end = |Hashing { mut inner, hash }: Hashing<BufWriter<Draft>>| -> io::Result<u64> {
            inner.write_all(&hash.finalize())?;
            let draft = inner.into_inner().map_err(io::IntoInnerError::into_error)?;
            let bytes = draft.length()?;
            draft.finish()?;
            Ok(bytes)
        };
        end(self.out).map_err(|source| io_error(&self.path, source))
    }
}

/// Writes a frame. It has no checksum of its own: the hash protects the whole file.
fn compress(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    let level = LEVELS.iter().find(|(most, _)| bytes.len() <= *most).map_or(3, |(_, level)| *level);
    let mut frame = zstd::Encoder::new(out, level)?;
    frame.set_pledged_src_size(Some(bytes.len() as u64))?;
    frame.include_contentsize(false)?;
    frame.write_all(bytes)?;
    frame.finish().map(drop)
}

/// The parts of a certificate whose hash fits.
pub struct Parts<'a> {
    path: PathBuf,
    frames: BufReader<io::Take<File>>,
    /// Size of all frames.
    bytes: u64,
    /// Number of parts read so far.
    count: u64,
    limits: &'a Limits<'a>,
}

impl<'a> Parts<'a> {
    /// Opens a certificate and compares its hash.
    ///
    /// # Errors
    /// If it is not a certificate of this format, or is damaged.
    pub fn open(path: &Path, limits: &'a Limits<'a>) -> Result<Self, CertificateError> {
        let frames = intact(path)?;
        let bytes = frames.limit();
        Ok(Self { path: path.to_owned(), frames: BufReader::new(frames), bytes, count: 0, limits })
    }

    /// Whether there is another part.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn more(&mut self) -> Result<bool, CertificateError> {
        let rest = self.frames.fill_buf().map_err(|source| io_error(&self.path, source))?;
        Ok(!rest.is_empty())
    }

    /// Reads the next part.
    ///
    /// # Errors
    /// If it is no zstd frame, or `read` fails.
    pub fn next<T>(
        &mut self,
        read: impl FnOnce(&mut Source<'_>) -> Result<T, CertificateError>,
    ) -> Result<T, CertificateError> {
        self.count += 1;
        let damaged = |error: io::Error| CertificateError::Damaged {
            path: self.path.display().to_string(),
            detail: format!("part {}: {error}", self.count),
        };
        let frame = zstd::Decoder::with_buffer(&mut self.frames).map_err(&damaged)?.single_frame();
        let mut frame = Expanding::new(frame, self.bytes, self.limits);
        let value = read(&mut Source::within(&mut frame, self.limits))?;
        // The rest of the frame must be one, too.
        io::copy(&mut frame, &mut io::sink()).map_err(&damaged)?;
        Ok(value)
    }

    /// The error for bytes that are no part.
    #[must_use]
    pub fn damaged(&self, detail: impl Into<String>) -> CertificateError {
        CertificateError::Damaged { path: self.path.display().to_string(), detail: detail.into() }
    }
}

/// The SHA-256 of a whole file: its digest, by which a certificate is cited.
///
/// # Errors
/// If it cannot be read.
pub fn digest(path: &Path) -> Result<[u8; 32], CertificateError> {
    let mut hash = Sha256::new();
    File::open(path)
        .and_then(|mut file| io::copy(&mut file, &mut hash))
        .map_err(|source| io_error(path, source))?;
    Ok(hash.finalize().into())
}

/// The frames of a certificate, after its hash has been compared.
fn intact(path: &Path) -> Result<io::Take<File>, CertificateError> {
    let name = path.display().to_string();
    let failed = |source| io_error(path, source);
    let mut file = File::open(path).map_err(failed)?;
    let not_one = || CertificateError::NotOne { path: name.clone(), expected: "HASAMIC" };
    let mut start = [0; START as usize];
    file.read_exact(&mut start).map_err(|_| not_one())?;
    if start[..MAGIC.len()] != MAGIC[..] {
        return Err(not_one());
    }
    let found = start[MAGIC.len()];
    if found != VERSION {
        return Err(CertificateError::Version { path: name, found, expected: VERSION });
    }
    let damaged =
        |detail: &str| CertificateError::Damaged { path: name.clone(), detail: detail.to_string() };
    let length = file.metadata().map_err(failed)?.len();
    let Some(end) = length.checked_sub(HASH).filter(|&end| end > START) else {
        return Err(damaged("the file is cut off"));
    };
    let mut hash = Sha256::new();
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    io::copy(&mut (&mut file).take(end), &mut hash).map_err(failed)?;
    let mut stored = [0; HASH as usize];
    file.read_exact(&mut stored).map_err(failed)?;
    if hash.finalize()[..] != stored {
        return Err(damaged("the hash at the end does not fit the contents"));
    }
    file.seek(SeekFrom::Start(START)).map_err(failed)?;
    Ok(file.take(end - START))
}

fn io_error(path: &Path, source: io::Error) -> CertificateError {
    CertificateError::from_io(path, source)
}

struct Hashing<T> {
    inner: T,
    hash: Sha256,
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
