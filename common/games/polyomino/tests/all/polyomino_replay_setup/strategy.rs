//! Black's strategy: the records of a certificate, and how to follow them.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::Path;

use hasami_andor::certificate::{Header, extract, verify};
use hasami_andor::{Control, Expansion, Job, Kernel, Moves, Problem, Search, Table, Turn, Verdict};
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_polyomino::polyomino::grid::{Grid, bits};
use hasami_polyomino::polyomino::shape::parse_set;
use hasami_polyomino::polyomino::{Polyomino, Position, Stone, Zone};
use hasami_spec::Params;

use super::board::{Board, Place, Side};
use crate::polyomino_reference::images;

/// A state of the certificate, with the zone of its proof.
struct Known {
    state: Position,
    /// Black's move, if Black is to move.
    choice: Option<Stone>,
    /// As the verifier computes it, in the frame of the key.
    zone: Zone,
}

pub struct Strategy {
    pub question: String,
    pub strong: bool,
    pub images: Vec<Vec<Place>>,
    pub records: usize,
    game: Polyomino,
    known: HashMap<u128, Known>,
    /// The placements within the window, by the referee's images.
    placements: Vec<u128>,
}

impl Strategy {
    /// Searches, writes a certificate, verifies it, and reads it. `None` if there is no win.
    pub fn found(spelling: &str) -> Option<Self> {
        Self::found_with(spelling, 1 << 18)
    }

