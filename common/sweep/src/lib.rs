//! What a user asks of the cluster and what comes back: sweep files, the questions in them, and
//! answers. No network, no clock, no disk.

mod answer;
mod key;
mod question;

pub use answer::{Answer, Certificate, Measures, Verdict};
pub use key::ContentKey;
pub use question::{Kind, Partitioner, Question, SearchSettings};
