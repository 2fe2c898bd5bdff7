//! `hasami verify`: checks a certificate with the rules alone.

use std::path::Path;
use std::time::Instant;

use hasami_andor::certificate::{self, CertificateError, Reader, Verified};
use hasami_games::paving::certificate as paving;
use hasami_games::polyomino::shape::spell_set;
use hasami_games::subject::Origin;
use hasami_games::value::Proof;
use hasami_games::value::certificate as value;
use hasami_games::{Game, Params, Visitor, games, visit};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::output::{self, grouped};

/// Checks a file and says what it proves.
pub fn run(options: &VerifyArgs) -> Result<(), Failure> {
    if options.database.is_some()
        && (paving::is_one(&options.file)? || value::is_one(&options.file)?)
    {
        return Err(no_database(options));
    }
    if paving::is_one(&options.file)? {
        return verify_paving(options);
    }
    if value::is_one(&options.file)? {
        return verify_value(options);
    }
    let started = Instant::now();
    let reader = Reader::open(&options.file)?;
    let question = reader.header().question.clone();
    drop(reader);
    let (game, mut pairs) = parse_question(&question)
        .map_err(|what| Failure::Usage(format!("{}: {what}", options.file.display())))?;
    if let Some(file) = &options.database {
        let named = pairs.iter_mut().find(|(name, value)| name == "database" && value != "none");
        let (_, value) = named.ok_or_else(|| no_database(options))?;
        *value = file.display().to_string();
    }
    let (verified, origin) = visit(&game, &pairs, Verify { file: &options.file })?;
    let verified = verified?;
    let seconds = started.elapsed().as_secs_f64();
    let verdict = verified.header.verdict.word();
    let length = verified.length.map_or(String::new(), |n| format!("  length   at most {n}\n"));
    let human = format!(
        "{question}\nverified: {verdict}\n{length}  nodes    {} ({} with one move named)\n  \
         leaves   {} settled by the rules{}\n  seconds  {seconds:.3}\n",
        grouped(verified.nodes),
        grouped(verified.choices),
        grouped(verified.leaves),
        origin.as_ref().map_or(String::new(), |Origin { about, blake3 }| format!(
            " or looked up\n  rests on the database {about}, BLAKE3 {blake3}"
        )),
    );
    let json = json!({
        "certificate": options.file.display().to_string(),
        "problem": question,
        "id": verified.header.problem.to_string(),
        "verdict": verdict,
        "verified": true,
        "moves": verified.length,
        "nodes": verified.nodes,
        "choices": verified.choices,
        "leaves": verified.leaves,
        "database": origin.map(|Origin { about, blake3 }| json!({ "about": about, "blake3": blake3 })),
        "seconds": seconds,
    });
    output::print(options.answer.output, &human, &json, verdict)
}

/// The certificate of a loser by paving is a text of its own.
fn verify_paving(options: &VerifyArgs) -> Result<(), Failure> {
    let started = Instant::now();
    let verified = paving::verify(&options.file)?;
    let seconds = started.elapsed().as_secs_f64();
    let claim = &verified.claim;
    let set = spell_set(&claim.shapes);
    let human = format!(
        "paving {set}\nverified: loser\n  period      {}\n  pairs       {}, {} in a period\n  \
         placements  {}\n  seconds     {seconds:.3}\n",
        claim.period,
        claim.pairs,
        claim.list.len(),
        grouped(verified.placements),
    );
    let json = json!({
        "certificate": options.file.display().to_string(),
        "problem": format!("paving {set}"),
        "verdict": "loser",
        "verified": true,
        "period": claim.period.to_string(),
        "pairs": claim.pairs.to_string(),
        "placements": verified.placements,
        "seconds": seconds,
    });
    output::print(options.answer.output, &human, &json, "loser")
}

/// So is that of a value.
fn verify_value(options: &VerifyArgs) -> Result<(), Failure> {
    let started = Instant::now();
    let verified = value::verify(&options.file)?;
    let seconds = started.elapsed().as_secs_f64();
    let claim = &verified.claim;
    let (how, claims) = match verified.proof {
        Proof::Play(claims) => {
            (format!("by play, {} claims", grouped(claims as u64)), Some(claims))
        }
        Proof::Table(lines) => {
            (format!("by a table of {} parts, each from those before", grouped(lines as u64)), None)
        }
        Proof::Anew => ("by valuing it anew".to_string(), None),
    };
    let question = format!("{} {}", claim.family.name(), claim.position);
    let human = format!(
        "{question}\nverified: {}\n  checked  {how}\n  seconds  {seconds:.3}\n",
        claim.value
    );
    let json = json!({
        "certificate": options.file.display().to_string(),
        "problem": question,
        "verdict": "answered",
        "value": claim.value,
        "verified": true,
        "claims": claims,
        "seconds": seconds,
    });
    output::print(options.answer.output, &human, &json, &claim.value)
}

struct Verify<'a> {
    file: &'a Path,
}

impl Visitor for Verify<'_> {
    type Output = (Result<Verified, CertificateError>, Option<Origin>);
    fn visit<G: Game>(self, game: G, _: &Params) -> Self::Output {
        (certificate::verify(self.file, &game), game.rests_on())
    }
}

fn no_database(options: &VerifyArgs) -> Failure {
    Failure::Usage(format!("--database: {} rests on none", options.file.display()))
}

/// Reads a question as it is spelled in a certificate.
pub fn parse_question(question: &str) -> Result<(String, Vec<(String, String)>), String> {
    let (name, rest) = question.split_once(' ').unwrap_or((question, ""));
    let Some(game) = games().into_iter().find(|game| game.name == name) else {
        return Err(format!(
            "the certificate is about \"{name}\", which this program does not know"
        ));
    };
    let params = Params::parse(game.params, rest).map_err(|error| error.to_string())?;
    let pairs = params.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Ok((name.to_string(), pairs))
}