    pub fn found_with(spelling: &str, entries: usize) -> Option<Self> {
        let params = Params::parse(Polyomino::params(), spelling).unwrap();
        let game = Polyomino::from_params(&params).unwrap();
        let table = Table::with_entries(entries, false);
        let job = Job::settle(game.root());
        let outcome = Search::new(Kernel::Dfpn, &game, &table, Polyomino::ADVICE, job)
            .run(&Control::unlimited());
        if outcome.numbers.verdict() != Some(Verdict::Proven) {
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("certificate");
        let mut root = Vec::new();
        game.encode(&game.root(), &mut root);
        let header = Header {
            question: spelling.to_string(),
            problem: game.id(),
            verdict: Verdict::Proven,
            root,
        };
        extract(&game, &table, &Control::unlimited(), &header, &file).unwrap();
        verify(&file, &game).unwrap_or_else(|error| panic!("{spelling}: {error}"));

        let shapes = parse_set(params.text("shapes").unwrap()).unwrap();
        let mut strategy = Self {
            question: spelling.to_string(),
            strong: params.text("game").unwrap() == "strong",
            images: shapes.iter().flat_map(images).collect(),
            records: 0,
            game,
            known: HashMap::new(),
            placements: Vec::new(),
        };
        strategy.place_images();
        for (bytes, choice) in records(&file) {
            strategy.add(&bytes, choice);
        }
        strategy.records = strategy.known.len();
        Some(strategy)
    }

    pub fn grid(&self) -> &Grid {
        self.game.grid()
    }

    pub fn stones(&self) -> u32 {
        self.game.stones()
    }

    fn place_images(&mut self) {
        let (height, width) = (i32::from(self.grid().height), i32::from(self.grid().width));
        let mut all = BTreeSet::new();
        for image in &self.images {
            for corner in 0..height * width {
                let moved = image.iter().map(|c| (c.0 + corner / width, c.1 + corner % width));
                if moved.clone().all(|(row, column)| row < height && column < width) {
                    all.insert(moved.map(|(row, column)| 1u128 << (row * width + column)).sum());
                }
            }
        }
        self.placements = all.into_iter().collect();
    }

    /// Computes a record's zone from those before it.
    fn add(&mut self, bytes: &[u8], choice: Option<u32>) {
        let state = self.game.decode(bytes).unwrap();
        let mut moves = Moves::new();
        assert_eq!(self.game.expand(&state, &mut moves), Expansion::Open);
        let mut basis = Vec::new();
        let mut chosen = None;
        if let Some(choice) = choice {
            let mv = moves.iter().nth(choice as usize).unwrap();
            basis.push((mv, self.reason(&self.game.play(&state, mv)).unwrap()));
            chosen = Some(mv);
        } else {
            let mut next = 0;
            while next < moves.len() {
                let mv = moves.iter().nth(next).unwrap();
                let reason = self.reason(&self.game.play(&state, mv)).unwrap();
                basis.push((mv, reason));
                self.game.open(&state, mv, Some(reason), &mut moves);
                next += 1;
            }
        }
        let zone = self.game.reason(&state, Verdict::Proven, &basis);
        let key = self.game.key(&state).0;
        self.known.entry(key).or_insert(Known { state, choice: chosen, zone });
    }

    /// The zone of a proven state, in the frame of its key.
    fn reason(&self, state: &Position) -> Option<Zone> {
        if let Some(known) = self.known.get(&self.game.key(state).0) {
            return Some(known.zone);
        }
        match self.game.expand(state, &mut Moves::new()) {
            Expansion::Settled(Verdict::Proven) => {
                Some(self.game.reason(state, Verdict::Proven, &[]))
            }
            _ => None,
        }
    }

    /// The zone on the window.
    fn zone(&self, state: &Position) -> Option<Zone> {
        let turned = |zone: Zone| self.grid().turned_back(zone.cells, state.symmetry());
        self.reason(state).map(|zone| Zone { cells: turned(zone), ..zone })
    }

    /// White's replies that the certificate answers, with the zones of the answers.
    fn answers(&self, state: &Position) -> Vec<(Stone, Zone)> {
        let (mut moves, mut answers) = (Moves::new(), Vec::new());
        assert_eq!(self.game.expand(state, &mut moves), Expansion::Open);
        loop {
            let Some(mv) = moves.iter().nth(answers.len()) else {
                return answers;
            };
            let after = self.game.play(state, mv);
            let reason = self.reason(&after).unwrap_or_else(|| {
                panic!("{}: nothing shows\n{}", self.question, self.game.show(&after))
            });
            self.game.open(state, mv, Some(reason), &mut moves);
            answers.push((mv, self.zone(&after).unwrap()));
        }
    }

    /// A move of Black's that completes a shape within `left` stones against every defence, if
    /// Black plays only on the cells `free`.
    fn last_stones(&self, black: u128, free: u128, left: u32) -> Option<u8> {
        let near: Vec<u128> = self
            .placements
            .iter()
            .map(|placement| (placement & !black, placement))
            .filter(|&(lacks, _)| lacks & !free == 0 && lacks.count_ones() <= left)
            .map(|(lacks, _)| lacks)
            .collect();
        black_ends(&near, free, left)
    }
}

/// `near` are the cells that each placement lacks.
fn black_ends(near: &[u128], free: u128, left: u32) -> Option<u8> {
    if left == 0 {
        return None;
    }
    if let Some(last) = near.iter().find(|lacks| lacks.count_ones() == 1) {
        return Some(last.trailing_zeros() as u8);
    }
    bits(free).find(|&cell| {
        let after: Vec<u128> = near.iter().map(|lacks| lacks & !(1 << cell)).collect();
        let free = free & !(1 << cell);
        // A move elsewhere is never better for White than one of these, if there is any.
        left > 1
            && free != 0
            && bits(free).all(|reply| {
                let kept: Vec<u128> =
                    after.iter().copied().filter(|lacks| lacks >> reply & 1 == 0).collect();
                black_ends(&kept, free & !(1 << reply), left - 1).is_some()
            })
    })
}

/// Black during one game.
pub struct Follower<'a> {
    strategy: &'a Strategy,
    /// The position of the proof, without White's ignored stones. It is oriented as in the record,
    /// because leaves that symmetry makes equal may have different zones.
    state: Position,
    /// The cells of the real window, by the cells of that position.
    lies: Vec<u8>,
    /// Set if the rules have settled the position: the cells and stones that suffice.
    end: Option<(u128, u32)>,
    /// Set if White did not stop a threat.
    completes: Option<u8>,
}

impl<'a> Follower<'a> {
    pub fn new(strategy: &'a Strategy) -> Self {
        let state = strategy.game.root();
        let lies = bits(strategy.grid().all).collect();
        let mut follower = Self { strategy, state, lies, end: None, completes: None };
        follower.go_to(state);
        follower
    }

    /// Continues from the record of a position, or records that the rules settle it.
    fn go_to(&mut self, state: Position) {
        self.state = state;
        let (game, grid) = (&self.strategy.game, self.strategy.grid());
        if let Some(known) = self.strategy.known.get(&game.key(&state).0) {
            let from_record = |cell: u8| {
                let in_key = grid.turned(1 << cell, known.state.symmetry());
                let cell = grid.turned_back(in_key, state.symmetry()).trailing_zeros();
                self.lies[cell as usize]
            };
            self.lies = bits(grid.all).map(from_record).collect();
            self.state = known.state;
            return;
        }
        let zone = self.strategy.zone(&state).unwrap_or_else(|| {
            panic!("{}: nothing shows\n{}", self.strategy.question, game.show(&state))
        });
        self.end = Some((zone.cells, game.rest(&state).expect("a win has an end")));
    }

