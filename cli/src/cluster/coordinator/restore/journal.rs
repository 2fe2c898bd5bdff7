//! Checks that a journal is complete: reads every block, and checks the bytes of every certificate
//! that an answer names.

use std::collections::BTreeMap;
use std::path::Path;

use hasami_coordinator::certificates::{self, Certificates};
use hasami_proto::v1;
use hasami_sweep::Certificate;
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
    let mut wanted: BTreeMap<Vec<u8>, v1::Certificate> = BTreeMap::new();
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
                    wanted.extend(answer.certificates.into_iter().map(|c| (c.digest.clone(), c)));
                }
                _ => {}
            }
        }
    }
    found.certificates = wanted.len() as u64;
    let certificates = Certificates::open(&data.join("certificates"))
        .map_err(|error| format!("certificates: {error}"))?;
    for promised in wanted.into_values() {
        let promised = Certificate::try_from(promised)
            .map_err(|error| format!("an answer in the journal: {error}"))?;
        certificate(&certificates, &promised)
            .map_err(|why| format!("certificate {}: {why}", promised.name))?;
    }
    Ok(found)
}

fn certificate(certificates: &Certificates, promised: &Certificate) -> Result<(), String> {
    let file = certificates.find(promised).map_err(|error| error.to_string())?;
    let found = certificates::hash(&file).map_err(|error| error.to_string())?;
    if found == promised.digest {
        Ok(())
    } else {
        Err("its bytes are not those that were verified".to_string())
    }
}
