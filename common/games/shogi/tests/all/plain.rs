//! A second program for shogi mates: a board of 81 numbers, moves by trying, plain deepening. It
//! shares no code with the crate; it reads SFEN itself.

use std::collections::HashMap;

/// 1 to 8 are pawn, lance, knight, silver, gold, bishop, rook, king; 8 more if promoted; negative
/// for White.
const LETTERS: &str = ".PLNSGBRK";
const KING: i8 = 8;

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Plain {
    /// By rank, then by column from the left.
    board: [[i8; 9]; 9],
    /// Counts by kind, Black's then White's.
    hands: [[u8; 8]; 2],
    /// 1 if Black is to move, -1 if White.
    turn: i8,
}

#[derive(Clone, Copy)]
enum Step {
    Piece { from: (i8, i8), to: (i8, i8), promote: bool },
    Drop { kind: i8, to: (i8, i8) },
}

fn inside(rank: i8, column: i8) -> bool {
    (0..9).contains(&rank) && (0..9).contains(&column)
}

/// Whether a piece reaches a square `ranks` up (negative) or down and `columns` aside at `distance`
/// steps in that direction with nothing between. The piece is Black's.
fn goes(piece: i8, ranks: i8, columns: i8, distance: i8) -> bool {
    let (straight, slanted) = (ranks == 0 || columns == 0, ranks != 0 && columns != 0);
    let near = distance == 1;
    match piece {
        1 => near && ranks == -1 && columns == 0,
        2 => ranks == -1 && columns == 0,
        4 => near && (ranks == -1 || (ranks == 1 && columns != 0)),
        5 | 9 | 10 | 11 | 12 => near && (straight || ranks == -1),
        6 => slanted,
        7 => straight,
        8 => near,
        14 => slanted || near,
        15 => straight || near,
        _ => false,
    }
}

impl Plain {
    pub fn read(sfen: &str) -> Self {
        let mut words = sfen.split(' ');
        let mut board = [[0; 9]; 9];
        for (rank, row) in words.next().expect("a board").split('/').enumerate() {
            let mut column = 0;
            let mut more = 0;
            for sign in row.chars() {
                if let Some(empty) = sign.to_digit(10) {
                    column += empty as usize;
                } else if sign == '+' {
                    more = 8;
                } else {
                    let kind =
                        LETTERS.find(sign.to_ascii_uppercase()).expect("a piece") as i8 + more;
                    board[rank][column] = if sign.is_ascii_uppercase() { kind } else { -kind };
                    column += 1;
                    more = 0;
                }
            }
        }
        let turn = if words.next() == Some("w") { -1 } else { 1 };
        let mut hands = [[0; 8]; 2];
        let mut count = 0;
        for sign in words.next().unwrap_or("-").chars().filter(|&sign| sign != '-') {
            if let Some(digit) = sign.to_digit(10) {
                count = count * 10 + digit as u8;
            } else {
                let kind = LETTERS.find(sign.to_ascii_uppercase()).expect("a piece");
                hands[usize::from(sign.is_ascii_lowercase())][kind] += count.max(1);
                count = 0;
            }
        }
        Self { board, hands, turn }
    }

    fn at(&self, (rank, column): (i8, i8)) -> i8 {
        self.board[rank as usize][column as usize]
    }

    fn hand(&self, side: i8) -> &[u8; 8] {
        &self.hands[usize::from(side < 0)]
    }

    fn king(&self, side: i8) -> Option<(i8, i8)> {
        let all = (0..9).flat_map(|rank| (0..9).map(move |column| (rank, column)));
        all.into_iter().find(|&at| self.at(at) == KING * side)
    }

    /// Whether a side attacks a square: looks outwards from it.
    fn attacked(&self, (rank, column): (i8, i8), by: i8) -> bool {
        for ranks in -1..=1 {
            for columns in -1..=1 {
                if ranks == 0 && columns == 0 {
                    continue;
                }
                for distance in 1.. {
                    let at = (rank + ranks * distance, column + columns * distance);
                    if !inside(at.0, at.1) {
                        break;
                    }
                    let piece = self.at(at) * by;
                    // The piece looks back, and White's pieces look down.
                    if piece > 0 && goes(piece, -ranks * by, -columns, distance) {
                        return true;
                    }
                    if piece != 0 {
                        break;
                    }
                }
            }
        }
        [-1, 1].into_iter().any(|aside| {
            let at = (rank + 2 * by, column + aside);
            inside(at.0, at.1) && self.at(at) == 3 * by
        })
    }

