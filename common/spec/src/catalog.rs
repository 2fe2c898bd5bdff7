//! The list of all specs. Code that works on specs takes a catalog, so that it need not depend on
//! the crates with the rules.

use crate::spec::Spec;
use crate::suggest::{hint, nearest};

/// All specs, in display order.
#[derive(Clone, Copy, Debug)]
pub struct Catalog(pub &'static [&'static Spec]);

/// No spec has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found \"{name}\"; expected one of {}{}", known.join(", "), hint(nearest(name, known.iter().copied())))]
pub struct UnknownName {
    /// The unknown name.
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
    /// If there is none; the message lists the known names.
    pub fn find(self, name: &str) -> Result<&'static Spec, UnknownName> {
        self.iter().find(|spec| spec.name == name).ok_or_else(|| UnknownName {
            name: name.to_string(),
            known: self.iter().map(|spec| spec.name).collect(),
        })
    }
}
