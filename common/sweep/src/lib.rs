//! What a user asks of the cluster and what comes back: sweep files, the questions in them, answers,
//! and tables of them. No network, no clock, no disk.

pub mod amount;
mod answer;
mod builtin;
mod error;
pub mod export;
mod key;
mod parse;
mod problem;
mod product;
mod question;
mod range;
mod sweep;
mod table;

pub use answer::{Answer, Certificate, Measures, Verdict};
pub use builtin::{BUILTINS, Builtin};
pub use error::{SweepError, SweepErrors};
pub use key::ContentKey;
pub use problem::{
    DatabasePart, Job, MancalaDatabaseJob, PairJob, PaveJob, PavingsJob, ProblemInfo, PuzzlesJob,
    PyonpyonDatabaseJob, UnknownProblem, ValueJob, database_sweep, problem, problems,
};
pub use question::{Kind, Partitioner, Question, SearchSettings};
pub use sweep::Sweep;
pub use table::{Columns, Matrix, Row, Table};
