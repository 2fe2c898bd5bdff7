//! `hasami runs`: lists and controls the runs of a coordinator.

mod control;
mod delete;
mod explain;
pub mod export;
mod list;
mod show;
pub mod wait;
pub mod watch;

use crate::tree::{self, Entry, verb};

/// The commands about runs.
pub fn group() -> Entry {
    tree::group(
        "runs",
        "The runs of a coordinator: list, show, explain, watch, wait, pause, resume, cancel, export, delete",
        "A run is named by its number, or by the name of its sweep: the latest of that name.\n\n\
         Examples:\n  hasami runs list\n  hasami runs show 3 --items\n  hasami runs export losers-66 -o results.html",
        vec![
            verb::<list::List>(),
            verb::<show::Show>(),
            verb::<explain::Explain>(),
            verb::<watch::Watch>(),
            verb::<wait::Wait>(),
            verb::<control::Pause>(),
            verb::<control::Resume>(),
            verb::<control::Cancel>(),
            verb::<export::Export>(),
            verb::<delete::Delete>(),
        ],
    )
}
