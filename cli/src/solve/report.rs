//! The answer to a question, in the three forms.

use std::fmt::Write as _;
use std::path::PathBuf;

use hasami_andor::certificate::Claim;
use hasami_andor::{Kernel, Outcome, Problem as _};
use hasami_answer::Certified;
use hasami_answer::mates::flaws::Flaws;
use hasami_answer::settle::{Below, Settled};
use hasami_game::{Drawing, Origin, Outlook};
use hasami_shogi::Shogi;
use hasami_shogi::solution::{Solution, caption};
use hasami_spec::settings::sum_rule_word;
use serde_json::{Map, Value, json};

use super::mate::{flaws_json, flaws_words};
use super::reason_to_stop;
use crate::failure::Failure;
use crate::output::{self, Output, bytes, grouped};

/// Collects what is to be said.
pub struct Report {
    verdict: &'static str,
    /// What there is to say in a line where there is no verdict.
    open: Option<String>,
    human: String,
    json: Value,
}

impl Report {
    /// A report on a question that has yet to be searched.
    pub fn new(settled: &Settled, kernel: Kernel) -> Self {
        let Settled { game, params, question, problem, options, .. } = settled;
        let parameters: Map<_, _> =
            params.iter().map(|(key, value)| (key.to_string(), json!(value))).collect();
        let json = json!({
            "problem": question, "game": game, "parameters": parameters,
            "id": problem.to_string(), "verdict": "unknown", "moves": null,
            "nodes": 0, "seconds": 0.0, "certificate": null,
            "kernel": kernel.name(), "sum": sum_rule_word(options.sum),
        });
        Self { verdict: "unknown", open: None, human: format!("{question}\n"), json }
    }

    /// What the search did.
    pub fn searched(&mut self, outcome: &Outcome, seconds: f64, late: bool) {
        let nodes = outcome.counts.nodes;
        // Below a second the rate is noise.
        let speed = (seconds >= 1.0).then(|| (nodes as f64 / seconds) as u64);
        self.json["nodes"] = json!(nodes);
        self.json["seconds"] = json!(seconds);
        self.json["nodes_per_second"] = json!(speed);
        self.json["stopped"] = json!(reason_to_stop(outcome.stopped, late));
        self.json["proof"] = json!(number(outcome.numbers.proof));
        self.json["disproof"] = json!(number(outcome.numbers.disproof));
        if outcome.numbers.verdict().is_none() {
            let _ = writeln!(
                self.human,
                "unknown: {}; proof {}, disproof {} at the root",
                reason_to_stop(outcome.stopped, late),
                outcome.numbers.proof,
                outcome.numbers.disproof
            );
        }
        let _ = writeln!(
            self.human,
            "  nodes        {} in {seconds:.3} s{}",
            grouped(nodes),
            speed.map_or(String::new(), |speed| format!(", {} a second", grouped(speed)))
        );
    }

    /// The certificate has been written and checked: now there is a verdict.
    /// `seconds` is what this has taken.
    pub fn certified(&mut self, claim: &str, certified: &Certified, seconds: f64) {
        let Certified { file, bytes: size, verified } = certified;
        self.verdict = verified.header.verdict.word();
        let verdict = if claim == self.verdict {
            claim.to_string()
        } else {
            format!("{}: {claim}", self.verdict)
        };
        self.insert(&verdict);
        self.json["claim"] = json!(claim);
        if let Some(length) = verified.length {
            let _ = writeln!(self.human, "  moves        {length} at most");
        }
        let _ = writeln!(
            self.human,
            "  certificate  {}, {} nodes, {}, made and verified in {seconds:.3} s",
            file.display(),
            grouped(verified.nodes),
            bytes(*size)
        );
        self.json["verdict"] = json!(self.verdict);
        self.json["moves"] = json!(verified.length);
        self.json["least"] = json!(matches!(verified.claim, Claim::Least { .. }));
        self.json["certificate"] = json!(file.display().to_string());
        self.json["certificate_nodes"] = json!(verified.nodes);
        self.json["certificate_bytes"] = json!(size);
        self.json["certificate_seconds"] = json!(seconds);
    }

    /// The certificate, if the verdict is *proven*.
    pub fn proven(&self) -> Option<PathBuf> {
        let file = self.json["certificate"].as_str().filter(|_| self.verdict == "proven");
        file.map(PathBuf::from)
    }

    /// Nodes of the certificate.
    pub fn certificate_nodes(&self) -> u64 {
        self.json["certificate_nodes"].as_u64().unwrap_or_default()
    }

    /// Nodes of the search.
    pub fn nodes(&self) -> u64 {
        self.json["nodes"].as_u64().unwrap_or_default()
    }

