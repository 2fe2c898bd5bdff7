//! Four machines, as far as the network can tell: namespaces with addresses of their own, behind a
//! switch. Everything is encrypted, and lines are cut.

use std::process::Command;

use hasami_tests::{Hasami, Process, quiet, until};
use serde_json::Value;

const SWEEP: &str = "name = 'net'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 100\n\
                     [parameters]\ndepth = 13\nbranching = 3\nseed = '0..40'\n";

fn ip(line: &str) -> Result<(), String> {
    let output = Command::new("ip").args(line.split_whitespace()).output();
    let output = output.map_err(|error| format!("ip: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("ip {line}: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// Machines `0..` with the addresses `10.83.0.1..`, and a switch in a namespace of its own.
struct Network {
    names: Vec<String>,
}

impl Network {
    fn new(machines: usize) -> Result<Self, String> {
        let id = std::process::id();
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
            ip(&format!("-n {switch} link set port{number} master br0 up"))?;
            ip(&format!("-n {name} addr add 10.83.0.{}/24 dev eth0", number + 1))?;
            ip(&format!("-n {name} link set eth0 up"))?;
            ip(&format!("-n {name} link set lo up"))?;
        }
        Ok(network)
    }

    fn add(&mut self, name: String) -> Result<(), String> {
        ip(&format!("netns add {name}"))?;
        self.names.push(name);
        Ok(())
    }

    /// Words in front of a program that runs there.
    fn on(&self, machine: usize) -> [&str; 4] {
        ["ip", "netns", "exec", &self.names[machine + 1]]
    }

    /// Cuts or mends the line of a machine, at the switch: the machine itself sees nothing.
    fn line(&self, machine: usize, state: &str) {
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

fn worker(hasami: &Hasami, network: &Network, machine: usize) -> Process {
    let line = format!("worker --access access.json --threads 1 --memory 64 --name on-{machine}");
    hasami.spawn(&format!("worker-{machine}"), &network.on(machine), &line)
}

#[test]
fn lines_that_are_cut_for_longer_than_a_lease_lose_nothing() {
    let network = match Network::new(4) {
        Ok(network) => network,
        Err(why) => return println!("skipped: no network namespaces here: {why}"),
    };
    let hasami = Hasami::new();
    hasami.write("s.toml", SWEEP);
    let expected = quiet(&hasami, "s.toml", 0);
    let line = "coordinator --listen 10.83.0.1:0 --name 10.83.0.1 --data data --lease-ms 2000 \
                --heartbeat-ms 200 --output json";
    let mut coordinator = hasami.spawn("coordinator", &network.on(0), line);
    let told = until("the address", || {
        assert!(coordinator.ended().is_none(), "{}", coordinator.log());
        serde_json::from_str::<Value>(&coordinator.out()).ok()
    });
    assert_eq!(told["tls"], true, "beyond the loopback everything is encrypted");
    // As `scp` would.
    std::fs::copy(hasami.path("data/access.json"), hasami.path("access.json")).expect("a copy");
    let client =
        |line: &str| hasami.run_after(&network.on(3), &format!("{line} --access access.json"));
    let mut workers = [worker(&hasami, &network, 1), worker(&hasami, &network, 2)];
    client("submit s.toml --output json").expect(0);
    let done = |least: u64| {
        until("items that end", || {
            let shown = client("show 1 --output json").expect(0).json();
            (shown["done"].as_u64() >= Some(least)).then_some(())
        })
    };
    done(2);
    // One worker is cut off for longer than its lease.
    network.line(1, "down");
    coordinator.wait_for("worker lost");
    done(6);
    network.line(1, "up");
    // Then the coordinator is, from everybody.
    done(8);
    let lost = coordinator.log().matches("worker lost").count();
    network.line(0, "down");
    until("both to be missed", || {
        (coordinator.log().matches("worker lost").count() > lost).then_some(())
    });
    for worker in &mut workers {
        worker.wait_for("computing goes on");
    }
    network.line(0, "up");
    for worker in &mut workers {
        worker.wait_for("the coordinator is there again");
    }
    client("wait 1").expect(0);
    let table = client("export 1 --format csv").expect(0).stdout;
    assert_eq!(table, expected);
    for worker in workers {
        worker.signal("TERM");
        worker.end().expect(0);
    }
}
