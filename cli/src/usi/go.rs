//! What follows `go`: what is asked for, and for how long.

use std::time::Duration;

use hasami_shogi::Side;
use hasami_shogi::question::MAX_PLIES;

/// Left of the time on a clock for the way to the GUI and back.
const MARGIN: Duration = Duration::from_millis(50);
/// The shortest time for a move on a clock.
const LEAST: Duration = Duration::from_millis(10);
/// The part of the time on a clock that one move may take.
const MOVES_LEFT: u64 = 20;

/// How to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `checkmate …`
    Mate,
    /// `bestmove …`
    Move,
}

/// A search that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Go {
    /// How to answer.
    pub purpose: Purpose,
    /// How long to search; while the answer is kept, without end.
    pub time: Option<Duration>,
    /// How many nodes to search.
    pub nodes: Option<u64>,
    /// How many plies a mate may take.
    pub plies: Option<u64>,
    /// Keep the answer until the user asks to stop.
    pub hold: bool,
}

impl Go {
    /// How a line is to be answered, even if the rest of it is wrong.
    pub fn purpose(words: &[&str]) -> Purpose {
        if words.contains(&"mate") { Purpose::Mate } else { Purpose::Move }
    }

    /// Reads what follows `go`; `turn` is the side to move.
    ///
    /// # Errors
    /// The first word that is wrong, and what was expected.
    pub fn read(words: &[&str], turn: Side) -> Result<Self, String> {
        let purpose = Self::purpose(words);
        let (mut time, mut nodes, mut plies, mut hold) = (None, None, None, false);
        let (mut left, mut added, mut byoyomi) = (None, 0, None);
        let (own_time, own_added) = match turn {
            Side::Black => ("btime", "binc"),
            Side::White => ("wtime", "winc"),
        };
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let mut number = || {
                let found = words.next();
                found.and_then(parse).ok_or_else(|| {
                    let found = found.unwrap_or("nothing");
                    format!("{word}: found {found:?}; expected a whole number")
                })
            };
            match word {
                "mate" => match words.next_if(|next| *next == "infinite") {
                    Some(_) => {}
                    None if words.peek().is_none() => {}
                    None => time = words.next().map(|text| milliseconds(word, text)).transpose()?,
                },
                "infinite" | "ponder" => hold = purpose == Purpose::Move,
                "movetime" => time = Some(Duration::from_millis(number()?)),
                "nodes" => nodes = Some(number()?),
                "depth" => plies = Some(number()?.clamp(1, MAX_PLIES.into())),
                "byoyomi" => byoyomi = Some(number()?),
                "btime" | "wtime" | "binc" | "winc" => {
                    let found = number()?;
                    if word == own_time {
                        left = Some(found);
                    } else if word == own_added {
                        added = found;
                    }
                }
                "movestogo" => drop(number()?),
                _ => {
                    return Err(format!(
                        "found {word:?}; expected mate, infinite, ponder, movetime, nodes, depth, \
                         btime, wtime, binc, winc or byoyomi"
                    ));
                }
            }
        }
        if time.is_none() && (left.is_some() || byoyomi.is_some()) {
            let left = left.unwrap_or(0).saturating_add(added);
            let byoyomi = byoyomi.unwrap_or(0);
            let share = (left / MOVES_LEFT).saturating_add(added).min(left);
            let all = Duration::from_millis(share.saturating_add(byoyomi));
            time = Some(all.saturating_sub(MARGIN).max(LEAST));
        }
        Ok(Self { purpose, time, nodes, plies, hold })
    }
}

fn milliseconds(word: &str, text: &str) -> Result<Duration, String> {
    let expected = || format!("{word}: found {text:?}; expected milliseconds or infinite");
    parse(text).map(Duration::from_millis).ok_or_else(expected)
}

/// A whole number; one below 0 counts as 0, as clocks that have run over do.
fn parse(text: &str) -> Option<u64> {
    text.parse::<i64>().ok().map(|number| u64::try_from(number).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Go, String> {
        Go::read(&line.split_whitespace().collect::<Vec<_>>(), Side::White)
    }

    #[test]
    fn mates_are_asked_for_with_a_time_or_without_end() {
        let time = |line| read(line).map(|go| (go.purpose, go.time, go.hold)).unwrap();
        let second = Some(Duration::from_secs(1));
        assert_eq!(time("mate 1000"), (Purpose::Mate, second, false));
        assert_eq!(time("mate infinite"), (Purpose::Mate, None, false));
        assert_eq!(time("mate"), (Purpose::Mate, None, false));
        assert_eq!(time("movetime 1000"), (Purpose::Move, second, false));
        assert_eq!(time("infinite"), (Purpose::Move, None, true));
        let least = Some(LEAST);
        assert_eq!(time("ponder btime 9 wtime 9 byoyomi 9"), (Purpose::Move, least, true));
        assert_eq!(time(""), (Purpose::Move, None, false));
    }

    #[test]
    fn a_clock_is_shared_among_the_moves_that_may_come() {
        let time = |line| read(line).unwrap().time.unwrap().as_millis();
        assert_eq!(time("btime 1 wtime 20000 byoyomi 0"), 950);
        assert_eq!(time("btime 9000 wtime 0 byoyomi 5000"), 4950);
        assert_eq!(time("btime 0 wtime 0 byoyomi 0"), 10, "it must still answer");
        assert_eq!(time("btime 0 wtime -5 byoyomi 1000"), 950);
        assert_eq!(time("btime 0 wtime 20000 binc 0 winc 1000"), 2000);
    }

    #[test]
    fn wrong_words_are_named() {
        for (line, named) in [
            ("mate soon", "\"soon\""),
            ("nodes", "nodes"),
            ("nodes 1e9", "\"1e9\""),
            ("movetime 99999999999999999999", "99999999999999999999"),
            ("searchmoves 7g7f", "searchmoves"),
        ] {
            let fault = read(line).unwrap_err();
            assert!(fault.contains(named), "{line}: {fault}");
        }
        assert_eq!(Go::purpose(&["mate", "soon"]), Purpose::Mate);
    }
}
