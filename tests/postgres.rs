//! A PostgreSQL server of a test's own, in a directory that is gone at its end. Debian's `postgresql`
//! has the programs; its service is not used.

use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// PostgreSQL refuses to run as root; this user is on every Debian.
const USER: &str = "nobody";

/// A running server.
pub struct PostgresServer {
    programs: PathBuf,
    directory: TempDir,
    port: u16,
    process: Option<Child>,
    durable: bool,
}

/// Where the programs of the newest PostgreSQL are.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let mut found: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    found.retain(|bin| bin.join("initdb").exists());
    found.sort();
    found.pop()
}

impl PostgresServer {
    /// A fresh server; `None`, and a line on standard error, if it is not installed.
    ///
    /// # Panics
    /// If it is installed and does not start.
    #[must_use]
    pub fn start() -> Option<Self> {
        Self::start_with(false)
    }

    /// The same, synced to disk at every commit: for measurements.
    ///
    /// # Panics
    /// As [`PostgresServer::start`].
    #[must_use]
    pub fn start_durable() -> Option<Self> {
        Self::start_with(true)
    }

    fn start_with(durable: bool) -> Option<Self> {
        let Some(programs) = programs() else {
            eprintln!("skipped: PostgreSQL is not installed (Debian: postgresql)");
            return None;
        };
        let directory = tempfile::tempdir().expect("a directory for the database");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(directory.path(), mode).expect("a directory to enter");
        let data = directory.path().join("data");
        std::fs::create_dir(&data).expect("a directory for the data");
        if is_root() {
            let id = Command::new("id").args(["-u", USER]).output().expect("id");
            let id = String::from_utf8_lossy(&id.stdout).trim().parse().expect("a number");
            chown(&data, Some(id), None).expect("root can give a directory away");
        }
        let made = unprivileged(&programs.join("initdb"))
            .args(["-A", "trust", "-U", "hasami", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data)
            .output()
            .expect("initdb starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let mut server = Self { programs, directory, port: free_port(), process: None, durable };
        server.resume();
        Some(server)
    }

    /// Starts it again, at the same address.
    ///
    /// # Panics
    /// If it does not start.
    pub fn resume(&mut self) {
        let log = self.directory.path().join("log");
        let log = std::fs::OpenOptions::new().create(true).append(true).open(log);
        let process = unprivileged(&self.programs.join("postgres"))
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
            // A killed process loses nothing that the system has; a test does not cut the power.
            .args(["-c", if self.durable { "fsync=on" } else { "fsync=off" }])
            .args(["-c", "max_connections=60", "-c", "shared_buffers=64MB"])
            .args(["-c", &format!("port={}", self.port), "-D"])
            .arg(self.directory.path().join("data"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log.expect("a file for the log"))
            .spawn()
            .expect("postgres starts");
        self.process = Some(process);
        let began = Instant::now();
        while !self.answers() {
            assert!(began.elapsed() < Duration::from_secs(120), "{}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn answers(&self) -> bool {
        let asked = Command::new(self.programs.join("pg_isready"))
            .args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()])
            .status();
        asked.is_ok_and(|status| status.success())
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.directory.path().join("log")).unwrap_or_default()
    }

    /// Stops it at once, as a crash would: sessions are cut, nothing is written.
    pub fn crash(&mut self) {
        self.end("QUIT");
    }

    fn end(&mut self, signal: &str) {
        let Some(mut process) = self.process.take() else { return };
        let id = process.id().to_string();
        // One that has ended by itself is fine.
        let _ = Command::new("kill").args(["-s", signal, &id]).status();
        let _ = process.wait();
    }

    /// The URL of a journal.
    #[must_use]
    pub fn url(&self, journal: &str) -> String {
        self.url_at(self.port, journal)
    }

    /// The URL of a journal behind a proxy at another port.
    #[must_use]
    pub fn url_at(&self, port: u16, journal: &str) -> String {
        format!("postgres://hasami@127.0.0.1:{port}/postgres?journal={journal}")
    }

    /// The port that it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The result of a query, as text.
    ///
    /// # Panics
    /// If the query fails.
    #[must_use]
    pub fn ask(&self, query: &str) -> String {
        let told = Command::new(self.programs.join("psql"))
            .args(["-X", "-At", "-h", "127.0.0.1", "-p", &self.port.to_string()])
            .args(["-U", "hasami", "-d", "postgres", "-c", query])
            .output()
            .expect("psql starts");
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        String::from_utf8_lossy(&told.stdout).trim().to_string()
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.end("QUIT");
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|about| {
        use std::os::unix::fs::MetadataExt;
        about.uid() == 0
    })
}

/// A program as a user without rights; it does not outlive the test.
fn unprivileged(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if is_root() {
        command.args(["--reuid", USER, "--regid", "nogroup", "--clear-groups"]);
    }
    command.arg(program).current_dir("/");
    command
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}
