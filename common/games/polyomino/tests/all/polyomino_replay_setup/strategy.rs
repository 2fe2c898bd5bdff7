//! Black's strategy: the tree of a certificate, read from its bytes without the library, and how to
//! follow it by the words of docs/certificates.md.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use hasami_andor::certificate::{extract, verify};
use hasami_andor::{Control, Job, Kernel, Problem, Search, Table, Verdict};
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_polyomino::polyomino::Polyomino;
use hasami_polyomino::polyomino::shape::parse_set;
use hasami_spec::Params;

use super::board::{Board, Place};
use crate::polyomino_reference::images;

/// The replies that are answered, threats, and slack.
type Answers = (Vec<(Option<Cell>, Link)>, Vec<Cell>, Option<u64>);

/// A cell of the window: row and column.
type Cell = (i32, i32);

/// A node in the frame in which it is written.
struct Node {
    kind: Kind,
    zone: BTreeSet<Cell>,
    /// `None` if it does not matter.
    slack: Option<u64>,
}

enum Kind {
    Won,
    One(Cell, Link),
    All { answers: Vec<(Option<Cell>, Link)>, threats: Vec<Cell> },
}

/// A node, and the symmetry that takes it here: whether columns, then rows are mirrored, and then
/// exchanged.
#[derive(Clone)]
struct Link {
    node: usize,
    turns: Vec<u8>,
}

pub struct Strategy {
    pub question: String,
    pub strong: bool,
    pub images: Vec<Vec<Place>>,
    pub records: usize,
    pub window: Cell,
    stones: u32,
    nodes: Vec<Node>,
    root: Link,
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
        let asked = game.asked(&params);
        extract(&game, &table, &Control::unlimited(), &asked, Verdict::Proven, &file).unwrap();
        verify(&file, &game, &asked).unwrap_or_else(|error| panic!("{spelling}: {error}"));

        let shapes = parse_set(params.text("shapes").unwrap()).unwrap();
        let (header, tree) = read(&file);
        let line = |key: &str| header.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        let (rows, columns) = line("window ").split_once('x').unwrap();
        let window = (rows.parse().unwrap(), columns.parse().unwrap());
        let strong = line("game ") == "strong";
        let mut reading =
            Reading { rest: &tree, window, strong, kept: Vec::new(), nodes: Vec::new() };
        let root = reading.node();
        assert!(reading.rest.is_empty());
        Some(Self {
            question: spelling.to_string(),
            strong,
            images: shapes.iter().flat_map(images).collect(),
            records: reading.nodes.len(),
            window,
            stones: line("stones ").parse().unwrap(),
            nodes: reading.nodes,
            root,
        })
    }

    pub fn stones(&self) -> u32 {
        self.stones
    }

    fn turned(&self, cell: Cell, turns: &[u8]) -> Cell {
        turns.iter().fold(cell, |cell, &turn| turned(cell, turn, self.window))
    }

    fn zone(&self, link: &Link) -> BTreeSet<Cell> {
        self.nodes[link.node].zone.iter().map(|&cell| self.turned(cell, &link.turns)).collect()
    }
}

fn turned((mut row, mut column): Cell, turn: u8, (height, width): Cell) -> Cell {
    if turn & 1 != 0 {
        column = width - 1 - column;
    }
    if turn & 2 != 0 {
        row = height - 1 - row;
    }
    if turn & 4 != 0 {
        assert_eq!(height, width);
        (row, column) = (column, row);
    }
    (row, column)
}

/// The header and the tree of a certificate of one part.
fn read(file: &Path) -> (String, Vec<u8>) {
    let bytes = std::fs::read(file).unwrap();
    let body = &bytes[8..bytes.len() - 32];
    let mut plain = Vec::new();
    zstd::Decoder::new(body).unwrap().read_to_end(&mut plain).unwrap();
    let end = plain.windows(2).position(|two| two == b"\n\n").unwrap();
    (String::from_utf8(plain[..end].to_vec()).unwrap(), plain[end + 2..].to_vec())
}

struct Reading<'a> {
    rest: &'a [u8],
    window: Cell,
    strong: bool,
    /// The node of each number given so far.
    kept: Vec<Option<usize>>,
    nodes: Vec<Node>,
}

