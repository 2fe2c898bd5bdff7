//! Values of games beside the `cgt` crate: all Domineering rectangles up to 5×5, random games of
//! depth 5, and a sum of switches.
//!
//! The crate has another licence than this program, so it is measured as a program of its own, built
//! on demand (docs/cgt.md); without it only our times are told. Both print a fingerprint of all
//! means and temperatures, and must agree.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use hasami_cgt::rules::domineering::{Board, Domineering};
use hasami_cgt::{Convention, Exhausted, Games, Unvalued, Value, Valuer};

use crate::figures::{Failure, Figure, Figures};

/// Names the program where it is not beside this one.
const VARIABLE: &str = "HASAMI_RIVAL_CGT";
const PROGRAM: &str = "hasami-rival-cgt";

/// Each part by both in turn, several times; each side's best time counts.
pub fn run(quick: bool, figures: &mut Figures) -> Result<(), Failure> {
    let rival = rival();
    if rival.is_none() {
        eprintln!("{PROGRAM} is neither beside this program nor named by {VARIABLE}: no ratios");
    }
    let (side, games) = if quick { (4, 300) } else { (5, 3000) };
    let parts: [(&str, u64, Work); 3] =
        [("domineering", side, domineering), ("random", games, random), ("switches", 12, switches)];
    for (part, number, work) in parts {
        figures.push(compared(part, number, work, rival.as_ref(), if quick { 1 } else { 7 })?);
    }
    let (seconds, _) = measured(16, switches)?;
    figures.push(Figure {
        what: "sum of ±1 to ±16".to_string(),
        values: format!("{:.1} ms to one second", seconds * 1e3),
        ratio: seconds,
        goal: Some(("<= 1", seconds <= 1.0)),
    });
    Ok(())
}

type Work = fn(&mut Games, u64) -> Result<Vec<Value>, Unvalued>;

fn compared(
    part: &str,
    number: u64,
    work: Work,
    rival: Option<&PathBuf>,
    rounds: u32,
) -> Result<Figure, Failure> {
    let what = match part {
        "domineering" => format!("Domineering to {number}x{number}"),
        "random" => format!("{number} random games of depth 5"),
        _ => format!("sum of ±1 to ±{number}"),
    };
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        let (seconds, fingerprint) = measured(number, work)?;
        ours = ours.min(seconds);
        let Some(program) = rival else { continue };
        let (seconds, other) = asked(program, part, number)?;
        theirs = theirs.min(seconds);
        if other != fingerprint {
            return Err(Failure(format!("{what}: {fingerprint}, the cgt crate {other}")));
        }
    }
    let ratio = theirs / ours;
    Ok(match rival {
        Some(_) => Figure {
            what,
            values: format!("{:.1} ms, cgt crate {:.1} ms", ours * 1e3, theirs * 1e3),
            ratio,
            goal: (part != "switches").then_some((">= 5", ratio >= 5.0)),
        },
        None => Figure {
            what,
            values: format!("{:.1} ms to one second", ours * 1e3),
            ratio: ours,
            goal: None,
        },
    })
}

/// Seconds, and a fingerprint of what was found.
fn measured(number: u64, work: Work) -> Result<(f64, String), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(error.to_string());
    let mut games = Games::new();
    let started = Instant::now();
    let values = work(&mut games, number).map_err(|error| failed(&error))?;
    let seconds = started.elapsed().as_secs_f64();
    let print = fingerprint(&mut games, &values).map_err(|error| failed(&error))?;
    Ok((seconds, print))
}

/// FNV-1a over means and temperatures.
fn fingerprint(games: &mut Games, values: &[Value]) -> Result<String, Exhausted> {
    let mut print = 0xcbf2_9ce4_8422_2325u64;
    for &value in values {
        let mean = games.mean(value)?;
        let temperature = games.temperature(value, Convention::Negative)?;
        for byte in format!("{mean} {temperature};").bytes() {
            print = (print ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    Ok(format!("{print:016x}"))
}

fn domineering(games: &mut Games, side: u64) -> Result<Vec<Value>, Unvalued> {
    let rules = Domineering;
    let mut valuer = Valuer::new(&rules);
    let mut values = Vec::new();
    let side = u8::try_from(side).expect("a small side");
    for height in 1..=side {
        for width in 1..=side {
            let board = Board::rectangle(width, height).expect("a small board");
            values.push(valuer.value(games, &board)?);
        }
    }
    Ok(values)
}

fn random(games: &mut Games, count: u64) -> Result<Vec<Value>, Unvalued> {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    (0..count).map(|_| Ok(game(games, &mut dice, 5)?)).collect()
}

/// One or two options on either side, down to integers from −5 to 5.
fn game(games: &mut Games, dice: &mut Dice, depth: u32) -> Result<Value, Exhausted> {
    if depth == 0 {
        return games.integer(dice.below(11) as i64 - 5);
    }
    let (mut sides, mut counts) = ([[games.zero(); 2]; 2], [0; 2]);
    for (side, count) in sides.iter_mut().zip(&mut counts) {
        *count = 1 + dice.below(2) as usize;
        for option in &mut side[..*count] {
            *option = game(games, dice, depth - 1)?;
        }
    }
    games.make(&sides[0][..counts[0]], &sides[1][..counts[1]])
}

fn switches(games: &mut Games, last: u64) -> Result<Vec<Value>, Unvalued> {
    let mut sum = games.zero();
    for n in 1..=last {
        let number = games.integer(n as i64)?;
        let switch = games.switch(number)?;
        sum = games.add(sum, switch)?;
    }
    Ok(vec![sum])
}

/// xorshift64, the same in the other program.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % end
    }
}

fn rival() -> Option<PathBuf> {
    if let Some(program) = std::env::var_os(VARIABLE) {
        return Some(PathBuf::from(program));
    }
    let beside = std::env::current_exe().ok()?.with_file_name(PROGRAM);
    beside.is_file().then_some(beside)
}

/// The same part by the other program.
fn asked(program: &PathBuf, part: &str, number: u64) -> Result<(f64, String), Failure> {
    let failed = |what: String| Failure(format!("{}: {what}", program.display()));
    let output = Command::new(program)
        .args([part, &number.to_string()])
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut words = text.split_whitespace();
    let seconds = words.next().and_then(|word| word.parse().ok());
    match (seconds, words.next()) {
        (Some(seconds), Some(fingerprint)) if output.status.success() => {
            Ok((seconds, fingerprint.to_string()))
        }
        _ => Err(failed(format!("{}, answered `{}`", output.status, text.trim()))),
    }
}
