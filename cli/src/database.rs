//! `hasami database`: the exact value of every position of a game, in one file.

mod build;
mod check;
mod query;

use crate::tree::{self, Entry, verb};

/// The commands about databases.
pub fn group() -> Entry {
    tree::group(
        "database",
        "Exact values of all positions of a game: build a file of them, look them up, check them",
        "Examples:\n  hasami database build pyonpyon --no-move pass -o pass.db\n  \
         hasami database query pass.db start\n  \
         hasami database check pass.db",
        vec![verb::<build::Build>(), verb::<query::Query>(), verb::<check::Check>()],
    )
}
