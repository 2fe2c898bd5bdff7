//! `hasami polyomino pave --count`, `--list` and `--prefixes`: all pavings of one period.

use std::fmt::Write as _;
use std::time::Instant;

use hasami_polyomino::paving::{
    Counts, Enumeration, Lattice, Paving, Prefix, PrefixError, draw, seed_number,
};
use hasami_polyomino::polyomino::shape::Shape;
use serde_json::json;

use super::report::{names, spelled_period, spoken};
use super::{Kind, Pave, paving};
use crate::failure::Failure;
use crate::output::{self, grouped};

/// Names the parts of the work.
pub fn split(options: &Pave, period: Lattice, shapes: &[Shape]) -> Result<(), Failure> {
    let enumeration = prepare(options, period, shapes);
    let depth = options.prefixes.unwrap_or(0) as usize;
    let prefixes: Vec<String> =
        enumeration.prefixes(depth).iter().map(ToString::to_string).collect();
    let lines = prefixes.join("\n");
    output::print(options.answer.output, &lines, &json!({ "prefixes": prefixes }), &lines)
}

/// Counts the pavings, and lists the patterns if that was asked for.
pub fn run(options: &Pave, period: Lattice, shapes: &[Shape]) -> Result<(), Failure> {
    let started = Instant::now();
    let enumeration = prepare(options, period, shapes);
    let prefix = options.prefix.clone().unwrap_or_default();
    let wrong = |error: PrefixError| Failure::Usage(format!("--prefix: {error}"));
    let (counts, patterns) = if options.list {
        enumeration
            .list(&prefix)
            .map(|(counts, patterns)| (counts, Some(patterns)))
            .map_err(wrong)?
    } else {
        (enumeration.count(&prefix).map_err(wrong)?, None)
    };
    let kind = Kind::from(options.kind);
    let pairs = paving::Pairs::from(options.pairs);
    let seconds = started.elapsed().as_secs_f64();
    let mut human = heading(shapes, &format!("{kind} pavings of {pairs} pairs"), period, &prefix);
    let _ = writeln!(human, "  sets of pairs  {}", grouped(counts.raw));
    let _ = writeln!(
        human,
        "  patterns       {} up to translation, turning and mirroring",
        grouped(counts.patterns)
    );
    let _ = writeln!(human, "  seconds        {seconds:.3}");
    let mut json = json!({
        "shapes": names(shapes), "pairs": pairs.to_string(), "period": period.to_string(),
        "kind": kind.to_string(), "prefix": prefix.to_string(), "sets": counts.raw,
        "patterns": counts.patterns, "seconds": seconds,
    });
    if let Some(patterns) = &patterns {
        json["list"] = patterns.iter().map(|paving| listed(&enumeration, paving)).collect();
        for (at, paving) in (1..).zip(patterns) {
            human.push_str(&drawn(at, &enumeration, paving));
        }
    }
    let quiet = quiet(counts, patterns.as_deref());
    output::print(options.answer.output, &human, &json, &quiet)
}

fn prepare(options: &Pave, period: Lattice, shapes: &[Shape]) -> Enumeration {
    Enumeration::new(period, shapes, options.pairs.into(), options.kind.into())
}

fn heading(shapes: &[Shape], what: &str, period: Lattice, prefix: &Prefix) -> String {
    let part =
        if *prefix == Prefix::default() { String::new() } else { format!(", part {prefix}") };
    let set = spoken(shapes);
    format!("{what} that block {set}, period {}{part}\n", spelled_period(period))
}

fn listed(enumeration: &Enumeration, paving: &Paving) -> serde_json::Value {
    json!({
        "picture": draw::torus(paving), "partners": paving.pairs(), "sets": enumeration.images(paving),
        "smallest_period": paving.primitive().lattice().to_string(), "number": seed_number(paving),
    })
}

fn drawn(at: usize, enumeration: &Enumeration, paving: &Paving) -> String {
    let number = match seed_number(paving) {
        Some(number) => format!(", number {number} of Yakuwa et al."),
        None => String::new(),
    };
    let smallest = spelled_period(paving.primitive().lattice());
    let sets = grouped(enumeration.images(paving) as u64);
    let mut text = format!("\n{at}: {sets} sets, smallest period {smallest}{number}\n");
    let (height, width, _) = paving.lattice().torus().sides();
    for row in draw::rows(paving, height as u32, width as u32) {
        let _ = writeln!(text, "    {row}");
    }
    text
}

/// The two counts, or one pattern in a line.
fn quiet(counts: Counts, patterns: Option<&[Paving]>) -> String {
    match patterns {
        None => format!("{} {}", counts.raw, counts.patterns),
        Some(patterns) => patterns.iter().map(draw::torus).collect::<Vec<_>>().join("\n"),
    }
}
