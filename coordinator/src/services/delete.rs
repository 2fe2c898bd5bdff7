//! Deletes ended runs, their answers where nobody else has them, and certificates of no answer.
//!
//! The journal goes first, in one synced batch, and notes there that certificates may be left; the
//! files follow. A restart finishes what was not finished.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use hasami_proto::v1::{DeleteRequest, DeleteResponse, RunInfo};
use hasami_spec::ContentKey;
use tonic::Status;

use super::{Shared, journal_status};
use crate::collect::{Collected, collect, collect_objects, file_names};
use crate::core::{Core, RunId};
use crate::journal::{Journal, JournalError};
use crate::view::run_info;

/// A certificate is uploaded before the answer that refers to it: younger files are left alone.
const YOUNG: Duration = Duration::from_secs(600);

/// Deletes, or says what would go.
pub(super) async fn delete(
    shared: &Arc<Shared>,
    request: DeleteRequest,
) -> Result<DeleteResponse, Status> {
    let DeleteRequest { runs, ended_before_ms, answers, dry_run } = request;
    // Nobody may find an answer now that goes in a moment.
    let _alone = shared.answers.write().await;
    let speeds = Arc::clone(&shared.speeds);
    let (ids, infos) = shared
        .engine
        .call(move |state| {
            let ids = chosen(&state.core, &runs, ended_before_ms);
            state.core.begin_delete(&ids).map_err(Status::failed_precondition)?;
            let speeds = speeds.lock().map_err(|_| Status::internal("speeds"))?;
            let info = |id: &RunId| {
                let info = run_info(&state.core, state.core.run(*id)?, &speeds);
                Some(RunInfo { sweep: String::new(), ..info })
            };
            let infos: Vec<RunInfo> = ids.iter().filter_map(info).collect();
            Ok::<_, Status>((ids, infos))
        })
        .await??;
    let deleted = finish(shared, ids, answers, dry_run).await;
    if dry_run || deleted.is_err() {
        shared.engine.call(|state| state.core.stop_delete()).await?;
    }
    Ok(DeleteResponse { runs: infos, ..deleted? })
}

/// Everything after the choice of runs.
async fn finish(
    shared: &Arc<Shared>,
    ids: Vec<RunId>,
    answers: bool,
    dry_run: bool,
) -> Result<DeleteResponse, Status> {
    let mut reply = DeleteResponse::default();
    let mut only = Vec::new();
    if answers {
        let (journal, of) = (Arc::clone(&shared.journal), ids.iter().copied().collect());
        let own = aside(move || journal.answers_of(&of)).await?;
        reply.answers_kept = own.shared;
        only = own.only;
    }
    reply.answers = only.len() as u64;
    let without: HashSet<ContentKey> =
        if dry_run { only.iter().copied().collect() } else { HashSet::new() };
    if !dry_run {
        let gone = shared.engine.call(move |state| state.core.delete(&ids, only)).await?;
        reply.answers = gone as u64;
    }
    if answers {
        let found = collect_all(shared, without, dry_run).await?;
        reply.certificates = found.files;
        reply.certificate_bytes = found.bytes;
    }
    Ok(reply)
}

/// Runs by number and by age.
fn chosen(core: &Core, runs: &[u64], ended_before_ms: u64) -> Vec<RunId> {
    let old = core
        .runs()
        .filter(|run| run.is_over() && run.finished_ms > 0 && run.finished_ms < ended_before_ms);
    let mut ids: BTreeSet<RunId> = runs.iter().copied().map(RunId).collect();
    ids.extend(old.map(|run| run.id));
    ids.into_iter().collect()
}

/// Removes certificates that no answer refers to.
async fn collect_all(
    shared: &Arc<Shared>,
    without: HashSet<ContentKey>,
    dry_run: bool,
) -> Result<Collected, Status> {
    let shared = Arc::clone(shared);
    aside(move || {
        let mut kept = HashSet::new();
        shared.journal.each_certificate(&without, |certificate| {
            kept.extend(file_names(certificate));
        })?;
        let before = SystemTime::now().checked_sub(YOUNG).unwrap_or(SystemTime::UNIX_EPOCH);
        let directory = shared.certificates.directory();
        let mut found = collect(directory, &kept, before, dry_run).map_err(|error| {
            let path = directory.display().to_string();
            JournalError::Io { path, message: error.to_string() }
        })?;
        if let Some(objects) = shared.certificates.objects() {
            // The directory is a cache of them: what is there counts once.
            found = collect_objects(objects, &kept, before, dry_run, || shared.journal.leads())?;
        }
        if !dry_run && found.young == 0 {
            shared.journal.collected()?;
        }
        Ok(found)
    })
    .await
}

/// Finishes a deletion that a crash has interrupted.
pub async fn finish_deletion(shared: Arc<Shared>) {
    let owes = |journal: &Journal| journal.owes_collection().unwrap_or(false);
    if !owes(&shared.journal) {
        return;
    }
    match collect_all(&shared, HashSet::new(), false).await {
        Ok(Collected { files, bytes, young }) => {
            tracing::info!(files, bytes, young, "certificates of deleted answers removed");
        }
        Err(error) => tracing::warn!("certificates of deleted answers are left: {error}"),
    }
}

async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, JournalError> + Send + 'static,
) -> Result<T, Status> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Status::internal(error.to_string()))?
        .map_err(|error| journal_status(&error))
}
