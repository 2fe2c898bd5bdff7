//! `aohpas`: a leader searches from the root; slaves settle nodes of its path from the far end
//! (after Takano et al.). What a slave finds reaches the leader through the store.

use std::collections::HashSet;

use hasami_andor::{
    Key, Numbers, PathNode, Role, SearchProgress, SearchReport, SearchTask, Turn, Verdict,
};

use super::ledger::Ledger;
use super::view::seen;
use super::{Directive, PartView, Partition, Settings, Task, UnitNo, View};

/// The role of a unit.
enum Part {
    Leader,
    Slave(Key),
}

/// A leader and its slaves.
pub(super) struct Aohpas {
    units: Ledger<Part>,
    /// Whether AND nodes are offered when the OR nodes run out.
    and_helpers: bool,
    leader: Option<UnitNo>,
    /// The leader's last reported path, from the root down.
    path: Vec<PathNode>,
    /// Nodes of the path that slaves have settled and the leader has not left yet.
    settled: HashSet<Key>,
    root: Numbers,
    verdict: Option<Verdict>,
}

impl Aohpas {
    pub fn new(_: &Settings, and_helpers: bool) -> Self {
        Self {
            units: Ledger::new(),
            and_helpers,
            leader: None,
            path: Vec::new(),
            settled: HashSet::new(),
            root: Numbers::UNKNOWN,
            verdict: None,
        }
    }

    fn lead(&mut self) -> Task {
        let unit = self.units.hand_out(Part::Leader);
        self.leader = Some(unit);
        task(unit, Role::Leader, Vec::new())
    }

    /// The topmost node of the path that a slave can search beside the leader: OR nodes first.
    fn offer(&self) -> Option<&PathNode> {
        let taken: HashSet<Key> = self
            .units
            .wanted()
            .filter_map(|(_, part)| match part {
                Part::Slave(key) => Some(*key),
                Part::Leader => None,
            })
            .collect();
        // The leader is about to leave everything below a settled node: start no slave there.
        let live = self.path.iter().take_while(|node| !self.settled.contains(&node.key));
        let free = |node: &&PathNode| node.open > 1 && !taken.contains(&node.key);
        let of = |turn: Turn| live.clone().filter(free).find(|node| node.turn == turn);
        of(Turn::Or).or_else(|| of(Turn::And).filter(|_| self.and_helpers))
    }

    fn settle(&mut self, verdict: Verdict) -> Vec<Directive> {
        self.verdict = Some(verdict);
        self.root = verdict.into();
        let mut said = vec![Directive::Settled(verdict)];
        said.extend(self.cancel_where(|_| true));
        said
    }

    /// Cancels units whose part is no longer needed.
    fn cancel_where(&mut self, gone: impl Fn(&Part) -> bool) -> Vec<Directive> {
        let units = self.units.wanted().filter(|(_, part)| gone(part));
        let units: Vec<UnitNo> = units.map(|(unit, _)| unit).collect();
        for &unit in &units {
            self.units.cancel(unit);
        }
        units.into_iter().map(Directive::Cancel).collect()
    }

    /// A slave has settled the node with this key.
    fn slave_settled(&mut self, key: Key, verdict: Verdict) -> Vec<Directive> {
        let Some(depth) = self.path.iter().position(|node| node.key == key) else {
            return Vec::new();
        };
        if depth == 0 {
            return self.settle(verdict);
        }
        self.settled.insert(key);
        let below: HashSet<Key> = self.path[depth..].iter().map(|node| node.key).collect();
        let mut said: Vec<Directive> = self.leader.map(Directive::Look).into_iter().collect();
        said.extend(
            self.cancel_where(|part| matches!(part, Part::Slave(key) if below.contains(key))),
        );
        said
    }
}

/// A task without limits.
fn task(unit: UnitNo, role: Role, state: Vec<u8>) -> Task {
    Task { unit, search: SearchTask { state, role, share: true, ..SearchTask::default() } }
}

impl Partition for Aohpas {
    fn next(&mut self) -> Option<Task> {
        if self.verdict.is_some() {
            return None;
        }
        if self.leader.is_none() {
            return Some(self.lead());
        }
        let node = self.offer()?;
        let (key, state) = (node.key, node.state.clone());
        let unit = self.units.hand_out(Part::Slave(key));
        Some(task(unit, Role::Slave, state))
    }

    fn progress(&mut self, unit: UnitNo, progress: &SearchProgress) -> Vec<Directive> {
        self.units.count(unit, progress.nodes);
        if self.verdict.is_some() || self.leader != Some(unit) {
            return Vec::new();
        }
        if !progress.numbers.settled() {
            self.root = progress.numbers;
        }
        self.path.clone_from(&progress.path);
        let path: HashSet<Key> = self.path.iter().map(|node| node.key).collect();
        self.settled.retain(|key| path.contains(key));
        self.cancel_where(|part| matches!(part, Part::Slave(key) if !path.contains(key)))
    }

    fn finished(&mut self, unit: UnitNo, report: &SearchReport) -> Vec<Directive> {
        self.units.count(unit, report.nodes);
        let part = self.units.take(unit);
        if self.verdict.is_some() {
            return Vec::new();
        }
        match (part, report.numbers.verdict()) {
            (Some(Part::Leader), Some(verdict)) => self.settle(verdict),
            (Some(Part::Leader), None) => {
                self.leader = None;
                Vec::new()
            }
            (Some(Part::Slave(key)), Some(verdict)) => self.slave_settled(key, verdict),
            (Some(Part::Slave(_)), None) | (None, _) => Vec::new(),
        }
    }

