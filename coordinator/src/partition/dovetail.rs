//! `dovetail`: the same search with different seeds, nothing shared. The first verdict wins.

use hasami_andor::{Numbers, SearchProgress, SearchReport, SearchTask, Verdict};

use super::ledger::Ledger;
use super::{Directive, PartView, Partition, Settings, Task, UnitNo, View};

/// Independent searches of one root.
pub(super) struct Dovetail {
    /// The seed of every outstanding unit.
    units: Ledger<u64>,
    /// Seeds of lost units: they are handed out again first.
    free: Vec<u64>,
    fresh: u64,
    root: Numbers,
    verdict: Option<Verdict>,
}

impl Dovetail {
    pub fn new(_: &Settings) -> Self {
        Self {
            units: Ledger::new(),
            free: Vec::new(),
            fresh: 0,
            root: Numbers::UNKNOWN,
            verdict: None,
        }
    }

    /// Cancels all other units.
    fn settle(&mut self, verdict: Verdict) -> Vec<Directive> {
        self.verdict = Some(verdict);
        self.root = verdict.into();
        let others: Vec<UnitNo> = self.units.wanted().map(|(unit, _)| unit).collect();
        for &unit in &others {
            self.units.cancel(unit);
        }
        let cancels = others.into_iter().map(Directive::Cancel);
        [Directive::Settled(verdict)].into_iter().chain(cancels).collect()
    }
}

impl Partition for Dovetail {
    fn next(&mut self) -> Option<Task> {
        if self.verdict.is_some() {
            return None;
        }
        let seed = self.free.pop().unwrap_or_else(|| {
            self.fresh += 1;
            self.fresh - 1
        });
        let search = SearchTask { seed, ..SearchTask::default() };
        Some(Task { unit: self.units.hand_out(seed), search })
    }

    fn progress(&mut self, unit: UnitNo, progress: &SearchProgress) -> Vec<Directive> {
        self.units.count(unit, progress.nodes);
        // The first search reports for the root: its numbers grow steadily.
        if self.verdict.is_none() && self.units.get(unit) == Some(&0) && !progress.numbers.settled()
        {
            self.root = progress.numbers;
        }
        Vec::new()
    }

    fn finished(&mut self, unit: UnitNo, report: &SearchReport) -> Vec<Directive> {
        self.units.count(unit, report.nodes);
        let Some(seed) = self.units.take(unit) else {
            return Vec::new();
        };
        match (self.verdict, report.numbers.verdict()) {
            (None, Some(verdict)) => self.settle(verdict),
            (None, None) => {
                self.free.push(seed);
                Vec::new()
            }
            (Some(_), _) => Vec::new(),
        }
    }

    fn lost(&mut self, unit: UnitNo) {
        self.free.extend(self.units.take(unit));
    }

    fn root(&self) -> Numbers {
        self.root
    }

    fn nodes(&self) -> u64 {
        self.units.nodes()
    }

    fn view(&self) -> View {
        let part = |(unit, _)| PartView { unit, part: "seed", key: None };
        View { parts: self.units.wanted().map(part).collect(), ..View::default() }
    }
}

#[cfg(test)]
mod tests {
    use hasami_andor::{Stopped, Turn};

    use super::*;

    fn report(numbers: Numbers) -> SearchReport {
        let (turn, stopped) = (Turn::Or, Stopped::Settled);
        let (children, store_hits) = (Vec::new(), 0);
        SearchReport { numbers, turn, nodes: 10, seconds: 0.1, stopped, children, store_hits }
    }

    #[test]
    fn the_first_verdict_wins_and_the_others_are_cancelled() {
        let mut dovetail = Dovetail::new(&Settings::default());
        let tasks: Vec<Task> = (0..3).map(|_| dovetail.next().unwrap()).collect();
        assert_eq!(tasks.iter().map(|task| task.search.seed).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(tasks.iter().all(|task| !task.search.share && task.search.nodes.is_none()));
        let said = dovetail.finished(tasks[1].unit, &report(Numbers::DISPROVEN));
        let cancels = [Directive::Cancel(tasks[0].unit), Directive::Cancel(tasks[2].unit)];
        assert_eq!(said[0], Directive::Settled(Verdict::Disproven));
        assert_eq!(said[1..], cancels);
        assert_eq!(dovetail.next(), None);
        assert_eq!(dovetail.finished(tasks[0].unit, &report(Numbers::UNKNOWN)), []);
        assert_eq!((dovetail.root(), dovetail.nodes()), (Numbers::DISPROVEN, 20));
    }

    #[test]
    fn a_lost_seed_is_tried_again() {
        let mut dovetail = Dovetail::new(&Settings::default());
        let (first, _) = (dovetail.next().unwrap(), dovetail.next().unwrap());
        dovetail.lost(first.unit);
        assert_eq!(dovetail.next().unwrap().search.seed, 0);
        assert_eq!(dovetail.finished(first.unit, &report(Numbers::PROVEN)), [], "too late");
    }
}
