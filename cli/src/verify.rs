//! `hasami verify`: checks certificates with the rules alone.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Parser;
use hasami_andor::certificate::{Claim, digest};
use hasami_answer::Opened;
use hasami_game::text_certificate::TextCertificate as _;
use hasami_game::{Origin, Resources};
use hasami_polyomino::paving::certificate as paving;
use hasami_polyomino::polyomino::shape::spell_set;
use hasami_values::value::Checked as Way;
use hasami_values::value::certificate as value;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::files::{self, Form};
use crate::output::{self, OutputArgs, grouped};
use crate::tree::Verb;

/// Check certificates with the rules alone
#[derive(Clone, Debug, Parser)]
#[command(
    name = "verify",
    after_help = "\
Of several files each has a line. A value without a proof is computed again; the answer says then
that this is a recomputation and not a certificate.

Examples:
  hasami verify hasami-data/certificates/mnk-1f0c4a12.cert
  hasami verify hasami-data/certificates/*
  hasami verify i-and-l.cert -o i-and-l.svg
  hasami verify shogi-f14822b4e025.cert -o mate.kif

Exit codes: 0 all hold, 1 one is refused by the rules, 2 one is missing, damaged or about something
unknown"
)]
pub struct Verify {
    /// The certificates
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The database that it rests on, if that is elsewhere now
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,
    /// Draw the proof to this file, which ends in .svg: first replies, zones, winning patterns; of
    /// shogi the diagram with the line, and to .kif the record with variations
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Verify {
    fn run(self) -> Result<(), Failure> {
        if let Some(out) = &self.out {
            files::form(out, &PICTURES)?;
            files::prepare_place("-o", out)?;
            if self.files.len() > 1 {
                return Err(Failure::Usage("-o: expected one certificate with it".to_string()));
            }
        }
        if let [file] = &self.files[..] {
            let Checked { human, json, quiet, .. } = check(file, &self)?;
            return output::print(self.answer.output, &human, &json, &quiet);
        }
        many(&self)
    }
}

/// What a proof can be written as.
const PICTURES: [Form; 2] = [Form::Svg, Form::Kif];
const VERIFIED: &str = "verified";
/// A file with `proof none`.
const AGAIN: &str = "by computing it again: a recomputation by this program, not a certificate";

/// What was found out about a certificate that holds, in the three forms.
struct Checked {
    /// `verified`, or what else.
    word: &'static str,
    human: String,
    json: Value,
    quiet: String,
}

/// One line per file, independent of the others.
fn many(options: &Verify) -> Result<(), Failure> {
    let (mut human, mut quiet, mut list) = (String::new(), Vec::new(), Vec::new());
    let (mut failed, mut recomputed, mut refused) = (0, 0, false);
    for file in &options.files {
        let name = file.display();
        match check(file, options) {
            Ok(checked) => {
                let question = checked.human.lines().next().unwrap_or_default();
                human.push_str(&format!(
                    "{name}: {}: {}: {question}\n",
                    checked.word, checked.quiet
                ));
                recomputed += usize::from(checked.word != VERIFIED);
                quiet.push(checked.quiet);
                list.push(checked.json);
            }
            Err(failure @ (Failure::Usage(_) | Failure::Failed(_))) => {
                failed += 1;
                refused |= matches!(failure, Failure::Failed(_));
                let what = failure.message().unwrap_or_default();
                let what = what.lines().next().unwrap_or_default();
                human.push_str(&format!("{name}: NOT verified: {what}\n"));
                quiet.push("failed".to_string());
                let name = name.to_string();
                list.push(json!({ "certificate": name, "verified": false, "error": what }));
            }
            Err(other) => return Err(other),
        }
    }
    let count = options.files.len();
    let json = json!({
        "verified": count - failed - recomputed,
        "recomputed": recomputed,
        "failed": failed,
        "certificates": list,
    });
    output::print(options.answer.output, &human, &json, &quiet.join("\n"))?;
    let message = format!("{failed} of {count} certificates are not verified");
    match failed {
        0 => Ok(()),
        _ if refused => Err(Failure::Failed(message)),
        _ => Err(Failure::Usage(message)),
    }
}

/// Checks one file.
fn check(file: &Path, options: &Verify) -> Result<Checked, Failure> {
    if options.database.is_some() && (paving::Claim::is_one(file)? || value::Claim::is_one(file)?) {
        return Err(no_database(file));
    }
    let is_text = paving::Claim::is_one(file)? || value::Claim::is_one(file)?;
    if options.out.is_some() && is_text {
        return Err(no_picture(file));
    }
    if paving::Claim::is_one(file)? {
        return verify_paving(file);
    }
    if value::Claim::is_one(file)? {
        return verify_value(file);
    }
    let started = Instant::now();
    let opened = Opened::open(file)?;
    let question = opened.first().asked.to_string();
    let database = options.database.as_deref();
    let rests_on = opened.first().asked.value("database").is_some_and(|sum| sum != "none");
    if database.is_some() && !rests_on {
        return Err(no_database(file));
    }
    let rules = opened.entry.rules.expect("the rules of a game");
    let (verified, origin) = rules.verify(&opened, database, &Resources::default())?;
    let seconds = started.elapsed().as_secs_f64();
    if let Some(out) = &options.out {
        let resources = Resources::default();
        let picture = match files::form(out, &PICTURES)? {
            Form::Kif => rules.record(&opened, &resources)?,
            _ => rules.picture(&opened, &resources)?,
        };
        let picture = picture.ok_or_else(|| no_picture(file))?;
        files::save(out, picture.as_bytes())?;
    }
    let sum: String = digest(file)?.iter().map(|byte| format!("{byte:02x}")).collect();
    let verdict = verified.header.verdict.word();
    let (claim, more) = match &verified.claim {
        Claim::Verdict => ("verdict", String::new()),
        Claim::Least { key, .. } => ("least", format!(", and with no less ({key})")),
        Claim::OnlyMove => ("only-move", ", by one first move only".to_string()),
    };
    let length = verified.length.map_or(String::new(), |n| format!("  length   at most {n}\n"));
    let human = format!(
        "{question}\nverified: {verdict}{more}\n{length}  nodes    {} ({} with one move named)\n  \
         leaves   {} settled by the rules{}\n  seconds  {seconds:.3}\n  SHA-256  {sum}\n",
        grouped(verified.nodes),
        grouped(verified.choices),
        grouped(verified.leaves),
        origin.as_ref().map_or(String::new(), |Origin { about, blake3 }| format!(
            " or looked up\n  rests on the database {about}, BLAKE3 {blake3}"
        )),
    );
    let json = json!({
        "certificate": file.display().to_string(),
        "problem": question,
        "claim": claim,
        "verdict": verdict,
        "verified": true,
        "moves": verified.length,
        "nodes": verified.nodes,
        "choices": verified.choices,
        "leaves": verified.leaves,
        "database": origin.map(|Origin { about, blake3 }| json!({ "about": about, "blake3": blake3 })),
        "sha256": sum,
        "seconds": seconds,
    });
    Ok(Checked { word: VERIFIED, human, json, quiet: verdict.to_string() })
}

/// The certificate of a loser by paving is a text of its own.
fn verify_paving(file: &Path) -> Result<Checked, Failure> {
    let started = Instant::now();
    let verified = paving::verify(file)?;
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
        "certificate": file.display().to_string(),
        "problem": format!("paving {set}"),
        "verdict": "loser",
        "verified": true,
        "period": claim.period.to_string(),
        "pairs": claim.pairs.to_string(),
        "placements": verified.placements,
        "seconds": seconds,
    });
    Ok(Checked { word: VERIFIED, human, json, quiet: "loser".to_string() })
}

/// So is that of a value.
fn verify_value(file: &Path) -> Result<Checked, Failure> {
    let started = Instant::now();
    let verified = value::verify(file)?;
    let seconds = started.elapsed().as_secs_f64();
    let claim = &verified.claim;
    let (how, proof) = match verified.checked {
        Way::Table(lines) => {
            let lines = grouped(lines as u64);
            (format!("by a table of {lines} lines, each from those before"), "table")
        }
        Way::Arithmetic => ("by evaluating the expression".to_string(), "arithmetic"),
        Way::Again => (AGAIN.to_string(), "none"),
    };
    let lines = match verified.checked {
        Way::Table(lines) => Some(lines),
        Way::Arithmetic | Way::Again => None,
    };
    let question = format!("{} {}", claim.game.name(), claim.position);
    let word = if verified.checked == Way::Again { "recomputed" } else { VERIFIED };
    let human =
        format!("{question}\n{word}: {}\n  checked  {how}\n  seconds  {seconds:.3}\n", claim.value);
    let json = json!({
        "certificate": file.display().to_string(),
        "problem": question,
        "verdict": "answered",
        "value": claim.value,
        "verified": verified.checked != Way::Again,
        "proof": proof,
        "lines": lines,
        "seconds": seconds,
    });
    Ok(Checked { word, human, json, quiet: claim.value.clone() })
}

fn no_picture(file: &Path) -> Failure {
    Failure::Usage(format!(
        "-o: {}: nothing to write; expected the proof of a win of polyomino, mnk or shogi \
         for .svg, and a mate of shogi for .kif",
        file.display()
    ))
}

fn no_database(file: &Path) -> Failure {
    Failure::Usage(format!("--database: {} rests on none", file.display()))
}
