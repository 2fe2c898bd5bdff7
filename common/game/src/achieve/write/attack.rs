//! Black wins: the claims of all states, with zones as small as possible, then their bodies.
//!
//! A state may get several claims: more slack takes a larger zone. The search's own zones bound the
//! new ones, so that the replies which the search has answered are enough.

use hasami_andor::certificate::{Dag, NodeId};
use hasami_andor::{Turn, Verdict};

use super::endings::{Ending, Endings};
use super::guards::guards;
use super::{Bodies, Body, Key, Link};
use crate::achieve::StoneGame;
use crate::achieve::claim::{Claim, Closing, ToAnswer};
use crate::achieve::rules::{Cells, Rules};

/// Most slack that is tried: White wins far away before more is used up.
const MAX_SLACK: usize = 4;
/// With more replies than this they are dropped in one go.
const FEW: usize = 24;

/// The claims of a state for each slack, as far as they exist.
type Claims = [Option<Claim>; MAX_SLACK + 1];

pub(super) struct Attack<'a, G: StoneGame> {
    game: &'a G,
    rules: &'a Rules,
    dag: &'a Dag<G>,
    reasons: Vec<G::Reason>,
    claims: Vec<Claims>,
}

/// A move of a state, and what follows it, in the frame of the state.
struct Edge {
    cell: Option<u8>,
    target: Target,
    /// What the state after it claims, for each slack.
    claims: Claims,
}

enum Target {
    /// A state of the search's proof, and the symmetry that takes its frame to the one here.
    State(NodeId, u8),
    /// The rules of the search settle it.
    Ending { black: Cells, white: Cells, within: Cells },
}

/// The answers that a state uses.
struct Chosen {
    /// Numbers of edges, and the slack of the claims used.
    uses: Vec<(usize, usize)>,
    closing: Closing,
    claim: Claim,
}

impl<'a, G: StoneGame> Attack<'a, G> {
    pub(super) fn new(game: &'a G, rules: &'a Rules, dag: &'a Dag<G>) -> Self {
        let (reasons, claims) = (vec![G::Reason::default(); dag.size()], Vec::new());
        let mut attack = Self { game, rules, dag, reasons, claims };
        attack.claims = vec![[None; MAX_SLACK + 1]; dag.size()];
        for &id in dag.order() {
            attack.reasons[id as usize] = attack.reason(id);
            attack.claims[id as usize] = attack.claims_of(id);
        }
        attack
    }

    /// How many stones Black needs.
    pub(super) fn stones(&self) -> Option<u32> {
        self.claims[Dag::<G>::ROOT as usize].iter().flatten().next().map(|claim| claim.stones)
    }

    /// The search's reason, found again.
    fn reason(&self, id: NodeId) -> G::Reason {
        let state = self.dag.state(self.game, id);
        let reason = |&(mv, child): &(G::Move, NodeId)| {
            (mv, self.reason_after(|| self.game.play(&state, mv), child))
        };
        let basis: Vec<_> = self.dag.moves(id).iter().map(reason).collect();
        self.game.reason(&state, Verdict::Proven, &basis)
    }

    /// The search asks for the reasons of leaves as they come up.
    fn reason_after(&self, after: impl Fn() -> G::State, child: NodeId) -> G::Reason {
        if self.dag.is_leaf(child) {
            return self.game.reason(&after(), Verdict::Proven, &[]);
        }
        self.reasons[child as usize]
    }

    fn stones_of(&self, state: &G::State) -> (Cells, Cells) {
        let [black, white] = self.game.black_and_white(state);
        (black, white)
    }

    fn edges(&self, id: NodeId) -> Vec<Edge> {
        let state = self.dag.state(self.game, id);
        let moves = self.dag.moves(id).iter();
        moves.map(|&(mv, child)| self.edge(&state, mv, child)).collect()
    }

