//! Checks a stranger's answer: whether everything that it states follows from its certificates by the
//! rules alone, for the question that was asked.
//!
//! Verdict, words and columns are built again from the question and the certificates, by the code that
//! words an honest answer, and compared. What cannot be built again is named in
//! [`Checked::unproved`]. Games are built from the question only, never from what a certificate says.

mod certified;
pub(crate) mod database;
mod game;
pub(crate) mod learning;
pub(crate) mod mate;
mod open;
pub(crate) mod pair;
pub(crate) mod pave;
pub(crate) mod pavings;
pub(crate) mod puzzles;
pub(crate) mod trial;
pub(crate) mod value;

use std::path::PathBuf;

use hasami_andor::certificate::{CertificateError, Limits};
use hasami_game::text_certificate::TextFileError;
use hasami_game::{BuildError, Resources};
use hasami_spec::{ParamError, Question};
use hasami_sweep::{Answer, Basis, Verdict};

use crate::error::JobError;
use crate::solve::late_words;
use crate::{AllowedFiles, caught, entry};

pub(crate) use certified::puzzle_proven;
pub(crate) use game::check as check_game;
pub use pavings::check_patterns;

/// What an answer was found to rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The weakest basis of what it says first: its verdict and its words.
    pub basis: Basis,
    /// Columns and statements that nothing proves, by name. Words may repeat them.
    pub unproved: Vec<String>,
}

/// Why an answer is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// The answer does not follow: a lie or a fault.
    #[error("the answer does not follow: {0}")]
    Refused(String),
    /// This machine lacks something; another may be able to check it.
    #[error("the answer cannot be checked here: {0}")]
    Unable(String),
}

/// An answer under examination.
pub struct Claimed<'a> {
    pub(crate) question: &'a Question,
    pub(crate) answer: &'a Answer,
    pub(crate) files: &'a [PathBuf],
    pub(crate) resources: &'a Resources,
    allowed: &'a AllowedFiles,
    pub(crate) limits: &'a Limits<'a>,
}

/// Checks an answer that somebody else has given. `files` are its certificates, in the order of
/// [`Answer::certificates`]; the names there are the sender's, and are not used to find anything.
/// Files that the question names are opened only if they are `allowed`.
///
/// # Errors
/// If something that it states does not follow, or it cannot be checked on this machine.
pub fn check_answer(
    question: &Question,
    answer: &Answer,
    files: &[PathBuf],
    resources: &Resources,
    allowed: &AllowedFiles,
    limits: &Limits<'_>,
) -> Result<Checked, Doubt> {
    let claimed = Claimed { question, answer, files, resources, allowed, limits };
    let checked = caught(|| Ok(check(&claimed)));
    // Whatever does not follow after a limit was passed was not looked at to its end.
    match (limits.passed(), checked) {
        (Some(limit), Ok(Err(_)) | Err(_)) => Err(Doubt::Unable(limit.to_string())),
        (_, Ok(checked)) => checked,
        // A panic. An answer that the checker cannot bear is not believed.
        (None, Err(error)) => Err(refused(error)),
    }
}

fn check(claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    let (listed, given) = (claimed.answer.certificates.len(), claimed.files.len());
    if listed != given {
        return Err(refused(format!("{listed} certificates are listed, and there are {given}")));
    }
    let entry = entry(&claimed.question.problem).map_err(unable)?;
    // Jobs end this way, and games of which nothing more is said.
    if claimed.answer.verdict == Verdict::Open
        && late_words(&claimed.question.search).as_ref() == Some(&claimed.answer.claim)
        && claimed.answer.fields.is_empty()
        && listed == 0
    {
        return Ok(Checked { basis: Basis::Unproved, unproved: Vec::new() });
    }
    (entry.check)(claimed)
}

impl Claimed<'_> {
    /// Compares the answer with what the certificates say.
    pub(crate) fn says(
        &self,
        verdict: Verdict,
        claim: &str,
        fields: &[(String, String)],
    ) -> Result<(), Doubt> {
        let answer = self.answer;
        if answer.verdict != verdict {
            let (found, expected) = (answer.verdict.word(), verdict.word());
            return Err(refused(format!("it says {found}; its certificates say {expected}")));
        }
        if answer.claim != claim {
            return Err(refused(format!("it says {:?}; expected {claim:?}", cut(&answer.claim))));
        }
        self.columns(fields)
    }

    /// Compares the columns of the answer with these.
    fn columns(&self, fields: &[(String, String)]) -> Result<(), Doubt> {
        let found = &self.answer.fields;
        if found == fields {
            return Ok(());
        }
        let pairs = (0..found.len().max(fields.len())).map(|at| (found.get(at), fields.get(at)));
        let shown = |field: Option<&(String, String)>| match field {
            None => "none".to_string(),
            Some((name, value)) => format!("{:?} = {:?}", cut(name), cut(value)),
        };
        let (found, expected) = pairs.into_iter().find(|(a, b)| a != b).expect("a difference");
        Err(refused(format!("a column is {}; expected {}", shown(found), shown(expected))))
    }

    /// Whether the files that the question names may be opened.
    fn may_open(&self) -> Result<(), Doubt> {
        self.allowed.check(self.question).map_err(unable)
    }

    /// Refuses certificates where this kind of answer has none.
    pub(crate) fn without_certificates(&self) -> Result<(), Doubt> {
        match self.files.len() {
            0 => Ok(()),
            count => Err(refused(format!("{count} certificates; expected none"))),
        }
    }

    /// The value of a column.
    fn field(&self, name: &str) -> Option<&str> {
        let found = self.answer.fields.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// A column that is a number in its one spelling.
    pub(crate) fn number<T: std::str::FromStr + ToString>(&self, name: &str) -> Result<T, Doubt> {
        let text = self.field(name).ok_or_else(|| refused(format!("no column {name}")))?;
        let number = text.parse::<T>().ok().filter(|number| number.to_string() == text);
        number.ok_or_else(|| refused(format!("{name} is {:?}; expected a number", cut(text))))
    }
}

pub(crate) fn refused(why: impl ToString) -> Doubt {
    Doubt::Refused(why.to_string())
}

pub(crate) fn unable(why: impl ToString) -> Doubt {
    Doubt::Unable(why.to_string())
}

/// A stranger's text, for a message.
fn cut(text: &str) -> String {
    const MOST: usize = 120;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl Checked {
    fn proved(unproved: Vec<String>) -> Self {
        Self { basis: Basis::Proved, unproved }
    }

    pub(crate) fn unproved(columns: &[&str]) -> Self {
        let unproved = columns.iter().map(ToString::to_string).collect();
        Self { basis: Basis::Unproved, unproved }
    }
}

/// The parameters are the question's own, which was accepted when it was asked.
impl From<ParamError> for Doubt {
    fn from(error: ParamError) -> Self {
        unable(error)
    }
}

impl From<BuildError> for Doubt {
    fn from(error: BuildError) -> Self {
        unable(error)
    }
}

impl From<JobError> for Doubt {
    fn from(error: JobError) -> Self {
        unable(error)
    }
}

impl From<CertificateError> for Doubt {
    fn from(error: CertificateError) -> Self {
        match error {
            CertificateError::Io { .. } => unable(error),
            _ => refused(error),
        }
    }
}

impl From<TextFileError> for Doubt {
    fn from(error: TextFileError) -> Self {
        match error {
            TextFileError::Io { .. } => unable(error),
            _ => refused(error),
        }
    }
}
