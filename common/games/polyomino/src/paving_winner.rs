//! Paving winners (Yakuwa et al., §7): can White, who lays disjoint pairs of cells, block every
//! placement of the shapes on a board? *Proven* means no: no paving helps White against the shapes,
//! neither here nor on the infinite board. Black chooses a placement that no pair blocks, White a
//! pair within it; Black wins if White has none.
//!
//! docs/pavings-winner.md justifies the pruning.

mod board;
mod check;
mod choice;
mod demands;
mod duel;
mod forced;
mod laid;
mod plan;
mod sat;
mod smallest;
mod write;

use hasami_andor::certificate::{
    Checked, Dag, Fault, Header, Listener, Refusal, Sink, Source, Strategy,
};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Options, Problem, ProblemId, SumRule, Turn, Verdict};

pub use crate::paving::Pairs;
use crate::polyomino::shape::{Shape, parse_set, plain_set, spell_set};
use board::{Board, MAX_CELLS, bits};
use demands::{Demands, Members};
use duel::{Attack, Defence, Unreadable};
use hasami_game::play::Duel;
use hasami_game::{BuildError, Drawing, Game, Meaning, Resources};
use hasami_spec::{Param, ParamError, Params, Spec};
use laid::{Laid, Pair};
use plan::{Plan, read_paving};
pub use sat::Clauses;
pub use smallest::{Smallest, smallest_square};

const VERSION: u32 = 2;

/// The mate of a cell without one.
const FREE: u8 = u8::MAX;

/// Whether every paving of a board leaves a placement of one of the shapes unblocked.
#[derive(Clone, Debug)]
pub struct PavingWinner {
    /// The shapes, in words.
    shapes: String,
    /// The shapes as pictures, in canonical order.
    pictures: String,
    board: Board,
    prune: bool,
    id: ProblemId,
}

/// The pairs laid so far, the open demands, and the placement that Black has chosen.
#[derive(Clone, Debug)]
pub struct Paving {
    /// The other cell of the pair that a cell is in.
    mates: [u8; MAX_CELLS],
    demands: Demands,
    /// One of the demands on White's turn; otherwise empty.
    chosen: u128,
}

/// A move of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Black chooses a placement, by the index of its demand.
    Placement(u16),
    /// White lays a pair.
    Pair(u8, u8),
}

static PARAMS: &[Param] = &[
    Param::text("shapes", "names or pictures of the shapes, with commas between").or("I,L"),
    Param::text("board", "rows x columns, at most 121 cells").or("5x5"),
    Param::choice("pairs", "which two cells may be a pair", &["adjacent", "any"]).or("any"),
    Param::switch("prune", "leave out choices that others stand for").or("on"),
];

impl Game for PavingWinner {
    const SPEC: Spec = Spec::game(
        "paving",
        "Paving winner: does every set of disjoint pairs leave a shape room?",
        "paving I L board=5x5 pairs=any",
        PARAMS,
    )
    .words("shapes")
    .spells(crate::shapes::spell_value)
    // Different pavings often leave the same demands: WPNS, as in the paper.
    .advises(Options { sum: SumRule::Weak, ..Options::DEFAULT })
    .checks(|params| read(params).map(drop));

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        let (shapes, (height, width), pairs) = read(params)?;
        let mut game = Self::new(&shapes, width, height, pairs);
        if !params.switch("prune")? {
            game.prune = false;
            game.id = ProblemId(!game.id.0);
        }
        Ok(game)
    }

    const RULES: u32 = 2;

    /// Nothing of how the question is searched.
    fn stated(&self, _: &Params) -> Vec<(String, String)> {
        let Board { width, height, pairs, .. } = self.board;
        let lines = [
            ("shapes", self.pictures.clone()),
            ("board", format!("{height}x{width}")),
            ("pairs", pairs.to_string()),
        ];
        lines.map(|(key, value)| (key.to_string(), value)).into()
    }

    fn meaning(&self, verdict: Verdict) -> Meaning {
        let Board { width, height, pairs, .. } = self.board;
        let what = format!("{}, board {height}x{width}, {pairs} pairs", self.shapes);
        Meaning::Claim(match verdict {
            Verdict::Proven => format!(
                "paving winner: {what}: however White pairs the cells, a placement without a whole \
                 pair is left, here, on every larger board and on the infinite one"
            ),
            Verdict::Disproven => format!(
                "no paving winner here: {what}: White can pair the cells of this board so that \
                 every placement holds a whole pair"
            ),
        })
    }

    const DRAWS: bool = true;

    /// White's pairs, if there are enough of them.
    fn drawn(&self, strategy: &Strategy) -> Option<Drawing> {
        if strategy.verdict() == Verdict::Proven {
            return None;
        }
        let mut laid = Laid::none();
        read_paving(&self.board, strategy.tree())?.into_iter().for_each(|pair| laid.lay(pair));
        let rows: Vec<String> = self.picture(&laid.mates, 0).lines().map(str::to_string).collect();
        let fields = vec![("paving", rows.join("/"))];
        let title = "White's pairs, a letter each; . is in no pair".to_string();
        Some(Drawing { title, rows, fields })
    }

    /// Follows the tree: the states of the search have their forced pairs laid, and leave out pairs.
    fn duel<'a>(&'a self, strategy: &'a Strategy) -> Box<dyn Duel + 'a> {
        let (board, tree) = (&self.board, strategy.tree());
        match strategy.verdict() {
            Verdict::Proven => match Plan::read(board, tree) {
                Some(plan) => Box::new(Attack::new(self, plan)),
                None => Box::new(Unreadable),
            },
            Verdict::Disproven => match read_paving(board, tree) {
                Some(pairs) => Box::new(Defence::new(self, pairs)),
                None => Box::new(Unreadable),
            },
        }
    }
}

