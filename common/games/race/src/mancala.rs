//! Mancala, the basic rules ("マンカラ・ベーシック"; Ogawa, Koizumi & Otsuki, section 2.2): two rows of pits
//! and two goals in a ring. A player takes all seeds of an own pit and sows them one by one,
//! through both goals. If the last seed falls into a goal, the same player moves again. The player
//! whose pits are empty wins, no matter who has sown.
//!
//! Seeds only move forward and never leave a goal, so no position repeats. The side to move has
//! seeds, or has won. A sowing never empties the opponent's row.

pub mod database;
pub mod exact;
mod loaded;
pub mod number;
pub mod position;
mod puzzle;

use std::path::Path;
use std::sync::Arc;

use hasami_andor::certificate::{Fault, Least, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Expansion, Key, Moves, Problem, ProblemId, Turn, Verdict};

use hasami_game::race::{
    ASK, End, Exact, Inquiry, Player, WITHIN, check_shortest, known_shortest, one_less,
    refuting_shortest, shortest_stage,
};
use hasami_game::{BuildError, Game, KnownStage, Meaning, Origin, Resources};
use hasami_puzzles::Puzzle;
use hasami_spec::{Param, ParamError, Params, Spec};
use loaded::Loaded;
use position::{Last, MAX_PITS, MAX_RING, MAX_SEEDS, Position, Ring};

/// The parameter that names a database.
const DATABASE: &str = "database";

/// Which last seed gives the mover another move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// In either goal: the published basic rule.
    Either,
    /// In the mover's own goal only.
    Own,
}

impl Goal {
    /// All rules with their words.
    pub const WORDS: [(&'static str, Self); 2] = [("either", Self::Either), ("own", Self::Own)];

    /// The word of the rule.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Either => "either",
            Self::Own => "own",
        }
    }

    /// Whether `mover` moves again after this last seed.
    #[must_use]
    pub fn goes_on(self, last: Last, mover: Player) -> bool {
        match (last, self) {
            (Last::Pocket, _) => false,
            (Last::Goal(_), Self::Either) => true,
            (Last::Goal(owner), Self::Own) => owner == mover,
        }
    }
}

/// Whether the side to move wins Mancala from this position.
#[derive(Clone, Debug)]
pub struct Mancala {
    ring: Ring,
    goal: Goal,
    /// Whether the opponent of the asking side passes every turn (section 8 of the paper). This
    /// proves nothing about real play.
    opponent_passes: bool,
    /// The database of endings, if any.
    database: Option<Arc<Loaded>>,
    inquiry: Inquiry,
    root: Position,
    id: ProblemId,
}

/// A move of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sowing {
    /// Sows the seeds of this pocket.
    Pocket(u8),
    /// The turn passes; only with `replies=pass`.
    Pass,
}

static PARAMS: &[Param] = &[
    Param::number("pits", "pits of each side, 1 to 6").or("6"),
    Param::number("seeds", "seeds in each pit at the start, 1 to 21").or("4"),
    Param::choice("goal", "the last seed in which goal lets the mover go on", &["either", "own"])
        .or("either"),
    Param::choice(
        "replies",
        "the opponent moves, or only passes (no real play)",
        &["real", "pass"],
    )
    .or("real"),
    Param::text("position", "start, or pockets as in 4,2,2,4,0,0/4,4,4,4,4,4:first").or("start"),
    ASK,
    WITHIN,
    Param::path("database", "a file of `hasami database mancala` that settles its endings")
        .or("none"),
];

impl Game for Mancala {
    const SPEC: Spec = Spec::game(
        "mancala",
        "Mancala (basic): does the side to move get rid of its seeds first?",
        "mancala position=1,0,1,1,1,0/0,1,0,1,0,1:first",
        PARAMS,
    )
    .checks(|params| Asked::read(params).map(drop))
    .stages(shortest_stage);

    const RULES: u32 = 2;

    /// The position in full, and the database by its sum instead of its place.
    fn stated(&self, params: &Params) -> Vec<(String, String)> {
        let value = |key: &str| params.text(key).unwrap_or_default().to_string();
        let database = self.database.as_ref();
        let sum = database.map_or("none".to_string(), |database| database.origin().blake3.clone());
        let lines = [
            ("pits", value("pits")),
            ("goal", value("goal")),
            ("replies", value("replies")),
            ("position", self.ring.spell(&self.root)),
            ("ask", value("ask")),
            ("within", value("within")),
            (DATABASE, sum),
        ];
        lines.map(|(key, value)| (key.to_string(), value)).to_vec()
    }

    fn least(&self, key: &str) -> Option<Least> {
        self.inquiry.least(key)
    }

    fn build(params: &Params, resources: &Resources) -> Result<Self, BuildError> {
        let Asked { ring, goal, opponent_passes, database, root, inquiry } = Asked::read(params)?;
        let database =
            database.map(|path| loaded::load(ring, goal, path, resources)).transpose()?;
        // The canonical spelling of the question, however it was written.
        let spelled = format!(
            "{} {} {} {} {}",
            ring.spell(&root),
            goal.word(),
            if opponent_passes { "pass" } else { "real" },
            inquiry.spelled(),
            // Verdicts are the same with any sound database, but a certificate needs the one it was
            // made with.
            database.as_ref().map_or("0", |database| &database.origin().blake3),
        );
        let id = ProblemId::new(Self::NAME, Self::RULES, &spelled);
        Ok(Self { ring, goal, opponent_passes, database, inquiry, root, id })
    }

