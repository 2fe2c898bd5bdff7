//! Notes that searches leave for others, stored and returned unchanged. Only their writers
//! interpret them; here only their number and length are checked.

use hasami_andor::Key;
use hasami_proto::pack::{MAX_NOTE, MAX_NOTES, Packer, unpack, unpack_keys};
use hasami_proto::v1::{GetNotesRequest, PutNotesRequest, Records};
use tonic::Status;

use super::batch::problem;
use super::fault;
use super::service::Positions;

/// Bytes of notes in one reply.
const REPLY: usize = 4 << 20;

/// Returns the notes under some keys.
pub(super) async fn find(
    positions: &Positions,
    request: GetNotesRequest,
) -> Result<Records, Status> {
    positions.check_store()?;
    let family = problem(&request.problem)?;
    let keys =
        unpack_keys(&request.keys).map_err(|error| Status::invalid_argument(error.to_string()))?;
    few(keys.len(), "keys")?;
    let asked = keys.clone();
    let found = positions.aside(move |store| store.notes(family, &asked)).await;
    let found = found.map_err(|error| fault::status(&error))?;
    let mut packer = Packer::new();
    for (key, note) in keys.into_iter().zip(found) {
        let Some(note) = note.filter(|note| note.len() <= MAX_NOTE) else { continue };
        packer.push(key, &note).map_err(|error| Status::internal(error.to_string()))?;
        if packer.bytes() > REPLY {
            break;
        }
    }
    Ok(packer.take())
}

/// Stores notes.
pub(super) async fn keep(positions: &Positions, request: PutNotesRequest) -> Result<(), Status> {
    positions.check_store()?;
    let family = problem(&request.problem)?;
    let sent = request.notes.unwrap_or_default();
    let notes = unpack(&sent).map_err(|error| Status::invalid_argument(error.to_string()))?;
    few(notes.len(), "notes")?;
    if let Some((key, note)) = notes.iter().find(|(_, note)| note.len() > MAX_NOTE) {
        let length = note.len();
        return Err(Status::invalid_argument(format!(
            "the note for {key} has {length} bytes, at most {MAX_NOTE} are kept"
        )));
    }
    let notes: Vec<(Key, Vec<u8>)> =
        notes.into_iter().map(|(key, note)| (key, note.to_vec())).collect();
    let kept = positions.aside(move |store| store.keep_notes(family, &notes)).await;
    kept.map_err(|error| fault::status(&error))?;
    Ok(())
}

fn few(count: usize, what: &str) -> Result<(), Status> {
    if count <= MAX_NOTES {
        Ok(())
    } else {
        Err(Status::invalid_argument(format!(
            "{count} {what} at once, at most {MAX_NOTES} are taken"
        )))
    }
}
