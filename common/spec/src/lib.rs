//! Specs of games and jobs, their parameters, and questions. No files, no boards, no rules: a
//! program with only this crate cannot build a game.

mod catalog;
mod key;
pub mod params;
mod question;
pub mod settings;
mod spec;
pub mod suggest;

pub use catalog::{Catalog, UnknownName};
pub use key::ContentKey;
pub use params::{Param, ParamError, Params};
pub use question::{KeyMaker, Kind, Partitioner, Question};
pub use settings::{Evaluation, KernelName, SearchSettings, SumConflict};
pub use spec::{Pairs, Spec};
