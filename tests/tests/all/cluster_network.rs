//! Four machines, as far as the network can tell: namespaces with addresses of their own, behind a
//! switch. Everything is encrypted, and lines are cut.

use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use hasami_tests::{Faults, Hasami, Mishaps, Process, Run, Wire, quiet, until};
use serde_json::Value;

const SWEEP: &str = "name = 'net'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 100\n\
                     [parameters]\ndepth = 13\nbranching = 3\nseed = '0..40'\n";

/// Of the mishaps of packets.
const SEED: u64 = 0x6861_7361_6d69;

fn ip(line: &str) -> Result<(), String> {
    let output = Command::new("ip").args(line.split_whitespace()).output();
    let output = output.map_err(|error| format!("ip: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("ip {line}: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// Machines `0..` with the addresses `10.83.0.1..`, and a switch in a namespace of its own.
pub struct Network {
    names: Vec<String>,
}

impl Network {
    pub fn new(machines: usize) -> Result<Self, String> {
        // Several tests of one process may each have one.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let id = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let mut network = Self { names: Vec::new() };
        network.add(format!("hasami-{id}-s"))?;
        let switch = network.names[0].clone();
        ip(&format!("-n {switch} link add br0 type bridge"))?;
        ip(&format!("-n {switch} link set br0 up"))?;
        for number in 0..machines {
            let name = format!("hasami-{id}-{number}");
            network.add(name.clone())?;
            ip(&format!(
                "-n {switch} link add port{number} type veth peer name eth0 netns {name}"
            ))?;
            ip(&format!("-n {name} link set lo up"))?;
            network.plug_in(number)?;
        }
        Ok(network)
    }

    fn add(&mut self, name: String) -> Result<(), String> {
        ip(&format!("netns add {name}"))?;
        self.names.push(name);
        Ok(())
    }

    /// Brings up both ends of the line of a machine, and gives it its address.
    fn plug_in(&self, machine: usize) -> Result<(), String> {
        let (switch, name) = (&self.names[0], &self.names[machine + 1]);
        ip(&format!("-n {switch} link set port{machine} master br0 up"))?;
        ip(&format!("-n {name} addr add 10.83.0.{}/24 dev eth0", machine + 1))?;
        ip(&format!("-n {name} link set eth0 up"))
    }

    /// Another line between a machine and the switch, on which packets have mishaps.
    fn wild(&self, machine: usize) -> Result<Wire, String> {
        let wire = Wire::new(SEED).map_err(|error| format!("/dev/net/tun: {error}"))?;
        let (switch, name) = (&self.names[0], &self.names[machine + 1]);
        let [here, there] = &wire.cards;
        ip(&format!("-n {switch} link del port{machine}"))?;
        ip(&format!("link set {there} netns {switch} name port{machine}"))?;
        ip(&format!("link set {here} netns {name} name eth0"))?;
        self.plug_in(machine)?;
        Ok(wire)
    }

    /// Words in front of a program that runs there.
    pub fn on(&self, machine: usize) -> [&str; 4] {
        ["ip", "netns", "exec", &self.names[machine + 1]]
    }

    /// What one machine sends to another is lost, or no longer; what comes back is not.
    fn one_way(&self, from: usize, to: usize, change: &str) {
        let name = &self.names[from + 1];
        ip(&format!("-n {name} route {change} blackhole 10.83.0.{}/32", to + 1)).expect("a route");
    }

    /// Cuts or mends the line of a machine, at the switch: the machine itself sees nothing.
    pub fn line(&self, machine: usize, state: &str) {
        ip(&format!("-n {} link set port{machine} {state}", self.names[0])).expect("a line");
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for name in &self.names {
            if let Err(error) = ip(&format!("netns del {name}")) {
                println!("{error}");
            }
        }
    }
}

/// A coordinator on machine 0, workers on 1 and 2, a person on 3.
struct Lab {
    network: Network,
    hasami: Hasami,
    expected: String,
}

impl Lab {
    fn new(machines: usize) -> Option<Self> {
        let network = match Network::new(machines) {
            Ok(network) => network,
            Err(why) => {
                println!("skipped: no network namespaces here: {why}");
                return None;
            }
        };
        let hasami = Hasami::new();
        hasami.write("s.toml", SWEEP);
        static QUIET: OnceLock<String> = OnceLock::new();
        let expected = QUIET.get_or_init(|| quiet(&hasami, "s.toml", 0)).clone();
        Some(Self { network, hasami, expected })
    }

    /// A coordinator with this data on a machine, and the access file for everybody, as by `scp`.
    fn coordinator(&self, machine: usize, data: &str, before: &[&str]) -> Process {
        let address = format!("10.83.0.{}", machine + 1);
        let line = format!(
            "coordinator --listen {address}:7444 --data {data} --checkpoints . --lease 2000ms --heartbeat 200ms \
             --output json"
        );
        let before = [&self.network.on(machine), before].concat();
        let mut coordinator = self.hasami.spawn(&format!("coordinator-{machine}"), &before, &line);
        let told = until("the address", || {
            assert!(coordinator.ended().is_none(), "{}", coordinator.log());
            serde_json::from_str::<Value>(&coordinator.out()).ok()
        });
        assert_eq!(told["tls"], true, "beyond the loopback everything is encrypted");
        let (from, to) = (format!("{data}/access.json"), format!("access-{machine}.json"));
        let _ = std::fs::remove_file(self.hasami.path(&to));
        std::fs::copy(self.hasami.path(from), self.hasami.path(to)).expect("a copy");
        coordinator
    }

    /// A worker on a machine, of the coordinator on another.
    fn worker(&self, machine: usize, of: usize) -> Process {
        let line = format!(
            "worker --access access-{of}.json --threads 1 --memory 64MiB --name on-{machine}"
        );
        self.hasami.spawn(&format!("worker-{machine}"), &self.network.on(machine), &line)
    }

    /// What a person on machine 3 asks the coordinator on another.
    fn ask(&self, of: usize, line: &str) -> Run {
        let line = format!("{line} --access access-{of}.json");
        self.hasami.run_after(&self.network.on(3), &line)
    }

    /// Waits until so many items have ended.
    fn done(&self, of: usize, least: u64) {
        until("items that end", || {
            let shown = self.ask(of, "runs show 1 --output json").expect(0).json();
            (shown["done"].as_u64() >= Some(least)).then_some(())
        });
    }

    #[track_caller]
    fn finishes(&self, of: usize) {
        self.ask(of, "runs wait 1").expect(0);
        assert_eq!(self.ask(of, "runs export 1 --format csv").expect(0).stdout, self.expected);
    }
}

#[test]
fn lines_that_are_cut_for_longer_than_a_lease_lose_nothing() {
    let Some(lab) = Lab::new(4) else { return };
    let mut coordinator = lab.coordinator(0, "data", &[]);
    let mut workers = [lab.worker(1, 0), lab.worker(2, 0)];
    lab.ask(0, "submit s.toml --output json").expect(0);
    lab.done(0, 2);
    // One worker is cut off for longer than its lease.
    lab.network.line(1, "down");
    coordinator.wait_for("worker lost");
    lab.done(0, 6);
    lab.network.line(1, "up");
    // Then the coordinator is, from everybody.
    lab.done(0, 8);
    let lost = coordinator.log().matches("worker lost").count();
    lab.network.line(0, "down");
    until("both to be missed", || {
        (coordinator.log().matches("worker lost").count() > lost).then_some(())
    });
    for worker in &mut workers {
        worker.wait_for("computing goes on");
    }
    lab.network.line(0, "up");
    for worker in &mut workers {
        worker.wait_for("the coordinator is there again");
    }
    lab.finishes(0);
    for worker in workers {
        worker.signal("TERM");
        worker.end().expect(0);
    }
}

#[test]
fn packets_that_are_lost_in_one_direction_lose_nothing_else() {
    let Some(lab) = Lab::new(4) else { return };
    let mut coordinator = lab.coordinator(0, "data", &[]);
    let mut workers = [lab.worker(1, 0), lab.worker(2, 0)];
    lab.ask(0, "submit s.toml --output json").expect(0);
    lab.done(0, 2);
    // The worker hears the coordinator, and is not heard.
    lab.network.one_way(1, 0, "add");
    coordinator.wait_for("worker lost");
    lab.done(0, 6);
    lab.network.one_way(1, 0, "del");
    workers[0].wait_for("registered again");
    // The other one is heard, and does not hear.
    lab.network.one_way(0, 2, "add");
    workers[1].wait_for("computing goes on");
    lab.done(0, 12);
    lab.network.one_way(0, 2, "del");
    lab.finishes(0);
    for worker in workers {
        worker.signal("TERM");
        worker.end().expect(0);
    }
}

#[test]
fn packets_that_come_twice_late_in_another_order_or_never_lose_nothing() {
    let Some(lab) = Lab::new(4) else { return };
    let wire = match lab.network.wild(0) {
        Ok(wire) => wire,
        Err(why) => return println!("skipped: no cards here: {why}"),
    };
    let _coordinator = lab.coordinator(0, "data", &[]);
    let workers = [lab.worker(1, 0), lab.worker(2, 0)];
    lab.ask(0, "submit s.toml --output json").expect(0);
    lab.finishes(0);
    for worker in workers {
        worker.signal("TERM");
        worker.end().expect(0);
    }
    let Mishaps { doubled, overtaken, lost } = &*wire.mishaps;
    let counts = [doubled, overtaken, lost].map(|count| count.load(Relaxed));
    assert!(counts[0] > 20 && counts[1] > 20 && counts[2] > 0, "{counts:?}");
}

#[test]
fn a_cluster_moves_to_another_machine_and_goes_on_there() {
    let Some(lab) = Lab::new(6) else { return };
    let coordinator = lab.coordinator(0, "data", &[]);
    let workers = [lab.worker(1, 0), lab.worker(2, 0)];
    lab.ask(0, "submit s.toml --output json").expect(0);
    lab.done(0, 6);
    // Copied while it works, as it is then; the machine is lost afterwards, and its workers with it.
    let copy = lab.hasami.path("copy");
    lab.ask(0, &format!("coordinator checkpoint {}", copy.display())).expect(0);
    coordinator.kill();
    drop(workers);
    std::fs::remove_dir_all(lab.hasami.path("data")).expect("the disk is lost too");
    lab.hasami.run("coordinator restore copy --data elsewhere").expect(0);
    let mut coordinator = lab.coordinator(4, "elsewhere", &[]);
    // The tokens were not part of it.
    lab.hasami.run_after(&lab.network.on(3), "runs list --access access-4.json").expect(0);
    lab.done(4, 6);
    let _worker = lab.worker(5, 4);
    lab.finishes(4);
    let log = coordinator.log();
    assert!(log.contains("going on with a run") && log.contains("name=\"on-5\""), "{log}");
    // Nobody waits for those who stayed behind, and no item is blamed for them.
    assert!(!log.contains("worker lost"), "{log}");
    assert!(coordinator.ended().is_none());
}

#[test]
fn a_certificate_that_has_expired_fails_fast_and_is_renewed_by_a_restart() {
    let Some(lab) = Lab::new(4) else { return };
    let coordinator = lab.coordinator(0, "data", &[]);
    // Three years on, by the clocks of all but the coordinator, which was never restarted.
    let faults = Faults::new(&lab.hasami, "clock");
    faults.begin("clock", &(3 * 366 * 86_400).to_string());
    let before = faults.before();
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    let on = |machine: usize| [&lab.network.on(machine), &before[..]].concat();
    let expired = ["certificate has expired"];
    let line = "worker --access access-0.json --threads 1 --memory 64MiB";
    lab.hasami.run_after(&on(1), line).expect(2).complains(&expired);
    lab.hasami.run_after(&on(3), "runs list --access access-0.json").expect(2).complains(&expired);
    // A restart makes a new one of the same authority: the old access file is good for it.
    coordinator.kill();
    std::fs::rename(lab.hasami.path("access-0.json"), lab.hasami.path("old.json")).expect("kept");
    let mut coordinator = lab.coordinator(0, "data", &before);
    coordinator.wait_for("the certificate has expired: renewed");
    lab.hasami.run_after(&on(3), "runs list --access old.json").expect(0);
    let early = "certificate is not valid yet";
    lab.ask(0, "runs list").expect(2).complains(&[early]);
}
