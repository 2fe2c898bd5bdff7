//! `hasami deploy ssh` with real `sshd`s on ten machines, as far as the network can tell: namespaces
//! with addresses, homes and processes of their own.

use std::process::{Child, Command, Stdio};

use hasami_tests::{Hasami, Process, Run, quiet, until};
use serde_json::Value;

use crate::cluster_network::Network;

const HOSTS: usize = 10;
const SWEEP: &str = "name = 'fleet'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 100\n\
                     [parameters]\ndepth = 14\nbranching = 3\nseed = '0..60'\n";

/// A coordinator and a person on machine 0, an `sshd` on each of the others.
struct Lab {
    network: Network,
    hasami: Hasami,
    servers: Vec<Child>,
}

fn run(program: &str, words: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(words).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_string();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("{program} {}: {}", words.join(" "), text(&output.stderr))),
    }
}

impl Lab {
    fn new() -> Result<Self, String> {
        let sshd = "/usr/sbin/sshd";
        if !std::path::Path::new(sshd).exists() {
            return Err(format!("no {sshd} (package openssh-server)"));
        }
        let network = Network::new(HOSTS + 1)?;
        let hasami = Hasami::new();
        let here = |name: &str| hasami.path(name).display().to_string();
        for key in ["key", "hostkey"] {
            run("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-f", &here(key)])?;
        }
        let public = String::from_utf8(hasami.read("hostkey.pub")).expect("a key");
        let public = public.rsplit_once(' ').map_or(public.as_str(), |(key, _)| key).to_string();
        let known: String = (1..=HOSTS).map(|n| format!("{} {public}\n", address(n))).collect();
        hasami.write("known_hosts", known);
        // Where a server gives up its privileges. Debian's service makes it when it starts.
        std::fs::create_dir_all("/run/sshd").map_err(|error| format!("/run/sshd: {error}"))?;
        let id = run("id", &["-un"])?;
        let home = run("getent", &["passwd", &id])?;
        let home = home.split(':').nth(5).ok_or("no home")?.to_string();
        let mut servers = Vec::new();
        for machine in 1..=HOSTS {
            let own = here(&home_of(machine));
            std::fs::create_dir_all(&own).expect("a directory");
            let config = format!(
                "ListenAddress {}\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nUsePAM no\n\
                 StrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\nMaxStartups 100\n",
                address(machine),
                here("hostkey"),
                here("key.pub")
            );
            hasami.write(&format!("sshd-{machine}"), config);
            // With processes of its own, so that nothing of a host outlives its server.
            let start = format!(
                "mount --bind '{own}' '{home}' && exec {sshd} -D -e -f '{}'",
                here(&format!("sshd-{machine}"))
            );
            let mut command = Command::new("ip");
            command.args(&network.on(machine)[1..]);
            command.args(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]);
            command.args(["sh", "-c", &start]).stdin(Stdio::null());
            let log = std::fs::File::create(hasami.path(format!("sshd-{machine}.log")));
            command.stdout(Stdio::null()).stderr(log.expect("a log"));
            servers.push(command.spawn().map_err(|error| format!("ip: {error}"))?);
        }
        let mut lab = Self { network, hasami, servers };
        for machine in 1..=HOSTS {
            until("a server", || {
                let log = lab.hasami.read(&format!("sshd-{machine}.log"));
                let log = String::from_utf8_lossy(&log);
                let ended = lab.servers[machine - 1].try_wait().expect("a process");
                assert!(ended.is_none(), "{log}");
                log.contains("Server listening").then_some(())
            });
        }
        lab.hosts("threads=1 memory=64MiB");
        Ok(lab)
    }

    /// Writes hosts.txt with these words after every host.
    fn hosts(&self, words: &str) {
        let lines = (1..=HOSTS).map(|machine| format!("{} {words}\n", address(machine)));
        self.hasami.write("hosts.txt", lines.collect::<String>());
    }

    fn coordinator(&self) -> Process {
        let line = "coordinator --listen 10.83.0.1:7444 --name 10.83.0.1 --data data \
                    --lease 2s --heartbeat 200ms --output json";
        let mut coordinator = self.hasami.spawn("coordinator", &self.network.on(0), line);
        until("the address", || {
            assert!(coordinator.ended().is_none(), "{}", coordinator.log());
            serde_json::from_str::<Value>(&coordinator.out()).ok()
        });
        coordinator
    }

    fn line(&self, words: &str) -> String {
        let here = |name: &str| self.hasami.path(name).display().to_string();
        let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
        format!(
            "deploy ssh {verb} hosts.txt --access data/access.json --ssh-option ConnectTimeout=2 \
             --ssh-option IdentityFile={} --ssh-option IdentitiesOnly=yes \
             --ssh-option UserKnownHostsFile={} {rest}",
            here("key"),
            here("known_hosts")
        )
    }

    /// What a person on machine 0 wants of the fleet.
    fn deploy(&self, words: &str) -> Run {
        self.hasami.run_after(&self.network.on(0), &self.line(words))
    }

    fn ask(&self, line: &str) -> Run {
        self.hasami.run_after(&self.network.on(0), &format!("{line} --access data/access.json"))
    }

    /// Names of workers at the coordinator.
    fn workers(&self) -> Vec<String> {
        let workers = self.ask("workers --output json").expect(0).json();
        let workers = workers.as_array().expect("a list").iter();
        workers.map(|worker| worker["name"].as_str().expect("a name").to_string()).collect()
    }

    /// Runs a program on a host, past its server.
    fn inside(&self, machine: usize, words: &[&str]) -> Result<String, String> {
        let outer = self.servers[machine - 1].id();
        let below = std::fs::read_to_string(format!("/proc/{outer}/task/{outer}/children"));
        let below = below.expect("a list of processes");
        let target = below.split_whitespace().next().expect("the server");
        run("nsenter", &[&["--mount", "--pid", "--target", target][..], words].concat())
    }

    /// A file in the directory of workers on a host.
    fn at(&self, machine: usize, file: &str) -> std::path::PathBuf {
        let home = home_of(machine);
        self.hasami.path(format!("{home}/.hasami-worker/ssh-{}/{file}", address(machine)))
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for server in &mut self.servers {
            // It takes everything on its host with it.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// The last two share their homes, as the machines of a lab often do.
fn home_of(machine: usize) -> String {
    format!("home-{}", machine.min(HOSTS - 1))
}

fn address(machine: usize) -> String {
    format!("10.83.0.{}", machine + 1)
}

/// The results of all hosts.
#[track_caller]
fn results(run: &Run) -> Vec<String> {
    let hosts = run.json();
    let hosts = hosts.as_array().expect("a list").iter();
    hosts.map(|host| host["result"].as_str().expect("a text").to_string()).collect()
}

#[test]
fn ten_hosts_work_and_are_scaled_upgraded_and_cleared() {
    let lab = match Lab::new() {
        Ok(lab) => lab,
        Err(why) => return println!("skipped: no hosts with ssh here: {why}"),
    };
    lab.hasami.write("s.toml", SWEEP);
    let expected = quiet(&lab.hasami, "s.toml", 0);
    let _coordinator = lab.coordinator();
    lab.ask("submit s.toml").expect(0);

    // Host 10 cannot be reached: Ctrl-C while it is waited for. The same command goes on.
    lab.network.line(10, "down");
    let mut cut = lab.hasami.spawn("cut", &lab.network.on(0), &lab.line("start"));
    cut.wait_for(&format!("{}: 1 worker", address(1)));
    cut.signal("INT");
    let cut = cut.end();
    assert!(matches!(cut.code, Some(130 | 1)), "{cut:#?}");
    lab.network.line(10, "up");
    let began = std::time::Instant::now();
    lab.deploy("start").expect(0);
    println!(
        "ten hosts in {:.1} s (with what had been done before)",
        began.elapsed().as_secs_f64()
    );
    let mut workers = lab.workers();
    workers.sort();
    let mut all: Vec<String> = (1..=HOSTS).map(|n| format!("ssh-{}-1", address(n))).collect();
    all.sort();
    assert_eq!(workers, all);

    // Again: nothing to do. No file of a host can be read by others, and each has its own token.
    let again = lab.deploy("start --output json").expect(0);
    assert!(results(&again).iter().all(|text| text == "1 worker, as before"), "{again:#?}");
    let tokens: std::collections::BTreeSet<Vec<u8>> = (1..=HOSTS)
        .map(|n| std::fs::read(lab.at(n, "access.json")).expect("an access file"))
        .collect();
    assert_eq!(tokens.len(), HOSTS);
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(lab.at(1, "access.json")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o400);

    // A worker that is killed is started again; a host that is down is named.
    let child = std::fs::read_to_string(lab.at(3, "worker-1.child")).expect("its process");
    let child = child.split_whitespace().next().expect("a number");
    lab.inside(3, &["kill", "-KILL", child]).expect("a kill");
    until("its return", || {
        let state = std::fs::read_to_string(lab.at(3, "worker-1.state")).unwrap_or_default();
        (state == "running 1 -\n").then_some(())
    });
    lab.network.line(4, "down");
    let status = lab.deploy("status").expect(1);
    assert!(status.stdout.contains("ssh: connect to host 10.83.0.5"), "{status:#?}");
    lab.network.line(4, "up");

    // More and fewer; then the table is that of a quiet run.
    let scaled = lab.deploy("scale --host 10.83.0.3 --workers 3 --output json").expect(0);
    assert_eq!(results(&scaled), ["3 workers, 2 started"]);
    let status = lab.deploy("status --host 10.83.0.3 --output json").expect(0);
    assert!(results(&status)[0].contains("(the file wants 1)"), "{status:#?}");
    let scaled = lab.deploy("scale --host 10.83.0.3 --workers 1 --output json").expect(0);
    assert_eq!(results(&scaled), ["1 worker, 2 stopped"]);
    lab.ask("runs wait 1").expect(0);
    assert_eq!(lab.ask("runs export 1 --format csv").expect(0).stdout, expected);

    // Another program, one host after the other. Bytes after its end change only its digest.
    let mut other = std::fs::read(lab.at(1, "hasami")).expect("the program");
    other.extend(b"another build");
    lab.hasami.write("other", other);
    let upgraded = lab.deploy("upgrade --binary other --step 5 --output json").expect(0);
    assert!(results(&upgraded).iter().all(|text| text.contains("1 started")), "{upgraded:#?}");
    let logs = lab.deploy("logs --host 10.83.0.4 --lines 5").expect(0);
    assert!(logs.stdout.contains("10.83.0.4: ") && logs.stdout.contains("registered"), "{logs:#?}");

    lab.deploy("stop --remove").expect(0);
    assert_eq!(lab.workers(), [""; 0]);
    let left = |n| lab.hasami.path(home_of(n)).join(".hasami-worker").exists();
    assert!(!(1..=HOSTS).any(left), "nothing is left on the hosts");
    let tokens = lab.ask("access list --output quiet").expect(0).stdout;
    assert_eq!(tokens.split_whitespace().collect::<Vec<_>>(), ["operator", "worker"]);
    // And once more, with nothing there.
    lab.deploy("stop").expect(0);
}

#[test]
fn what_is_wrong_with_a_host_is_said_and_the_others_work() {
    let lab = match Lab::new() {
        Ok(lab) => lab,
        Err(why) => return println!("skipped: no hosts with ssh here: {why}"),
    };
    let coordinator = lab.coordinator();
    // The disk of host 2 is too small for the program.
    let home = run("sh", &["-c", "getent passwd $(id -un) | cut -d: -f6"]).expect("a home");
    lab.inside(2, &["mount", "-t", "tmpfs", "-o", "size=8m", "none", &home]).expect("a small disk");
    lab.hasami.write(
        "hosts.txt",
        "10.83.0.2 threads=1 memory=64MiB label=note=$(touch${IFS}/tmp/hasami-was-here);'\"`id`\n\
         10.83.0.3\nnobody-here.invalid\n10.83.0.4:23\nno-such-user@10.83.0.5\n",
    );
    let started = lab.deploy("start --output json").expect(1);
    let report = started.json();
    let trouble = |at: usize| report[at]["trouble"].to_string();
    assert_eq!(report[0]["ok"], true, "{report}");
    assert!(trouble(1).contains("MiB are free there"), "{report}");
    assert!(trouble(2).contains("resolve"), "{report}");
    assert!(trouble(3).contains("refused"), "{report}");
    assert!(trouble(4).contains("Permission denied"), "{report}");
    // Nothing half is left on the small disk, and nothing of a label was run.
    let place = format!("{home}/.hasami-worker/ssh-10.83.0.3");
    assert_eq!(lab.inside(2, &["ls", &place]).expect("a list"), "");
    assert!(!std::path::Path::new("/tmp/hasami-was-here").exists());
    let workers = lab.ask("workers --output json").expect(0).json();
    let label = workers[0]["labels"]["note"].as_str().expect("a label").to_string();
    assert_eq!(label, "$(touch${IFS}/tmp/hasami-was-here);'\"`id`");

    // A revoked token: the worker is not tried for ever, and `start` heals it.
    lab.ask("access revoke ssh-10.83.0.2").expect(0);
    until("the end of the worker", || {
        let state = std::fs::read_to_string(lab.at(1, "worker-1.state")).unwrap_or_default();
        state.starts_with("refused").then_some(())
    });
    let status = lab.deploy("status --host 10.83.0.2").expect(1);
    assert!(status.stdout.contains("cannot work: "), "{status:#?}");
    lab.deploy("start --host 10.83.0.2").expect(0);
    lab.deploy("status --host 10.83.0.2").expect(0);
    // Without the coordinator hosts can still be looked at and stopped.
    drop(coordinator);
    let status = lab.deploy("status --host 10.83.0.2").expect(1).complains(&["cannot be reached"]);
    assert!(status.stdout.contains("1 worker"), "{status:#?}");
    lab.deploy("stop --host 10.83.0.2").expect(0);
    let gone = std::fs::read_to_string(lab.at(1, "worker-1.state")).expect("a state");
    assert!(gone.starts_with("stopped"), "{gone}");
}

#[test]
fn a_wrong_file_of_hosts_is_refused_with_its_lines() {
    let hasami = Hasami::new();
    hasami.write("hosts.txt", "good\n-oProxyCommand=id\nlab1 threads=0\nlab2 rack=3\n");
    let run = hasami.run("deploy ssh start hosts.txt");
    run.is_bad_input(&["hosts.txt:2: ", "hosts.txt:3: ", "from 1 to 4096", "hosts.txt:4: "]);
    hasami.run("deploy ssh start nothing.txt").is_bad_input(&["nothing.txt"]);
    hasami.write("hosts.txt", "good\n");
    hasami.run("deploy ssh start hosts.txt --host bad").is_bad_input(&["--host bad", "hosts.txt"]);
    let run = hasami.run("deploy ssh start hosts.txt --binary hosts.txt");
    run.is_bad_input(&["--binary hosts.txt"]);
    hasami
        .run("deploy ssh stop hosts.txt --remote-directory ..")
        .is_bad_input(&["--remote-directory"]);
    let cluster = hasami_tests::Cluster::new("");
    cluster.hasami.write("hosts.txt", "good\n");
    let run = cluster.ask("deploy ssh start hosts.txt");
    run.is_bad_input(&["127.0.0.1", "other machines cannot reach", "--name"]);
}
