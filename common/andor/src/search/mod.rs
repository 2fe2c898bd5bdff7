//! Depth-first proof-number search as a machine with an explicit stack: it can be stopped after any
//! node, inspected and continued. The kernels are built from these machines.

pub mod control;
pub(crate) mod crowd;
pub(crate) mod dep;
pub(crate) mod elsewhere;
pub(crate) mod frame;
pub(crate) mod further;
pub mod options;
pub(crate) mod path;
pub(crate) mod provisional;
pub(crate) mod view;
pub mod walker;

pub use control::Control;
pub use options::{Method, Options, SumRule};
pub use walker::{Answer, Counts, Step, Walker, children};
