//! Checks the tree of a certificate by docs/certificates.md, and by nothing else.

use hasami_andor::certificate::tree::{KeptNodes, Tag};
use hasami_andor::certificate::{Checked, Fault, Listener, Refusal, Source, Step};
use hasami_andor::{Problem, Verdict};

use super::laid::{Laid, Pair, cells, pairs_within, symmetries, take_pair, take_placement, turned};
use super::{Paving, PavingWinner};

/// The placement chosen has no pair left.
pub const STUCK: u8 = 1;
/// White's pairs block everything.
pub const PAVED: u8 = 2;
/// Another pair does at least as well.
pub const NO_BETTER: u8 = 3;

/// Checks a tree. Tells the listener about every ONE and ALL when it is closed.
///
/// # Errors
/// The first node that does not hold.
pub fn check(
    game: &PavingWinner,
    verdict: Verdict,
    from: &mut Source<'_>,
    listener: &mut Listener<'_, Paving>,
) -> Result<Checked, Refusal> {
    let done = Checked { lengths: true, ..Checked::default() };
    let mut check = Check { game, kept: KeptNodes::default(), stack: Vec::new(), done, closed: 0 };
    let length = match verdict {
        Verdict::Proven => check.tree(from, listener)?,
        Verdict::Disproven => check.paved(from)?,
    };
    Ok(Checked { length: Some(length), ..check.done })
}

struct Check<'a> {
    game: &'a PavingWinner,
    kept: KeptNodes<Kept>,
    stack: Vec<Frame>,
    done: Checked,
    /// Number of nodes closed so far.
    closed: u64,
}

/// A kept node.
struct Kept {
    laid: Laid,
    /// The longest line from it; `None` while it is open.
    length: Option<u32>,
}

/// A ONE and the ALL below it, while its moves are being read.
struct Frame {
    laid: Laid,
    /// The demand of the placement chosen.
    demand: u128,
    /// All pairs within the demand.
    pairs: Vec<Pair>,
    /// The moves read so far.
    moves: Vec<Move>,
    number: Option<u64>,
}

struct Move {
    pair: Pair,
    /// Number of its node.
    node: u64,
    /// `None` while it is being read.
    end: Option<End>,
}

/// What the node of a pair says.
#[derive(Clone, Copy)]
enum End {
    /// White fails after at most this many placements.
    Fails(u32),
    /// It is no better than the move at this position.
    NoBetter(u64),
}