/// Shapes, rows and columns, and which cells may be a pair.
type Asked = (Vec<Shape>, (u8, u8), Pairs);

/// Reads the parameters.
fn read(params: &Params) -> Result<Asked, ParamError> {
    let words = params.text("shapes")?;
    let shapes = parse_set(words).map_err(|error| {
        ParamError::bad("shapes", words, format!("shapes with commas between; {error}"))
    })?;
    let size = params.text("board")?;
    let (height, width) = read_size(size).ok_or_else(|| {
        let expected = format!("rows x columns like 6x6, at most {MAX_CELLS} cells");
        ParamError::bad("board", size, expected)
    })?;
    let pairs = params.choice("pairs", &[("adjacent", Pairs::Adjacent), ("any", Pairs::Any)])?;
    Ok((shapes, (height, width), pairs))
}

/// Parses rows and columns.
fn read_size(text: &str) -> Option<(u8, u8)> {
    let (height, width) = text.split_once('x')?;
    let (height, width): (u8, u8) = (height.parse().ok()?, width.parse().ok()?);
    let cells = usize::from(width) * usize::from(height);
    (1..=MAX_CELLS).contains(&cells).then_some((height, width))
}

impl PavingWinner {
    /// The question for these shapes on a board of at most 121 cells.
    ///
    /// # Panics
    /// If the board is larger.
    #[must_use]
    pub fn new(shapes: &[Shape], width: u8, height: u8, pairs: Pairs) -> Self {
        assert!(
            usize::from(width) * usize::from(height) <= MAX_CELLS,
            "{width}x{height} is too large"
        );
        let names = spell_set(shapes).replace(',', " & ");
        let pictures = plain_set(shapes).iter().map(Shape::picture).collect::<Vec<_>>();
        let mut shapes = shapes.to_vec();
        shapes.sort_unstable();
        let question = format!("{} {width}x{height} {pairs:?}", spell_set(&shapes));
        Self {
            shapes: names,
            pictures: pictures.join(","),
            board: Board::new(&shapes, width, height, pairs),
            prune: true,
            id: ProblemId::new(Self::NAME, VERSION, &question),
        }
    }

    fn blocked(mates: &[u8; MAX_CELLS], placement: u128) -> bool {
        bits(placement).any(|cell| match mates[usize::from(cell)] {
            FREE => false,
            mate => placement >> mate & 1 != 0,
        })
    }

    /// The state with Black to move and these pairs, as the search sees it if none is forced.
    fn state(&self, laid: &Laid) -> Paving {
        Paving { mates: laid.mates, demands: self.demands(&laid.mates), chosen: 0 }
    }

    fn demands(&self, mates: &[u8; MAX_CELLS]) -> Demands {
        let blocked = |placement| Self::blocked(mates, placement);
        Demands::new(&self.board, Self::taken(mates), blocked)
    }