    fn edge(&self, state: &G::State, mv: G::Move, child: NodeId) -> Edge {
        let cell = self.game.cell(mv);
        let after = self.game.play(state, mv);
        let (black, white) = self.stones_of(&after);
        let reason = self.reason_after(|| after.clone(), child);
        let (within, slack) = self.game.rests_on(&after, reason);
        if self.dag.is_leaf(child) {
            let turn = self.game.turn(&after);
            let claims = self.endings(black, white, turn, within, slack);
            return Edge { cell, target: Target::Ending { black, white, within }, claims };
        }
        let stored = self.dag.state(self.game, child);
        let of_stored = self.stones_of(&stored);
        let stored_zone = self.game.rests_on(&stored, reason).0;
        let fits = |&symmetry: &u8| {
            let turned = |cells| self.rules.turned(cells, symmetry);
            (turned(of_stored.0), turned(of_stored.1)) == (black, white)
        };
        // Of several, the one that the search has used for the zone.
        let same_zone = |symmetry: &u8| self.rules.turned(stored_zone, *symmetry) == within;
        let all = || (0..self.rules.symmetries()).filter(fits);
        let symmetry = all().find(same_zone).or_else(|| all().next()).expect("a symmetric state");
        let claims = self.claims[child as usize]
            .map(|claim| claim.map(|claim| claim.turned(self.rules, symmetry)));
        Edge { cell, target: Target::State(child, symmetry), claims }
    }

    fn levels(&self, slack: u32) -> usize {
        if self.rules.weak { 0 } else { (slack as usize).min(MAX_SLACK) }
    }

    fn endings(&self, black: Cells, white: Cells, turn: Turn, within: Cells, slack: u32) -> Claims {
        let mut claims = [None; MAX_SLACK + 1];
        for (level, claim) in claims.iter_mut().enumerate().take(self.levels(slack) + 1) {
            let endings = Endings { rules: self.rules, within, slack: level as u64 };
            *claim = endings.find(black, white, turn).map(|ending| ending.claim);
        }
        claims
    }

    fn claims_of(&self, id: NodeId) -> Claims {
        let state = self.dag.state(self.game, id);
        let (within, slack) = self.game.rests_on(&state, self.reasons[id as usize]);
        let (black, white) = self.stones_of(&state);
        if self.dag.is_leaf(id) {
            // Parents look at leaves in their own frames.
            let root = id == Dag::<G>::ROOT;
            let turn = self.game.turn(&state);
            let none = [None; MAX_SLACK + 1];
            return if root { self.endings(black, white, turn, within, slack) } else { none };
        }
        let edges = self.edges(id);
        if self.dag.one_is_enough(id) {
            let Some(cell) = edges[0].cell else { return [None; MAX_SLACK + 1] };
            return edges[0].claims.map(|claim| claim.map(|claim| claim.before(cell)));
        }
        let position = ToAnswer { rules: self.rules, black, white };
        let mut claims = [None; MAX_SLACK + 1];
        for (level, claim) in claims.iter_mut().enumerate().take(self.levels(slack) + 1) {
            *claim = choose(&position, &edges, level, within).map(|chosen| chosen.claim);
        }
        claims
    }

    /// The body of what a move leads to, with a claim of this slack.
    fn link(&self, edge: &Edge, level: usize, turn: Turn) -> Link {
        match edge.target {
            Target::State(child, symmetry) => Link::State((child, level as u8), symmetry),
            Target::Ending { black, white, within } => {
                let endings = Endings { rules: self.rules, within, slack: level as u64 };
                let ending = endings.find(black, white, turn).map(|Ending { body, .. }| body);
                Link::Inline(Box::new(ending.unwrap_or(Body::NO_PROOF)))
            }
        }
    }
}

impl<G: StoneGame> Bodies for Attack<'_, G> {
    fn root(&mut self) -> Key {
        let root = Dag::<G>::ROOT;
        (root, best(&self.claims[root as usize], 0).unwrap_or(0) as u8)
    }

    fn body(&mut self, (id, level): Key) -> Body {
        let level = usize::from(level);
        let state = self.dag.state(self.game, id);
        let (black, white) = self.stones_of(&state);
        let (within, _) = self.game.rests_on(&state, self.reasons[id as usize]);
        let turn = self.game.turn(&state);
        if self.dag.is_leaf(id) {
            let endings = Endings { rules: self.rules, within, slack: level as u64 };
            let ending = endings.find(black, white, turn);
            return ending.map_or(Body::NO_PROOF, |ending| ending.body);
        }
        let edges = self.edges(id);
        if self.dag.one_is_enough(id) {
            let edge = &edges[0];
            let Some(level) = best(&edge.claims, level) else { return Body::NO_PROOF };
            return Body::One(edge.cell, self.link(edge, level, Turn::And));
        }
        let position = ToAnswer { rules: self.rules, black, white };
        let Some(chosen) = choose(&position, &edges, level, within) else {
            return Body::NO_PROOF;
        };
        let answer = |&(at, level): &(usize, usize)| {
            let edge: &Edge = &edges[at];
            (edge.cell, self.link(edge, level, Turn::Or))
        };
        Body::All(chosen.uses.iter().map(answer).collect(), chosen.closing)
    }
}

