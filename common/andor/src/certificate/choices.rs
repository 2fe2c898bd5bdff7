//! Which of the choices of a proof it ends up with: yields, the way out of cycles, and the result.

use super::dag::DagNode;
use super::extract::{ExtractError, NO_YIELD, Node, Proof, ROOT};
use super::links::{Link, LinkId};
use super::{Dag, NodeId};
use crate::kernel::Job;
use crate::numbers::Numbers;
use crate::problem::{Problem, all_moves};
use crate::table::implies;

impl<P: Problem> Proof<'_, P> {
    /// If the table claims the verdict for another rank of the family, from which it follows here,
    /// the node yields to the state with that rank. The buffer holds the moves of the state.
    pub(super) fn yields(&mut self, id: NodeId, state: &P::State) -> bool {
        let key = self.known.key(id);
        let Some(entry) = self.table.look(self.problem, key).settled() else { return false };
        let rank = self.problem.reason_rank(entry.reason);
        if entry.numbers != Numbers::from(self.verdict)
            || rank == key.rank()
            || !implies(self.problem, self.verdict, rank, key.rank())
        {
            return false;
        }
        let Some(other) = self.problem.with_rank(state, rank) else { return false };
        let Some(mv) = self.moves.iter().next() else { return false };
        let to = self.node(other, key.with_rank(rank));
        let link = self.links.add_yield(id, mv, to);
        self.nodes[id as usize].yields = link;
        let target = &mut self.nodes[to as usize];
        if target.is_final {
            self.choose(id, link);
        } else {
            self.links.wait(link, &mut target.links);
        }
        true
    }

    /// The state that stands for each state: follows the yields.
    fn instead(&self) -> Vec<NodeId> {
        let next = |id: NodeId| {
            let node = &self.nodes[id as usize];
            // Where lines may be infinite nothing has to be final, and yields are never taken back.
            let yields = node.chosen.map_or(!self.well_founded, |link| link == node.yields);
            (node.yields != NO_YIELD && yields).then(|| self.links.get(node.yields).to)
        };
        let last = |id| std::iter::successors(Some(id), |&id| next(id)).last().unwrap_or(id);
        (0..self.nodes.len() as NodeId).map(last).collect()
    }

    /// No work is left and the root is not final: the choices form a cycle. Adds every other good
    /// choice of the stuck states.
    pub(super) fn try_all_choices(&mut self) -> Result<(), ExtractError> {
        self.spare = true;
        let stuck = |node: &Node<P::Reason>| {
            (node.one_is_enough || node.yields != NO_YIELD) && !node.is_final && !node.complete
        };
        let stuck: Vec<_> = (0..self.nodes.len()).filter(|&i| stuck(&self.nodes[i])).collect();
        if stuck.is_empty() {
            return Err(self.contradiction(ROOT, "its proof rests on itself"));
        }
        for index in stuck {
            let id = index as NodeId;
            self.nodes[index].complete = true;
            let from = self.states.get(self.problem, id).into_owned();
            if !self.nodes[index].one_is_enough {
                self.moves.clear();
                self.problem.expand(&from, &mut self.moves);
                self.explore_all(id, &from);
                continue;
            }
            all_moves(self.problem, &from, &mut self.moves);
            let moves: Vec<_> = self.moves.iter().collect();
            for mv in moves {
                let state = self.problem.play(&from, mv);
                self.walker.begin(state, Job::<P::State>::UNBOUNDED);
                self.run_walker()?;
                let answer = self.walker.answer().expect("a finished search has an answer");
                if answer.numbers == Numbers::from(self.verdict) {
                    self.offer(id, &from, mv);
                }
            }
        }
        Ok(())
    }

    /// What the root depends on.
    pub(super) fn finish(self) -> Dag<P> {
        let count = self.nodes.len();
        let instead = if P::DOMINATES { self.instead() } else { Vec::new() };
        let stands = |id: NodeId| instead.get(id as usize).copied().unwrap_or(id);
        let mut nodes = Vec::with_capacity(count + 1);
        let mut moves = Vec::with_capacity(self.links.len());
        for node in &self.nodes {
            let Node { leaf, one_is_enough, .. } = *node;
            nodes.push(DagNode { leaf, one_is_enough, first_move: moves.len() as LinkId });
            let pair = |link: &Link<P::Move>| (link.mv, stands(link.to));
            match node.chosen {
                Some(link) if link == node.yields => {}
                Some(link) => moves.push(pair(self.links.get(link))),
                None => {
                    let most = if one_is_enough { 1 } else { usize::MAX };
                    moves.extend(self.links.down(node.links).take(most).map(pair));
                }
            }
        }
        let mut order =
            if self.well_founded { self.order } else { (0..count as NodeId).rev().collect() };
        order.retain(|&id| stands(id) == id);
        let mut dag = Dag::new(self.verdict, nodes, moves, self.states, self.known);
        if self.spare || P::DOMINATES {
            let needed = dag.reached();
            order.retain(|&id| needed[id as usize]);
        }
        dag.instead = instead;
        dag.order = order;
        dag
    }
}
