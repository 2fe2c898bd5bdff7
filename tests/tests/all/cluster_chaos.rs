//! Faults at random, many of them, while a sweep runs: the table is that of a quiet run. The seed
//! is printed; `HASAMI_CHAOS_SEED` takes it again, `HASAMI_CHAOS_FAULTS` says how many faults, and
//! `HASAMI_CHAOS_LIES` how many lies for each. With `HASAMI_CHAOS_JOURNAL=postgres` the journal is in
//! a PostgreSQL that crashes too.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hasami_hostile::{Order, harass};
use hasami_proto::{Access, Who};
use hasami_tests::{Cluster, DATA, Hasami, PostgresServer, Proxy, Towards, quiet};

const WORKERS: usize = 3;
/// What a fault takes of the work, about: the sweep must outlast its faults.
const ITEMS_PER_FAULT: u64 = 6;
/// What a lying worker says meanwhile, for each fault.
const LIES_PER_FAULT: u64 = 10;
/// More faults than these last for strike several runs of the same questions.
const MOST_ITEMS: u64 = 400;

struct Dice(fastrand::Rng);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0.u64(..end)
    }
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: expected a whole number")))
}

#[derive(Debug, Default)]
struct Tally {
    workers: u32,
    killed: u64,
    frozen: u64,
    stopped: u64,
    restarts: u64,
    silences: u64,
    breaks: u64,
    databases: u64,
}

/// Lines of the log that a failure shows.
const LAST: usize = 80;

struct Chaos {
    cluster: Cluster,
    /// Where the journal is, if not with the coordinator.
    database: Option<PostgresServer>,
    dice: Dice,
    frozen: Vec<(Instant, u32)>,
    /// One for each worker at a time; the next worker takes the line of one that is gone.
    lines: Vec<Proxy>,
    silent: Vec<(Instant, usize)>,
    tally: Tally,
}

impl Chaos {
    fn some_worker(&mut self) -> u32 {
        let workers = self.cluster.workers();
        workers[self.dice.below(workers.len() as u64) as usize]
    }

    /// Wakes those who have slept long enough, or everybody.
    fn wake(&mut self, all: bool) {
        let now = Instant::now();
        let due: Vec<_> =
            self.frozen.iter().copied().filter(|(until, _)| all || *until <= now).collect();
        self.frozen.retain(|frozen| !due.contains(frozen));
        for (_, worker) in due {
            if self.cluster.workers().contains(&worker) {
                self.cluster.of(worker).signal("CONT");
            }
        }
        let due: Vec<_> =
            self.silent.iter().copied().filter(|(until, _)| all || *until <= now).collect();
        self.silent.retain(|silent| !due.contains(silent));
        due.into_iter().for_each(|(_, line)| self.lines[line].mend());
    }

    /// The line of a worker, by its number.
    fn line_of(&self, worker: u32) -> usize {
        worker as usize % self.lines.len()
    }

    fn add_worker(&mut self) {
        self.tally.workers += 1;
        let line = self.line_of(self.tally.workers);
        let number = self.cluster.worker_with(&format!("--coordinator {}", self.lines[line].url()));
        assert_eq!(number, self.tally.workers, "workers are counted from 1");
    }

    /// Cuts a line in one direction for a while, or breaks the connections on it.
    fn strike_line(&mut self) {
        let line = self.dice.below(self.lines.len() as u64) as usize;
        match self.dice.below(3) {
            0 => {
                self.lines[line].reset();
                self.tally.breaks += 1;
            }
            direction => {
                let towards = [Towards::Coordinator, Towards::Caller][direction as usize - 1];
                self.lines[line].silence(towards);
                let long = Duration::from_millis(100 + self.dice.below(2500));
                self.silent.push((Instant::now() + long, line));
                self.tally.silences += 1;
            }
        }
    }

    fn strike(&mut self) {
        if let Some(database) = &mut self.database
            && self.dice.below(10) == 0
        {
            database.crash();
            std::thread::sleep(Duration::from_millis(self.dice.below(600)));
            database.resume();
            self.tally.databases += 1;
            return;
        }
        match self.dice.below(13) {
            0..4 => {
                let worker = self.some_worker();
                self.cluster.take_worker(worker).kill();
                self.tally.killed += 1;
            }
            4..7 => {
                let worker = self.some_worker();
                self.cluster.of(worker).signal("STOP");
                let long = Duration::from_millis(100 + self.dice.below(2500));
                self.frozen.push((Instant::now() + long, worker));
                self.tally.frozen += 1;
            }
            7 => {
                let worker = self.some_worker();
                let mut process = self.cluster.take_worker(worker);
                process.signal("CONT");
                self.lines[self.line_of(worker)].mend();
                // Before that it has not said what a signal means, and dies of it.
                process.wait_for("starting");
                process.signal("TERM");
                let end = Instant::now() + Duration::from_secs(30);
                while process.ended().is_none() && Instant::now() < end {
                    std::thread::sleep(Duration::from_millis(10));
                }
                process.end().expect(0);
                self.tally.stopped += 1;
            }
            10.. => self.strike_line(),
            _ => {
                self.cluster.take_coordinator().kill();
                std::thread::sleep(Duration::from_millis(self.dice.below(600)));
                self.cluster.start();
                self.tally.restarts += 1;
            }
        }
        while self.cluster.workers().len() < WORKERS {
            self.add_worker();
        }
    }
}

