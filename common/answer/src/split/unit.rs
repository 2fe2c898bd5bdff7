//! One unit: a state, how long to search it, and what to report of it.

use std::collections::HashSet;
use std::time::Instant;

use hasami_andor::{
    Control, Job, Kernel, Key, Method, Role, Search, SearchReport, SearchTask, children,
};
use hasami_game::Game;
use hasami_record::Record;

use super::{One, Share, absorb_records};
use crate::JobError;
use crate::tables::{HotTable, HotTables, record};

/// How a unit ended, and its record for other workers.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitReport {
    /// The report for the coordinator.
    pub report: SearchReport,
    /// The state's key.
    pub key: Key,
    /// The table's record of the state: worth sharing even if it was cheap.
    pub record: Option<Record>,
}

/// What [`Split::search`](super::Split::search) does.
pub(super) fn search<G: Game>(
    one: &One<G>,
    unit: &SearchTask,
    tables: &HotTables,
    control: &Control,
    share: &dyn Share,
) -> Result<UnitReport, JobError> {
    let game = &one.game;
    let mut options = one.options;
    options.seed = options.seed.wrapping_add(unit.seed);
    let state = match unit.state.as_slice() {
        [] => game.root(),
        bytes => game.decode(bytes).map_err(|error| {
            JobError::Question(format!("{}: no state of this game: {error}", one.asked))
        })?,
    };
    let key = game.key(&state);
    let share = unit.share.then_some(share);
    let (table, mut hits) = one.table(tables, share, false)?;
    let table = &*table;
    if let Some(share) = share {
        // Settled children may make others relevant: look those up in turn.
        let mut asked = HashSet::new();
        loop {
            let below = children(game, table, options, &state);
            let keys = below.iter().map(|child| child.key).chain([key]);
            let keys: Vec<Key> = keys.filter(|&key| asked.insert(key)).collect();
            if keys.is_empty() {
                break;
            }
            hits += absorb_records(table as &dyn HotTable, share.lookup(game.id(), &keys))?;
        }
    }

    if let Some(nodes) = unit.nodes {
        control.limit(nodes);
    }
    let started = Instant::now();
    let mut search = match unit.role {
        Role::Slave => Search::slave(game, table, options, state.clone()),
        Role::Plain | Role::Leader => {
            let job = Job { state: state.clone(), target: unit.target };
            Search::new(kernel(one.kernel, unit.role, control), game, table, options, job)
        }
    };
    let outcome = search.run(control);
    search.park();
    drop(search);
    let children = if unit.children { children(game, table, options, &state) } else { Vec::new() };
    let report = SearchReport {
        numbers: outcome.numbers,
        turn: game.turn(&state),
        nodes: outcome.counts.nodes,
        seconds: started.elapsed().as_secs_f64(),
        stopped: outcome.stopped,
        children,
        store_hits: hits,
    };
    Ok(UnitReport { report, key, record: table.lookup(key).map(|entry| record(&entry)) })
}

/// The kernel of this unit; only single-threaded kernels report a path.
fn kernel(wanted: Kernel, role: Role, control: &Control) -> Kernel {
    if role == Role::Plain {
        return wanted;
    }
    control.want_path();
    match wanted.method() {
        Method::Pds => Kernel::Pds,
        Method::Dfpn => Kernel::Dfpn,
    }
}
