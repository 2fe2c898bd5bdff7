//! A picture of a proof for a paper: the zone and White's replies that have answers, the first
//! answers, and the patterns with which Black wins in the end.

mod patterns;
mod svg;

use hasami_andor::Verdict;
use hasami_andor::certificate::Strategy;

use super::StoneGame;
use super::claim::Claim;
use super::read::{Link, Node, Tree};
use super::rules::{Cells, Rules, bits};
use patterns::patterns;
use svg::{Board, Mark, Svg};

/// Most answers that get a board of their own.
const ANSWERS: usize = 8;
/// Most patterns.
const PATTERNS: usize = 8;
/// Sizes of cells.
const LARGE: u32 = 26;
const SMALL: u32 = 9;
const PATTERN: u32 = 16;
/// Space between things.
const GAP: u32 = 22;
/// Boards in a row beside the large one.
const COLUMNS: u32 = 4;

/// A move of White's, and what the proof answers.
struct Answer {
    reply: Option<u8>,
    /// Black's move.
    cell: Option<u8>,
    claim: Claim,
}

/// The picture of a proof; `None` for a disproof.
pub fn picture<G: StoneGame>(game: &G, title: &str, strategy: &Strategy) -> Option<String> {
    if strategy.verdict() != Verdict::Proven {
        return None;
    }
    let rules = Rules::new(&game.field());
    let tree = Tree::read(&rules, Verdict::Proven, strategy.tree()).ok()?;
    let Node::One(Some(first), below) = *tree.node(tree.root.node) else {
        return None;
    };
    let answers = answers(&rules, &tree, below);
    let claim = tree.claim(tree.root.node);
    let desc = format!(
        "Black plays the black stone. Numbers are the replies of White that the proof answers, \
         shaded is its zone of {} cells: the darker a cell, the more of the answers rest on it. \
         Black needs at most {} stones.",
        claim.zone.count_ones(),
        claim.stones
    );
    let mut svg = Svg::new(title, &desc);
    let frame = Frame::around(&rules, claim.zone | 1 << first);
    let (width, height) = frame.size(LARGE);
    let top = 2 * GAP;
    main_board(&mut svg, &rules, &frame, first, claim.zone, &answers, top);
    let mut bottom = top + height + GAP;
    if answers.iter().any(|answer| answer.reply.is_none()) {
        let at = answers.iter().position(|answer| answer.reply.is_none()).unwrap_or(0);
        let text = format!("{}: White plays anywhere else", at + 1);
        svg.text(GAP, bottom, 12, &text);
        bottom += GAP;
    }
    let (small_width, small_height) = frame.size(SMALL);
    let left = 2 * GAP + width;
    let mut lowest = 0;
    for (at, answer) in answers.iter().take(ANSWERS).enumerate() {
        let (column, row) = (at as u32 % COLUMNS, at as u32 / COLUMNS);
        let x = left + column * (small_width + GAP);
        let y = top + row * (small_height + 2 * GAP);
        svg.text(x, y - 6, 12, &format!("{}", at + 1));
        let mut board = Board::new(frame.rows(), frame.columns(), SMALL, x, y);
        board.lines(&mut svg);
        shade(&mut svg, &board, &rules, &frame, answer.claim.zone, |_| 200);
        board.put(&mut svg, frame.place(&rules, first), Mark::Black);
        for (cell, mark) in [(answer.reply, Mark::White), (answer.cell, Mark::Ringed)] {
            cell.iter().for_each(|&cell| board.put(&mut svg, frame.place(&rules, cell), mark));
        }
        lowest = y + small_height;
    }
    let mut y = bottom.max(lowest + GAP) + GAP;
    let found = patterns(&rules, &tree);
    if !found.is_empty() {
        svg.text(GAP, y, 13, "How Black wins: the stones, and two cells that complete a shape");
        y += 10;
        let mut x = GAP;
        let tallest = found.iter().take(PATTERNS).map(|pattern| pattern.height).max().unwrap_or(1);
        for pattern in found.iter().take(PATTERNS) {
            let mut board = Board::new(pattern.height, pattern.width, PATTERN, x, y);
            for &place in &pattern.stones {
                board.cell(&mut svg, place);
                board.put(&mut svg, place, Mark::Black);
            }
            for &place in &pattern.threats {
                board.cell(&mut svg, place);
                board.put(&mut svg, place, Mark::Cross);
            }
            x += pattern.width * PATTERN + GAP;
        }
        y += tallest * PATTERN;
    }
    svg.extend(0, y + GAP);
    Some(svg.finish())
}

