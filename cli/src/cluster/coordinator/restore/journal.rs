//! Checks that a journal is complete: reads every block, and checks the bytes of every certificate
//! that an answer names.

use std::collections::BTreeMap;
use std::path::Path;

use hasami_proto::v1;
use prost::Message;
use rocksdb::{DB, DBRecoveryMode, IteratorMode, Options, ReadOptions};

/// The result of the check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Runs.
    pub runs: u64,
    /// Answers.
    pub answers: u64,
    /// Certificates that they name.
    pub certificates: u64,
}

/// Reads all data under `data`.
pub fn check(data: &Path) -> Result<Found, String> {
    let path = data.join("journal");
    let mut options = Options::default();
    options.set_paranoid_checks(true);
    // A checkpoint has no torn tail: whatever is missing was acknowledged once.
    options.set_wal_recovery_mode(DBRecoveryMode::AbsoluteConsistency);
    let wrong = |error: rocksdb::Error| format!("the journal cannot be read: {error}");
    let families = DB::list_cf(&options, &path).map_err(wrong)?;
    let db = DB::open_cf_for_read_only(&options, &path, &families, false).map_err(wrong)?;
    let mut found = Found::default();
    let mut wanted: BTreeMap<String, v1::Certificate> = BTreeMap::new();
    for name in &families {
        let family = db.cf_handle(name).ok_or("the journal has lost a part")?;
        let mut reading = ReadOptions::default();
        reading.fill_cache(false);
        reading.set_verify_checksums(true);
        for entry in db.iterator_cf_opt(family, reading, IteratorMode::Start) {
            let (_, value) = entry.map_err(wrong)?;
            match name.as_str() {
                "runs" => found.runs += 1,
                "answers" => {
                    found.answers += 1;
                    let answer = v1::Answer::decode(&*value)
                        .map_err(|error| format!("an answer in the journal: {error}"))?;
                    wanted.extend(answer.certificates.into_iter().map(|c| (c.name.clone(), c)));
                }
                _ => {}
            }
        }
    }
    for (name, promised) in &wanted {
        certificate(&data.join("certificates").join(name), promised)
            .map_err(|why| format!("certificate {name}: {why}"))?;
    }
    found.certificates = wanted.len() as u64;
    Ok(found)
}

fn certificate(path: &Path, promised: &v1::Certificate) -> Result<(), String> {
    let mut hash = blake3::Hasher::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let bytes = std::io::copy(&mut { file }, &mut hash).map_err(|error| error.to_string())?;
    if bytes != promised.bytes {
        return Err(format!("found {bytes} bytes; expected {}", promised.bytes));
    }
    if hash.finalize().as_bytes().as_slice() == promised.digest {
        Ok(())
    } else {
        Err("its bytes are not those that were verified".to_string())
    }
}
