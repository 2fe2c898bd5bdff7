//! Problems and game records beside the repository. They are not part of it: tests that read them
//! skip with a message where they are absent.

use std::path::{Path, PathBuf};
use std::process::Command;

use hasami_shogi::{Position, record, sfen};

/// The directory of the facts, if there is one beside the repository.
fn facts() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = own.ancestors().map(|above| above.join("shared/facts")).find(|path| path.is_dir());
    if found.is_none() {
        eprintln!("skipped: no directory shared/facts beside the repository");
    }
    found
}

/// The problems of a file: SFEN, length (if it is known) and name.
pub fn problems(name: &str) -> Vec<(String, Option<u32>, String)> {
    let Some(path) = facts().map(|facts| facts.join("tsume").join(name)) else { return Vec::new() };
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: no file {}", path.display());
        return Vec::new();
    };
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut fields = line.split('\t');
            let sfen = fields.next().expect("a position").to_string();
            let length = fields.next().and_then(|length| length.parse().ok());
            (sfen, length, fields.next().unwrap_or("").to_string())
        })
        .collect()
}

/// The game records as lines in USI; none if they are absent or cannot be unpacked.
pub fn games() -> Vec<String> {
    let Some(path) = facts().map(|facts| facts.join("games/shogi-games.usi.xz")) else {
        return Vec::new();
    };
    match Command::new("xz").arg("-dc").arg(&path).output() {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8(output.stdout).expect("USI");
            text.lines().map(|line| line.split('\t').next().expect("moves").to_string()).collect()
        }
        _ => {
            eprintln!("skipped: cannot unpack {}", path.display());
            Vec::new()
        }
    }
}

/// All positions of a game in USI.
pub fn positions(game: &str) -> Vec<Position> {
    let mut position = sfen::read(sfen::START).expect("the start");
    let mut all = vec![position];
    for word in game.split_whitespace().skip(2) {
        let mv = record::usi_move(&position, word).unwrap_or_else(|why| panic!("{word}: {why}"));
        position = position.play(mv);
        all.push(position);
    }
    all
}
