//! Play against a certificate: Black follows the tree of a proof, or White the pairs of a disproof.

use hasami_game::play::{Duel, Sides, Status, Trouble};

use super::PavingWinner;
use super::laid::{Laid, Pair, cells, pairs_within, turned_cell};
use super::plan::{Node, Plan};

const ABOUT: &str = "Black chooses a placement without a whole pair, White lays a pair within it.";

/// Black follows the tree.
///
/// The pairs on the board are not always those of the node: where the tree refers to an earlier node,
/// only the demands are the same, turned. Every demand of the node contains one of the board.
pub struct Attack<'a> {
    game: &'a PavingWinner,
    plan: Plan,
    laid: Laid,
    /// The node that Black is at; never one that refers to another.
    node: usize,
    /// Where the cells of the node are on the board.
    places: Vec<u8>,
    /// The placement that Black has chosen on the board, and its demand.
    chosen: Option<(u128, u128)>,
}

impl<'a> Attack<'a> {
    /// A game from the empty board.
    pub fn new(game: &'a PavingWinner, plan: Plan) -> Self {
        let places = (0..game.board.cells()).collect();
        Self { game, plan, laid: Laid::none(), node: 0, places, chosen: None }
    }

    fn place(&self, (a, b): Pair) -> Pair {
        let (a, b) = (self.places[usize::from(a)], self.places[usize::from(b)]);
        (a.min(b), a.max(b))
    }

    /// The pairs of the node that are within the demand on the board, with their nodes.
    fn pairs(&self) -> Vec<(Pair, usize)> {
        let Some((_, demand)) = self.chosen else { return Vec::new() };
        let Node::Choose(_, pairs) = self.plan.node(self.node) else { return Vec::new() };
        let pairs = pairs.iter().map(|&(pair, node)| (self.place(pair), node));
        pairs.filter(|&(pair, _)| cells(pair) & !demand == 0).collect()
    }

    /// The pairs that others do not stand for.
    fn answers(&self) -> Vec<(Pair, usize)> {
        let mut pairs = self.pairs();
        pairs.retain(|&(_, node)| !matches!(self.plan.node(node), Node::NoBetter(_)));
        pairs
    }

    /// The pair of the node that does at least as well as one of its pairs.
    fn better(&self, node: usize) -> Option<Pair> {
        let Node::NoBetter(at) = *self.plan.node(node) else { return None };
        let Node::Choose(_, pairs) = self.plan.node(self.node) else { return None };
        pairs.get(at).map(|&(pair, _)| self.place(pair))
    }
}

impl Duel for Attack<'_> {
    fn sides(&self) -> Sides {
        Sides { program: "Black", opponent: "White", about: ABOUT }
    }

    fn show(&self) -> String {
        self.game.picture(&self.laid.mates, self.chosen.map_or(0, |(_, demand)| demand))
    }

    fn status(&self) -> Status {
        match self.chosen {
            None => Status::Program,
            Some((_, 0)) => Status::Over("the rules settle it: proven".to_string()),
            Some(_) if self.answers().is_empty() => {
                Status::Over("no pair within it does better than one of the proof".to_string())
            }
            Some(_) => Status::Opponent,
        }
    }

    fn moves(&self) -> Vec<String> {
        self.answers().into_iter().map(|(pair, _)| self.game.pair_name(pair)).collect()
    }

    fn expected(&self) -> String {
        expected(&self.moves())
    }

    fn play(&mut self, text: &str) -> Result<String, Trouble> {
        let named = |pair: Pair| self.game.pair_name(pair).eq_ignore_ascii_case(text.trim());
        let Some(&(pair, node)) = self.pairs().iter().find(|&&(pair, _)| named(pair)) else {
            return Err(no_move(text, &self.moves()));
        };
        let name = self.game.pair_name(pair);
        if let Some(better) = self.better(node) {
            let better = self.game.pair_name(better);
            let detail = format!("{name} is no better for White than {better}; expected another");
            return Err(Trouble::NoMove(detail));
        }
        self.laid.lay(pair);
        (self.node, self.chosen) = (node, None);
        if let Node::Same(kept, symmetry) = *self.plan.node(node) {
            let board = &self.game.board;
            let turned = |cell| self.places[usize::from(turned_cell(board, symmetry, cell))];
            self.places = (0..board.cells()).map(turned).collect();
            self.node = kept;
        }
        Ok(name)
    }

    fn answer(&mut self) -> Result<String, Trouble> {
        let board = &self.game.board;
        let (placement, demand) = match self.plan.node(self.node) {
            Node::Stuck(placement) => (*placement, 0),
            // Every cell of a demand is in some pair.
            Node::Choose(placement, pairs) => {
                (*placement, pairs.iter().fold(0, |all, &(pair, _)| all | cells(self.place(pair))))
            }
            Node::Same(..) | Node::NoBetter(_) => {
                return Err(Trouble::Wrong(format!("it names no placement\n{}", self.show())));
            }
        };
        let place = |cell| 1u128 << self.places[usize::from(cell)];
        let wanted: u128 = super::board::bits(placement).map(place).sum();
        let fits = self.laid.open(board).filter(|&(_, own)| own & !demand == 0);
        // The placement of the node itself if it can be.
        let Some(chosen) = fits.min_by_key(|&(other, _)| other != wanted) else {
            return Err(Trouble::Wrong(format!("its placement is blocked\n{}", self.show())));
        };
        self.chosen = Some(chosen);
        Ok(self.game.placement_name(chosen.0))
    }
}

