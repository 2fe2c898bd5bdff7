//! A line between two processes that can be slow, fall silent in one direction, or break in the
//! middle of a message. It carries bytes and knows nothing of what they say.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use socket2::SockRef;

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Towards {
    /// From whoever has connected.
    Coordinator,
    /// Back.
    Caller,
}

/// What happens on the line.
#[derive(Default)]
struct Rules {
    /// Every piece waits for so long.
    delay: Duration,
    /// Nothing gets through in these directions; it waits.
    silent: [bool; 2],
    /// Connections are reset after so many bytes, taken from these in turn.
    breaks: Vec<usize>,
    /// Whoever is connected with a number below is reset.
    reset: usize,
    connections: usize,
    /// How often a connection was reset in the middle of what was on its way.
    broken: usize,
    /// Pieces that were held up.
    held: usize,
}

struct Line {
    rules: Mutex<Rules>,
    changed: Condvar,
}

impl Line {
    fn rules(&self) -> MutexGuard<'_, Rules> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line to the coordinator. It is there until the process ends.
pub struct Proxy {
    address: String,
    line: Arc<Line>,
}

impl Proxy {
    /// A line to this address, on which nothing goes wrong yet.
    #[must_use]
    pub fn to(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let line = Arc::new(Line { rules: Mutex::default(), changed: Condvar::new() });
        let (target, shared) = (target.to_string(), Arc::clone(&line));
        std::thread::spawn(move || {
            for caller in listener.incoming().flatten() {
                // Nobody there: the caller finds its connection closed.
                let Ok(coordinator) = TcpStream::connect(&target) else { continue };
                connect(&shared, caller, coordinator);
            }
        });
        Self { address, line }
    }

    /// The line as an address for `--coordinator`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn change(&self, change: impl FnOnce(&mut Rules)) {
        change(&mut self.line.rules());
        self.line.changed.notify_all();
    }

    /// Every piece takes so much longer, in both directions.
    pub fn delay(&self, delay: Duration) {
        self.change(|rules| rules.delay = delay);
    }

    /// Nothing gets through in this direction; the connections stay, and what is sent waits.
    pub fn silence(&self, towards: Towards) {
        self.change(|rules| rules.silent[towards as usize] = true);
    }

    /// Everything gets through again, that which has waited first.
    pub fn mend(&self) {
        self.change(|rules| {
            rules.silent = [false; 2];
            rules.delay = Duration::ZERO;
            rules.breaks.clear();
        });
    }

    /// Connections made from here on are reset after so many bytes, taken from these in turn.
    pub fn break_after(&self, bytes: &[usize]) {
        self.change(|rules| rules.breaks = bytes.to_vec());
    }

    /// Resets everybody who is connected.
    pub fn reset(&self) {
        self.change(|rules| {
            rules.broken += 1;
            rules.reset = rules.connections;
        });
    }

    /// How often a connection was broken.
    #[must_use]
    pub fn broken(&self) -> usize {
        self.line.rules().broken
    }

    /// How many pieces were held up.
    #[must_use]
    pub fn held(&self) -> usize {
        self.line.rules().held
    }
}

fn connect(line: &Arc<Line>, caller: TcpStream, coordinator: TcpStream) {
    let (number, most) = {
        let mut rules = line.rules();
        rules.connections += 1;
        let number = rules.connections - 1;
        let breaks = rules.breaks.len();
        (number, (breaks > 0).then(|| rules.breaks[number % breaks]))
    };
    let both = Arc::new((caller, coordinator));
    for towards in [Towards::Coordinator, Towards::Caller] {
        let (line, both) = (Arc::clone(line), Arc::clone(&both));
        std::thread::spawn(move || {
            let (from, to) = match towards {
                Towards::Coordinator => (&both.0, &both.1),
                Towards::Caller => (&both.1, &both.0),
            };
            if carry(&line, number, towards, most, from, to) {
                // Without a farewell: what was under way is lost.
                for end in [from, to] {
                    let _ = SockRef::from(end).set_linger(Some(Duration::ZERO));
                }
            }
            let _ = from.shutdown(Shutdown::Both);
            let _ = to.shutdown(Shutdown::Both);
        });
    }
}

/// Carries bytes until one side ends, or the line breaks: whether it has.
fn carry(
    line: &Line,
    number: usize,
    towards: Towards,
    most: Option<usize>,
    mut from: &TcpStream,
    mut to: &TcpStream,
) -> bool {
    let mut bytes = [0; 4096];
    let mut carried = 0;
    // So that an order to break is obeyed by a line on which nothing happens.
    let _ = from.set_read_timeout(Some(Duration::from_millis(20)));
    loop {
        if number < line.rules().reset {
            return true;
        }
        let read = match from.read(&mut bytes) {
            Ok(0) => return false,
            Ok(read) => read,
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) =>
            {
                continue;
            }
            Err(_) => return false,
        };
        let mut rules = line.rules();
        if rules.silent[towards as usize] || !rules.delay.is_zero() {
            rules.held += 1;
        }
        while rules.silent[towards as usize] && number >= rules.reset {
            rules = line.changed.wait(rules).unwrap_or_else(PoisonError::into_inner);
        }
        let (delay, reset) = (rules.delay, number < rules.reset);
        drop(rules);
        std::thread::sleep(delay);
        // The part of the piece that gets through before the line breaks.
        let part = most.map_or(read, |most| read.min(most - carried));
        if reset || to.write_all(&bytes[..part]).is_err() {
            return reset;
        }
        carried += part;
        if most.is_some_and(|most| carried >= most) {
            line.rules().broken += 1;
            return true;
        }
    }
}
