//! The games of a file or a directory, one after the other.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use hasami_shogi::record::{self, Game};

use crate::Trouble;

/// The largest file of one game.
const MOST_BYTES: u64 = 1 << 20;

/// Calls `each` with the number and the record of every game of a slice, and says how many records
/// could not be read.
pub(crate) fn games(
    path: &Path,
    (slice, slices): (usize, usize),
    mut each: impl FnMut(usize, Game) -> Result<(), Trouble>,
) -> Result<usize, Trouble> {
    let (mut number, mut broken) = (0, 0);
    let mut take = |read: &mut dyn FnMut() -> Option<Game>| {
        let own = number % slices == slice;
        number += 1;
        match own.then(read) {
            None => Ok(()),
            Some(Some(game)) => each(number - 1, game),
            Some(None) => {
                broken += 1;
                Ok(())
            }
        }
    };
    for file in files(path)? {
        let is_lines = file.extension().is_none_or(|end| {
            !["kif", "kifu", "ki2", "csa"].iter().any(|one| end.eq_ignore_ascii_case(one))
        });
        if is_lines {
            let opened = std::fs::File::open(&file).map_err(Trouble::io(&file))?;
            for line in BufReader::new(opened).lines() {
                let line = line.map_err(Trouble::io(&file))?;
                let game = line.split('\t').next().unwrap_or_default().trim();
                if !game.is_empty() && !game.starts_with('#') {
                    take(&mut || record::read_usi(game).ok())?;
                }
            }
        } else {
            take(&mut || {
                let small = std::fs::metadata(&file).is_ok_and(|found| found.len() <= MOST_BYTES);
                let bytes = std::fs::read(small.then_some(&file)?).ok()?;
                record::read(&record::decode(&bytes).ok()?).ok()
            })?;
        }
    }
    Ok(broken)
}

/// The BLAKE3 sum of a file, or of the sums of the files of a directory.
pub(crate) fn digest(path: &Path) -> Result<String, Trouble> {
    let mut sums = Vec::new();
    for file in files(path)? {
        let opened = std::fs::File::open(&file).map_err(Trouble::io(&file))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(opened).map_err(Trouble::io(&file))?;
        sums.push(hasher.finalize());
    }
    match &sums[..] {
        [one] if !path.is_dir() => Ok(one.to_string()),
        many => {
            let mut hasher = blake3::Hasher::new();
            for sum in many {
                hasher.update(sum.as_bytes());
            }
            Ok(hasher.finalize().to_string())
        }
    }
}

/// The files of a path, in the order of their names.
fn files(path: &Path) -> Result<Vec<PathBuf>, Trouble> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(Trouble::io(path))? {
        let file = entry.map_err(Trouble::io(path))?.path();
        if file.is_file() {
            found.push(file);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_slice_and_broken_ones_are_counted() {
        let directory = tempfile::tempdir().unwrap();
        let lines = "startpos moves 7g7f 3c3d\n# nothing\n\nstartpos moves 7g7e\nstartpos\n";
        std::fs::write(directory.path().join("a.usi"), lines).unwrap();
        std::fs::write(directory.path().join("b.csa"), "PI\n+\n+7776FU\n").unwrap();
        std::fs::write(directory.path().join("c.csa"), "P1-XX\n+\n").unwrap();
        let mut found = Vec::new();
        let mut broken = 0;
        for slice in 0..3 {
            let add = |number, game: Game| {
                found.push((number, game.moves.len()));
                Ok(())
            };
            broken += games(directory.path(), (slice, 3), add).unwrap();
        }
        found.sort_unstable();
        assert_eq!(found, [(0, 2), (2, 0), (3, 1)]);
        assert_eq!(broken, 2);
        let missing = directory.path().join("none.usi");
        assert!(games(&missing, (0, 1), |_, _| Ok(())).is_err());
    }
}