    fn in_check(&self, side: i8) -> bool {
        self.king(side).is_some_and(|king| self.attacked(king, -side))
    }

    fn after(&self, step: Step) -> Self {
        let mut next = self.clone();
        let own = usize::from(self.turn < 0);
        match step {
            Step::Drop { kind, to } => {
                next.board[to.0 as usize][to.1 as usize] = kind * self.turn;
                next.hands[own][kind as usize] -= 1;
            }
            Step::Piece { from, to, promote } => {
                let taken = self.at(to).abs();
                if taken != 0 {
                    next.hands[own][if taken > 8 { taken - 8 } else { taken } as usize] += 1;
                }
                let piece = self.at(from) + if promote { 8 * self.turn } else { 0 };
                next.board[to.0 as usize][to.1 as usize] = piece;
                next.board[from.0 as usize][from.1 as usize] = 0;
            }
        }
        next.turn = -self.turn;
        next
    }

    /// Ranks to the far end: 0 is the last one.
    fn to_go(&self, rank: i8) -> i8 {
        if self.turn > 0 { rank } else { 8 - rank }
    }

    fn stuck(&self, kind: i8, rank: i8) -> bool {
        match kind {
            1 | 2 => self.to_go(rank) == 0,
            3 => self.to_go(rank) < 2,
            _ => false,
        }
    }

    fn pushes(&self, from: (i8, i8), to: (i8, i8), list: &mut Vec<Step>) {
        if self.at(to) * self.turn > 0 {
            return;
        }
        let kind = self.at(from).abs();
        let near = self.to_go(from.0) < 3 || self.to_go(to.0) < 3;
        if near && kind < 8 && kind != 5 {
            list.push(Step::Piece { from, to, promote: true });
        }
        if !self.stuck(kind, to.0) {
            list.push(Step::Piece { from, to, promote: false });
        }
    }

