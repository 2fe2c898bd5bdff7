//! Who has said what: the senders of the latest verdicts in the store, so that a contradiction can
//! name both sides, and is noticed before it is written.

use std::collections::{HashMap, VecDeque};

use hasami_andor::{Key, ProblemId, Verdict};
use hasami_store::Record;

/// Verdicts whose senders are remembered: about 32 MiB.
const MOST: usize = 1 << 18;

/// A state that two workers have settled differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The state.
    pub key: Key,
    /// The workers, by number, as far as they are known.
    pub senders: Vec<u64>,
}

/// The senders of the latest verdicts.
#[derive(Default)]
pub(super) struct Senders {
    of: HashMap<(ProblemId, Key), (Verdict, u64)>,
    /// In the order of arrival.
    order: VecDeque<(ProblemId, Key)>,
}

impl Senders {
    /// Remembers the sender of these records, unless one of them contradicts another sender.
    pub fn note(
        &mut self,
        problem: ProblemId,
        worker: u64,
        records: &[(Key, Record)],
    ) -> Result<(), Contradiction> {
        for (key, record) in records {
            let Some(verdict) = record.numbers.verdict() else { continue };
            match self.of.get(&(problem, *key)) {
                Some(&(known, first)) if known != verdict => {
                    return Err(Contradiction { key: *key, senders: vec![first, worker] });
                }
                Some(_) => {}
                None => {
                    self.of.insert((problem, *key), (verdict, worker));
                    self.order.push_back((problem, *key));
                }
            }
        }
        while self.order.len() > MOST {
            let oldest = self.order.pop_front().expect("more than none");
            self.of.remove(&oldest);
        }
        Ok(())
    }

    /// The sender of the verdict on a state, if it is remembered.
    pub fn who(&self, problem: ProblemId, key: Key) -> Option<u64> {
        self.of.get(&(problem, key)).map(|(_, worker)| *worker)
    }

    /// Forgets a problem.
    pub fn forget(&mut self, problem: ProblemId) {
        self.of.retain(|(of, _), _| *of != problem);
        self.order.retain(|(of, _)| *of != problem);
    }
}

#[cfg(test)]
mod tests {
    use hasami_andor::Numbers;

    use super::*;

    const PROBLEM: ProblemId = ProblemId(1);

    fn says(key: u64, numbers: Numbers) -> [(Key, Record); 1] {
        [(Key(key.into()), Record::new(numbers, 5, 0))]
    }

    #[test]
    fn two_who_disagree_are_both_named() {
        let mut senders = Senders::default();
        senders.note(PROBLEM, 3, &says(9, Numbers::PROVEN)).unwrap();
        senders.note(PROBLEM, 4, &says(9, Numbers::PROVEN)).unwrap();
        senders.note(ProblemId(2), 4, &says(9, Numbers::DISPROVEN)).unwrap();
        senders.note(PROBLEM, 4, &says(9, Numbers { proof: 1, disproof: 2 })).unwrap();
        let found = senders.note(PROBLEM, 7, &says(9, Numbers::DISPROVEN)).unwrap_err();
        assert_eq!(found, Contradiction { key: Key(9), senders: vec![3, 7] });
        senders.forget(PROBLEM);
        senders.note(PROBLEM, 7, &says(9, Numbers::DISPROVEN)).unwrap();
        assert_eq!(senders.who(PROBLEM, Key(9)), Some(7));
        assert_eq!(senders.who(ProblemId(2), Key(9)), Some(4), "another problem is left alone");
    }

    #[test]
    fn only_the_latest_are_remembered() {
        let mut senders = Senders::default();
        let many: Vec<_> = (0..=MOST as u64).flat_map(|key| says(key, Numbers::PROVEN)).collect();
        senders.note(PROBLEM, 1, &many).unwrap();
        assert_eq!(senders.of.len(), MOST);
        assert_eq!(senders.who(PROBLEM, Key(0)), None);
        assert_eq!(senders.who(PROBLEM, Key(1)), Some(1));
    }
}