    fn known_stages(
        params: &Params,
        resources: &Resources,
    ) -> Result<Option<Vec<KnownStage>>, BuildError> {
        known_shortest::<Self>(params, resources)
    }

    fn refuting_stage(params: &Params, _: &Resources) -> Result<Option<Params>, BuildError> {
        refuting_shortest(params)
    }

    fn board(&self, state: &Self::State) -> Option<String> {
        Some(self.drawing(state).picture())
    }

    fn meaning(&self, verdict: Verdict) -> Meaning {
        let what = self.inquiry.claim(verdict);
        let goal = self.goal.word();
        Meaning::Claim(if self.opponent_passes {
            format!("{what} if the opponent passes every turn (goal: {goal})")
        } else {
            match self.rests_on() {
                Some(Origin { blake3, .. }) => format!(
                    "{what} (goal: {goal}), if the database with the BLAKE3 sum {blake3} is right"
                ),
                None => format!("{what} (goal: {goal})"),
            }
        })
    }

    fn rests_on(&self) -> Option<Origin> {
        self.database.as_ref().map(|database| database.origin().clone())
    }
}

/// The parsed parameters; the file is not opened.
struct Asked<'a> {
    ring: Ring,
    goal: Goal,
    opponent_passes: bool,
    database: Option<&'a Path>,
    root: Position,
    inquiry: Inquiry,
}

impl<'a> Asked<'a> {
    fn read(params: &'a Params) -> Result<Self, ParamError> {
        let ring = Ring { pits: params.number("pits", 1..=MAX_PITS)? };
        let seeds = params.number("seeds", 1..=21)?;
        let goal = params.choice("goal", &Goal::WORDS)?;
        let opponent_passes = params.text("replies")? == "pass";
        let database = match params.text("database")? {
            "none" => None,
            path if opponent_passes => {
                return Err(ParamError::bad("database", path, "replies=real with it"));
            }
            path => Some(Path::new(path)),
        };
        let text = params.text("position")?;
        let mut root = match text.strip_prefix("start") {
            Some("" | ":first") => ring.start(seeds),
            Some(":second") => Position { mover: Player::Second, ..ring.start(seeds) },
            _ => ring.parse(text)?,
        };
        let inquiry = Inquiry::from_params(params, root.mover)?;
        check_shortest(params)?;
        root.left = inquiry.plies();
        Ok(Self { ring, goal, opponent_passes, database, root, inquiry })
    }
}

impl Mancala {
    /// The ring.
    #[must_use]
    pub fn ring(&self) -> Ring {
        self.ring
    }

    /// Which goal gives another move.
    #[must_use]
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Whether the opponent of the asking side always passes.
    #[must_use]
    pub fn opponent_passes(&self) -> bool {
        self.opponent_passes
    }

    /// The value of an ending, if a database contains it.
    fn looked_up(&self, state: &Position) -> Option<Exact> {
        self.database.as_ref()?.value(state)
    }

    /// Whether at least this many plies are left.
    fn soon(&self, state: &Position, plies: u32) -> bool {
        state.left.is_none_or(|left| plies <= u32::from(left))
    }

    /// The winner, if the game is won.
    fn winner(&self, state: &Position) -> Option<Player> {
        let empty = |player: &Player| self.ring.is_empty(state, *player);
        [Player::First, Player::Second].into_iter().find(empty)
    }
}

impl Problem for Mancala {
    type State = Position;
    type Move = Sowing;
    type Reason = ();

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Position {
        self.root
    }

    fn turn(&self, state: &Position) -> Turn {
        self.inquiry.turn(state.mover)
    }

    fn expand(&self, state: &Position, moves: &mut Moves<Sowing>) -> Expansion {
        let end = self.winner(state).map(End::Won);
        if let Some(verdict) = self.inquiry.settled(end, state.left) {
            return Expansion::Settled(verdict);
        }
        if let Some(value) = self.looked_up(state) {
            let soon = value.plies.is_some_and(|plies| self.soon(state, plies));
            let winner = if soon { value.winner(state.mover) } else { None };
            return Expansion::Settled(self.inquiry.verdict(winner));
        }
        if self.opponent_passes && state.mover != self.inquiry.asker {
            moves.push(Sowing::Pass);
            return Expansion::Open;
        }
        let from = self.ring.first_pocket(state.mover);
        for (at, &seeds) in (from..).zip(self.ring.row(state, state.mover)) {
            if seeds > 0 {
                moves.push(Sowing::Pocket(at));
            }
        }
        Expansion::Open
    }