/// White lays the pairs of a paving where Black asks for them.
pub struct Defence<'a> {
    game: &'a PavingWinner,
    pairs: Vec<Pair>,
    laid: Laid,
    /// The placement that Black has chosen.
    chosen: Option<u128>,
}

impl<'a> Defence<'a> {
    /// A game from the empty board.
    pub fn new(game: &'a PavingWinner, pairs: Vec<Pair>) -> Self {
        Self { game, pairs, laid: Laid::none(), chosen: None }
    }

    fn open(&self) -> impl Iterator<Item = u128> {
        self.laid.open(&self.game.board).map(|(placement, _)| placement)
    }
}

impl Duel for Defence<'_> {
    fn sides(&self) -> Sides {
        Sides { program: "White", opponent: "Black", about: ABOUT }
    }

    fn show(&self) -> String {
        self.game.picture(&self.laid.mates, self.chosen.unwrap_or(0))
    }

    fn status(&self) -> Status {
        if self.chosen.is_some() {
            Status::Program
        } else if self.open().next().is_some() {
            Status::Opponent
        } else {
            Status::Over("the rules settle it: disproven".to_string())
        }
    }

    fn moves(&self) -> Vec<String> {
        self.open().map(|placement| self.game.placement_name(placement)).collect()
    }

    fn expected(&self) -> String {
        expected(&self.moves())
    }

    fn play(&mut self, text: &str) -> Result<String, Trouble> {
        let name = |placement| self.game.placement_name(placement);
        let named = |placement: &u128| name(*placement).eq_ignore_ascii_case(text.trim());
        let Some(placement) = self.open().find(named) else {
            return Err(no_move(text, &self.moves()));
        };
        self.chosen = Some(placement);
        Ok(name(placement))
    }

    fn answer(&mut self) -> Result<String, Trouble> {
        let chosen = self.chosen.unwrap_or(0);
        let within = pairs_within(&self.game.board, chosen);
        let Some(&pair) = self.pairs.iter().find(|pair| within.contains(pair)) else {
            return Err(Trouble::Wrong(format!("no pair is within it\n{}", self.show())));
        };
        self.laid.lay(pair);
        self.chosen = None;
        Ok(self.game.pair_name(pair))
    }
}

/// No game: the tree cannot be read, though it was verified.
pub struct Unreadable;

impl Duel for Unreadable {
    fn sides(&self) -> Sides {
        Sides { program: "OR", opponent: "AND", about: ABOUT }
    }
    fn show(&self) -> String {
        String::new()
    }
    fn status(&self) -> Status {
        Status::Program
    }
    fn moves(&self) -> Vec<String> {
        Vec::new()
    }
    fn expected(&self) -> String {
        expected(&[])
    }
    fn play(&mut self, text: &str) -> Result<String, Trouble> {
        Err(no_move(text, &[]))
    }
    fn answer(&mut self) -> Result<String, Trouble> {
        Err(Trouble::Wrong("its tree cannot be read".to_string()))
    }
}

fn expected(moves: &[String]) -> String {
    const MANY: usize = 6;
    let more = if moves.len() > MANY { ", …" } else { "" };
    let some = moves.iter().take(MANY).cloned().collect::<Vec<_>>().join(", ");
    format!("one of {} moves ({some}{more}) or its number in the list of `moves`", moves.len())
}

fn no_move(text: &str, moves: &[String]) -> Trouble {
    Trouble::NoMove(format!("found {:?}; expected {}", text.trim(), expected(moves)))
}
