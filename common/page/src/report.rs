//! A report of a run in one file: tables, pictures, and where everything comes from. It needs no other
//! file and no network, and it prints.

use std::collections::BTreeMap;

use hasami_proto::v1::RunInfo;
use hasami_report::export::{grid, legend, plots, statistics, trials};
use hasami_report::{Columns, Row, Table};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::bar::{bar, told};
use crate::frame::STYLE;
use crate::items::{basis, result, state};
use crate::runs::seconds;
use crate::view::Picture;
use crate::words::{bytes, counted, duration, grouped, utc};

/// Rows that a report lists: browsers and printers cannot handle more. Exports have all.
const MOST_ROWS: usize = 20_000;
/// Values that are counted one by one.
const MOST_VALUES: usize = 40;

/// A machine that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The name of its worker.
    pub worker: String,
    /// The host.
    pub host: String,
    /// The version of the program there.
    pub version: String,
    /// Its threads.
    pub threads: u32,
}

/// Everything in a report.
pub struct Report<'a> {
    /// The run, with the text of its sweep.
    pub run: &'a RunInfo,
    /// The title of the sweep.
    pub title: &'a str,
    /// All items.
    pub table: &'a Table,
    /// Pictures of some items, by number.
    pub pictures: &'a [(usize, Picture)],
    /// The version and commit of the program that writes the report.
    pub version: &'a str,
    /// The version of the coordinator.
    pub coordinator: &'a str,
    /// The workers that are connected.
    pub machines: &'a [Machine],
    /// When the report is written, in milliseconds since 1970.
    pub now_ms: u64,
}

/// The report as one HTML file.
#[must_use]
pub fn report(report: &Report<'_>) -> String {
    let Report { run, title, table, .. } = *report;
    let matrices = table.matrices();
    let link = |row: &Row| format!("#item-{}", row.item);
    let body = html! {
        header.cover {
            h1 { (title) }
            p.sub {
                "Run " (run.run) " of the sweep " code { (run.name) } ", " (run.state().word()) ". "
                "Submitted " (utc(run.submitted_ms))
                @if run.finished_ms > 0 { ", finished " (utc(run.finished_ms)) }
                ", " (duration(seconds(run))) ". Report of " (utc(report.now_ms)) "."
            }
            (bar(run))
            p { (told(run)) "; " (grouped(run.nodes)) " nodes" }
        }
        @if !matrices.is_empty() {
            section {
                h2 { "Results" }
                @for matrix in &matrices { (grid(table, matrix, &link)) }
                (legend(table))
            }
        }
        (summary(table))
        @let spread = plots(table);
        @if !spread.0.is_empty() { section { h2 { "Spread" } (spread) } }
        @for one in statistics(table) { section { h2 { "How often" } (one.svg(MOST_VALUES)) } }
        @let compared = trials(table, Columns::All);
        @if !compared.0.is_empty() { section { h2 { "Settings" } (compared) } }
        (pictures(report))
        (list(table))
        (provenance(report))
    };
    let whole = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body.report { main { (body) } }
        }
    };
    whole.into_string()
}

fn summary(table: &Table) -> Markup {
    html! {
        section {
            h2 { "Summary" }
            table {
                thead { tr { th scope="col" { "Result" } th.num scope="col" { "Items" } } }
                tbody {
                    @for (word, count) in table.counts() {
                        tr { td { (word) } td.num { (grouped(count as u64)) } }
                    }
                }
            }
        }
    }
}

