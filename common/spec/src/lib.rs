//! What can be asked: parameters, how they are spelled and checked. No files, no boards, no rules.

pub mod params;
pub mod suggest;

pub use params::{Param, ParamError, Params};