    /// What the certificate tells beyond its verdict, for programs.
    pub fn measured(&mut self, fields: &[(&'static str, String)]) {
        for (name, value) in told(fields) {
            self.json[name] = value;
        }
    }

    /// The solution of a mate problem.
    pub fn solution(&mut self, problem: &Shogi, found: &Solution) {
        let line: Vec<String> = found.line.iter().map(ToString::to_string).collect();
        let at_most = if found.exact { "" } else { " at most" };
        let _ = writeln!(
            self.human,
            "  without      {}{at_most}, futile interpositions (無駄合い) left out",
            found.without_futile
        );
        let _ = writeln!(self.human, "  line         {}", line.join(" "));
        let rows = caption(&problem.root(), &found.line);
        let _ = writeln!(self.human, "               {}", rows.join("\n               "));
        self.json["moves_without_futile"] = json!(found.without_futile);
        self.json["moves_without_futile_exact"] = json!(found.exact);
        self.json["solution"] = json!(line);
    }

    /// Other solutions of a mate problem.
    pub fn flaws(&mut self, found: &Flaws) {
        self.human.push_str(&flaws_words(found));
        let (flaws, tolerated, open) = flaws_json(found);
        self.json["unique"] = json!(found.unique());
        self.json["flaws"] = flaws;
        self.json["tolerated"] = tolerated;
        self.json["flaws_open"] = open;
        self.json["flaws_refuted"] = json!(found.refuted.len());
    }

    /// Its certificate is worth as much as a database.
    pub fn rests_on(&mut self, origin: Option<Origin>) {
        if let Some(Origin { about, blake3 }) = origin {
            let _ = writeln!(self.human, "  rests on     the database {about}, BLAKE3 {blake3}");
            self.json["database"] = json!({ "about": about, "blake3": blake3 });
        }
    }

    /// The search has an answer that settles nothing.
    pub fn nothing(&mut self, what: &str) {
        self.insert(&format!("unknown: {what}"));
        self.json["claim"] = json!(what);
    }

    /// What is known of a question that stays open.
    pub fn open(&mut self, outlook: Option<Outlook>) {
        if let Some(Outlook { claim, fields }) = outlook {
            self.insert(&claim);
            self.json["claim"] = json!(claim);
            self.json["open"] = told(&fields).into();
            self.open = Some(claim);
        }
    }

    /// What settles it, drawn.
    pub fn drawn(&mut self, drawing: Option<Drawing>) {
        if let Some(Drawing { title, rows, fields }) = drawing {
            let _ = writeln!(self.human, "\n{title}\n\n    {}", rows.join("\n    "));
            let mut drawing = told(&fields);
            drawing.insert("title".to_string(), json!(title));
            drawing.insert("rows".to_string(), json!(rows));
            self.json["drawing"] = drawing.into();
        }
    }

    /// The questions before this one were disproven, with certificates of their own; JSON has the
    /// last of them apart.
    pub fn below(&mut self, below: &[Below]) {
        let object = |Below { claim, file, .. }: &Below| {
            let file = file.display().to_string();
            json!({"claim": claim, "certificate": file})
        };
        for Below { claim, file, .. } in below {
            let _ = writeln!(
                self.human,
                "  not with less: {claim}\n               {}, verified",
                file.display()
            );
        }
        if let Some((last, earlier)) = below.split_last() {
            self.json["below"] = object(last);
            if !earlier.is_empty() {
                self.json["earlier"] = earlier.iter().map(object).collect();
            }
        }
    }

    /// Adds a line right after the question.
    fn insert(&mut self, text: &str) {
        let line = self.human.find('\n').map_or(0, |end| end + 1);
        self.human.insert_str(line, &format!("{text}\n"));
    }

    /// Tells the first move of the side that wins, if it is its turn.
    pub fn first_move(&mut self, shown: Option<String>) {
        if let Some(shown) = shown {
            let _ = writeln!(self.human, "  first move   {shown}");
            self.json["first_move"] = json!(shown);
        }
    }

    /// What it says, for programs.
    pub fn into_json(self) -> Value {
        self.json
    }

    /// Prints it.
    pub fn print(&self, form: Output) -> Result<(), Failure> {
        let quiet = self.open.as_deref().unwrap_or(self.verdict);
        output::print(form, &self.human, &self.json, quiet)
    }
}

/// What a game says of itself for programs; numbers as such.
fn told(fields: &[(&'static str, String)]) -> Map<String, Value> {
    let value = |text: &String| text.parse::<u64>().map_or_else(|_| json!(text), |n| json!(n));
    fields.iter().map(|(name, text)| (name.to_string(), value(text))).collect()
}

/// A number for JSON: infinity is a word.
fn number(value: u32) -> Value {
    match value {
        hasami_andor::numbers::INFINITE => json!("infinite"),
        finite => json!(finite),
    }
}
