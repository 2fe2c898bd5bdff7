//! Checks a tree node by node, as docs/certificates.md says.

use hasami_andor::certificate::tree::{KeptNodes, Tag};
use hasami_andor::certificate::{Checked, Fault, Listener, Refusal, Source, Step};
use hasami_andor::{Turn, Verdict};

use super::StoneGame;
use super::claim::{Claim, Closing, ToAnswer};
use super::family::Family;
use super::rules::{Cells, Rules, bits};

/// Most bytes of a paving: one of a few cells has a few lines.
const MAX_PAVING: u64 = 1 << 16;

/// Checks a tree. Tells the listener about every ONE and ALL when it is closed.
///
/// # Errors
/// The first node that does not hold.
pub fn check<G: StoneGame>(
    game: &G,
    verdict: Verdict,
    from: &mut Source<'_>,
    listener: &mut Listener<'_, G::State>,
) -> Result<Checked, Refusal> {
    let rules = Rules::new(&game.field());
    let mut check = Check {
        game,
        rules: &rules,
        verdict,
        kept: KeptNodes::default(),
        stack: Vec::new(),
        done: Checked::default(),
        closed: 0,
    };
    let claim = check.tree(from, listener)?;
    let mut done = check.done;
    if verdict == Verdict::Proven {
        if let Some(stones) = rules.stones.filter(|&stones| stones < claim.stones) {
            let detail = format!("Black needs {} stones and has {stones}", claim.stones);
            return Err(Refusal::new(0, detail));
        }
        (done.lengths, done.length) = (true, Some(claim.stones));
    }
    Ok(done)
}

/// The stones and the side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Position {
    black: Cells,
    white: Cells,
    turn: Turn,
}

/// A kept node.
struct Kept {
    position: Position,
    /// What it claims; `None` while it is open.
    claim: Option<Claim>,
}

/// A node whose moves are being read.
struct Frame {
    position: Position,
    one: bool,
    /// How many moves are still to be read.
    rest: u64,
    /// The last move read; `None` is elsewhere, or a pass.
    last: Option<u8>,
    /// The cells of all moves read.
    moves: Cells,
    /// What the nodes below claim.
    answers: Vec<(Option<u8>, Claim)>,
    number: Option<u64>,
}

struct Check<'a, G> {
    game: &'a G,
    rules: &'a Rules,
    verdict: Verdict,
    kept: KeptNodes<Kept>,
    stack: Vec<Frame>,
    done: Checked,
    /// Number of nodes closed so far.
    closed: u64,
}

enum Begun {
    Ended(Claim),
    Open { one: bool, rest: u64, kept: bool },
}

