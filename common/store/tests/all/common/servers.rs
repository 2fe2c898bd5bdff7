//! Real servers for tests: `redis-server` processes on free ports of this machine, stopped on drop.

use std::fs::File;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// One server. Its directory outlives the process, so that it can be restarted.
pub struct Server {
    process: Child,
    pub port: u16,
    /// The port for encrypted connections; 0 if there is none.
    pub tls_port: u16,
    arguments: Vec<String>,
    dir: TempDir,
}

impl Server {
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_on(arguments, 0)
    }

    /// A server with a separate port for encrypted connections; the arguments name its certificate.
    /// The test itself uses the plain port.
    pub fn start_with_tls(arguments: &[&str]) -> Self {
        let port = free_port();
        let word = port.to_string();
        Self::start_on(&[&["--tls-port", &word], arguments].concat(), port)
    }

    fn start_on(arguments: &[&str], tls_port: u16) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (port, bus) = (free_port(), free_port());
        let port_word = port.to_string();
        let usual = ["--bind", "127.0.0.1", "--port", &port_word, "--save", ""];
        // Serve a replica at once; do not wait for others to connect.
        let hasty = ["--repl-diskless-sync-delay", "0"];
        let mut all: Vec<_> =
            [&usual, &hasty[..], arguments].concat().into_iter().map(str::to_owned).collect();
        if arguments.contains(&"--cluster-enabled") {
            all.extend(["--cluster-port".to_owned(), bus.to_string()]);
        }
        let process = launch(&all, &dir);
        let server = Self { process, port, tls_port, arguments: all, dir };
        server.wait();
        server
    }

    /// Kills the process as a crash would: nothing is written.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub fn restart(&mut self) {
        self.process = launch(&self.arguments, &self.dir);
    }

    /// Sends a signal to the process: `STOP` makes it unresponsive, `CONT` resumes it.
    pub fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    pub fn node(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Queries the server directly, not through the store.
    pub fn ask<T: redis::FromRedisValue>(&self, words: &[&str]) -> redis::RedisResult<T> {
        redis::cmd(words[0]).arg(&words[1..]).query(&mut self.connection()?)
    }

    /// Sends the same command for many slots.
    pub fn ask_slots(&self, slots: &[u16], words: impl Fn(&str) -> Vec<String>) -> Vec<u32> {
        let mut pipe = redis::pipe();
        for slot in slots {
            pipe.cmd("CLUSTER").arg(words(&slot.to_string()));
        }
        let answers: Vec<redis::Value> = pipe.query(&mut self.connection().unwrap()).unwrap();
        let number = |answer| redis::from_redis_value(answer).unwrap_or(0);
        answers.into_iter().map(number).collect()
    }

    pub fn connection(&self) -> redis::RedisResult<redis::Connection> {
        let client = redis::Client::open(format!("redis://{}", self.node()))?;
        client.get_connection_with_timeout(Duration::from_secs(5))
    }

    /// Joins the cluster of another server.
    pub fn meet(&self, other: &Self) {
        // If they encrypt among themselves, they know each other by those ports.
        let port = if other.tls_port == 0 { other.port } else { other.tls_port };
        let (port, bus) = (port.to_string(), other.bus());
        self.ask::<()>(&["CLUSTER", "MEET", "127.0.0.1", &port, &bus]).unwrap();
    }

    fn bus(&self) -> String {
        let at = self.arguments.iter().position(|word| word == "--cluster-port").unwrap();
        self.arguments[at + 1].clone()
    }

    fn wait(&self) {
        let answered = |answer: redis::RedisResult<String>| match answer {
            Ok(_) => true,
            // It may require a password first.
            Err(error) => !error.is_io_error(),
        };
        until("a server that answers", || answered(self.ask(&["PING"])));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn launch(arguments: &[String], dir: &TempDir) -> Child {
    let log = File::create(dir.path().join("log")).unwrap();
    Command::new("redis-server")
        .args(arguments)
        .current_dir(dir.path())
        .stdout(log)
        .stdin(Stdio::null())
        .spawn()
        .expect("redis-server, which .ci/setup installs")
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

pub fn until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "waited too long for {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Three servers with a third of the slots each.
pub struct Cluster {
    pub servers: Vec<Server>,
}

impl Cluster {
    pub fn start(arguments: &[&str]) -> Self {
        let arguments = [&["--cluster-enabled", "yes"], arguments].concat();
        Self::of((0..3).map(|_| Server::start(&arguments)).collect())
    }

    /// Servers that encrypt the connections among themselves too.
    pub fn start_with_tls(arguments: &[&str]) -> Self {
        let own = ["--cluster-enabled", "yes", "--tls-cluster", "yes"];
        let arguments = [&own, arguments].concat();
        Self::of((0..3).map(|_| Server::start_with_tls(&arguments)).collect())
    }

    fn of(servers: Vec<Server>) -> Self {
        for (server, (first, last)) in
            servers.iter().zip([(0, 5460), (5461, 10922), (10923, 16383)])
        {
            let (first, last) = (first.to_string(), last.to_string());
            server.ask::<()>(&["CLUSTER", "ADDSLOTSRANGE", &first, &last]).unwrap();
        }
        servers[1..].iter().for_each(|server| server.meet(&servers[0]));
        let cluster = Self { servers };
        until("a cluster", || cluster.ready());
        cluster
    }

    /// A cluster shared by several tests: it ends with the last of them.
    pub fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap();
        shared.upgrade().unwrap_or_else(|| {
            let cluster = Arc::new(Self::start(&["--appendonly", "no"]));
            *shared = Arc::downgrade(&cluster);
            cluster
        })
    }

    pub fn url(&self) -> String {
        let nodes: Vec<_> = self.servers.iter().map(Server::node).collect();
        format!("redis://{}", nodes.join(","))
    }

    fn ready(&self) -> bool {
        self.servers.iter().all(|server| {
            let info: String = server.ask(&["CLUSTER", "INFO"]).unwrap();
            info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3")
        })
    }
}
