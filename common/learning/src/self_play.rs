//! Games from nothing: a small searcher plays against itself until mate. It looks two plies ahead by
//! material and by pieces near the kings, and for mates with a little search of its own, so its games
//! end as games of players do. Equal seeds give equal games.

use std::path::PathBuf;

use hasami_andor::Verdict;
use hasami_shogi::evaluation::FirstNumbers;
use hasami_shogi::square::each;
use hasami_shogi::{Kind, Move, Position, Side, Square, sfen};

use crate::draw::Stop;
use crate::search::search;
use crate::{Trouble, shard};

/// Games end here if nobody is mated.
const MOST_PLIES: usize = 320;
/// Nodes for a mate before every move.
const MATE_NODES: u64 = 300;
/// Chance among moves: up to this many hundredths of a pawn.
const NOISE: i32 = 60;
/// The first moves have more of it, so that games differ.
const OPENING: usize = 12;
/// A piece near the other king, in hundredths of a pawn.
const NEAR: i32 = 25;
const INFINITE: i32 = 1_000_000;

/// Plays a batch of games to a file in the directory, one a line, unless it is there. Returns its path
/// and how many games ended in mate.
///
/// # Errors
/// See [`Trouble`].
pub fn play(
    directory: &std::path::Path,
    (seed, batch): (u64, u64),
    count: usize,
    stop: Stop<'_>,
) -> Result<(PathBuf, usize), Trouble> {
    let file = file(directory, (seed, batch));
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let mut text = String::new();
            for number in 0..count as u64 {
                let start = blake3::hash(format!("{seed} {batch} {number}").as_bytes());
                let start = u64::from_le_bytes(*start.as_bytes().first_chunk().expect("32 bytes"));
                text.push_str(&game(&mut fastrand::Rng::with_seed(start), stop)?);
                text.push('\n');
            }
            std::fs::create_dir_all(directory).map_err(Trouble::io(directory))?;
            shard::save(&file, text.as_bytes())?;
            text
        }
        Err(error) => return Err(Trouble::io(&file)(error)),
    };
    let mates = text.lines().filter(|line| line.ends_with(MATED)).count();
    Ok((file, mates))
}

/// The file of a batch.
#[must_use]
pub fn file(directory: &std::path::Path, (seed, batch): (u64, u64)) -> PathBuf {
    directory.join(format!("self-play-{seed}-{batch:05}.usi"))
}

/// The second column of a game that ended in mate.
const MATED: &str = "\tmate";

fn game(rng: &mut fastrand::Rng, stop: Stop<'_>) -> Result<String, Trouble> {
    let mut position = sfen::read(sfen::START).expect("the first position");
    let mut text = "startpos moves".to_string();
    let mut list = Vec::new();
    for ply in 0..MOST_PLIES {
        if stop() {
            return Err(Trouble::Stopped);
        }
        list.clear();
        position.legal_moves(&mut list);
        if list.is_empty() {
            text.push_str(MATED);
            break;
        }
        let mv = match mate(&position, stop)? {
            Some(mv) => mv,
            None => best(&position, &list, rng, ply),
        };
        text.push(' ');
        text.push_str(&mv.to_string());
        position = position.play(mv);
    }
    Ok(text)
}

/// The first move of a mate, if a small search finds one.
fn mate(position: &Position, stop: Stop<'_>) -> Result<Option<Move>, Trouble> {
    if let Some(mv) = position.mate_in_one() {
        return Ok(Some(mv));
    }
    if !position.has_check() {
        return Ok(None);
    }
    let found = search(position, &FirstNumbers::Thumb, MATE_NODES, stop)?;
    if found.verdict != Some(Verdict::Proven) {
        return Ok(None);
    }
    Ok(found.winning_move())
}

