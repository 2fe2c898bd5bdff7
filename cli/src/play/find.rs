//! Which certificate a question has, of those that `hasami solve` would have made.

use std::path::PathBuf;

use hasami_andor::Verdict;
use hasami_andor::certificate::Reader;
use hasami_games::{Game, Params, Visitor, visit};
use hasami_worker::jobs::file_name;
use hasami_worker::jobs::settle::{bad_params, stage_of};

use crate::failure::Failure;
use crate::files::default_place;
use crate::game_args::Question;

/// The file of the question; of several stages the one that is proven, else the last there is.
pub fn find(question: &Question) -> Result<PathBuf, Failure> {
    visit(&question.game, &question.pairs, Find { question })?
}

struct Find<'a> {
    question: &'a Question,
}

impl Visitor for Find<'_> {
    type Output = Result<PathBuf, Failure>;

    fn visit<G: Game>(self, _: G, params: &Params) -> Self::Output {
        let (mut found, mut first) = (None, None);
        let mut stage = 0;
        while let Some(asked) = stage_of::<G>(params, stage)? {
            let game = G::from_params(&asked).map_err(bad_params::<G>)?;
            let file = default_place(&file_name(&game));
            if file.exists() {
                let proven = Reader::open(&file)?.header().verdict == Verdict::Proven;
                found = Some(file.clone());
                if proven {
                    break;
                }
            }
            first = first.or(Some(file));
            stage += 1;
        }
        let Self { question: Question { game, pairs } } = self;
        found.ok_or_else(|| {
            let words: Vec<String> =
                pairs.iter().map(|(key, value)| format!(" {key}={value}")).collect();
            let place = first.map_or(String::new(), |file| format!("{}: ", file.display()));
            Failure::Usage(format!(
                "{place}no such certificate yet; make it with\n  hasami solve {game}{}",
                words.concat()
            ))
        })
    }
}