/// The last position of a line, with its moves; or the picture of the whole answer.
fn pictures(report: &Report<'_>) -> Markup {
    let rows = report.table.rows();
    html! {
        @if !report.pictures.is_empty() {
            section {
                h2 { "Pictures" }
                ul.diagrams.large {
                    @for (item, picture) in report.pictures {
                        @let row = rows.iter().find(|row| row.item == *item);
                        li {
                            div.paper {
                                @if let Some(still) = &picture.still { (PreEscaped(still)) }
                                @else if let Some(last) = picture.frames.last() { (PreEscaped(&last.svg)) }
                            }
                            p {
                                a href={ "#item-" (item) } { b { (item) } }
                                @if let Some(row) = row { " " (state(row)) " " (result(row)) }
                            }
                            @if picture.frames.len() > 1 && picture.still.is_none() {
                                p.soft {
                                    @for (at, frame) in picture.frames.iter().enumerate().skip(1) {
                                        (at) ". " (frame.text) " "
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn list(table: &Table) -> Markup {
    let head = table.head(Columns::Results);
    html! {
        section {
            h2 { "Items" }
            table.list {
                thead { tr { @for name in &head { th scope="col" { (name) } } } }
                tbody {
                    @for row in table.rows().iter().take(MOST_ROWS) {
                        tr id={ "item-" (row.item) } {
                            @for (name, value) in head.iter().zip(table.cells(row, Columns::Results)) {
                                @match name.as_str() {
                                    "verdict" => { td { (state(row)) } }
                                    _ => { td { (value) } }
                                }
                            }
                        }
                    }
                }
            }
            @if table.rows().len() > MOST_ROWS {
                p { "The first " (grouped(MOST_ROWS as u64)) " of " (grouped(table.rows().len() as u64)) " items; exports have all." }
            }
        }
    }
}

/// Where everything comes from: sweep, programs, machines, certificates and who verified them.
fn provenance(report: &Report<'_>) -> Markup {
    let rows = report.table.rows();
    let mut checks: BTreeMap<(String, String, &str), u64> = BTreeMap::new();
    let mut files: BTreeMap<String, (u64, Vec<usize>)> = BTreeMap::new();
    for row in rows {
        let Some(answer) = &row.answer else { continue };
        let (sender, by) = answer.check.as_ref().map_or_else(
            || ("unknown".to_string(), "nobody".to_string()),
            |check| (check.sender.clone(), check.by.clone()),
        );
        *checks.entry((sender, by, basis(row))).or_default() += 1;
        for file in &answer.certificates {
            let known = files.entry(file.file_name()).or_insert((file.bytes, Vec::new()));
            known.1.push(row.item);
        }
    }
    html! {
        section.provenance {
            h2 { "Provenance" }
            dl.facts {
                div { dt { "written by" } dd { (report.version) } }
                @if !report.coordinator.is_empty() { div { dt { "coordinator" } dd { "hasami " (report.coordinator) } } }
            }
            @if !report.machines.is_empty() {
                h3 { "Machines connected when this was written" }
                table {
                    thead { tr { th scope="col" { "Worker" } th scope="col" { "Machine" } th.num scope="col" { "Threads" } th scope="col" { "Version" } } }
                    tbody {
                        @for one in report.machines {
                            tr { td { (one.worker) } td { (one.host) } td.num { (one.threads) } td { (one.version) } }
                        }
                    }
                }
            }
            h3 { "Who computed, who checked" }
            table {
                thead { tr { th scope="col" { "Computed by" } th scope="col" { "Checked by" } th scope="col" { "Rests on" } th.num scope="col" { "Answers" } } }
                tbody {
                    @for ((sender, by, basis), count) in &checks {
                        tr { td { (sender) } td { (by) } td { (if basis.is_empty() { "its sender" } else { basis }) } td.num { (grouped(*count)) } }
                    }
                }
            }
            h3 { "Certificates" }
            p { (counted(files.len() as u64, "file")) ". The name of a file is the BLAKE3 sum of its bytes. Check one with " code { "hasami verify FILE" } ", or with the second checker." }
            ul.digests {
                @for (name, (size, items)) in &files {
                    li { code { (name) } " " span.soft { (bytes(*size)) ", item " (listed(items)) } }
                }
            }
            h3 { "Sweep" }
            pre { (report.run.sweep) }
        }
    }
}

fn listed(items: &[usize]) -> String {
    const MANY: usize = 8;
    let some: Vec<String> = items.iter().take(MANY).map(ToString::to_string).collect();
    let more = if items.len() > MANY { ", …" } else { "" };
    format!("{}{more}", some.join(", "))
}
