//! `/metrics` for Prometheus, in the OpenMetrics text format. docs/metrics.md lists every name.
//!
//! The number of series is bounded: labels are runs that are not over and the latest others, the
//! workers that are connected up to a limit, and words of fixed lists.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use hasami_proto::v1::RunInfo;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use super::Web;
use super::calls::{Trouble, refusal};
use super::snapshot::Snapshot;

/// Runs with series of their own: unfinished ones first, then the latest.
const RUNS: usize = 64;
/// Workers with series of their own. The totals count all.
const WORKERS: usize = 256;
/// What the text says it is.
const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Labels = Vec<(&'static str, String)>;
type Gauges = Family<Labels, Gauge<f64, AtomicU64>>;
type Counters = Family<Labels, Counter<f64, AtomicU64>>;

/// The metrics of this moment.
pub(super) async fn metrics(State(web): State<Arc<Web>>) -> Response {
    let text = async {
        let snapshot = web.snapshot().await?;
        written(&web, &snapshot).map_err(|error| Trouble::Failed(error.to_string()))
    };
    match text.await {
        Ok(text) => ([(CONTENT_TYPE, KIND)], text).into_response(),
        Err(trouble) => refusal(StatusCode::SERVICE_UNAVAILABLE, &format!("{trouble:?}")),
    }
}

fn written(web: &Web, snapshot: &Snapshot) -> Result<String, std::fmt::Error> {
    let mut registry = Registry::with_prefix("hasami");
    let all = &mut Metrics(&mut registry);
    program(all, web, snapshot);
    runs(all, snapshot);
    workers(all, snapshot);
    scheduler(all, snapshot);
    machine(all, web);
    network(all, web);
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

/// Adds metrics with their values of this moment.
struct Metrics<'a>(&'a mut Registry);

impl Metrics<'_> {
    fn gauges(&mut self, name: &str, help: &str, unit: Option<Unit>) -> Gauges {
        let family = Gauges::default();
        match unit {
            Some(unit) => self.0.register_with_unit(name, help, unit, family.clone()),
            None => self.0.register(name, help, family.clone()),
        }
        family
    }

    fn counters(&mut self, name: &str, help: &str, unit: Option<Unit>) -> Counters {
        let family = Counters::default();
        match unit {
            Some(unit) => self.0.register_with_unit(name, help, unit, family.clone()),
            None => self.0.register(name, help, family.clone()),
        }
        family
    }

    fn gauge(&mut self, name: &str, help: &str, value: f64) {
        let gauge = Gauge::<f64, AtomicU64>::default();
        gauge.set(value);
        self.0.register(name, help, gauge);
    }

    fn counter(&mut self, name: &str, help: &str, value: f64) {
        let counter = Counter::<f64, AtomicU64>::default();
        counter.inc_by(value);
        self.0.register(name, help, counter);
    }

    /// A time since the start, in seconds.
    fn seconds(&mut self, name: &str, help: &str, value: f64) {
        let counter = Counter::<f64, AtomicU64>::default();
        counter.inc_by(value);
        self.0.register_with_unit(name, help, Unit::Seconds, counter);
    }

    /// A quantity of this moment with its unit.
    fn amount(&mut self, name: &str, help: &str, unit: Unit, value: f64) {
        let gauge = Gauge::<f64, AtomicU64>::default();
        gauge.set(value);
        self.0.register_with_unit(name, help, unit, gauge);
    }
}

fn program(all: &mut Metrics<'_>, web: &Web, snapshot: &Snapshot) {
    let version = vec![("version", env!("CARGO_PKG_VERSION").to_string())];
    all.gauges("build_info", "The version that runs; always 1", None)
        .get_or_create(&version)
        .set(1.0);
    let up = snapshot.uptime_ms as f64 / 1000.0;
    all.amount("uptime", "Time since the start", Unit::Seconds, up);
    all.gauge("epoch", "Starts of a coordinator on this data", web.shared.journal.epoch() as f64);
    let ready = f64::from(u8::from(snapshot.trouble.is_none() && !web.shared.room.is_short()));
    all.gauge("handing_out", "1 if work is handed out, 0 while the coordinator waits", ready);
}

/// The runs that have series: those that are not over, then the latest.
fn shown(runs: &[Arc<RunInfo>]) -> Vec<&RunInfo> {
    let (ended, active): (Vec<&RunInfo>, Vec<&RunInfo>) =
        runs.iter().rev().map(|run| &**run).partition(|run| run.finished_ms > 0);
    active.into_iter().chain(ended).take(RUNS).collect()
}

