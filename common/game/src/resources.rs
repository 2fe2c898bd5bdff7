//! What games are built with beside their parameters: files, and data that is expensive to compute.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hasami_spec::ParamError;

/// Values that the games of one process share, by type and name. Clones share one collection.
///
/// A large sweep builds many games, so the collection holds at most [`Resources::MOST`] values of a
/// type.
#[derive(Clone, Default)]
pub struct Resources {
    shared: Arc<Mutex<ByType>>,
}

/// A value whose type the caller knows.
type Thing = Arc<dyn Any + Send + Sync>;
type ByType = HashMap<TypeId, HashMap<String, Thing>>;

impl Resources {
    /// Most values of one type; beyond it, all of that type are dropped.
    pub const MOST: usize = 1024;

    /// The value of this name, made by `make` if there is none. Two threads that ask at the same
    /// time may both make it; the first one is stored.
    ///
    /// # Errors
    /// The error of `make`.
    pub fn get<T: Any + Send + Sync, E>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let known = self.lock().get(&TypeId::of::<T>()).and_then(|all| all.get(name).cloned());
        if let Some(known) = known {
            return Ok(known.downcast().expect("a thing under its own type"));
        }
        let made: Thing = Arc::new(make()?);
        let mut shared = self.lock();
        let all = shared.entry(TypeId::of::<T>()).or_default();
        if all.len() >= Self::MOST && !all.contains_key(name) {
            all.clear();
        }
        let stored = Arc::clone(all.entry(name.to_string()).or_insert(made));
        Ok(stored.downcast().expect("a thing under its own type"))
    }

    fn lock(&self) -> MutexGuard<'_, ByType> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Resources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resources").finish_non_exhaustive()
    }
}

/// Why a game could not be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A parameter is wrong on every machine.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A file that a parameter names cannot be used here; another machine may have a usable one.
    #[error("{key}={path}: {why}")]
    File {
        /// The parameter.
        key: &'static str,
        /// Its value.
        path: String,
        /// What is wrong with the file.
        why: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_made_once_for_its_type_and_name() {
        let resources = Resources::default();
        let make = |value: u32| move || Ok::<_, ()>(value);
        assert_eq!(*resources.get("a", make(1)).unwrap(), 1);
        assert_eq!(*resources.clone().get("a", make(2)).unwrap(), 1);
        assert_eq!(*resources.get("b", make(3)).unwrap(), 3);
        assert_eq!(*resources.get("a", || Ok::<_, ()>(4_u64)).unwrap(), 4);
        assert_eq!(resources.get::<i8, _>("a", || Err("no")), Err("no"));
    }

    #[test]
    fn the_collection_does_not_grow_for_ever() {
        let resources = Resources::default();
        for name in 0..3 * Resources::MOST {
            resources.get(&name.to_string(), || Ok::<_, ()>(name)).unwrap();
        }
        let stored = resources.lock()[&TypeId::of::<usize>()].len();
        assert!(stored <= Resources::MOST, "{stored}");
    }
}
