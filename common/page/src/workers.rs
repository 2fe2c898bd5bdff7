//! The workers: how fast they are, what they do, how long they were idle.

use hasami_proto::v1::{HeldInfo, WorkerInfo};
use maud::{Markup, html};

use crate::frame::{Frame, page};
use crate::view::Viewer;
use crate::words::{counted, duration, grouped, percent, short};

/// Units of one worker that are named.
const NAMED: usize = 3;

/// A worker and its account of time.
#[derive(Clone, Debug, Default)]
pub struct WorkerRow {
    /// What it says and does.
    pub info: WorkerInfo,
    /// Seconds that its threads have computed since the coordinator knows it.
    pub busy: f64,
    /// Seconds that its threads had nothing to do.
    pub idle: f64,
}

/// The table of workers: the part of the page that changes.
#[must_use]
pub fn worker_table(workers: &[WorkerRow]) -> Markup {
    let threads: u64 = workers.iter().map(|row| u64::from(row.info.threads)).sum();
    let speed: f64 = workers.iter().map(|row| row.info.nodes_per_second).sum();
    let (busy, idle) =
        workers.iter().fold((0.0, 0.0), |(busy, idle), row| (busy + row.busy, idle + row.idle));
    html! {
        div id="workers" {
            @if workers.is_empty() {
                p { "No worker is connected. Start one with " code { "hasami worker --access FILE" } "." }
            } @else {
                p.soft {
                    (counted(workers.len() as u64, "worker")) " with " (counted(threads, "thread"))
                    ", " (short(speed)) " nodes/s, idle " (share(idle, busy + idle)) " of their time"
                }
                table.wide.cards {
                    thead {
                        tr {
                            th scope="col" { "Worker" } th scope="col" { "Machine" }
                            th.num scope="col" { "Threads" } th.num scope="col" { "Nodes/s" }
                            th.num scope="col" { "Idle" } th scope="col" { "Works on" }
                            th.num scope="col" { "Silent for" } th scope="col" { "Version" }
                        }
                    }
                    tbody { @for worker in workers { (row(worker)) } }
                }
            }
        }
    }
}

fn row(row: &WorkerRow) -> Markup {
    let WorkerRow { info, busy, idle } = row;
    let begun: Vec<&HeldInfo> = info.held.iter().filter(|held| held.begun).collect();
    let ahead = (info.leases as usize).saturating_sub(begun.len());
    html! {
        tr {
            th scope="row" {
                (info.name) " " span.soft { "#" (info.worker) }
                @if !info.token.is_empty() && info.token != info.name {
                    br; span.soft { "token " (info.token) }
                }
            }
            td data-label="Machine" {
                (info.host)
                @if !info.labels.is_empty() {
                    br;
                    span.soft {
                        @for label in &info.labels { (label.name) "=" (label.value) " " }
                    }
                }
            }
            td.num data-label="Threads" title={ (grouped(info.memory_mib)) " MiB for tables" } { (info.threads) }
            td.num data-label="Nodes/s" { (short(info.nodes_per_second)) }
            td.num data-label="Idle" title={ (duration(*idle)) " idle, " (duration(*busy)) " busy" } {
                (share(*idle, busy + idle))
            }
            td data-label="Works on" {
                @if begun.is_empty() { span.soft { "nothing" } }
                @for held in begun.iter().take(NAMED) { div.unit { (unit(held)) } }
                @if begun.len() > NAMED { div.soft { "and " (begun.len() - NAMED) " more" } }
                @if ahead > 0 { div.soft { (counted(ahead as u64, "unit")) " ahead" } }
            }
            td.num data-label="Silent for" { (duration(info.silent)) }
            td data-label="Version" { (info.version) }
        }
    }
}

fn unit(held: &HeldInfo) -> Markup {
    let lease = held.lease.unwrap_or_default();
    html! {
        a href={ "/runs/" (lease.run) "/items/" (lease.item) } { (held.question) }
        " " span.soft { (held.kind) ", " (duration(held.seconds)) ", " (short(held.nodes as f64)) " nodes" }
    }
}

fn share(part: f64, whole: f64) -> String {
    if whole < 1.0 {
        "–".to_string()
    } else {
        percent((part * 1000.0) as u64, (whole * 1000.0) as u64)
    }
}

/// The page of the workers.
#[must_use]
pub fn workers(viewer: &Viewer, workers: &[WorkerRow]) -> String {
    let body = html! { h1 { "Workers" } (worker_table(workers)) };
    let live = Some("/live/workers".to_string());
    page(viewer, &Frame { title: "Workers", place: "/workers", live }, body)
}