    /// The cells in pairs.
    fn taken(mates: &[u8; MAX_CELLS]) -> u128 {
        let taken = mates.iter().enumerate().filter(|(_, mate)| **mate != FREE);
        taken.map(|(cell, _)| 1u128 << cell).sum()
    }

    /// A placement with the demand at this index; the demand itself if there is none.
    fn placement(&self, state: &Paving, at: u16) -> u128 {
        let set = state.demands.sets()[usize::from(at)];
        let taken = Self::taken(&state.mates);
        let fits = |placement: &&u128| {
            !Self::blocked(&state.mates, **placement)
                && self.board.useful(**placement & !taken) == set
        };
        self.board.placements.iter().find(fits).copied().unwrap_or(set)
    }

    fn placement_name(&self, placement: u128) -> String {
        format!("place {}", self.cell_names(placement))
    }

    fn pair_name(&self, pair: Pair) -> String {
        format!("pair {}", self.cell_names(laid::cells(pair)))
    }

    fn cell_names(&self, cells: u128) -> String {
        bits(cells).map(|cell| self.board.cell_name(cell)).collect::<Vec<_>>().join(" ")
    }

    /// The board: pairs as letters, marked free cells as stars.
    fn picture(&self, mates: &[u8; MAX_CELLS], marked: u128) -> String {
        let width = usize::from(self.board.width);
        let mut letters = [0; MAX_CELLS];
        let mut count = 0u8;
        for (cell, &mate) in mates.iter().enumerate().filter(|(_, mate)| **mate != FREE) {
            if cell < usize::from(mate) {
                letters[cell] = count;
                letters[usize::from(mate)] = count;
                count += 1;
            }
        }
        let sign = |cell: usize| match mates[cell] {
            FREE if marked >> cell & 1 != 0 => '*',
            FREE => '.',
            _ => letter(letters[cell]),
        };
        let rows = (0..usize::from(self.board.height)).map(|row| row * width);
        let rows = rows.map(|start| (start..start + width).map(sign).collect::<String>());
        rows.collect::<Vec<_>>().join("\n")
    }
}

impl Paving {
    fn lay(&mut self, board: &Board, pair: (u8, u8)) {
        let mates = &mut self.mates;
        self.demands.lay(board, pair, |(a, b)| {
            mates[usize::from(a)] = b;
            mates[usize::from(b)] = a;
        });
    }

    fn pairs(&self) -> usize {
        self.mates.iter().filter(|&&mate| mate != FREE).count() / 2
    }
}

impl Problem for PavingWinner {
    type State = Paving;
    type Move = Choice;
    type Reason = ();

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Paving {
        let mates = [FREE; MAX_CELLS];
        let mut root = Paving { mates, demands: self.demands(&mates), chosen: 0 };
        if !root.demands.failed()
            && let Some(pair) = root.demands.forced(&self.board)
        {
            root.lay(&self.board, pair);
        }
        root
    }

    fn turn(&self, state: &Paving) -> Turn {
        if state.chosen == 0 { Turn::Or } else { Turn::And }
    }

    fn expand(&self, state: &Paving, moves: &mut Moves<Choice>) -> Expansion {
        if state.demands.failed() {
            return Expansion::Settled(Verdict::Proven);
        }
        if state.demands.met() {
            return Expansion::Settled(Verdict::Disproven);
        }
        if state.chosen == 0 {
            choice::choices(&self.board, &state.demands, !self.prune, |at| {
                moves.push(Choice::Placement(at));
            });
        } else {
            let members = if self.prune { Members::new(&state.demands) } else { None };
            let mut pairs = Vec::new();
            choice::answers(&self.board, members.as_ref(), state.chosen, &mut pairs);
            pairs.iter().for_each(|&(a, b)| moves.push(Choice::Pair(a, b)));
        }
        Expansion::Open
    }

    fn play(&self, state: &Paving, mv: Choice) -> Paving {
        let mut next = state.clone();
        match mv {
            Choice::Placement(at) => next.chosen = state.demands.sets()[usize::from(at)],
            Choice::Pair(a, b) => {
                next.chosen = 0;
                next.lay(&self.board, (a, b));
            }
        }
        next
    }

    fn key(&self, state: &Paving) -> Key {
        Key(state.demands.sign(&self.board, state.chosen))
    }