fn best(position: &Position, list: &[Move], rng: &mut fastrand::Rng, ply: usize) -> Move {
    let noise = if ply < OPENING { 2 * NOISE } else { NOISE };
    let rate = |mv: &Move| {
        let next = position.play(*mv);
        (-replies(&next, -INFINITE, INFINITE) + rng.i32(0..noise), *mv)
    };
    let rated: Vec<(i32, Move)> = list.iter().map(rate).collect();
    // Of equal ones the first: the games must not depend on the order of a sort.
    let most = rated.iter().map(|(value, _)| *value).max().expect("a move");
    rated.into_iter().find(|(value, _)| *value == most).expect("the best move").1
}

/// The value for the side to move after its best move, and then captures that pay.
fn replies(position: &Position, mut least: i32, most: i32) -> i32 {
    let mut list = Vec::new();
    position.legal_moves(&mut list);
    if list.is_empty() {
        return -INFINITE / 2;
    }
    list.sort_by_key(|mv| position.piece_on(mv.to()).is_none());
    for mv in list {
        let value = -captures(&position.play(mv), -most, -least, 3);
        if value >= most {
            return value;
        }
        least = least.max(value);
    }
    least
}

/// The value when only captures are looked at, so that no exchange is left half done.
fn captures(position: &Position, mut least: i32, most: i32, depth: u32) -> i32 {
    let standing = value(position);
    if standing >= most || depth == 0 {
        return standing;
    }
    least = least.max(standing);
    let mut list = Vec::new();
    position.legal_moves(&mut list);
    list.retain(|mv| position.piece_on(mv.to()).is_some());
    for mv in list {
        let value = -captures(&position.play(mv), -most, -least, depth - 1);
        if value >= most {
            return value;
        }
        least = least.max(value);
    }
    least
}

/// Material and pieces near the kings, for the side to move.
fn value(position: &Position) -> i32 {
    let own = position.turn();
    let of = |side: Side| {
        let held: i32 = Kind::HELD
            .iter()
            .map(|&kind| position.hand(side).count(kind) as i32 * worth(kind) * 11 / 10)
            .sum();
        held + on_board(position, side)
    };
    of(own) - of(own.other())
}

fn on_board(position: &Position, side: Side) -> i32 {
    let king = position.king(side.other());
    let of = |square: Square| {
        let near = king.is_some_and(|king| {
            king.file().abs_diff(square.file()) <= 2 && king.rank().abs_diff(square.rank()) <= 2
        });
        worth(position.kind_on(square)) + if near { NEAR } else { 0 }
    };
    each(position.side(side)).map(of).sum()
}

/// In hundredths of a pawn.
fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 100,
        Kind::Lance => 300,
        Kind::Knight => 350,
        Kind::Silver => 500,
        Kind::Gold => 550,
        Kind::Bishop => 800,
        Kind::Rook => 950,
        Kind::King => 0,
        _ => match kind.base() {
            Kind::Bishop => 1100,
            Kind::Rook => 1250,
            _ => 550,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_shogi::record;

    #[test]
    fn games_are_legal_differ_and_come_again_with_their_seed() {
        let directory = tempfile::tempdir().unwrap();
        let go = || false;
        let (file, _) = play(directory.path(), (1, 0), 3, &go).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let games: Vec<&str> = text.lines().collect();
        assert_eq!(games.len(), 3);
        assert_ne!(games[0], games[1]);
        for game in games {
            let (moves, end) = game.split_once('\t').unwrap_or((game, ""));
            let read = record::read_usi(moves).unwrap();
            assert!(read.moves.len() > 20, "{game}");
            let last = read.last();
            let mut list = Vec::new();
            last.legal_moves(&mut list);
            assert_eq!(list.is_empty(), end == "mate", "{game}");
        }
        std::fs::remove_file(&file).unwrap();
        play(directory.path(), (1, 0), 3, &go).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        let (other, _) = play(directory.path(), (1, 1), 1, &go).unwrap();
        assert!(!text.contains(std::fs::read_to_string(other).unwrap().trim()));
    }
}
