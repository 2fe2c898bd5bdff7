//! Which certificate a question has, of those that `hasami solve` would have made.

use std::path::PathBuf;

use hasami_andor::Verdict;
use hasami_andor::certificate::read_asked;
use hasami_game::Resources;

use crate::failure::Failure;
use crate::files::default_place;
use crate::game_args::Question;

/// The file of the question; of several stages the one that is proven, else the last there is.
pub fn find(question: &Question) -> Result<PathBuf, Failure> {
    let (rules, params) = question.read()?;
    let resources = Resources::default();
    let (mut found, mut first) = (None, None);
    for asked in rules.stages(&params, &resources)? {
        let asked = asked.map_err(|error| Failure::Usage(error.to_string()))?;
        let file = default_place(&rules.certificate_name(&asked, &resources)?);
        if file.exists() {
            let (_, headers) = read_asked(&file)?;
            let proven = headers.first().is_some_and(|header| header.verdict == Verdict::Proven);
            found = Some(file.clone());
            if proven {
                break;
            }
        }
        first = first.or(Some(file));
    }
    found.ok_or_else(|| {
        let Question { game, pairs } = question;
        let words: Vec<String> =
            pairs.iter().map(|(key, value)| format!(" {key}={value}")).collect();
        let place = first.map_or(String::new(), |file| format!("{}: ", file.display()));
        Failure::Usage(format!(
            "{place}no such certificate yet; make it with\n  hasami solve {game}{}",
            words.concat()
        ))
    })
}