/// The most slack that costs no more cells than this much.
fn best(claims: &Claims, level: usize) -> Option<usize> {
    let zone = claims.get(level)?.as_ref()?.zone;
    let same = |at: &usize| claims[*at].as_ref().is_some_and(|claim| claim.zone == zone);
    (level..=MAX_SLACK).take_while(same).last()
}

/// Chooses answers for a claim with this slack: drops those that others make unnecessary.
fn choose(position: &ToAnswer<'_>, edges: &[Edge], level: usize, within: Cells) -> Option<Chosen> {
    let rules = position.rules;
    let threats = rules.threats(position.black, position.white);
    let slack = if rules.weak { Claim::ANY } else { level as u128 };
    let plain = |at: usize| best(&edges[at].claims, level);
    let wide = |at: usize| best(&edges[at].claims, if rules.weak { 0 } else { level + 1 });
    let mut uses: Vec<Option<usize>> =
        (0..edges.len()).map(|at| wide(at).or_else(|| plain(at))).collect();
    let answers = |uses: &[Option<usize>]| -> Vec<(Option<u8>, Claim)> {
        let used = uses.iter().zip(edges);
        used.filter_map(|(level, edge)| Some((edge.cell, edge.claims[(*level)?]?))).collect()
    };
    let covered = |uses: &[Option<usize>]| {
        let (open, beyond) = position.unanswered(&answers(uses), slack, threats);
        open == 0 && !beyond && uses.iter().any(Option::is_some)
    };
    if !covered(&uses) {
        return None;
    }
    let zone = |uses: &[Option<usize>]| {
        answers(uses).iter().fold(threats, |all, (_, claim)| all | claim.zone)
    };
    drop_answers(&mut uses, &covered, &zone);
    // An answer that need not stand for others may have a smaller zone.
    for at in 0..uses.len() {
        let (Some(now), Some(less)) = (uses[at], plain(at)) else { continue };
        if less < now {
            let before = zone(&uses).count_ones();
            uses[at] = Some(less);
            if !covered(&uses) || zone(&uses).count_ones() >= before {
                uses[at] = Some(now);
            }
        }
    }
    let zone = zone(&uses);
    let guards = guards(position, level as u64, zone, within)?;
    let closing = Closing { slack: level as u64, threats, guards };
    let claim = position.claim(&answers(&uses), &closing).ok()?;
    let uses = uses.iter().enumerate().filter_map(|(at, level)| Some((at, (*level)?))).collect();
    Some(Chosen { uses, closing, claim })
}

/// Drops answers as long as every reply has one, first those whose zone has most cells of its own.
fn drop_answers(
    uses: &mut [Option<usize>],
    covered: &dyn Fn(&[Option<usize>]) -> bool,
    zone: &dyn Fn(&[Option<usize>]) -> Cells,
) {
    let without = |uses: &mut [Option<usize>], at: usize| {
        let level = uses[at].take()?;
        let size = covered(uses).then(|| zone(uses).count_ones());
        uses[at] = Some(level);
        size
    };
    if uses.len() > FEW {
        for at in (0..uses.len()).rev() {
            if without(uses, at).is_some() {
                uses[at] = None;
            }
        }
        return;
    }
    loop {
        let sizes = (0..uses.len()).filter_map(|at| Some((without(uses, at)?, at)));
        match sizes.collect::<Vec<_>>().into_iter().min() {
            Some((_, at)) => uses[at] = None,
            None => return,
        }
    }
}
