//! Certificates of searched questions: where they go, and that they are checked before anyone
//! hears of a verdict.

use std::path::{Path, PathBuf};

use hasami_andor::certificate::{self, ExtractError, Header, Verified};
use hasami_andor::{Control, Table, Verdict};
use hasami_games::Game;

use crate::failure::Failure;

/// Finds out before the search whether a file can be written where the option `name` wants it.
pub fn prepare_place(name: &str, file: &Path) -> Result<(), Failure> {
    let refuse = |what: String| {
        Failure::Usage(format!(
            "{name} {}: {what}; expected a file that can be written",
            file.display()
        ))
    };
    if file.is_dir() {
        return Err(refuse("this is a directory".to_string()));
    }
    match file.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        None => Ok(()),
        Some(directory) => std::fs::create_dir_all(directory)
            .map_err(|error| refuse(format!("no directory {}: {error}", directory.display()))),
    }
}

/// Where certificates go when nobody says where.
pub fn default_place(file_name: &str) -> PathBuf {
    Path::new("hasami-data").join("certificates").join(file_name)
}

/// One file name for one question.
pub fn file_name<G: Game>(game: &G) -> String {
    format!("{}-{}.cert", G::NAME, &game.id().to_string()[..12])
}

/// Makes the certificate and checks it as a stranger would: from the file, with the rules alone.
/// `None` if the user stopped it.
pub fn certify<G: Game>(
    game: &G,
    question: &str,
    verdict: Verdict,
    table: &Table<G::Reason>,
    control: &Control,
    file: &Path,
) -> Result<Option<(Verified, u64)>, Failure> {
    prepare_place("--certificate", file)?;
    let mut root = Vec::new();
    game.encode(&game.root(), &mut root);
    let header = Header { question: question.to_string(), problem: game.id(), verdict, root };
    match certificate::extract(game, table, control, &header, file) {
        Ok((_, bytes)) => Ok(Some((certificate::verify(file, game)?, bytes))),
        Err(ExtractError::Stopped) => Ok(None),
        Err(ExtractError::File(error)) => {
            Err(Failure::Failed(format!("the certificate cannot be written: {error}")))
        }
        Err(error @ ExtractError::Contradiction { .. }) => Err(Failure::Failed(error.to_string())),
    }
}
