//! Certificates taken apart, to forge them: a second reading of the format, from
//! docs/certificates.md, that checks nothing.

use std::path::Path;

use sha2::{Digest, Sha256};

/// What comes before the parts of a file.
pub const START: &[u8] = b"HASAMIC\x02";
const HASH: usize = 32;
/// The first byte of a yield.
const YIELD: u8 = 8;

/// The decompressed parts of a file.
///
/// # Panics
/// If it is not as the format says.
pub fn parts(path: &Path) -> Vec<Vec<u8>> {
    let bytes = std::fs::read(path).expect("a certificate");
    assert!(bytes.starts_with(START), "{} starts as a certificate does", path.display());
    let (body, hash) = bytes.split_at(bytes.len() - HASH);
    assert_eq!(hash, &Sha256::digest(body)[..], "the hash of {}", path.display());
    let mut rest = &body[START.len()..];
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let length = zstd::zstd_safe::find_frame_compressed_size(rest).expect("a frame");
        parts.push(zstd::decode_all(&rest[..length]).expect("a whole frame"));
        rest = &rest[length..];
    }
    parts
}

/// A file with these parts and a hash that fits: only what it says can be wrong.
pub fn file(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = START.to_vec();
    for part in parts {
        bytes.extend(zstd::encode_all(&part[..], 1).expect("memory takes bytes"));
    }
    let hash = Sha256::digest(&bytes);
    bytes.extend(&hash[..]);
    bytes
}

/// A part: the lines of its header, and its tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Without the empty line.
    pub header: Vec<String>,
    /// The root.
    pub root: Node,
    /// How the tree is written, whatever a forged header says.
    layout: Layout,
}

/// A node with everything below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Rule and data.
    Leaf(u8, Vec<u8>),
    /// Kept, move, and what follows.
    One(bool, Vec<u8>, Box<Node>),
    /// Kept, moves with what follows each, and closing data.
    All(bool, Vec<(Vec<u8>, Node)>, Closing),
    /// How far back, last reference, symmetry.
    Same(u64, bool, Vec<u8>),
    /// A rank, and the node about the state with that rank.
    Yield(u64, Box<Node>),
}

/// The closing data of an ALL in achievement games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closing {
    /// In the strong game.
    pub slack: Option<u64>,
    /// Cells.
    pub threats: Vec<u8>,
    /// Cells.
    pub guards: Vec<u8>,
}

/// What the format leaves to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// Bytes of a move; `None` for a number.
    mv: Option<usize>,
    symmetry: usize,
    /// Closing data of an ALL, and with slack.
    closing: Option<bool>,
    /// A paving winner: moves alternate between placements and pairs.
    paving: bool,
    /// States have ranks.
    ranks: bool,
}

impl Part {
    /// Takes a part apart.
    ///
    /// # Panics
    /// If it is not as the format says.
    pub fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(2).position(|two| two == b"\n\n").expect("an empty line") + 2;
        let text = std::str::from_utf8(&bytes[..end - 1]).expect("text");
        let header: Vec<String> = text.lines().map(str::to_string).collect();
        let layout = Layout::of(&header);
        let mut reading = Reading { rest: &bytes[end..], layout };
        let root = reading.node(true);
        assert!(reading.rest.is_empty(), "bytes after the tree");
        Self { header, root, layout }
    }

    /// The value of a line of the header.
    pub fn line(&self, key: &str) -> Option<&str> {
        line(&self.header, key)
    }

    /// Whether nodes may be yields.
    pub fn has_ranks(&self) -> bool {
        self.layout.ranks
    }

    /// The bytes of the part.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = self.header.join("\n").into_bytes();
        out.extend(b"\n\n");
        self.root.put(&mut out, self.layout);
        out
    }
}

fn line<'a>(header: &'a [String], key: &str) -> Option<&'a str> {
    header.iter().rev().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '))
}

impl Layout {
    fn of(header: &[String]) -> Self {
        let rules = line(header, "rules").and_then(|rules| rules.split(' ').next());
        let proven = line(header, "verdict") == Some("proven");
        let strong = line(header, "game") == Some("strong");
        let plain =
            |mv, symmetry| Self { mv, symmetry, closing: None, paving: false, ranks: false };
        match rules.expect("a game") {
            "chomp" => plain(Some(2), 0),
            "quarto" => plain(Some(2), 4),
            "mancala" | "graph" => plain(None, 0),
            "synthetic" => plain(Some(1), 0),
            "shogi" => Self { ranks: true, ..plain(Some(2), 0) },
            "pyonpyon" => {
                let rows = line(header, "rows").and_then(|rows| rows.parse().ok());
                plain(None, rows.expect("a number of rows"))
            }
            "polyomino" | "mnk" if proven => Self { closing: Some(strong), ..plain(Some(1), 1) },
            "polyomino" | "mnk" => plain(Some(1), 1),
            "paving" => Self { paving: true, ..plain(Some(2), 1) },
            other => panic!("a game without a layout: {other}"),
        }
    }

