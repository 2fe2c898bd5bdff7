//! Items of a run, a page at a time: the scheduler is never kept waiting for a client that reads
//! ten million of them.

use std::collections::VecDeque;
use std::sync::Arc;

use hasami_proto::v1::{self, ItemInfo, ItemsRequest, ItemsResponse};
use hasami_sweep::{Answer, Sweep};
use hasami_unit::ItemState;
use tonic::Status;

use super::batches::Batch;
use super::{Shared, journal_status};
use crate::core::{Core, ItemNo, Run, RunId};
use crate::journal::{Journal, JournalError};
use crate::view::item_info;

/// Items looked at in one step of the scheduler.
const STEP: u32 = 65_536;
/// Items of one page in one step.
const PAGE: usize = 1_024;

/// State, attempts, and whether the answer was known before.
type State = (ItemState, u32, bool);

/// Which items are wanted.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    run: RunId,
    states: Vec<ItemState>,
    params: Vec<(String, String)>,
    offset: u64,
    /// `u64::MAX` for all.
    limit: u64,
}

impl Wanted {
    /// Reads a request about `run`.
    pub fn read(run: RunId, request: ItemsRequest) -> Result<Self, Status> {
        let invalid =
            |error: hasami_proto::ConvertError| Status::invalid_argument(error.to_string());
        let states = request.states().map(ItemState::try_from);
        let states = states.collect::<Result<Vec<_>, _>>().map_err(invalid)?;
        let params = request.params.into_iter().map(|v1::Param { name, value }| (name, value));
        let limit = if request.limit == 0 { u64::MAX } else { request.limit };
        Ok(Self { run, states, params: params.collect(), offset: request.offset, limit })
    }

    /// Checks the names of parameters: a misspelt one fits nothing.
    pub fn check(&self, sweep: &Sweep) -> Result<(), Status> {
        if sweep.is_empty() {
            return Ok(());
        }
        let known: Vec<String> = sweep.item(0).params.into_iter().map(|(name, _)| name).collect();
        match self.params.iter().find(|(name, _)| !known.contains(name)) {
            None => Ok(()),
            Some((name, _)) => Err(Status::invalid_argument(format!(
                "run {} has no parameter {name}; it has {}",
                self.run.0,
                known.join(", ")
            ))),
        }
    }

    fn fits(&self, sweep: &Sweep, item: ItemNo, state: ItemState) -> bool {
        (self.states.is_empty() || self.states.contains(&state))
            && self.params.iter().all(|(name, value)| sweep.has(item.0 as usize, name, value))
    }

    /// The next items that fit, from `next` on, which moves behind them. Looks at a limited number.
    fn page(&mut self, run: &Run, next: &mut u32) -> Vec<(ItemNo, State)> {
        let (mut page, len) = (Vec::new(), run.sweep.len() as u32);
        let end = next.saturating_add(STEP).min(len);
        while *next < end && page.len() < PAGE && self.limit > 0 {
            let item = ItemNo(*next);
            *next += 1;
            let Some(state) = run.item(item).filter(|state| self.fits(&run.sweep, item, state.0))
            else {
                continue;
            };
            if self.offset > 0 {
                self.offset -= 1;
                continue;
            }
            self.limit -= 1;
            page.push((item, state));
        }
        if self.limit == 0 {
            *next = len;
        }
        page
    }
}

/// How far a reader has come.
pub(super) struct Reading {
    wanted: Wanted,
    sweep: Arc<Sweep>,
    /// The next item to look at.
    next: u32,
    /// Items that were found and not sent.
    page: VecDeque<(ItemNo, State)>,
}

impl Reading {
    /// From the first item on.
    pub fn new(wanted: Wanted, sweep: Arc<Sweep>) -> Self {
        Self { wanted, sweep, next: 0, page: VecDeque::new() }
    }

    fn is_over(&self) -> bool {
        self.next as usize >= self.sweep.len()
    }
}

/// The next items that are wanted, each as it is when its page is read; none at the end.
pub(super) async fn batch(
    shared: Arc<Shared>,
    mut reading: Reading,
) -> Result<(Reading, Vec<ItemsResponse>), Status> {
    while reading.page.is_empty() && !reading.is_over() {
        let step = move |core: &Core| {
            let run = core.run(reading.wanted.run)?;
            reading.page = reading.wanted.page(run, &mut reading.next).into();
            Some(reading)
        };
        let found = shared.engine.call(move |state| step(&state.core)).await?;
        reading = found.ok_or_else(|| Status::not_found("the run was deleted meanwhile"))?;
    }
    let journal = Arc::clone(&shared.journal);
    let read = tokio::task::spawn_blocking(move || {
        let mut batch = Batch::new();
        while let Some((item, state)) = reading.page.pop_front() {
            let info = info(&journal, reading.wanted.run, &reading.sweep, item, state);
            let info = info.map_err(|error| journal_status(&error))?;
            if !batch.push(ItemsResponse { item: Some(info) }) {
                break;
            }
        }
        Ok((reading, batch.take()))
    });
    read.await.map_err(|error| Status::internal(error.to_string()))?
}

/// An item with what the journal has of it.
pub(super) fn info(
    journal: &Journal,
    run: RunId,
    sweep: &Sweep,
    item: ItemNo,
    state: State,
) -> Result<ItemInfo, JournalError> {
    let (answer, failure) = ended(journal, run, item)?;
    Ok(item_info(run, sweep, item, state, answer, failure))
}

/// How an item ended, from the journal. What cannot be read is told in place of the failure.
pub(crate) fn ended(
    journal: &Journal,
    run: RunId,
    item: ItemNo,
) -> Result<(Option<Answer>, String), JournalError> {
    let told = |what: &str, error: &JournalError| match error {
        JournalError::Damaged { why, .. } => Some(format!("{what} cannot be read: {why}")),
        _ => None,
    };
    let record = match journal.item(run, item) {
        Ok(Some(record)) => record,
        Ok(None) => return Ok((None, String::new())),
        Err(error) => {
            return told("its record", &error).map(|text| (None, text)).ok_or(error);
        }
    };
    match record.answer.map(|key| journal.answer(key)).transpose() {
        Ok(answer) => Ok((answer.flatten(), record.failure)),
        Err(error) => told("its answer", &error).map(|text| (None, text)).ok_or(error),
    }
}