    fn lost(&mut self, unit: UnitNo) {
        self.units.take(unit);
        // The next leader finds this one's results in the store.
        self.leader = self.leader.filter(|&leader| leader != unit);
    }

    fn root(&self) -> Numbers {
        self.root
    }

    fn nodes(&self) -> u64 {
        self.units.nodes()
    }

    fn view(&self) -> View {
        let part = |(unit, part): (UnitNo, &Part)| match part {
            Part::Leader => PartView { unit, part: "leader", key: None },
            Part::Slave(key) => PartView { unit, part: "slave", key: Some(*key) },
        };
        View { path: seen(&self.path), parts: self.units.wanted().map(part).collect(), kept: 0 }
    }
}

#[cfg(test)]
mod tests {
    use hasami_andor::Stopped;

    use super::*;

    fn node(name: u8, turn: Turn) -> PathNode {
        let key = Key::mixed(name.into());
        PathNode { state: vec![name], key, turn, numbers: Numbers::UNKNOWN, open: 2 }
    }

    /// A path of these nodes, OR and AND in turn from the root down.
    fn path(names: &[u8]) -> SearchProgress {
        let turn = |depth: usize| if depth.is_multiple_of(2) { Turn::Or } else { Turn::And };
        let path = names.iter().enumerate().map(|(depth, &name)| node(name, turn(depth)));
        SearchProgress {
            nodes: 10,
            numbers: Numbers { proof: 3, disproof: 4 },
            path: path.collect(),
        }
    }

    fn report(numbers: Numbers) -> SearchReport {
        let (turn, stopped) = (Turn::Or, Stopped::Settled);
        let (children, store_hits) = (Vec::new(), 0);
        SearchReport { numbers, turn, nodes: 20, seconds: 0.1, stopped, children, store_hits }
    }

    fn led(and_helpers: bool, names: &[u8]) -> (Aohpas, UnitNo) {
        let mut aohpas = Aohpas::new(&Settings::default(), and_helpers);
        let leader = aohpas.next().unwrap();
        assert_eq!((leader.search.role, leader.search.nodes), (Role::Leader, None));
        assert_eq!(aohpas.next(), None, "the leader has not told its path yet");
        assert_eq!(aohpas.progress(leader.unit, &path(names)), []);
        assert_eq!(aohpas.root(), Numbers { proof: 3, disproof: 4 });
        (aohpas, leader.unit)
    }

    fn offered(aohpas: &mut Aohpas) -> Vec<Task> {
        std::iter::from_fn(|| aohpas.next()).collect()
    }

    #[test]
    fn or_nodes_are_offered_from_the_top_then_and_nodes() {
        for (and_helpers, expected) in [(false, &[0, 2, 4][..]), (true, &[0, 2, 4, 1, 3])] {
            let (mut aohpas, _) = led(and_helpers, &[0, 1, 2, 3, 4]);
            let tasks = offered(&mut aohpas);
            assert!(tasks.iter().all(|task| task.search.role == Role::Slave && task.search.share));
            let names: Vec<u8> = tasks.iter().map(|task| task.search.state[0]).collect();
            assert_eq!(names, expected);
        }
    }

    #[test]
    fn a_settled_node_is_told_to_the_leader_and_slaves_below_it_are_called_off() {
        let (mut aohpas, leader) = led(false, &[0, 1, 2, 3, 4]);
        let tasks = offered(&mut aohpas);
        let said = aohpas.finished(tasks[1].unit, &report(Numbers::PROVEN));
        assert_eq!(said, [Directive::Look(leader), Directive::Cancel(tasks[2].unit)]);
        assert_eq!(aohpas.next(), None, "nobody starts below a settled node");
        // The leader has moved on: the nodes of its new path are offered.
        assert_eq!(aohpas.progress(leader, &path(&[0, 1, 6])), []);
        assert_eq!(offered(&mut aohpas)[0].search.state, [6]);
    }

    #[test]
    fn slaves_of_nodes_that_left_the_path_are_called_off() {
        let (mut aohpas, leader) = led(false, &[0, 1, 2, 3, 4]);
        let tasks = offered(&mut aohpas);
        let said = aohpas.progress(leader, &path(&[0, 1, 2, 7, 8]));
        assert_eq!(said, [Directive::Cancel(tasks[2].unit)]);
        assert_eq!(offered(&mut aohpas)[0].search.state, [8]);
    }

    #[test]
    fn a_slave_of_the_root_or_the_leader_settles_the_question() {
        for settles_as_slave in [false, true] {
            let (mut aohpas, leader) = led(false, &[0, 1, 2]);
            let slave = aohpas.next().unwrap().unit;
            let (winner, other) = if settles_as_slave { (slave, leader) } else { (leader, slave) };
            let said = aohpas.finished(winner, &report(Numbers::DISPROVEN));
            assert_eq!(said, [Directive::Settled(Verdict::Disproven), Directive::Cancel(other)]);
            assert_eq!(aohpas.next(), None);
        }
    }

    #[test]
    fn a_lost_leader_is_the_next_thing_given() {
        let (mut aohpas, leader) = led(false, &[0, 1, 2]);
        let slave = aohpas.next().unwrap();
        aohpas.lost(leader);
        let again = aohpas.next().unwrap();
        assert_eq!(again.search.role, Role::Leader);
        assert_eq!(aohpas.finished(leader, &report(Numbers::PROVEN)), [], "too late");
        aohpas.lost(slave.unit);
        assert_eq!(aohpas.next().unwrap().search, slave.search);
    }
}
