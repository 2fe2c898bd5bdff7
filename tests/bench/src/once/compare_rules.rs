//! Three databases of one board of Pyonpyon shogi, one for each rule about players without a move: how
//! often do they agree, and is a win under `draw` a win under all?

use std::path::{Path, PathBuf};

use hasami_database::{Reader, Value};

use crate::figures::Failure;

/// The three databases.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// With `no-move=pass`
    pass: PathBuf,
    /// With `no-move=loses`
    loses: PathBuf,
    /// With `no-move=draw`
    draw: PathBuf,
}

/// Prints how they agree.
pub fn run(args: &Args) -> Result<(), Failure> {
    let all = |file: &Path| -> Result<Vec<u8>, Failure> {
        let mut values = Vec::new();
        Reader::open(file)?.for_each_block(|block| values.extend_from_slice(block))?;
        Ok(values)
    };
    let (pass, loses, draw) = (all(&args.pass)?, all(&args.loses)?, all(&args.draw)?);
    let outcome = |value: Value| (value.is_win(), value.is_loss());
    let (mut positions, mut agree, mut proof, mut broken, mut draws) =
        (0u64, 0u64, 0u64, 0u64, 0u64);
    let mut two_agree = 0u64;
    let mut longest = [0; 3];
    let mut by_plies = [0u64; 256];
    for ((&pass, &loses), &draw) in pass.iter().zip(&loses).zip(&draw) {
        let values = [Value(pass), Value(loses), Value(draw)];
        if values.contains(&Value::NONE) {
            continue;
        }
        positions += 1;
        let outcomes = values.map(outcome);
        agree += u64::from(outcomes[0] == outcomes[1] && outcomes[1] == outcomes[2]);
        two_agree += u64::from(outcomes[0] == outcomes[1]);
        draws += u64::from(values[2] == Value::DRAW);
        if values[2].is_win() {
            proof += 1;
            broken += u64::from(!values[0].is_win() || !values[1].is_win());
        }
        for (longest, value) in longest.iter_mut().zip(values) {
            *longest = value.plies().unwrap_or(0).max(*longest);
        }
        if values[0].is_win() {
            by_plies[usize::from(pass)] += 1;
        }
    }
    println!(
        "{positions} positions, outcome the same under all rules in {agree}, {draws} draws under draw"
    );
    println!("{proof} wins under draw, of which {broken} are no win under another rule");
    println!("pass and loses have the same outcome in {two_agree}");
    println!("longest: pass {}, loses {}, draw {}", longest[0], longest[1], longest[2]);
    let long: u64 = by_plies[51..].iter().sum();
    println!("wins of more than 50 plies under pass: {long}");
    Ok(())
}
