//! The units of the package under a real systemd, which runs as the first process of a namespace in
//! a clean Debian. It needs root and control groups, so only `make test-systemd` runs it.

use std::process::{Child, Command, Stdio};

use hasami_tests::until;

use crate::package::{Clean, package, run};

/// Starts systemd in the root `$1`. A process in a `chroot` cannot make user namespaces, which the
/// sandbox of the units needs, so the root is exchanged.
const BOOT: &str = r#"set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
if [ -d /sys/fs/cgroup/systemd ]; then
    mkdir -p "/sys/fs/cgroup/systemd/hasami-$$-test"
    echo $$ > "/sys/fs/cgroup/systemd/hasami-$$-test/cgroup.procs"
fi
mount -t proc proc proc
mount --rbind /sys sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount --rbind /dev dev
ip link set lo up
mkdir -p old
pivot_root . old
exec chroot . sh -c 'umount -l /old; exec "$@"' sh env -i container=lxc PATH=/usr/sbin:/usr/bin \
    /lib/systemd/systemd --system --log-target=null
"#;

/// A machine that has been started.
struct Machine {
    /// Its root, which is removed at the end.
    _root: Clean,
    outer: Child,
}

impl Machine {
    fn new() -> Result<Self, String> {
        if std::env::var_os("HASAMI_SYSTEMD").is_none() {
            return Err("`make test-systemd` runs this".to_string());
        }
        let clean = Clean::new()?;
        let from = std::fs::read("/etc/resolv.conf").map_err(|error| error.to_string())?;
        std::fs::write(clean.path("/etc/resolv.conf"), from).map_err(|error| error.to_string())?;
        clean.shell(
            "apt-get update -qq && apt-get install -y -qq --no-install-recommends systemd dbus",
        )?;
        let out = tempfile::tempdir().map_err(|error| error.to_string())?;
        clean.bring(&package(&out.path().join("out"), None));
        clean.does("dpkg --install /root/hasami.deb");
        clean.bring(&package(&out.path().join("later"), Some("99.0")));
        let mut boot = Command::new("unshare");
        boot.args(["--mount", "--pid", "--fork", "--uts", "--ipc", "--net", "--kill-child"]);
        boot.args(["sh", "-c", BOOT, "sh"]).arg(clean.path("/"));
        boot.stdin(Stdio::null()).stdout(Stdio::null());
        let outer = boot.spawn().map_err(|error| format!("unshare: {error}"))?;
        let mut machine = Self { _root: clean, outer };
        let up = until("systemd", || {
            let ended = machine.outer.try_wait().expect("a process").is_some();
            let up =
                machine.does("systemctl is-system-running").is_ok_and(|state| state == "running\n");
            (ended || up).then_some(up)
        });
        if up { Ok(machine) } else { Err("systemd does not start in a namespace".to_string()) }
    }

    /// Runs a line of a shell on the machine.
    fn does(&self, line: &str) -> Result<String, String> {
        let outer = self.outer.id();
        let below = std::fs::read_to_string(format!("/proc/{outer}/task/{outer}/children"));
        let below = below.map_err(|error| error.to_string())?;
        let first = below.split_whitespace().next().ok_or("no first process")?.to_string();
        let mut command = Command::new("nsenter");
        command.args(["--mount", "--pid", "--uts", "--ipc", "--net", "--root", "--wd"]);
        command.args(["--target", &first, "sh", "-ec", line]).env_clear();
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/root");
        run(&mut command)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // Everything in the namespace ends with it.
        let _ = self.outer.kill();
        let _ = self.outer.wait();
    }
}

#[test]
fn units_run_in_their_sandbox_and_outlive_kills_and_upgrades() {
    let machine = match Machine::new() {
        Ok(machine) => machine,
        Err(why) => return println!("skipped: no systemd to try here: {why}"),
    };
    let does = |line: &str| machine.does(line).unwrap_or_else(|why| panic!("{why}"));
    let own = "--access /var/lib/hasami/access.json";
    does("systemctl start hasami-coordinator");
    until("the coordinator", || machine.does(&format!("hasami status {own}")).ok());
    does(&format!(
        "runuser -u hasami -- hasami access add lab-7 --role worker -o /var/lib/hasami/lab-7.json {own}
         install -o hasami -m 0400 /var/lib/hasami/lab-7.json /etc/hasami/worker.json
         printf '[worker]\\naccess = \"/etc/hasami/worker.json\"\\nthreads = 1\\nmemory = \"64MiB\"\\nnice = 5\\ncores = 1\\n' > /etc/hasami/worker.toml
         systemctl enable --now hasami-worker@1 hasami-worker@2"
    ));
    let workers = |number: usize| {
        until("the workers", || {
            let told = machine.does(&format!("hasami workers {own} --output quiet")).ok()?;
            (told.lines().count() == number).then_some(())
        });
    };
    workers(2);
    // A sweep whose certificates the workers send and the coordinator verifies, all in the sandbox.
    does(&format!("hasami submit /usr/share/doc/hasami/examples/rows.toml --wait {own}"));

    let process = |unit: &str| does(&format!("systemctl show --property=MainPID --value {unit}"));
    does(&format!("kill -9 {}", process("hasami-worker@1").trim()));
    until("its return", || {
        let told = does("systemctl show --property=NRestarts,ActiveState hasami-worker@1");
        (told.contains("NRestarts=1") && told.contains("ActiveState=active")).then_some(())
    });
    // An upgrade restarts what runs; runs are still there.
    let before = process("hasami-coordinator");
    does("dpkg --force-confold --install /root/hasami.deb");
    assert_ne!(process("hasami-coordinator"), before);
    until("the coordinator", || machine.does(&format!("hasami status {own}")).ok());
    workers(2);
    assert!(does(&format!("hasami runs list {own}")).contains("finished"));
    // A revoked token ends a worker for good.
    does(&format!("hasami access revoke lab-7 {own}"));
    until("its end", || {
        let told = does("systemctl show --property=ActiveState,ExecMainStatus hasami-worker@1");
        (told.contains("ActiveState=failed") && told.contains("ExecMainStatus=2")).then_some(())
    });
    // Nothing runs and nothing is enabled after a removal; nothing is there after a purge.
    does("dpkg --remove hasami");
    assert_eq!(does("systemctl is-active hasami-coordinator || true").trim(), "inactive");
    assert_eq!(does("ls /etc/systemd/system/multi-user.target.wants | grep hasami || true"), "");
    does("dpkg --purge hasami");
    assert_eq!(does("ls -d /var/lib/hasami* /etc/hasami 2> /dev/null || true"), "");
}
