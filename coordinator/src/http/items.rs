//! The items of a run for a page. What the scheduler knows of them is copied at most once a second
//! and sorted elsewhere; answers are read for the items of one page alone.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hasami_page::{Order, Sort};
use hasami_report::{Row, Table};
use hasami_sweep::Sweep;
use hasami_unit::ItemState;
use tokio::sync::Mutex;

use super::Web;
use super::calls::Trouble;
use crate::core::{Brief, ItemNo, RunId};
use crate::journal::{Journal, JournalError};
use crate::services::ended;

/// A copy may be this old.
const FRESH: Duration = Duration::from_secs(1);
/// Runs whose items are kept at a time.
const KEPT: usize = 4;
/// Runs with more items are not shown as a matrix.
const MATRIX: usize = 2_500;

/// The items of one run at one moment.
pub(super) struct Known {
    taken: Instant,
    pub run: RunId,
    pub sweep: Arc<Sweep>,
    pub briefs: Vec<Brief>,
}

/// Copies of the latest runs that somebody looks at.
#[derive(Default)]
pub(super) struct Cache {
    runs: Mutex<HashMap<u64, Arc<Known>>>,
    /// Matrices, with a sum of the states that they show.
    tables: Mutex<HashMap<u64, Stamped>>,
}

/// A matrix, if the items form one, and a sum of the states that it shows.
type Stamped = (usize, Option<Arc<Table>>);

/// A page of items.
pub(super) struct Page {
    pub rows: Vec<Row>,
    pub fit: usize,
}

impl Web {
    /// The items of a run; `None` if there is no such run.
    pub(super) async fn known(&self, run: u64) -> Result<Option<Arc<Known>>, Trouble> {
        let mut runs = self.slots.runs.lock().await;
        if let Some(known) = runs.get(&run).filter(|known| known.taken.elapsed() < FRESH) {
            return Ok(Some(Arc::clone(known)));
        }
        let taken = self.shared.engine.call(move |state| {
            let found = state.core.run(RunId(run))?;
            let (sweep, briefs) = (Arc::clone(&found.sweep), found.briefs());
            Some(Arc::new(Known { taken: Instant::now(), run: found.id, sweep, briefs }))
        });
        let Some(known) = taken.await? else {
            runs.remove(&run);
            return Ok(None);
        };
        if runs.len() >= KEPT && !runs.contains_key(&run) {
            let oldest = runs.iter().min_by_key(|(_, known)| known.taken).map(|(run, _)| *run);
            oldest.map(|run| runs.remove(&run));
        }
        runs.insert(run, Arc::clone(&known));
        Ok(Some(known))
    }

    /// The items that are asked for, `most` of them.
    pub(super) async fn page(
        &self,
        known: &Arc<Known>,
        order: &Order,
        most: usize,
    ) -> Result<Page, Trouble> {
        let (known, order) = (Arc::clone(known), order.clone());
        let journal = Arc::clone(&self.shared.journal);
        self.blocking(move || {
            let found = chosen(&known, &order);
            let from = order.page.saturating_mul(most).min(found.len());
            let some = &found[from..found.len().min(from + most)];
            let rows = some.iter().map(|&item| row(&journal, &known, item));
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            Ok(Page { rows, fit: found.len() })
        })
        .await
    }

    /// One item.
    pub(super) async fn row(&self, known: &Arc<Known>, item: u32) -> Result<Row, Trouble> {
        let (known, journal) = (Arc::clone(known), Arc::clone(&self.shared.journal));
        self.blocking(move || Ok(row(&journal, &known, item)?)).await
    }

    /// All items as a table.
    pub(super) async fn whole(&self, known: &Arc<Known>) -> Result<Table, Trouble> {
        let (known, journal) = (Arc::clone(known), Arc::clone(&self.shared.journal));
        self.blocking(move || {
            let items = 0..known.briefs.len() as u32;
            let rows = items.map(|item| row(&journal, &known, item));
            Ok(Table::new(&known.sweep, rows.collect::<Result<Vec<_>, _>>()?))
        })
        .await
    }

    /// All items as a table, if they form a matrix. It is read again only if an item has changed.
    pub(super) async fn matrix(&self, known: &Arc<Known>) -> Result<Option<Arc<Table>>, Trouble> {
        let sweep = &known.sweep;
        let few = (2..=MATRIX).contains(&sweep.len());
        if !few || sweep.unreadable().is_some() || sweep.varying().next().is_none() {
            return Ok(None);
        }
        let stamp = known.briefs.iter().map(|brief| 1 + 64 * brief.state as usize).enumerate();
        let stamp = stamp.fold(0_usize, |sum, (at, one)| {
            sum.wrapping_mul(31).wrapping_add(at.wrapping_mul(7) + one)
        });
        let run = known.run.0;
        let mut tables = self.slots.tables.lock().await;
        if let Some((_, table)) = tables.get(&run).filter(|(of, _)| *of == stamp) {
            return Ok(table.clone());
        }
        let table = self.whole(known).await?;
        let table = (!table.matrices().is_empty()).then(|| Arc::new(table));
        if tables.len() >= KEPT {
            tables.clear();
        }
        tables.insert(run, (stamp, table.clone()));
        Ok(table)
    }

    /// Runs work that reads files or computes, a few at a time, off the threads of the network.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let permit = Arc::clone(&self.heavy).acquire_owned().await;
        let work = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        work.await.map_err(|error| Trouble::Failed(error.to_string()))?
    }
}

/// The items that fit, in order.
fn chosen(known: &Known, order: &Order) -> Vec<u32> {
    let state = ItemState::ALL.into_iter().find(|state| state.word() == order.state);
    let words: Vec<String> = order.words.split_whitespace().map(str::to_lowercase).collect();
    let mut line = String::new();
    let mut fits = |item: u32| {
        let brief = &known.briefs[item as usize];
        if state.is_some_and(|state| brief.state != state) {
            return false;
        }
        if words.is_empty() {
            return true;
        }
        line.clear();
        line.push_str(&known.sweep.item(item as usize).spelled().to_lowercase());
        words.iter().all(|word| line.contains(word.as_str()))
    };
    let mut found: Vec<u32> = (0..known.briefs.len() as u32).filter(|&item| fits(item)).collect();
    let brief = |item: u32| known.briefs[item as usize];
    match order.sort {
        Sort::Item => {}
        Sort::State => found.sort_by_key(|&item| brief(item).state as u8),
        Sort::Attempts => found.sort_by_key(|&item| brief(item).attempts),
        Sort::Cost => found.sort_by_key(|&item| brief(item).weight),
    }
    if order.down {
        found.reverse();
    }
    found
}

fn row(journal: &Journal, known: &Known, item: u32) -> Result<Row, JournalError> {
    let brief = known.briefs[item as usize];
    let (answer, failure) = ended(journal, known.run, ItemNo(item))?;
    Ok(Row {
        item: item as usize,
        question: known.sweep.item(item as usize),
        state: brief.state.word().to_string(),
        answer,
        failure,
        attempts: brief.attempts,
        reused: brief.reused,
    })
}
