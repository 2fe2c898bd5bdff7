//! `hasami deploy slurm` with a real Slurm: its controller, one node and munge, as root. It takes
//! minutes, because Slurm counts wall time in minutes, so only `make test-slurm` runs it.

use std::process::{Child, Command, Stdio};

use hasami_tests::{Hasami, Process, Run, until};
use serde_json::Value;

use crate::cluster_network::Network;

const SWEEP: &str = "name = 'batch'\nproblem = 'synthetic'\nkind = 'map'\ncrash-limit = 100\n\
                     [parameters]\ndepth = 40\nbranching = 3\nseed = '0..40'\n[search]\nbudget = '8M'\n";

struct Lab {
    network: Network,
    hasami: Hasami,
    daemons: Vec<Child>,
}

impl Lab {
    fn new() -> Result<Self, String> {
        if std::env::var_os("HASAMI_SLURM").is_none() {
            return Err("`make test-slurm` runs this".to_string());
        }
        for program in ["slurmctld", "slurmd", "munged"] {
            let there = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
            if !there.is_ok_and(|output| output.status.success()) {
                return Err(format!("no {program} (packages slurm-wlm, munge)"));
            }
        }
        let mut lab =
            Self { network: Network::new(1)?, hasami: Hasami::new(), daemons: Vec::new() };
        let here = lab.hasami.path("").display().to_string();
        let here = here.trim_end_matches('/');
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
        let host = host.trim().split('.').next().expect("a name").to_string();
        lab.hasami.write("munge.key", [b'k'; 1024]);
        Command::new("chmod").args(["0600", &format!("{here}/munge.key")]).status().expect("chmod");
        for directory in ["state", "spool"] {
            std::fs::create_dir(lab.hasami.path(directory)).expect("a directory");
        }
        lab.hasami.write(
            "slurm.conf",
            format!(
                "ClusterName=test\nSlurmctldHost={host}(10.83.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
                 AuthType=auth/munge\nAuthInfo=socket={here}/munge.socket\nCredType=cred/munge\n\
                 MpiDefault=none\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
                 StateSaveLocation={here}/state\nSlurmdSpoolDir={here}/spool\n\
                 SlurmctldPidFile={here}/ctld.pid\nSlurmdPidFile={here}/slurmd.pid\n\
                 SlurmctldPort=16817\nSlurmdPort=16818\nSelectType=select/cons_tres\n\
                 SelectTypeParameters=CR_CPU\nJobRequeue=1\nReturnToService=2\n\
                 SchedulerParameters=sched_interval=2\nSlurmdParameters=config_overrides\n\
                 NodeName={host} NodeAddr=10.83.0.1 CPUs=3 RealMemory=2000 State=UNKNOWN\n\
                 PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
            ),
        );
        let conf = format!("{here}/slurm.conf");
        lab.daemon(
            "munged",
            &[
                "munged",
                "--foreground",
                "--force",
                &format!("--key-file={here}/munge.key"),
                &format!("--socket={here}/munge.socket"),
                &format!("--pid-file={here}/munged.pid"),
                &format!("--log-file={here}/munged.log"),
                &format!("--seed-file={here}/munge.seed"),
            ],
        );
        until("munge", || lab.hasami.path("munge.socket").exists().then_some(()));
        lab.daemon("slurmctld", &["slurmctld", "-D", "-f", &conf]);
        // With processes of its own, so that no job outlives it.
        lab.daemon(
            "slurmd",
            &[
                "unshare",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "slurmd",
                "-D",
                "-f",
                &conf,
            ],
        );
        until("a node", || {
            let state = lab.tool("sinfo", &["--noheader", "--format=%T"]);
            (state.trim() == "idle").then_some(())
        });
        Ok(lab)
    }

    /// Starts a daemon on the machine, but with the control groups of the system.
    fn daemon(&mut self, name: &str, words: &[&str]) {
        let log = std::fs::File::create(self.hasami.path(format!("{name}.out"))).expect("a log");
        let net = format!("--net=/run/netns/{}", self.network.on(0)[3]);
        let mut command = Command::new("nsenter");
        command.arg(net).args(words).stdin(Stdio::null());
        command.stdout(log.try_clone().expect("a log")).stderr(log);
        self.daemons.push(command.spawn().expect("a daemon"));
    }

    fn variable(&self) -> (String, String) {
        ("SLURM_CONF".to_string(), self.hasami.path("slurm.conf").display().to_string())
    }

    /// What a command of Slurm prints.
    fn tool(&self, program: &str, words: &[&str]) -> String {
        let (name, value) = self.variable();
        let mut command = Command::new("ip");
        command.args(&self.network.on(0)[1..]).arg(program).args(words).env(name, value);
        String::from_utf8_lossy(&command.output().expect("a command").stdout).into_owned()
    }