impl<G: StoneGame> Check<'_, G> {
    /// Reads the tree; returns the claim of its root.
    fn tree(
        &mut self,
        from: &mut Source<'_>,
        listener: &mut Listener<'_, G::State>,
    ) -> Result<Claim, Refusal> {
        let root = Position { black: 0, white: 0, turn: Turn::Or };
        let mut ended = self.node(root, from)?;
        loop {
            let Some(frame) = self.stack.last_mut() else {
                return ended.ok_or_else(|| Refusal::new(0, "no root"));
            };
            if let Some(claim) = ended.take() {
                frame.answers.push((frame.last, claim));
            }
            let position = frame.position;
            if frame.rest == 0 {
                let claim =
                    self.close(from, listener).map_err(|fault| self.refused(position, fault))?;
                ended = Some(claim);
                continue;
            }
            let next = self.step(from).map_err(|fault| self.refused(position, fault))?;
            ended = self.node(next, from)?;
        }
    }

    /// Reads the beginning of a node; returns its claim if that is all of it.
    fn node(
        &mut self,
        position: Position,
        from: &mut Source<'_>,
    ) -> Result<Option<Claim>, Refusal> {
        self.done.read += 1;
        let begun = from
            .hold(self.kept.len() + self.stack.len())
            .and_then(|()| self.begin(position, from))
            .map_err(|fault| self.refused(position, fault))?;
        Ok(match begun {
            Begun::Ended(claim) => Some(claim),
            Begun::Open { one, rest, kept } => {
                self.done.nodes += 1;
                self.done.choices += u64::from(one);
                let number = kept.then(|| self.kept.add(Kept { position, claim: None }));
                let (last, moves, answers) = (None, 0, Vec::new());
                self.stack.push(Frame { position, one, rest, last, moves, answers, number });
                None
            }
        })
    }

    fn begin(&mut self, position: Position, from: &mut Source<'_>) -> Result<Begun, Fault> {
        match Tag::take(from)? {
            Tag::Leaf(rule) => {
                self.done.leaves += 1;
                match self.verdict {
                    Verdict::Proven => self.won(position, rule)?,
                    Verdict::Disproven => self.held(position, rule, from)?,
                }
                Ok(Begun::Ended(Claim::WON))
            }
            Tag::Same { back, last } => self.same(position, back, last, from).map(Begun::Ended),
            tag @ (Tag::One(kept) | Tag::All(kept)) => {
                let one = matches!(tag, Tag::One(_));
                if one != (position.turn.wish() == self.verdict) {
                    let what = if one {
                        "one move where all count"
                    } else {
                        "all moves where one is enough"
                    };
                    return Err(what.to_string());
                }
                if self.verdict == Verdict::Disproven {
                    if self.rules.infinite {
                        return Err("on the infinite board only a paving shows this".to_string());
                    }
                    self.incomplete(position)?;
                }
                let rest = if one { 1 } else { from.number()? };
                let most = u64::from(self.rules.all.count_ones()) + 1;
                if rest > most {
                    return Err(format!("{rest} moves; there are at most {most}"));
                }
                Ok(Begun::Open { one, rest, kept })
            }
        }
    }

    /// A leaf of a proof.
    fn won(&self, position: Position, rule: u8) -> Result<(), Fault> {
        match rule {
            1 if position.turn == Turn::And && self.rules.complete(position.black) => Ok(()),
            1 => Err("Black has not completed a placement just now".to_string()),
            _ => Err(format!("a leaf by rule {rule}; expected 1")),
        }
    }

    fn incomplete(&self, position: Position) -> Result<(), Fault> {
        if self.rules.complete(position.black) {
            return Err("Black has completed a placement".to_string());
        }
        Ok(())
    }

    /// A leaf of a disproof.
    fn held(&self, position: Position, rule: u8, from: &mut Source<'_>) -> Result<(), Fault> {
        let Position { black, white, turn } = position;
        if rule == 4 {
            return self.paved(position, from);
        }
        if self.rules.infinite {
            return Err("on the infinite board only a paving shows this".to_string());
        }
        self.incomplete(position)?;
        let mut family = Family::new(self.rules, black, white);
        let holds = match (rule, turn) {
            (1, Turn::Or) => family.is_less_than_half(),
            (1, Turn::And) => family.is_less_than_one(),
            (2, Turn::Or) => family.is_disjoint(),
            (3, Turn::And) => family.white_completes(self.cell(from.byte()?)?),
            (2 | 3, _) => return Err(format!("rule {rule} with the other side to move")),
            _ => return Err(format!("a leaf by rule {rule}; expected 1 to 4")),
        };
        if holds { Ok(()) } else { Err(format!("rule {rule} does not hold")) }
    }

    fn paved(&self, position: Position, from: &mut Source<'_>) -> Result<(), Fault> {
        if position.black != 0 || position.turn != Turn::Or {
            return Err("a paving below the root".to_string());
        }
        let length = from.number()?;
        if length > MAX_PAVING {
            return Err(format!("a paving of {length} bytes; expected at most {MAX_PAVING}"));
        }
        let lines: Result<Vec<u8>, Fault> = (0..length).map(|_| from.byte()).collect();
        let lines =
            String::from_utf8(lines?).map_err(|_| "a paving that is no text".to_string())?;
        self.game.check_paving(&lines)
    }

    fn same(
        &mut self,
        position: Position,
        back: u64,
        last: bool,
        from: &mut Source<'_>,
    ) -> Result<Claim, Fault> {
        let symmetry = from.byte()?;
        if symmetry >= self.rules.symmetries() {
            return Err(format!("symmetry {symmetry}; there are {}", self.rules.symmetries()));
        }
        let (number, kept) = self.kept.find(back)?;
        let claim = kept.claim.ok_or("it rests on a node that is not closed yet")?;
        let turned = Position {
            black: self.rules.turned(kept.position.black, symmetry),
            white: self.rules.turned(kept.position.white, symmetry),
            turn: kept.position.turn,
        };
        if turned != position {
            return Err("the node that it refers to is about another position".to_string());
        }
        if last {
            self.kept.forget(number);
        }
        Ok(claim.turned(self.rules, symmetry))
    }

    fn cell(&self, byte: u8) -> Result<u8, Fault> {
        if u32::from(byte) < self.rules.all.count_ones() {
            return Ok(byte);
        }
        Err(format!("cell {byte}; there are {}", self.rules.all.count_ones()))
    }

    /// Reads the next move of the top frame; returns the position after it.
    fn step(&mut self, from: &mut Source<'_>) -> Result<Position, Fault> {
        let byte = from.byte()?;
        let frame = self.stack.last().expect("a frame that has moves");
        let turn = frame.position.turn;
        let cell = match turn {
            Turn::Or => Some(self.cell(byte)?),
            Turn::And => byte.checked_sub(1).map(|cell| self.cell(cell)).transpose()?,
        };
        let stone: Cells = cell.map_or(0, |cell| 1 << cell);
        let Position { black, white, .. } = frame.position;
        if (black | white) & stone != 0 {
            return Err(format!("a stone on a stone, at cell {byte}"));
        }
        let first = frame.answers.is_empty();
        match self.verdict {
            Verdict::Disproven if turn == Turn::Or && !first && cell <= frame.last => {
                return Err("the moves are not in increasing order".to_string());
            }
            _ if frame.answers.iter().any(|answer| answer.0 == cell) => {
                return Err("a move a second time".to_string());
            }
            _ => {}
        }
        let frame = self.stack.last_mut().expect("the frame just seen");
        frame.rest -= 1;
        frame.last = cell;
        frame.moves |= stone;
        Ok(match turn {
            Turn::Or => Position { black: black | stone, white, turn: Turn::And },
            Turn::And => Position { black, white: white | stone, turn: Turn::Or },
        })
    }

    /// Ends the top frame; returns its claim.
    fn close(
        &mut self,
        from: &mut Source<'_>,
        listener: &mut Listener<'_, G::State>,
    ) -> Result<Claim, Fault> {
        let frame = self.stack.pop().expect("a frame that ends");
        let Position { black, white, turn } = frame.position;
        let claim = match (self.verdict, frame.one) {
            (Verdict::Disproven, true) => Claim::WON,
            (Verdict::Disproven, false) => {
                let mut family = Family::new(self.rules, black, white);
                let empty = self.rules.all & !(black | white);
                let open = empty & !frame.moves & !family.harmless(frame.moves);
                if let Some(cell) = bits(open).next() {
                    return Err(format!("no answer to a stone on cell {cell}"));
                }
                Claim::WON
            }
            (Verdict::Proven, true) => match frame.answers[..] {
                [(Some(cell), below)] => below.before(cell),
                _ => return Err("no move".to_string()),
            },
            (Verdict::Proven, false) => {
                let closing = Closing {
                    slack: if self.rules.weak { 0 } else { from.number()? },
                    threats: self.set(from)?,
                    guards: self.set(from)?,
                };
                ToAnswer { rules: self.rules, black, white }.claim(&frame.answers, &closing)?
            }
        };
        self.closed += 1;
        if let Some(kept) = frame.number.and_then(|number| self.kept.get_mut(number)) {
            kept.claim = Some(claim);
        }
        let (game, place) = (self.game, self.closed);
        listener.tell(|| {
            let state = game.position(black, white, turn);
            let choice = frame.one.then(|| game.key_after(&state, game.stone(frame.last)));
            let length = if self.verdict == Verdict::Proven { claim.stones } else { 0 };
            (state, Step { place, choice, length })
        });
        Ok(claim)
    }

    /// Reads a set of cells.
    fn set(&self, from: &mut Source<'_>) -> Result<Cells, Fault> {
        let mut set = 0;
        for _ in 0..from.number()? {
            let bit = 1 << self.cell(from.byte()?)?;
            if bit <= set {
                return Err("cells that are not in increasing order".to_string());
            }
            set |= bit;
        }
        Ok(set)
    }

    fn refused(&self, position: Position, detail: Fault) -> Refusal {
        let state = self.rules.show(position.black, position.white);
        Refusal { node: self.done.read, detail, state }
    }
}