    fn place(&self, board: &Board, cell: u8) -> Place {
        board.place_of(self.lies[usize::from(cell)])
    }

    /// The cell of the position at a place of the board.
    fn cell(&self, board: &Board, place: Place) -> Option<u8> {
        let cell = board.in_window(place)?;
        self.lies.iter().position(|&lies| lies == cell).map(|cell| cell as u8)
    }

    pub fn choose(&mut self, board: &Board) -> Place {
        if let Some(cell) = self.completes {
            return self.place(board, cell);
        }
        if let Some((zone, left)) = self.end {
            let seen = |side| {
                let stones = board.stones(side).into_iter();
                let cells = stones.filter_map(|place| self.cell(board, place));
                cells.fold(0u128, |all, cell| all | 1 << cell)
            };
            let black = seen(Side::Black);
            let free = zone & self.strategy.grid().all & !black & !seen(Side::White);
            let cell = self.strategy.last_stones(black, free, left).unwrap_or_else(|| {
                let position = self.strategy.game.show(&self.state);
                let question = &self.strategy.question;
                panic!("{question}: {left} left, zone {zone:b} of\n{position}\n{}", board.show())
            });
            self.end = Some((zone, left - 1));
            return self.place(board, cell);
        }
        let game = &self.strategy.game;
        let known = &self.strategy.known[&game.key(&self.state).0];
        let Some(Stone::Cell(cell)) = known.choice else { panic!("no move of Black's") };
        let place = self.place(board, cell);
        self.go_to(game.play(&self.state, Stone::Cell(cell)));
        place
    }

    /// The zone of the first answer: a cunning White avoids it.
    pub fn shunned(&self, board: &Board) -> BTreeSet<Place> {
        let zone = match self.end {
            Some((zone, _)) => zone & self.strategy.grid().all,
            None => self.strategy.answers(&self.state)[0].1.cells,
        };
        bits(zone).map(|cell| self.place(board, cell)).collect()
    }

    /// Follows a move of White's.
    pub fn answer(&mut self, board: &Board, place: Place, random: &mut SplitMix) {
        if self.end.is_some() {
            return;
        }
        assert_eq!(self.state.turn, Turn::And);
        let played = self.cell(board, place);
        let answers = self.strategy.answers(&self.state);
        if let [(Stone::Cell(only), _)] = answers[..]
            && played != Some(only)
        {
            self.completes = Some(only);
            return;
        }
        // The reply itself, elsewhere, or another whose answer allows one more stone outside.
        let holds = |&&(mv, zone): &&(Stone, Zone)| {
            let outside = played.is_none_or(|cell| zone.cells >> cell & 1 == 0);
            mv.cell().is_some() && mv.cell() == played
                || outside && (mv.cell().is_none() || !self.strategy.strong || zone.slack > 0)
        };
        let holding: Vec<Stone> = answers.iter().filter(holds).map(|&(mv, _)| mv).collect();
        assert!(!holding.is_empty(), "{}: no answer\n{}", self.strategy.question, board.show());
        let mv = holding[random.below(holding.len() as u32) as usize];
        self.go_to(self.strategy.game.play(&self.state, mv));
    }
}

/// The records of a certificate, read without the library: encoded states and choices.
fn records(file: &Path) -> Vec<(Vec<u8>, Option<u32>)> {
    let bytes = std::fs::read(file).unwrap();
    let body = &bytes[8..bytes.len() - 32];
    let mut plain = Vec::new();
    zstd::Decoder::new(body).unwrap().read_to_end(&mut plain).unwrap();
    let mut rest = &plain[..];
    let question = number(&mut rest) as usize;
    rest = &rest[question + 16 + 1..];
    let root = number(&mut rest) as usize;
    rest = &rest[root..];
    let mut records = Vec::new();
    loop {
        let tag = rest[0];
        rest = &rest[1..];
        let choice = match tag {
            0 => return records,
            1 => None,
            _ => Some(number(&mut rest) as u32),
        };
        let length = number(&mut rest) as usize;
        records.push((rest[..length].to_vec(), choice));
        rest = &rest[length..];
    }
}

fn number(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}