    fn ask(&self, line: &str) -> Run {
        let (name, value) = self.variable();
        let set = format!("{name}={value}");
        let on = self.network.on(0);
        let before = [&on[..], &["env", &set]].concat();
        self.hasami.run_after(&before, &format!("{line} --access data/access.json"))
    }

    fn coordinator(&self) -> Process {
        let line = "coordinator --listen 10.83.0.1:7444 --name 10.83.0.1 --data data --output json";
        let mut coordinator = self.hasami.spawn("coordinator", &self.network.on(0), line);
        until("the address", || {
            assert!(coordinator.ended().is_none(), "{}", coordinator.log());
            serde_json::from_str::<Value>(&coordinator.out()).ok()
        });
        coordinator
    }

    fn tasks(&self, state: &str) -> u64 {
        let told = self.ask("deploy slurm status --output json").expect(0).json();
        told["tasks"][state].as_u64().unwrap_or(0)
    }

    /// All logs of tasks.
    fn logs(&self) -> String {
        let entries = std::fs::read_dir(self.hasami.path("hasami-slurm")).expect("a directory");
        let files = entries.map(|entry| entry.expect("an entry").path());
        let logs = files.filter(|file| file.extension().is_some_and(|end| end == "log"));
        logs.map(|file| std::fs::read_to_string(file).unwrap_or_default()).collect()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

#[test]
fn tasks_follow_the_work_and_hand_back_before_their_time_is_up() {
    let lab = match Lab::new() {
        Ok(lab) => lab,
        Err(why) => return println!("skipped: no Slurm here: {why}"),
    };
    let _coordinator = lab.coordinator();
    lab.hasami.write("s.toml", SWEEP);
    let start =
        "deploy slurm start --threads 1 --memory 64MiB --time 1min --grace 30s --idle-timeout 10s";
    // Only written: nothing is queued. Nobody else can read what is in the directory.
    lab.ask(&format!("{start} --workers 1")).expect(0);
    assert_eq!(lab.tasks("PENDING") + lab.tasks("RUNNING"), 0);
    // Nothing to do: nothing is submitted. With work: as many as are allowed.
    let step = lab.ask("deploy slurm scale --most 2 --output json").expect(0).json();
    assert_eq!(step["submitted"], 0, "{step}");
    lab.ask("submit s.toml").expect(0);
    let step = lab.ask("deploy slurm scale --most 2 --output json").expect(0).json();
    assert_eq!((&step["wanted"], &step["submitted"]), (&Value::from(2), &Value::from(2)), "{step}");
    until("two busy workers", || {
        let told = lab.ask("deploy slurm status --output json").expect(0).json();
        (told["busy"] == 2).then_some(())
    });
    let step = lab.ask("deploy slurm scale --most 2 --output json").expect(0).json();
    assert_eq!(step["submitted"], 0, "they are there: {step}");
    // Before a minute is over both hand back, and are queued again by themselves.
    until("tasks that are queued again", || (lab.tasks("PENDING") == 2).then_some(()));
    let logs = lab.logs();
    assert_eq!(logs.matches("the worker has ended").count(), 2, "{logs}");
    assert!(!logs.contains("handed_back=0"), "{logs}");
    assert_eq!(lab.ask("workers --output json").expect(0).json(), Value::from(Vec::<Value>::new()));
    // What waits is let go when there is no more work for it.
    lab.ask("runs cancel 1").expect(0);
    let step = lab.ask("deploy slurm scale --most 2 --output json").expect(0).json();
    assert_eq!(step["cancelled"].as_array().map(Vec::len), Some(2), "{step}");

    // Stopped by hand: handed back, nothing left.
    lab.ask("submit s.toml --force").expect(0);
    lab.ask(&format!("{start} --workers 2 --submit")).expect(0);
    until("two busy workers", || {
        let told = lab.ask("deploy slurm status --output json").expect(0).json();
        (told["busy"] == 2).then_some(())
    });
    let stopped = lab.ask("deploy slurm stop --remove --output json").expect(0).json();
    assert_eq!((&stopped["tasks"], &stopped["cancelled"]), (&Value::from(2), &Value::from(0)));
    assert!(!lab.hasami.path("hasami-slurm").exists());
    let tokens = lab.ask("access list --output quiet").expect(0).stdout;
    assert_eq!(tokens.split_whitespace().collect::<Vec<_>>(), ["operator", "worker"]);
    assert_eq!(lab.tool("squeue", &["--noheader"]), "");
}
