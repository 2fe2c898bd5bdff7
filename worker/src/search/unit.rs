//! One unit: a state, how long to search it, and what to tell of it afterwards.

use std::collections::HashSet;
use std::time::Instant;

use hasami_andor::numbers::INFINITE;
use hasami_andor::{
    ChildInfo, Control, Job, Kernel, Key, Method, Numbers, Search, Stopped, Turn, children,
};
use hasami_games::Game;
use hasami_store::Record;

use super::{One, Share, take_in};
use crate::jobs::JobError;
use crate::jobs::tables::{HotTable, HotTables, record};

/// What a unit is to the search it is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Smallest number first.
    #[default]
    Plain,
    /// Plain, and tells its path through the control.
    Leader,
    /// The children of the state from the least promising one on.
    Slave,
}

/// What to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The state, encoded; empty: the root.
    pub state: Vec<u8>,
    /// Stop when a number reaches these; 0 or infinite: no limit. A slave has none.
    pub target: Numbers,
    /// Stop after so many nodes.
    pub nodes: Option<u64>,
    /// What it is to the whole.
    pub role: Role,
    /// Added to the seed of the question.
    pub seed: u64,
    /// Tell the children too.
    pub children: bool,
    /// Ask the store before the search starts.
    pub share: bool,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitReport {
    /// Numbers of the state.
    pub numbers: Numbers,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// Why it is over.
    pub stopped: Stopped,
    /// Whose choice the state is.
    pub turn: Turn,
    /// Its children, if they were asked for.
    pub children: Vec<ChildReport>,
    /// Records of the store that came in before the search.
    pub hits: u64,
    /// The state's key.
    pub key: Key,
    /// What the table holds of the state: worth telling the others even if it was cheap.
    pub record: Option<Record>,
}

/// What is known of a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildReport {
    /// The state, encoded.
    pub state: Vec<u8>,
    /// Its key.
    pub key: Key,
    /// Whose choice it is.
    pub turn: Turn,
    /// Its numbers.
    pub numbers: Numbers,
    /// Nodes spent below it.
    pub work: u64,
}

/// What [`Split::search`](super::Split::search) does.
pub(super) fn search<G: Game>(
    one: &One<G>,
    unit: &Unit,
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
            JobError::Question(format!("{}: no state of this game: {error}", one.question))
        })?,
    };
    let key = game.key(&state);
    let share = unit.share.then_some(share);
    let (table, mut hits) = one.table(tables, share, false)?;
    let table = &*table;
    if let Some(share) = share {
        // Children that are settled may open others: those are asked about in their turn.
        let mut asked = HashSet::new();
        loop {
            let below = children(game, table, options, &state);
            let keys = below.iter().map(|child| child.key).chain([key]);
            let keys: Vec<Key> = keys.filter(|&key| asked.insert(key)).collect();
            if keys.is_empty() {
                break;
            }
            hits += take_in(table as &dyn HotTable, share.lookup(game.id(), &keys))?;
        }
    }

    if let Some(nodes) = unit.nodes {
        control.limit(nodes);
    }
    let started = Instant::now();
    let mut search = match unit.role {
        Role::Slave => Search::slave(game, table, options, state.clone()),
        Role::Plain | Role::Leader => {
            let job = Job { state: state.clone(), target: target(unit.target) };
            Search::new(kernel(one.kernel, unit.role, control), game, table, options, job)
        }
    };
    let outcome = search.run(control);
    search.park();
    drop(search);
    let told = match unit.children {
        true => children(game, table, options, &state).into_iter().map(child).collect(),
        false => Vec::new(),
    };
    Ok(UnitReport {
        numbers: outcome.numbers,
        nodes: outcome.counts.nodes,
        seconds: started.elapsed().as_secs_f64(),
        stopped: outcome.stopped,
        turn: game.turn(&state),
        children: told,
        hits,
        key,
        record: table.lookup(key).map(|entry| record(&entry)),
    })
}
/// The kernel of this unit; only the single ones tell a path.
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

fn target(target: Numbers) -> Numbers {
    let limit = |number| if number == 0 { INFINITE } else { number };
    Numbers { proof: limit(target.proof), disproof: limit(target.disproof) }
}

fn child(child: ChildInfo) -> ChildReport {
    let ChildInfo { state, key, turn, numbers, work } = child;
    ChildReport { state, key, turn, numbers, work: u64::from(work) }
}