    /// All moves of pieces, legal or not.
    fn piece_moves(&self, list: &mut Vec<Step>) {
        for rank in 0..9 {
            for column in 0..9 {
                let piece = self.at((rank, column)) * self.turn;
                if piece <= 0 {
                    continue;
                }
                if piece == 3 {
                    for aside in [-1, 1] {
                        let to = (rank - 2 * self.turn, column + aside);
                        if inside(to.0, to.1) {
                            self.pushes((rank, column), to, list);
                        }
                    }
                    continue;
                }
                for ranks in -1..=1 {
                    for columns in -1..=1 {
                        for distance in 1..9 {
                            let to = (rank + ranks * distance, column + columns * distance);
                            let still = ranks == 0 && columns == 0;
                            if still
                                || !inside(to.0, to.1)
                                || !goes(piece, ranks * self.turn, columns, distance)
                            {
                                break;
                            }
                            self.pushes((rank, column), to, list);
                            if self.at(to) != 0 {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Drops on empty squares, but for the rule of pawn-drop mate; in check only where they are on
    /// a line with the king.
    fn drops(&self, list: &mut Vec<Step>) {
        let king = self.king(self.turn).filter(|_| self.in_check(self.turn));
        for rank in 0..9i8 {
            for column in 0..9i8 {
                let to = (rank, column);
                let aligned = king.is_none_or(|(r, c)| {
                    r == rank || c == column || (r - rank).abs() == (c - column).abs()
                });
                if self.at(to) != 0 || !aligned {
                    continue;
                }
                for kind in 1..8 {
                    let pawn = |r: i8| self.at((r, column)) == self.turn;
                    if self.hand(self.turn)[kind as usize] > 0
                        && !self.stuck(kind, rank)
                        && !(kind == 1 && (0..9).any(pawn))
                    {
                        list.push(Step::Drop { kind, to });
                    }
                }
            }
        }
    }

    /// All positions after a legal move; after a check only, if `checks`.
    fn children(&self, checks: bool) -> Vec<Self> {
        let mut list = Vec::new();
        self.piece_moves(&mut list);
        self.drops(&mut list);
        let mut found = Vec::new();
        for step in list {
            let next = self.after(step);
            if (checks && !next.in_check(next.turn)) || next.in_check(self.turn) {
                continue;
            }
            let pawn = matches!(step, Step::Drop { kind: 1, .. });
            if pawn && next.in_check(next.turn) && next.children(false).is_empty() {
                continue;
            }
            found.push(next);
        }
        found
    }

    /// Whether the side to move mates within so many plies.
    pub fn mates(&self, plies: u32, memo: &mut Memo) -> Option<bool> {
        let children = self.children(true);
        let mut answer = Some(false);
        for child in children {
            match child.mated(plies - 1, memo) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => answer = None,
            }
        }
        answer
    }

    /// Whether the side to move, in check, is mated within so many plies.
    pub fn mated(&self, plies: u32, memo: &mut Memo) -> Option<bool> {
        if let Some(&(yes, no)) = memo.known.get(self) {
            if plies >= yes {
                return Some(true);
            }
            if plies < no {
                return Some(false);
            }
        }
        memo.left = memo.left.checked_sub(1)?;
        let children = self.children(false);
        let mut answer = Some(true);
        if plies < 2 {
            answer = Some(children.is_empty());
        } else {
            for child in children {
                match child.mates(plies - 1, memo) {
                    Some(true) => {}
                    Some(false) => {
                        answer = Some(false);
                        break;
                    }
                    None => answer = None,
                }
            }
        }
        // Mated within `yes` and more; not within less than `no`.
        let known = memo.known.entry(self.clone()).or_insert((u32::MAX, 0));
        match answer {
            Some(true) => known.0 = known.0.min(plies),
            Some(false) => known.1 = known.1.max(plies + 1),
            None => {}
        }
        answer
    }
}

/// What one search has found out, and how many positions it may still look at.
pub struct Memo {
    known: HashMap<Plain, (u32, u32)>,
    left: u64,
}

impl Memo {
    pub fn new(left: u64) -> Self {
        Self { known: HashMap::new(), left }
    }
}

/// The fewest plies within `most` in which the side to move mates; `Err` if that takes too long.
pub fn shortest(sfen: &str, most: u32, patience: u64) -> Result<Option<u32>, ()> {
    let position = Plain::read(sfen);
    let mut memo = Memo::new(patience);
    for plies in (1..=most).step_by(2) {
        if position.mates(plies, &mut memo).ok_or(())? {
            return Ok(Some(plies));
        }
    }
    Ok(None)
}

impl Plain {
    /// The position after the only checker of the side to move, at a distance, has taken what `self`
    /// is after (an interposition in `before`), with the taken piece in the hand of the other side.
    fn taken_back(&self, before: &Self) -> Vec<Self> {
        let side = before.turn;
        let Some(king) = before.king(side) else { return Vec::new() };
        let mut checkers = Vec::new();
        for rank in 0..9 {
            for column in 0..9 {
                if before.at((rank, column)) * side < 0 {
                    let mut without = before.clone();
                    without.board[rank as usize][column as usize] = 0;
                    if !without.attacked(king, -side) {
                        checkers.push((rank, column));
                    }
                }
            }
        }
        // With two checkers, taking one away leaves the other.
        let [checker] = checkers[..] else { return Vec::new() };
        if self.king(side) != Some(king) || self.at(checker) != before.at(checker) {
            return Vec::new();
        }
        let mut steps = Vec::new();
        self.piece_moves(&mut steps);
        let mut found = Vec::new();
        for step in steps {
            let Step::Piece { from, to, .. } = step else { continue };
            let on_line = {
                let (dr, dc) = (checker.0 - king.0, checker.1 - king.1);
                let (er, ec) = (to.0 - king.0, to.1 - king.1);
                let unit = |a: i8, b: i8| (a.signum(), b.signum());
                let straight = dr == 0 || dc == 0 || dr.abs() == dc.abs();
                let same = er == 0 || ec == 0 || er.abs() == ec.abs();
                straight
                    && same
                    && unit(dr, dc) == unit(er, ec)
                    && er.abs().max(ec.abs()) < dr.abs().max(dc.abs())
            };
            if from != checker || !on_line || self.at(to) == 0 {
                continue;
            }
            let mut next = self.after(step);
            if next.in_check(self.turn) || !next.in_check(side) {
                continue;
            }
            let kind = self.at(to).abs();
            let kind = usize::try_from(if kind > 8 { kind - 8 } else { kind }).expect("a kind");
            next.hands[usize::from(self.turn < 0)][kind] -= 1;
            next.hands[usize::from(side < 0)][kind] += 1;
            found.push(next);
        }
        found
    }

    /// The replies: those that are never futile, and those that the checker can take.
    fn sorted_replies(&self) -> (Vec<Self>, Vec<(Self, Vec<Self>)>) {
        let (mut plain, mut between) = (Vec::new(), Vec::new());
        for child in self.children(false) {
            let taken = child.taken_back(self);
            if taken.is_empty() {
                plain.push(child);
            } else {
                between.push((child, taken));
            }
        }
        (plain, between)
    }
}

/// The length of a mate without futile interpositions, by the rule of docs/shogi.md written down as
/// it stands; the inner `None` if it is more than `most`, `Err` if that takes too long.
pub fn futile_length(
    position: &Plain,
    attacks: bool,
    most: u32,
    memo: &mut HashMap<(Plain, bool, u32), Option<u32>>,
    patience: &mut u64,
) -> Result<Option<u32>, ()> {
    let key = (position.clone(), attacks, most);
    if let Some(&known) = memo.get(&key) {
        return Ok(known);
    }
    *patience = patience.checked_sub(1).ok_or(())?;
    let found = if attacks {
        let mut best = None;
        if most > 0 {
            for child in position.children(true) {
                let most = best.map_or(most - 1, |best: u32| best - 1);
                if let Some(length) = futile_length(&child, false, most, memo, patience)? {
                    best = Some(best.map_or(length + 1, |best: u32| best.min(length + 1)));
                }
            }
        }
        best
    } else {
        defended(position, most, memo, patience)?
    };
    memo.insert(key, found);
    Ok(found)
}

fn defended(
    position: &Plain,
    most: u32,
    memo: &mut HashMap<(Plain, bool, u32), Option<u32>>,
    patience: &mut u64,
) -> Result<Option<u32>, ()> {
    let (plain, between) = position.sorted_replies();
    let mut base = 0;
    for child in &plain {
        let Some(below) = most.checked_sub(1) else { return Ok(None) };
        match futile_length(child, true, below, memo, patience)? {
            Some(length) => base = base.max(length + 1),
            None => return Ok(None),
        }
    }
    let mut longest = base;
    for (child, taken) in &between {
        let mut futile = false;
        for next in taken {
            futile |= futile_length(next, false, base, memo, patience)?.is_some();
        }
        if futile {
            continue;
        }
        let Some(below) = most.checked_sub(1) else { return Ok(None) };
        match futile_length(child, true, below, memo, patience)? {
            Some(length) => longest = longest.max(length + 1),
            None => return Ok(None),
        }
    }
    Ok(Some(longest))
}

/// How many checks mate within so many plies, and whether the one that leads to `main` is among them;
/// `Err` if that takes too long.
#[allow(dead_code, reason = "tests of other crates use it")]
pub fn mating_checks(
    sfen: &str,
    main: &str,
    plies: u32,
    patience: u64,
) -> Result<(usize, bool), ()> {
    let mut memo = Memo::new(patience);
    let main = Plain::read(main);
    let (mut count, mut found) = (0, None);
    for child in Plain::read(sfen).children(true) {
        let mates = child.mated(plies - 1, &mut memo).ok_or(())?;
        count += usize::from(mates);
        if child == main {
            found = Some(mates);
        }
    }
    Ok((count, found.expect("the main move is a check")))
}