/// White's replies to the first stone, most of all answers first as they are in the tree.
fn answers(rules: &Rules, tree: &Tree, below: Link) -> Vec<Answer> {
    let Node::All(list, _) = tree.node(below.node) else {
        return Vec::new();
    };
    let turned = |cell: u8, symmetry: u8| rules.turned_cell(cell, symmetry);
    let answer = |&(reply, link): &(Option<u8>, Link)| {
        let symmetry = rules.composed(below.symmetry, link.symmetry);
        let cell = match tree.node(link.node) {
            Node::One(Some(cell), _) => Some(turned(*cell, symmetry)),
            _ => None,
        };
        let reply = reply.map(|reply| turned(reply, below.symmetry));
        Answer { reply, cell, claim: tree.claim(link.node).turned(rules, symmetry) }
    };
    list.iter().map(answer).collect()
}

fn main_board(
    svg: &mut Svg,
    rules: &Rules,
    frame: &Frame,
    first: u8,
    zone: Cells,
    answers: &[Answer],
    top: u32,
) {
    let mut board = Board::new(frame.rows(), frame.columns(), LARGE, GAP, top);
    board.lines(svg);
    let shade_of = |cell: u8| {
        let within = answers.iter().filter(|answer| answer.claim.zone >> cell & 1 == 1).count();
        235 - (115 * within / answers.len().max(1)) as u8
    };
    shade(svg, &board, rules, frame, zone, shade_of);
    board.put(svg, frame.place(rules, first), Mark::Black);
    for (at, answer) in answers.iter().enumerate() {
        if let Some(reply) = answer.reply {
            let place = frame.place(rules, reply);
            board.put(svg, place, Mark::White);
            board.number(svg, place, at + 1);
        }
    }
}

fn shade(
    svg: &mut Svg,
    board: &Board,
    rules: &Rules,
    frame: &Frame,
    zone: Cells,
    shade: impl Fn(u8) -> u8,
) {
    for cell in bits(zone) {
        board.shade(svg, frame.place(rules, cell), shade(cell));
    }
}

/// The part of the board that is shown.
struct Frame {
    top: u8,
    left: u8,
    bottom: u8,
    right: u8,
}

impl Frame {
    /// These cells and one around them, as far as the board goes.
    fn around(rules: &Rules, cells: Cells) -> Self {
        let rows = || bits(cells).map(|cell| cell / rules.width);
        let columns = || bits(cells).map(|cell| cell % rules.width);
        Self {
            top: rows().min().unwrap_or(0).saturating_sub(1),
            left: columns().min().unwrap_or(0).saturating_sub(1),
            bottom: (rows().max().unwrap_or(0) + 2).min(rules.height),
            right: (columns().max().unwrap_or(0) + 2).min(rules.width),
        }
    }

    fn rows(&self) -> u32 {
        (self.bottom - self.top).into()
    }

    fn columns(&self) -> u32 {
        (self.right - self.left).into()
    }

    /// Width and height with cells of this size.
    fn size(&self, cell: u32) -> (u32, u32) {
        (self.columns() * cell, self.rows() * cell)
    }

    /// Row and column of a cell in it. Replies outside the zone may lie outside: they are put on the
    /// edge.
    fn place(&self, rules: &Rules, cell: u8) -> (u32, u32) {
        let row = (cell / rules.width).clamp(self.top, self.bottom - 1);
        let column = (cell % rules.width).clamp(self.left, self.right - 1);
        ((row - self.top).into(), (column - self.left).into())
    }
}