    fn encode(&self, state: &Paving, out: &mut Vec<u8>) {
        out.extend_from_slice(&state.mates[..usize::from(self.board.cells())]);
        let sets = state.demands.sets();
        let chosen = sets.iter().position(|&set| set != 0 && set == state.chosen);
        // 0 if none is chosen.
        let chosen = chosen.map_or(0, |at| at as u16 + 1);
        out.extend_from_slice(&chosen.to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> Result<Paving, BadState> {
        let bad = |expected: &str| {
            BadState(format!("paving: found bytes {bytes:02x?}; expected {expected}"))
        };
        let cells = usize::from(self.board.cells());
        let Some((given, &[low, high])) =
            bytes.split_last_chunk().filter(|(given, _)| given.len() == cells)
        else {
            return Err(bad("a byte for each cell and two for the placement"));
        };
        let mut mates = [FREE; MAX_CELLS];
        mates[..cells].copy_from_slice(given);
        for (cell, &mate) in given.iter().enumerate().filter(|(_, mate)| **mate != FREE) {
            let returned = given.get(usize::from(mate)).copied().map(usize::from);
            if returned != Some(cell) || !self.board.may_pair(cell as u8, mate) {
                return Err(bad("cells in pairs"));
            }
        }
        let demands = self.demands(&mates);
        let settled = demands.failed() || demands.met();
        if !settled && demands.forced(&self.board).is_some() {
            return Err(bad("all forced pairs"));
        }
        let chosen = match u16::from_le_bytes([low, high]) {
            0 => 0,
            at if settled || usize::from(at) > demands.sets().len() => {
                return Err(bad("a placement that is open"));
            }
            at => demands.sets()[usize::from(at) - 1],
        };
        Ok(Paving { mates, demands, chosen })
    }

    /// Counts placements, including those with a forced answer.
    fn length(&self, state: &Paving, mv: Choice) -> Option<u32> {
        match mv {
            Choice::Placement(_) => Some(1),
            Choice::Pair(..) => Some((self.play(state, mv).pairs() - state.pairs() - 1) as u32),
        }
    }

    /// The placement that cannot be blocked counts once.
    fn rest(&self, state: &Paving) -> Option<u32> {
        Some(u32::from(state.demands.failed()))
    }

    fn put_move(&self, state: &Paving, mv: Choice, out: &mut Vec<u8>) {
        match mv {
            Choice::Placement(at) => laid::put_placement(self.placement(state, at), out),
            Choice::Pair(a, b) => out.extend([a, b]),
        }
    }

    fn take_move(&self, state: &Paving, from: &mut Source<'_>) -> Result<Choice, Fault> {
        if state.chosen != 0 {
            let (a, b) = laid::take_pair(&self.board, from)?;
            return Ok(Choice::Pair(a, b));
        }
        let placement = laid::take_placement(&self.board, from)?;
        let demand = self.board.useful(placement & !Self::taken(&state.mates));
        let open = !Self::blocked(&state.mates, placement);
        let at = state.demands.sets().iter().position(|&set| open && set == demand);
        at.map(|at| Choice::Placement(at as u16))
            .ok_or_else(|| "a placement that is no choice here".to_string())
    }

    fn prove(&self, dag: &Dag<Self>, out: &mut Sink<'_>, header: &dyn Fn(Option<u32>) -> Header) {
        write::write(self, dag, out, header);
    }

    fn check(
        &self,
        verdict: Verdict,
        from: &mut Source<'_>,
        listener: &mut Listener<'_, Paving>,
    ) -> Result<Checked, Refusal> {
        check::check(self, verdict, from, listener)
    }

    fn show(&self, state: &Paving) -> String {
        self.picture(&state.mates, state.chosen)
    }

    fn show_move(&self, state: &Paving, mv: Choice) -> String {
        match mv {
            Choice::Placement(at) => self.placement_name(self.placement(state, at)),
            Choice::Pair(a, b) => self.pair_name((a, b)),
        }
    }
}

/// The letter of a pair: there are at most sixty.
fn letter(number: u8) -> char {
    char::from(match number {
        0..26 => b'a' + number,
        26..52 => b'A' + (number - 26),
        _ => b'0' + (number - 52),
    })
}

#[cfg(test)]
mod certificate_tests;
#[cfg(test)]
mod tests;
