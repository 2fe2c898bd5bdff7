//! Draws items for pages and reports: the coordinator knows no rules itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hasami_answer::{AllowedFiles, Opened, entry};
use hasami_coordinator::Artist;
use hasami_game::Resources;
use hasami_game::text_certificate::TextCertificate as _;
use hasami_page::{Frame, Picture};
use hasami_polyomino::paving::{self, Paving};
use hasami_polyomino::polyomino::shape::spell_set;
use hasami_spec::Question;
use hasami_sweep::Answer;

use crate::failure::Failure;

/// Moves of a line that are shown.
const LONGEST: usize = 400;

/// The rules of all games. Files that questions name are opened only under these directories.
pub fn artist(allow_files: &[PathBuf]) -> Result<Artist, Failure> {
    let allowed = AllowedFiles::under(allow_files).map_err(|(path, error)| {
        Failure::Usage(format!("--allow-files {}: {error}", path.display()))
    })?;
    Ok(Artist {
        diagram: Arc::new(move |question| diagram(question, &allowed)),
        picture: Arc::new(picture),
    })
}

/// The position that a question is about.
fn diagram(question: &Question, allowed: &AllowedFiles) -> Option<String> {
    allowed.check(question).ok()?;
    let rules = entry(&question.problem).ok()?.rules?;
    hasami_answer::caught(|| rules.diagram(question, &Resources::default())).ok().flatten()
}

/// The picture of an answer: of the first certificate that can be drawn.
pub fn picture(_: &Question, _: &Answer, files: &[PathBuf]) -> Picture {
    let mut notes = Vec::new();
    for file in files {
        // Unwind safe: a picture shares nothing with anything else.
        let drawn = std::panic::catch_unwind(|| of_file(file));
        match drawn.unwrap_or_else(|_| Err("it cannot be drawn".to_string())) {
            Ok(picture) => return picture,
            Err(note) => notes.push(note),
        }
    }
    Picture { note: notes.join("; "), ..Picture::default() }
}

fn of_file(file: &Path) -> Result<Picture, String> {
    if paving::certificate::Claim::is_one(file).unwrap_or(false) {
        return of_paving(file);
    }
    let opened =
        Opened::open(file).map_err(|_| "Its certificate is no game to draw.".to_string())?;
    let rules = opened.entry.rules.expect("the rules of a game");
    let resources = Resources::default();
    let steps = rules.line(&opened, &resources, LONGEST).map_err(|error| error.to_string())?;
    let frames: Vec<Frame> =
        steps.into_iter().map(|step| Frame { text: step.text, svg: step.svg }).collect();
    let mates = opened.entry.spec.name == "shogi";
    // The line of a mate says all that its picture does.
    let still = match mates && frames.len() > 1 {
        true => None,
        false => rules.picture(&opened, &resources).map_err(|error| error.to_string())?,
    };
    let title = if mates { "The mate" } else { "A game against the certificate" };
    let about = opened.first().asked.to_string();
    Ok(Picture { title: title.to_string(), about, still, frames, note: String::new() })
}

/// Where White answers, for ever.
fn of_paving(file: &Path) -> Result<Picture, String> {
    let claim = paving::certificate::Claim::read(file).map_err(|error| error.to_string())?;
    let drawn = Paving::new(claim.period, claim.list.clone()).map_err(|error| error.to_string())?;
    let note = format!(
        "White holds {} off with this paving of period {}: whenever Black takes a cell of a pair, \
         White takes the other. It goes on in all directions; one period is shaded.",
        spell_set(&claim.shapes).replace(',', " and "),
        claim.period
    );
    Ok(Picture { still: Some(paving::svg(&drawn)), note, ..Picture::default() })
}
