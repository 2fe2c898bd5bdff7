//! Downloads certificates from a coordinator into a directory of the user.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use hasami_files::Draft;
use hasami_proto::v1::GetCertificateRequest;
use hasami_report::Table;
use hasami_sweep::Certificate;

use super::client::{Client, patient};
use super::item_view::hex;
use crate::failure::Failure;

/// Fetches the certificates of all answers; gives how many there are. Each is written under its
/// digest only when its bytes are those that the answer promises.
pub async fn fetch(client: &mut Client, table: &Table, directory: &Path) -> Result<usize, Failure> {
    std::fs::create_dir_all(directory).map_err(|error| refused(directory, &error))?;
    // Two items may share a certificate.
    let mut wanted: BTreeMap<[u8; 32], &Certificate> = BTreeMap::new();
    for answer in table.rows().iter().filter_map(|row| row.answer.as_ref()) {
        wanted.extend(answer.certificates.iter().map(|file| (file.digest, file)));
    }
    for file in wanted.values() {
        if !is_there(&directory.join(file.file_name()), file) {
            fetch_one(client, file, directory).await?;
        }
    }
    Ok(wanted.len())
}

/// Whether the file exists already with exactly these bytes.
fn is_there(path: &Path, file: &Certificate) -> bool {
    let same_size = std::fs::metadata(path).is_ok_and(|found| found.len() == file.bytes);
    same_size
        && std::fs::read(path).is_ok_and(|bytes| *blake3::hash(&bytes).as_bytes() == file.digest)
}

/// Fetches one certificate, unless it is there.
pub async fn fetch_one(
    client: &mut Client,
    file: &Certificate,
    directory: &Path,
) -> Result<(), Failure> {
    let request = GetCertificateRequest {
        name: file.name.clone(),
        digest: file.digest.to_vec(),
        bytes: file.bytes,
    };
    let mut pieces =
        match patient(async || client.runs.get_certificate(request.clone()).await).await {
            Ok(reply) => reply.into_inner(),
            Err(status) => return Err(client.failure(&status)),
        };
    let path = directory.join(file.file_name());
    let mut draft = Draft::new(&path).map_err(|error| refused(&path, &error))?;
    let (mut hash, mut bytes) = (blake3::Hasher::new(), 0);
    while let Some(piece) = pieces.message().await.map_err(|status| client.failure(&status))? {
        hash.update(&piece.data);
        bytes += piece.data.len() as u64;
        if bytes > file.bytes {
            break;
        }
        draft.write_all(&piece.data).map_err(|error| refused(&path, &error))?;
    }
    if bytes != file.bytes || *hash.finalize().as_bytes() != file.digest {
        return Err(Failure::Failed(format!(
            "certificate {}: the coordinator has sent other bytes than the answer promises; expected \
             {} of them with blake3 {}",
            file.name,
            file.bytes,
            hex(&file.digest)
        )));
    }
    draft.finish().map_err(|error| refused(&path, &error))
}

fn refused(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("{}: {error}", path.display()))
}