    /// How many bytes a leaf has after its rule, and whether the first of them count them.
    fn data(self, rule: u8, black: bool) -> Data {
        match (rule, self.paving) {
            (1 | 2, true) if black => Data::Counted(if rule == 1 { 1 } else { 2 }),
            (3, true) => Data::Number,
            (3, false) if self.closing.is_none() && self.symmetry == 1 && self.mv == Some(1) => {
                Data::Fixed(1)
            }
            (4, false) if self.symmetry == 1 => Data::Counted(1),
            _ => Data::Fixed(0),
        }
    }
}

enum Data {
    Fixed(usize),
    /// A number, and so many times as many bytes.
    Counted(usize),
    Number,
}

struct Reading<'a> {
    rest: &'a [u8],
    layout: Layout,
}

impl Reading<'_> {
    fn take(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken.to_vec()
    }

    fn number(&mut self) -> (u64, Vec<u8>) {
        let before = self.rest;
        let number = hasami_varint::take(&mut self.rest).expect("a number");
        (number, before[..before.len() - self.rest.len()].to_vec())
    }

    fn counted(&mut self, times: usize) -> Vec<u8> {
        let (count, mut bytes) = self.number();
        bytes.extend(self.take(count as usize * times));
        bytes
    }

    fn mv(&mut self, black: bool) -> Vec<u8> {
        match self.layout.mv {
            _ if self.layout.paving && black => self.counted(1),
            Some(bytes) => self.take(bytes),
            None => self.number().1,
        }
    }

    fn node(&mut self, black: bool) -> Node {
        let tag = self.take(1)[0];
        if self.layout.ranks && tag == YIELD {
            let (rank, _) = self.number();
            return Node::Yield(rank, Box::new(self.node(black)));
        }
        let flag = tag & 4 != 0;
        match tag & 3 {
            0 => {
                let rule = self.take(1)[0];
                let data = match self.layout.data(rule, black) {
                    Data::Fixed(bytes) => self.take(bytes),
                    Data::Counted(times) => self.counted(times),
                    Data::Number => self.number().1,
                };
                Node::Leaf(rule, data)
            }
            1 => Node::One(flag, self.mv(black), Box::new(self.node(!black))),
            2 => {
                let (count, _) = self.number();
                let moves = (0..count).map(|_| (self.mv(black), self.node(!black))).collect();
                let closing = self.layout.closing.map(|strong| Closing {
                    slack: strong.then(|| self.number().0),
                    threats: self.counted(1)[1..].to_vec(),
                    guards: self.counted(1)[1..].to_vec(),
                });
                Node::All(flag, moves, closing.unwrap_or_default())
            }
            _ => {
                let (back, _) = self.number();
                let symmetry = self.take(self.layout.symmetry);
                Node::Same(back, flag, symmetry)
            }
        }
    }
}

impl Node {
    fn put(&self, out: &mut Vec<u8>, layout: Layout) {
        let flag = |set: bool| if set { 4 } else { 0 };
        match self {
            Self::Leaf(rule, data) => {
                out.extend([0, *rule]);
                out.extend(data);
            }
            Self::One(kept, mv, next) => {
                out.push(1 | flag(*kept));
                out.extend(mv);
                next.put(out, layout);
            }
            Self::All(kept, moves, closing) => {
                out.push(2 | flag(*kept));
                hasami_varint::write(out, moves.len() as u64);
                for (mv, next) in moves {
                    out.extend(mv);
                    next.put(out, layout);
                }
                if let Some(strong) = layout.closing {
                    if strong {
                        hasami_varint::write(out, closing.slack.unwrap_or(0));
                    }
                    for cells in [&closing.threats, &closing.guards] {
                        hasami_varint::write(out, cells.len() as u64);
                        out.extend(cells);
                    }
                }
            }
            Self::Same(back, last, symmetry) => {
                out.push(3 | flag(*last));
                hasami_varint::write(out, *back);
                out.extend(symmetry);
            }
            Self::Yield(rank, next) => {
                out.push(YIELD);
                hasami_varint::write(out, *rank);
                next.put(out, layout);
            }
        }
    }

    /// Number of nodes.
    pub fn count(&self) -> usize {
        1 + match self {
            Self::Leaf(..) | Self::Same(..) => 0,
            Self::One(_, _, next) | Self::Yield(_, next) => next.count(),
            Self::All(_, moves, _) => moves.iter().map(|(_, next)| next.count()).sum(),
        }
    }

    /// The node with this number, in the order of the tree from 0.
    pub fn at(&mut self, number: usize) -> Option<&mut Self> {
        if number == 0 {
            return Some(self);
        }
        let mut left = number - 1;
        let below: Vec<&mut Self> = match self {
            Self::Leaf(..) | Self::Same(..) => Vec::new(),
            Self::One(_, _, next) | Self::Yield(_, next) => vec![next],
            Self::All(_, moves, _) => moves.iter_mut().map(|(_, next)| next).collect(),
        };
        for node in below {
            let count = node.count();
            if left < count {
                return node.at(left);
            }
            left -= count;
        }
        None
    }
}