    /// A sowing that ends the game also ends its ply.
    fn play(&self, state: &Position, mv: Sowing) -> Position {
        let Position { seeds, mover, left } = *state;
        let (seeds, on) = match mv {
            Sowing::Pass => (seeds, false),
            Sowing::Pocket(pocket) => {
                let (seeds, last) = self.ring.sow(&seeds, pocket);
                let next = Position { seeds, mover, left };
                (seeds, self.goal.goes_on(last, mover) && self.winner(&next).is_none())
            }
        };
        if on {
            Position { seeds, mover, left }
        } else {
            Position { seeds, mover: mover.other(), left: one_less(left) }
        }
    }

    /// The rows from the view of the asking side: the name of a side does not matter.
    fn key(&self, state: &Position) -> Key {
        let asker = self.inquiry.asker;
        let rows = [self.ring.row(state, asker), self.ring.row(state, asker.other())];
        let mut name = u128::from(state.mover == asker);
        for &seeds in rows.into_iter().flatten() {
            name = name << 8 | u128::from(seeds);
        }
        let left = state.left.map_or(0, |left| u128::from(left) + 1);
        Key::mixed(name << 16 | left)
    }

    fn encode(&self, state: &Position, out: &mut Vec<u8>) {
        out.push(u8::from(state.mover == Player::Second));
        out.extend(self.ring.row(state, Player::First));
        out.extend(self.ring.row(state, Player::Second));
        if let Some(left) = state.left {
            out.extend(left.to_le_bytes());
        }
    }

    fn decode(&self, bytes: &[u8]) -> Result<Position, BadState> {
        let bad = |expected: &str| {
            BadState(format!("mancala: found bytes {bytes:02x?}; expected {expected}"))
        };
        let pits = usize::from(self.ring.pits);
        let length = 1 + 2 * pits + 2 * usize::from(self.root.left.is_some());
        if bytes.len() != length {
            return Err(bad("a byte for the side to move and one for each pit"));
        }
        let mover = match bytes[0] {
            0 => Player::First,
            1 => Player::Second,
            _ => return Err(bad("0 or 1 for the side to move")),
        };
        let left = match bytes[1 + 2 * pits..] {
            [low, high] => Some(u16::from_le_bytes([low, high])),
            _ => None,
        };
        if left > self.root.left {
            return Err(bad("no more plies than were asked about"));
        }
        let mut seeds = [0; MAX_RING];
        seeds[..pits].copy_from_slice(&bytes[1..=pits]);
        seeds[pits + 1..=2 * pits].copy_from_slice(&bytes[1 + pits..=2 * pits]);
        let position = Position { seeds, mover, left };
        let most = self.ring.in_play(&self.root);
        debug_assert!(most <= MAX_SEEDS, "checked where the root was read");
        if self.ring.in_play(&position) > most {
            return Err(bad("no more seeds than there were at first"));
        }
        let empty = |player| self.ring.is_empty(&position, player);
        // The turn passes when a game ends, and only the side that has sown can have emptied its
        // own pits.
        if empty(mover) { Err(bad("a side to move that has seeds")) } else { Ok(position) }
    }

    /// A sowing that gives another move is only a part of a ply.
    fn length(&self, state: &Position, mv: Sowing) -> Option<u32> {
        let next = self.play(state, mv);
        Some(u32::from(next.mover != state.mover))
    }

    /// A game cut off by the limit has no length.
    fn rest(&self, state: &Position) -> Option<u32> {
        match self.winner(state) {
            Some(_) => Some(0),
            None => self.looked_up(state)?.plies.filter(|&plies| self.soon(state, plies)),
        }
    }

    fn put_move(&self, _: &Position, mv: Sowing, out: &mut Vec<u8>) {
        out.push(match mv {
            Sowing::Pass => 0,
            Sowing::Pocket(pocket) => 1 + pocket,
        });
    }

    fn take_move(&self, _: &Position, from: &mut Source<'_>) -> Result<Sowing, Fault> {
        match from.byte()? {
            0 => Ok(Sowing::Pass),
            byte if byte <= self.ring.cells() => Ok(Sowing::Pocket(byte - 1)),
            byte => Err(format!("move {byte}; the ring has {} cells", self.ring.cells())),
        }
    }

    fn rule(&self, state: &Position) -> u8 {
        match (self.winner(state), state.left) {
            (Some(_), _) => 1,
            (None, Some(0)) => 2,
            _ => 3,
        }
    }

    fn show(&self, state: &Position) -> String {
        let words = |seeds: &[u8]| {
            let words: Vec<String> = seeds.iter().map(|seeds| format!("{seeds:>3}")).collect();
            words.concat()
        };
        // As in the paper: the first player's pits above, sowing anticlockwise.
        let above = words(self.ring.row(state, Player::First));
        let below: Vec<u8> = self.ring.row(state, Player::Second).iter().rev().copied().collect();
        let left = state.left.map_or(String::new(), |left| format!(", plies left: {left}"));
        format!("{above}\n{}\n{} player to move{left}", words(&below), state.mover.word())
    }

    /// A sowing is named by its pocket, as in figure 10 of the paper.
    fn show_move(&self, _: &Position, mv: Sowing) -> String {
        match mv {
            Sowing::Pocket(pocket) => pocket.to_string(),
            Sowing::Pass => "pass".to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
