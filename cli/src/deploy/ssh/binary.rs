//! The program that workers are started with, named by its digest: a host that has it already is not
//! sent it again.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::deploy::elf;
use crate::failure::Failure;

/// A program on this machine.
#[derive(Clone, Debug)]
pub struct Binary {
    pub path: PathBuf,
    /// Its name on hosts.
    pub name: String,
    /// SHA-256, in hexadecimal digits.
    pub digest: String,
    /// As `uname -s -m` has it.
    pub system: String,
    pub bytes: u64,
}

impl Binary {
    /// The program in a file, by default this one.
    pub fn find(given: Option<&Path>) -> Result<Self, Failure> {
        let path = match given {
            Some(path) => path.to_owned(),
            None => std::env::current_exe()
                .map_err(|error| Failure::Failed(format!("this program: {error}")))?,
        };
        let system = format!("Linux {}", elf::machine(&path)?);
        let failed = |error: std::io::Error| Failure::reading(&path, &error);
        let mut file = File::open(&path).map_err(failed)?;
        let (mut sum, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; 1 << 20]);
        loop {
            let read = file.read(&mut piece).map_err(failed)?;
            if read == 0 {
                break;
            }
            sum.update(&piece[..read]);
            bytes += read as u64;
        }
        let digest: String = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!("bin-{}", &digest[..16]);
        Ok(Self { path, name, digest, system, bytes })
    }
}
