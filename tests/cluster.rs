//! A cluster of real processes: a coordinator, workers, and commands of a user.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::process::{Process, until};
use crate::program::{Hasami, Run};

/// Where the coordinator keeps everything.
pub const DATA: &str = "data";

/// A coordinator and its workers, in one directory.
pub struct Cluster {
    /// The program and the directory.
    pub hasami: Hasami,
    options: String,
    /// Words in front of the coordinator's.
    before: Vec<String>,
    listen: String,
    page: Option<String>,
    coordinator: Option<Process>,
    workers: BTreeMap<u32, Process>,
    next: u32,
}

impl Cluster {
    /// A coordinator with these options, and no workers.
    #[must_use]
    pub fn new(options: &str) -> Self {
        Self::on(Hasami::new(), options)
    }

    /// As [`Cluster::new`], in a directory that is there.
    #[must_use]
    pub fn on(hasami: Hasami, options: &str) -> Self {
        Self::under(Vec::new(), hasami, options)
    }

    /// As [`Cluster::on`], with these words in front of the coordinator's.
    #[must_use]
    pub fn under(before: Vec<String>, hasami: Hasami, options: &str) -> Self {
        let mut cluster = Self {
            hasami,
            options: options.to_string(),
            before,
            listen: "127.0.0.1:0".to_string(),
            page: None,
            coordinator: None,
            workers: BTreeMap::new(),
            next: 1,
        };
        cluster.start();
        cluster
    }

    /// Starts the coordinator; at the same address as before, if there was one.
    #[track_caller]
    pub fn start(&mut self) {
        if let Some(ended) = self.try_start() {
            panic!("{ended:#?}");
        }
    }

    /// As [`Cluster::start`]; how it ended, if it did before it told its address.
    #[must_use]
    pub fn try_start(&mut self) -> Option<Run> {
        let line = format!(
            "coordinator --listen {} --data {DATA} --checkpoints . --output json {}",
            self.listen, self.options
        );
        let before: Vec<&str> = self.before.iter().map(String::as_str).collect();
        let mut process = self.hasami.spawn("coordinator", &before, &line);
        let told = until("the coordinator's address", || {
            let ended = process.ended().is_some();
            let told = serde_json::from_str::<Value>(&process.out()).ok();
            (ended || told.is_some()).then_some(told)
        });
        let Some(told) = told else { return Some(process.end()) };
        self.listen = told["address"].as_str().expect("an address").to_string();
        self.page = told["page"].as_str().map(str::to_string);
        self.coordinator = Some(process);
        None
    }

    /// Other options, from the next start on.
    pub fn set_options(&mut self, options: &str) {
        self.options = options.to_string();
    }

    /// Takes the coordinator, to end it in some way.
    pub fn take_coordinator(&mut self) -> Process {
        self.coordinator.take().expect("a coordinator runs")
    }

    /// The coordinator.
    pub fn coordinator(&mut self) -> &mut Process {
        self.coordinator.as_mut().expect("a coordinator runs")
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.listen
    }

    /// Where its page is.
    ///
    /// # Panics
    /// If it was started without one.
    #[must_use]
    pub fn page(&self) -> &str {
        self.page.as_deref().expect("a page")
    }

    /// Starts a worker of one thread; gives its number, which is in its name.
    pub fn worker(&mut self) -> u32 {
        self.worker_with("")
    }

    /// A worker with these options.
    pub fn worker_with(&mut self, options: &str) -> u32 {
        self.worker_under(&[], options)
    }

    /// A worker with these words in front of it.
    pub fn worker_under(&mut self, before: &[String], options: &str) -> u32 {
        let number = self.next;
        self.next += 1;
        let name = format!("worker-{number}");
        let memory = if options.contains("--memory") { "" } else { "--memory 64MiB" };
        let line = format!(
            "worker --access {DATA}/access.json --threads 1 {memory} --name {name} --output json {options}"
        );
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        self.workers.insert(number, self.hasami.spawn(&name, &before, &line));
        number
    }

    /// A worker.
    pub fn of(&mut self, worker: u32) -> &mut Process {
        self.workers.get_mut(&worker).expect("the worker runs")
    }

    /// Takes a worker, to end it in some way.
    pub fn take_worker(&mut self, worker: u32) -> Process {
        self.workers.remove(&worker).expect("the worker runs")
    }

    /// The workers that were started and not taken.
    #[must_use]
    pub fn workers(&self) -> Vec<u32> {
        self.workers.keys().copied().collect()
    }

    /// A command of a user.
    #[must_use]
    pub fn ask(&self, line: &str) -> Run {
        self.hasami.run_after(&[], &format!("{line} --access {DATA}/access.json"))
    }

    /// A command that answers in JSON.
    #[track_caller]
    pub fn json(&self, line: &str) -> Value {
        self.ask(&format!("{line} --output json")).expect(0).json()
    }

    /// Submits a sweep; gives the number of the run.
    #[track_caller]
    pub fn submit(&self, sweep: &str) -> u64 {
        self.json(&format!("submit {sweep}"))["run"].as_u64().expect("a number")
    }

    /// The results of a run, in bytes that depend on its questions alone.
    #[track_caller]
    #[must_use]
    pub fn export(&self, run: u64) -> String {
        self.ask(&format!("runs export {run} --format csv")).expect(0).stdout
    }

    /// The items of a run.
    #[track_caller]
    #[must_use]
    pub fn items(&self, run: u64) -> Vec<Value> {
        let shown = self.json(&format!("runs show {run} --items"));
        shown["list"].as_array().expect("a list").clone()
    }

    /// What has happened to an item, in one text.
    #[track_caller]
    #[must_use]
    pub fn history(&self, run: u64, item: u64) -> String {
        let told = self.json(&format!("runs explain {run} {item}"));
        let lines = told["history"].as_array().expect("a list").iter();
        lines.map(|entry| format!("{}\n", entry["text"].as_str().expect("a text"))).collect()
    }

    /// Waits until so many items have ended.
    #[track_caller]
    pub fn until_done(&self, run: u64, items: u64) {
        until(&format!("{items} items of run {run}"), || {
            let shown = self.json(&format!("runs show {run}"));
            (shown["done"].as_u64() >= Some(items)).then_some(())
        });
    }

    /// Waits until a worker of this name holds something, and has told so.
    #[track_caller]
    pub fn until_busy(&self, worker: u32) {
        let name = format!("worker-{worker}");
        until(&format!("work for {name}"), || {
            let workers = self.json("workers");
            let workers = workers.as_array().expect("a list").clone();
            let busy = |known: &Value| known["name"] == *name && known["leases"].as_u64() > Some(0);
            workers.iter().any(busy).then_some(())
        });
    }
}

/// The results of a sweep when nothing goes wrong: one process, one worker.
#[track_caller]
#[must_use]
pub fn quiet(hasami: &Hasami, sweep: &str, code: i32) -> String {
    let line =
        format!("run {sweep} --data quiet --threads 1 --memory 64MiB -o quiet.csv --output json");
    let run = hasami.run_after(&[], &line).expect(code);
    assert!(run.json()["run"]["state"] == "finished", "{run:#?}");
    String::from_utf8(hasami.read("quiet.csv")).expect("text")
}