fn runs(all: &mut Metrics<'_>, snapshot: &Snapshot) {
    let states = all.gauges("runs", "Runs by state", None);
    for word in ["running", "paused", "finished", "cancelled", "unreadable"] {
        let count = snapshot.runs.iter().filter(|run| run.state().word() == word).count();
        states.get_or_create(&vec![("state", word.to_string())]).set(count as f64);
    }
    let items = all.gauges("run_items", "Items of a run by state", None);
    let nodes = all.counters("run_nodes", "Nodes searched for a run", None);
    let reused = all.gauges("run_items_reused", "Items whose answer was known before", None);
    let hits = all.counters("run_store_hits", "Records of the store that were used", None);
    for run in shown(&snapshot.runs) {
        let of = || vec![("run", run.run.to_string()), ("name", run.name.clone())];
        let counts = run.counts.unwrap_or_default();
        for (word, count) in [
            ("waiting", counts.waiting),
            ("running", counts.running),
            ("settled", counts.settled),
            ("open", counts.open),
            ("failed", counts.failed),
            ("cancelled", counts.cancelled),
        ] {
            let mut labels = of();
            labels.push(("state", word.to_string()));
            items.get_or_create(&labels).set(count as f64);
        }
        nodes.get_or_create(&of()).inc_by(run.nodes as f64);
        reused.get_or_create(&of()).set(counts.reused as f64);
        hits.get_or_create(&of()).inc_by(run.store_hits as f64);
    }
}

fn workers(all: &mut Metrics<'_>, snapshot: &Snapshot) {
    let workers = &snapshot.workers;
    let threads: u64 = workers.iter().map(|row| u64::from(row.info.threads)).sum();
    all.gauge("workers", "Workers that are connected", workers.len() as f64);
    all.gauge("threads", "Threads of all connected workers", threads as f64);
    let times = snapshot.times;
    all.seconds("threads_busy", "Time that threads had a unit", times.busy);
    all.seconds("threads_idle", "Time that threads had nothing", times.idle);
    all.counter("nodes", "Nodes that workers have reported", times.nodes as f64);
    let busy = all.counters("worker_busy", "Time that its threads had a unit", Some(Unit::Seconds));
    let idle =
        all.counters("worker_idle", "Time that its threads had nothing", Some(Unit::Seconds));
    let speed = all.gauges("worker_nodes_per_second", "Nodes per second, averaged", None);
    let held = all.gauges("worker_leases", "Units that it holds", None);
    let silent = all.gauges("worker_silent", "Time since its last call", Some(Unit::Seconds));
    for row in workers.iter().take(WORKERS) {
        let info = &row.info;
        let of = vec![
            ("worker", info.worker.to_string()),
            ("name", info.name.clone()),
            ("host", info.host.clone()),
        ];
        busy.get_or_create(&of).inc_by(row.busy);
        idle.get_or_create(&of).inc_by(row.idle);
        speed.get_or_create(&of).set(info.nodes_per_second);
        held.get_or_create(&of).set(f64::from(info.leases));
        silent.get_or_create(&of).set(info.silent);
    }
}

fn scheduler(all: &mut Metrics<'_>, snapshot: &Snapshot) {
    all.gauge("leases", "Units that workers hold", snapshot.leases as f64);
    all.counter("leases_granted", "Units handed out since the start", snapshot.granted as f64);
    let queue = "Answers that wait to be verified";
    all.gauge("unverified_answers", queue, snapshot.unverified as f64);
    let refuted = "Answers that were refuted since the start";
    all.counter("refuted_answers", refuted, snapshot.refuted as f64);
    let commits = "Time to write and sync a batch of changes";
    let unit = Unit::Seconds;
    all.0.register_with_unit("journal_commit", commits, unit, snapshot.commits.clone());
}

fn machine(all: &mut Metrics<'_>, web: &Web) {
    let free = web.shared.room.free().map_or(f64::NAN, |bytes| bytes as f64);
    all.amount("data_free", "Free room on the disk of the data", Unit::Bytes, free);
    let (damaged, _) = web.shared.journal.damage(0);
    all.gauge("journal_damaged_records", "Records that cannot be read", damaged as f64);
    let faults = web.shared.positions.faults().len();
    all.gauge("store_contradictions", "Problems with a contradiction", faults as f64);
    let failed = web.shared.positions.watch_faults().borrow().store.is_some();
    all.gauge("store_failed", "1 if the store has failed", f64::from(u8::from(failed)));
}

fn network(all: &mut Metrics<'_>, web: &Web) {
    let (open, guests) = web.doorman.connections();
    let connections = all.gauges("connections", "Open connections of the cluster", None);
    for (kind, count) in [("known", open - guests), ("guest", guests)] {
        connections.get_or_create(&vec![("kind", kind.to_string())]).set(count as f64);
    }
    all.counter("calls_refused", "Calls that were refused", web.doorman.refused() as f64);
    let traffic = &web.traffic;
    let requests = all.counters("http_requests", "Requests of browsers and programs", None);
    for (class, count) in traffic.answered.iter().enumerate().skip(1) {
        let label = vec![("code", format!("{class}xx"))];
        requests.get_or_create(&label).inc_by(count.load(Relaxed) as f64);
    }
    let count = |counter: &AtomicU64| counter.load(Relaxed) as f64;
    all.counter("http_refused", "Requests refused by the guard", count(&traffic.refused));
    all.counter("http_crowded", "Connections closed for want of a place", count(&traffic.crowded));
    all.gauge("http_connections", "Open connections of browsers", count(&traffic.connections));
    all.gauge("http_streams", "Pages that are followed", count(&traffic.streams));
}
