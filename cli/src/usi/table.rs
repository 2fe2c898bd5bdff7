//! The transposition table of the engine, which stays from one search to the next.
//!
//! The key of a position is its board and the attacker's hand. The defender's hand is what is left of
//! the set of pieces. So what the table knows holds for every question with the same attacker and the
//! same set, whatever the root; for other questions there must be another table.

use std::sync::Arc;

use hasami_andor::{SumRule, Table};
use hasami_game::Game;
use hasami_shogi::{Bound, Kind, Position, Shogi, Side, legality};

/// Questions that may share a table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sort {
    attacker: Side,
    /// How many pieces of each kind there are.
    set: Vec<u32>,
}

/// The table, if there is one.
#[derive(Default)]
pub struct Tables {
    current: Option<Current>,
}

struct Current {
    table: Arc<Table<Bound>>,
    mib: u64,
    /// What has been asked; nothing yet if it is new.
    sort: Option<Sort>,
}

impl Tables {
    /// Makes a table of this size, unless there is one.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn prepare(&mut self, mib: u64) -> Result<(), String> {
        if self.current.as_ref().is_none_or(|current| current.mib != mib) {
            self.current = None;
            let table = Table::with_mib(mib as usize, Shogi::ADVICE.sum == SumRule::Hybrid)
                .map_err(|error| format!("USI_Hash: {error}"))?;
            self.current = Some(Current { table: Arc::new(table), mib, sort: None });
        }
        Ok(())
    }

    /// The table for a question.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn table_for(
        &mut self,
        mib: u64,
        position: &Position,
        attacker: Side,
    ) -> Result<Arc<Table<Bound>>, String> {
        let set = Kind::HELD.iter().map(|&kind| legality::count(position, kind)).collect();
        let sort = Sort { attacker, set };
        let other = |current: &Current| current.sort.as_ref().is_some_and(|known| *known != sort);
        if self.current.as_ref().is_some_and(other) {
            self.forget();
        }
        self.prepare(mib)?;
        let current = self.current.as_mut().ok_or("USI_Hash: no table")?;
        current.sort = Some(sort);
        Ok(Arc::clone(&current.table))
    }

    /// Drops everything that is known.
    pub fn forget(&mut self) {
        self.current = None;
    }
}

/// How much of its memory a table uses, in thousandths.
pub fn fullness(table: &Table<Bound>) -> usize {
    (table.slots().saturating_mul(1000) / table.capacity().max(1)).min(1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_shogi::sfen;

    #[test]
    fn only_questions_with_the_same_attacker_and_set_share_a_table() {
        let at = |text: &str| sfen::read(text).unwrap();
        let mut tables = Tables::default();
        let mut get = |mib, text: &str, attacker| {
            let table = tables.table_for(mib, &at(text), attacker).unwrap();
            Arc::as_ptr(&table) as usize
        };
        let first = get(8, "8k/9/9/9/9/9/9/9/8K b Gg 1", Side::Black);
        assert_eq!(first, get(8, "8k/9/9/9/9/9/9/9/8K b 2G 1", Side::Black));
        assert_eq!(first, get(8, "7k1/7G1/9/9/9/9/9/9/8K w g 1", Side::Black));
        let held = tables.table_for(8, &at("8k/9/9/9/9/9/9/9/8K b 2G 1"), Side::Black).unwrap();
        let other = |tables: &mut Tables, mib, text: &str, attacker| {
            let table = tables.table_for(mib, &at(text), attacker).unwrap();
            !Arc::ptr_eq(&held, &table)
        };
        let same = "8k/9/9/9/9/9/9/9/8K b 2G 1";
        assert!(!other(&mut tables, 8, same, Side::Black));
        assert!(other(&mut tables, 8, "8k/9/9/9/9/9/9/9/8K b G 1", Side::Black), "another set");
        assert!(other(&mut tables, 8, same, Side::White), "another attacker");
        assert!(other(&mut tables, 9, same, Side::White), "another size");
    }
}