impl Check<'_> {
    /// Reads the tree of a proof; returns the longest line.
    fn tree(
        &mut self,
        from: &mut Source<'_>,
        listener: &mut Listener<'_, Paving>,
    ) -> Result<u32, Refusal> {
        let mut ended = self.node(Laid::none(), from)?;
        loop {
            let Some(frame) = self.stack.last_mut() else {
                return match ended {
                    Some(End::Fails(length)) => Ok(length),
                    _ => Err(Refusal::new(1, "the root is no answer to a placement")),
                };
            };
            if let (Some(end), Some(last)) = (ended.take(), frame.moves.last_mut()) {
                last.end = Some(end);
            }
            if frame.moves.len() == frame.pairs.len() {
                ended = Some(End::Fails(self.close(listener)?));
                continue;
            }
            let board = &self.game.board;
            let laid = frame.laid.clone();
            let pair = take_pair(board, from).and_then(|pair| frame.next(pair));
            let pair = pair.map_err(|fault| self.refused(&laid, fault))?;
            let node = self.done.read + 1;
            let frame = self.stack.last_mut().expect("the frame just seen");
            frame.moves.push(Move { pair, node, end: None });
            ended = self.node(laid.and(pair), from)?;
        }
    }

    /// Reads a node where Black is to move, with the ALL below it; returns what it says if that is all.
    fn node(&mut self, laid: Laid, from: &mut Source<'_>) -> Result<Option<End>, Refusal> {
        self.done.read += 1;
        from.hold(self.kept.len() + self.stack.len())
            .and_then(|()| self.begin(&laid, from))
            .map_err(|fault| self.refused(&laid, fault))
    }

    fn begin(&mut self, laid: &Laid, from: &mut Source<'_>) -> Result<Option<End>, Fault> {
        let board = &self.game.board;
        let kept = match Tag::take(from)? {
            Tag::Leaf(STUCK) => {
                if laid.demand(board, self.open_placement(laid, from)?) != 0 {
                    return Err("a pair is left within the placement".to_string());
                }
                self.done.leaves += 1;
                return Ok(Some(End::Fails(1)));
            }
            Tag::Leaf(NO_BETTER) if !self.stack.is_empty() => {
                self.done.leaves += 1;
                return Ok(Some(End::NoBetter(from.number()?)));
            }
            Tag::Leaf(rule) => return Err(format!("rule {rule} settles nothing here")),
            Tag::All(_) => return Err("all moves where one is enough".to_string()),
            Tag::Same { back, last } => {
                return self.same(laid, back, last, from).map(|length| Some(End::Fails(length)));
            }
            Tag::One(kept) => kept,
        };
        let number = kept.then(|| self.kept.add(Kept { laid: laid.clone(), length: None }));
        let placement = self.open_placement(laid, from)?;
        self.done.read += 1;
        if Tag::take(from)? != Tag::All(false) {
            return Err("expected all pairs within the placement, not kept".to_string());
        }
        let demand = laid.demand(board, placement);
        let pairs = pairs_within(board, demand);
        let count = from.number()?;
        if count != pairs.len() as u64 {
            return Err(format!("{count} pairs; there are {}", pairs.len()));
        }
        self.done.nodes += 2;
        self.done.choices += 1;
        self.stack.push(Frame { laid: laid.clone(), demand, pairs, moves: Vec::new(), number });
        Ok(None)
    }

    /// Reads a placement that contains no pair.
    fn open_placement(&self, laid: &Laid, from: &mut Source<'_>) -> Result<u128, Fault> {
        let placement = take_placement(&self.game.board, from)?;
        if laid.blocks(placement) {
            return Err("the placement contains a pair".to_string());
        }
        Ok(placement)
    }

    fn same(
        &mut self,
        laid: &Laid,
        back: u64,
        last: bool,
        from: &mut Source<'_>,
    ) -> Result<u32, Fault> {
        let board = &self.game.board;
        let (number, kept) = self.kept.find(back)?;
        let length = kept.length.ok_or("it rests on a node that is not closed yet")?;
        let symmetry = from.byte()?;
        if symmetry >= symmetries(board) {
            return Err(format!("{symmetry} is no symmetry of the board"));
        }
        let here = laid.least_demands(board);
        for demand in kept.laid.least_demands(board) {
            let demand = turned(board, symmetry, demand);
            if here.iter().all(|set| set & !demand != 0) {
                return Err("a demand of the node that it refers to asks for more".to_string());
            }
        }
        if last {
            self.kept.forget(number);
        }
        Ok(length)
    }

    /// Closes the top frame, all of whose moves have been read; returns its longest line.
    fn close(&mut self, listener: &mut Listener<'_, Paving>) -> Result<u32, Refusal> {
        let frame = self.stack.pop().expect("a frame that ends");
        let rest = frame.longest(self.game)?;
        let length = rest.saturating_add(1);
        if let Some(kept) = frame.number.and_then(|number| self.kept.get_mut(number)) {
            kept.length = Some(length);
        }
        let mates = frame.laid.mates;
        let (game, place) = (self.game, self.closed);
        self.closed += 2;
        let state = |chosen| Paving { mates, demands: game.demands(&mates), chosen };
        let answers = || state(frame.demand);
        listener.tell(|| (answers(), Step { place: place + 1, choice: None, length: rest }));
        listener.tell(|| {
            let choice = Some(game.key(&answers()));
            (state(0), Step { place: place + 2, choice, length })
        });
        Ok(length)
    }

    /// Reads the only leaf of a disproof.
    fn paved(&mut self, from: &mut Source<'_>) -> Result<u32, Refusal> {
        let mut laid = Laid::none();
        self.done.read += 1;
        self.done.leaves += 1;
        self.pave(&mut laid, from).map_err(|fault| self.refused(&laid, fault))?;
        Ok(0)
    }

    fn pave(&self, laid: &mut Laid, from: &mut Source<'_>) -> Result<(), Fault> {
        let board = &self.game.board;
        if Tag::take(from)? != Tag::Leaf(PAVED) {
            return Err("expected White's pairs".to_string());
        }
        for _ in 0..from.number()? {
            let (a, b) = take_pair(board, from)?;
            if !laid.is_free(a) || !laid.is_free(b) {
                return Err(format!("cells {a} and {b}; one of them is in another pair"));
            }
            laid.lay((a, b));
        }
        match laid.open(board).next() {
            None => Ok(()),
            Some(_) => Err("a placement contains no pair".to_string()),
        }
    }

    fn refused(&self, laid: &Laid, detail: Fault) -> Refusal {
        let state = self.game.picture(&laid.mates, 0);
        Refusal { node: self.done.read, detail, state }
    }
}

impl Frame {
    /// Whether a pair may be the next move.
    fn next(&self, pair: Pair) -> Result<Pair, Fault> {
        if self.moves.iter().any(|read| read.pair == pair) {
            return Err("a pair for the second time".to_string());
        }
        if cells(pair) & !self.demand != 0 {
            return Err("a pair that is not within the demand".to_string());
        }
        Ok(pair)
    }

    /// The longest line after the pairs. Every pair must have a node of its own, or be no better than
    /// one that has.
    fn longest(&self, game: &PavingWinner) -> Result<u32, Refusal> {
        let board = &game.board;
        let mut demands = None;
        let mut longest = 0;
        for read in &self.moves {
            let at = match read.end {
                Some(End::Fails(length)) => {
                    longest = longest.max(length);
                    continue;
                }
                Some(End::NoBetter(at)) => usize::try_from(at).ok(),
                None => None,
            };
            let better = at.and_then(|at| self.moves.get(at));
            let better = better.filter(|other| matches!(other.end, Some(End::Fails(_))));
            let demands = demands.get_or_insert_with(|| self.laid.least_demands(board));
            let holds = better
                .is_some_and(|other| self.laid.no_better(board, demands, read.pair, other.pair));
            if !holds {
                let detail = "the pair that it refers to has no node of its own, or is worse";
                let state = game.picture(&self.laid.mates, cells(read.pair));
                return Err(Refusal { node: read.node, detail: detail.to_string(), state });
            }
        }
        Ok(longest)
    }
}
