//! The list of everything that can be asked. Whoever works on specs is given one: the crates that hold
//! rules are out of its reach.

use crate::spec::Spec;
use crate::suggest::{hint, nearest};

/// All specs, in the order in which they are shown.
#[derive(Clone, Copy, Debug)]
pub struct Catalog(pub &'static [&'static Spec]);

/// Nothing can be asked under this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found \"{name}\"; expected one of {}{}", known.join(", "), hint(nearest(name, known.iter().copied())))]
pub struct UnknownName {
    /// What was asked for.
    pub name: String,
    /// All names.
    pub known: Vec<&'static str>,
}

impl Catalog {
    /// All specs.
    pub fn iter(self) -> impl Iterator<Item = &'static Spec> {
        self.0.iter().copied()
    }

    /// The spec of this name.
    ///
    /// # Errors
    /// When there is none; the message lists those there are.
    pub fn find(self, name: &str) -> Result<&'static Spec, UnknownName> {
        self.iter().find(|spec| spec.name == name).ok_or_else(|| UnknownName {
            name: name.to_string(),
            known: self.iter().map(|spec| spec.name).collect(),
        })
    }
}