impl Reading<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.rest[0];
        self.rest = &self.rest[1..];
        byte
    }

    fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    fn cell(&self, byte: u8) -> Cell {
        (i32::from(byte) / self.window.1, i32::from(byte) % self.window.1)
    }

    fn cells(&mut self) -> Vec<Cell> {
        let count = self.number();
        (0..count).map(|_| self.byte()).collect::<Vec<_>>().iter().map(|b| self.cell(*b)).collect()
    }

    fn zone(&self, link: &Link) -> BTreeSet<Cell> {
        let at = |&cell: &Cell| {
            link.turns.iter().fold(cell, |cell, &turn| turned(cell, turn, self.window))
        };
        self.nodes[link.node].zone.iter().map(at).collect()
    }

    fn node(&mut self) -> Link {
        let tag = self.byte();
        if tag & 3 == 3 {
            let back = self.number() as usize;
            let turn = self.byte();
            let node = self.kept[self.kept.len() - back].unwrap();
            return Link { node, turns: vec![turn] };
        }
        let number = (tag & 4 != 0).then(|| {
            self.kept.push(None);
            self.kept.len() - 1
        });
        let node = match tag & 3 {
            0 => {
                assert_eq!(self.byte(), 1, "the only rule for a win");
                Node { kind: Kind::Won, zone: BTreeSet::new(), slack: None }
            }
            1 => {
                let byte = self.byte();
                let (cell, link) = (self.cell(byte), self.node());
                let mut zone = self.zone(&link);
                zone.insert(cell);
                let slack = self.nodes[link.node].slack;
                Node { kind: Kind::One(cell, link), zone, slack }
            }
            _ => {
                let mut zone = BTreeSet::new();
                let mut answers = Vec::new();
                for _ in 0..self.number() {
                    let byte = self.byte();
                    let cell = byte.checked_sub(1).map(|cell| self.cell(cell));
                    let link = self.node();
                    zone.extend(self.zone(&link));
                    answers.push((cell, link));
                }
                let slack = if self.strong { Some(self.number()) } else { None };
                let (threats, guards) = (self.cells(), self.cells());
                zone.extend(threats.iter().chain(&guards));
                Node { kind: Kind::All { answers, threats }, zone, slack }
            }
        };
        self.nodes.push(node);
        let node = self.nodes.len() - 1;
        if let Some(number) = number {
            self.kept[number] = Some(node);
        }
        Link { node, turns: Vec::new() }
    }
}

/// Black during one game.
pub struct Follower<'a> {
    strategy: &'a Strategy,
    at: Link,
    /// White's stones, as far as the proof believes in them.
    believed: BTreeSet<Cell>,
    /// Set if White did not stop a threat.
    completes: Option<Cell>,
}

impl<'a> Follower<'a> {
    pub fn new(strategy: &'a Strategy) -> Self {
        let (at, believed) = (strategy.root.clone(), BTreeSet::new());
        Self { strategy, at, believed, completes: None }
    }

    /// A node below in the frame of the window.
    fn below(&self, link: &Link) -> Link {
        Link { node: link.node, turns: [&link.turns[..], &self.at.turns].concat() }
    }

    fn here(&self, cell: Cell) -> Cell {
        self.strategy.turned(cell, &self.at.turns)
    }

    pub fn choose(&mut self, board: &Board) -> Place {
        if let Some(cell) = self.completes {
            return board.place_of(cell);
        }
        let Kind::One(cell, below) = &self.strategy.nodes[self.at.node].kind else {
            panic!("{}: no move of Black's\n{}", self.strategy.question, board.show());
        };
        let place = board.place_of(self.here(*cell));
        self.at = self.below(below);
        place
    }

    fn answers(&self) -> Answers {
        let node = &self.strategy.nodes[self.at.node];
        let Kind::All { answers, threats } = &node.kind else {
            panic!("{}: no answers", self.strategy.question);
        };
        let answers = answers
            .iter()
            .map(|(cell, link)| (cell.map(|cell| self.here(cell)), self.below(link)))
            .collect();
        (answers, threats.iter().map(|&cell| self.here(cell)).collect(), node.slack)
    }

    /// The zone of the first answer: a cunning White avoids it.
    pub fn shunned(&self, board: &Board) -> BTreeSet<Place> {
        let (answers, threats, _) = self.answers();
        let zone = match answers.first() {
            Some((_, link)) => self.strategy.zone(link),
            None => threats.into_iter().collect(),
        };
        zone.into_iter().map(|cell| board.place_of(cell)).collect()
    }

    /// Follows a move of White's.
    pub fn answer(&mut self, board: &Board, place: Place, random: &mut SplitMix) {
        let played = board.in_window(place);
        let (answers, threats, slack) = self.answers();
        if let Some(&threat) = threats.iter().find(|&&threat| Some(threat) != played) {
            self.completes = Some(threat);
            return;
        }
        // Any answer that the page allows: to this reply, to elsewhere, to another reply if it has
        // slack to spare, or any at all if the proof believed in this stone before.
        let holds = |(reply, link): &&(Option<Cell>, Link)| {
            let outside = played.is_none_or(|cell| !self.strategy.zone(link).contains(&cell));
            let spare = match (slack, self.strategy.nodes[link.node].slack) {
                (Some(slack), Some(below)) => below > slack,
                _ => true,
            };
            reply.is_some() && *reply == played
                || outside && (reply.is_none() || spare)
                || played.is_some_and(|cell| self.believed.contains(&cell))
        };
        let holding: Vec<&(Option<Cell>, Link)> = answers.iter().filter(holds).collect();
        assert!(!holding.is_empty(), "{}: no answer\n{}", self.strategy.question, board.show());
        let (reply, link) = holding[random.below(holding.len() as u32) as usize];
        self.believed.extend(reply);
        self.at = link.clone();
    }
}