impl Drop for Chaos {
    /// The directory goes, and the log with it: what a failure needs is printed.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = std::fs::read(self.cluster.hasami.path("coordinator.log"));
            let log = String::from_utf8_lossy(&log.unwrap_or_default()).into_owned();
            let told = log.lines().filter(|line| !line.contains("item settled"));
            let last: Vec<&str> = told.rev().take(LAST).collect();
            println!("{:?}\nThe coordinator, last of all:", self.tally);
            last.iter().rev().for_each(|line| println!("{line}"));
        }
    }
}

#[test]
fn a_sweep_survives_faults_at_random() {
    let faults = number("HASAMI_CHAOS_FAULTS").unwrap_or(50);
    let seed = number("HASAMI_CHAOS_SEED").unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.as_millis() as u64 % 1_000_000
    });
    println!("HASAMI_CHAOS_SEED={seed} HASAMI_CHAOS_FAULTS={faults}");
    let hasami = Hasami::new();
    let items = (100 + faults * ITEMS_PER_FAULT).min(MOST_ITEMS);
    hasami.write(
        "s.toml",
        format!(
            "name = 'chaos'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 1000\n\
             [parameters]\ndepth = 12\nbranching = 3\nseed = '0..{items}'\n"
        ),
    );
    let expected = quiet(&hasami, "s.toml", 0);
    let asked = std::env::var("HASAMI_CHAOS_JOURNAL").is_ok_and(|name| name == "postgres");
    let database = asked.then(|| PostgresServer::start().expect("PostgreSQL is installed"));
    let mut options = "--lease 1500ms --heartbeat 200ms".to_string();
    if let Some(database) = &database {
        let objects = hasami.path("objects");
        let url = database.url("chaos");
        options += &format!(" --journal {url} --certificates file://{}", objects.display());
    }
    let cluster = Cluster::on(hasami, &options);
    let mut chaos = Chaos {
        lines: (0..WORKERS).map(|_| Proxy::to(cluster.address())).collect(),
        cluster,
        database,
        dice: Dice(fastrand::Rng::with_seed(seed)),
        frozen: Vec::new(),
        silent: Vec::new(),
        tally: Tally::default(),
    };
    for _ in 0..WORKERS {
        chaos.add_worker();
    }
    let mut run = chaos.cluster.submit("s.toml");
    let lies = number("HASAMI_CHAOS_LIES").unwrap_or(LIES_PER_FAULT);
    let liar = liar(&chaos.cluster, faults * lies, seed);
    let mut seen: Vec<(u64, bool)> = vec![(0, false); items as usize];
    for fault in 0..faults {
        chaos.strike();
        std::thread::sleep(Duration::from_millis(chaos.dice.below(500)));
        chaos.wake(false);
        if fault % 5 == 0 {
            look(&chaos.cluster, run, &mut seen, seed);
            // A machine that is faster than its faults gets the same questions again.
            if seen.iter().all(|(_, over)| *over) {
                assert_eq!(chaos.cluster.export(run), expected, "seed {seed}");
                run = chaos.cluster.json("submit s.toml --force")["run"].as_u64().expect("a run");
                seen.fill((0, false));
            }
        }
    }
    chaos.wake(true);
    println!("{:?}", liar.join().expect("the liar ends").expect("the coordinator answers it"));
    let waited = chaos.cluster.ask(&format!("runs wait {run}"));
    look(&chaos.cluster, run, &mut seen, seed);
    waited.expect(0);
    assert!(seen.iter().all(|(_, over)| *over), "seed {seed}: every item has ended");
    assert_eq!(chaos.cluster.export(run), expected, "seed {seed}");
    let shown = chaos.cluster.json(&format!("runs show {run}"));
    assert_eq!(shown["counts"]["settled"], items, "seed {seed}: {shown}");
    let log = chaos.cluster.coordinator().log();
    let lost = log.matches("worker lost").count();
    let tries: u64 = seen.iter().map(|(attempts, _)| attempts).sum();
    let felt: usize = chaos.lines.iter().map(|line| line.held() + line.broken()).sum();
    println!("{:?}, {lost} workers lost, {tries} attempts at {items} items", chaos.tally);
    assert!(lost > 0 || faults < 20, "seed {seed}: no fault was felt");
    assert!(felt > 0 || faults < 50, "seed {seed}: no line was cut while anything was said");
}

/// One more worker, which lies.
fn liar(
    cluster: &Cluster,
    messages: u64,
    seed: u64,
) -> std::thread::JoinHandle<Result<hasami_hostile::Tally, hasami_hostile::Trouble>> {
    let access = Access::read(cluster.hasami.path(format!("{DATA}/access.json")));
    let access = access.expect("the coordinator has written it").only(Who::Worker);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let order = Order { messages, seed, callers: 1, spare: 0 };
        runtime.block_on(harass(&access, &order))
    })
}

/// Attempts only rise, and what has ended stays as it is.
fn look(cluster: &Cluster, run: u64, seen: &mut [(u64, bool)], seed: u64) {
    let items = cluster.items(run);
    assert_eq!(items.len(), seen.len(), "seed {seed}");
    for (item, (attempts, over)) in items.iter().zip(seen) {
        let now = item["attempts"].as_u64().expect("a count");
        let ended = item["state"] == "settled";
        if ["open", "failed", "cancelled"].iter().any(|state| item["state"] == *state) {
            let history = cluster.history(run, item["item"].as_u64().expect("a number"));
            panic!("seed {seed}: it has ended without a verdict: {item}\n{history}");
        }
        assert!(now >= *attempts, "seed {seed}: {attempts} attempts before: {item}");
        assert!(ended || !*over, "seed {seed}: it had ended before: {item}");
        assert!(!*over || now == *attempts, "seed {seed}: computed after its end: {item}");
        assert!(item["failure"].is_null(), "seed {seed}: {item}");
        (*attempts, *over) = (now, ended);
    }
}
