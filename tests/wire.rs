//! A line between two network cards that carries every packet by hand: some come twice, some late
//! and behind others, some never. For what a byte stream cannot show (see [`crate::Proxy`]).

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A packet that is late comes so much later.
const LATE: Duration = Duration::from_millis(12);
/// How long the line sleeps when nothing comes.
const NAP_MS: i32 = 2;
/// No packet is longer: the cards do not join packets.
const LONGEST: usize = 2048;

/// What has happened to packets so far.
#[derive(Debug, Default)]
pub struct Mishaps {
    /// They came twice.
    pub doubled: AtomicU64,
    /// Packets that were sent later came earlier.
    pub overtaken: AtomicU64,
    /// They never came.
    pub lost: AtomicU64,
}

/// A line with two ends. Ends when it is dropped, and the cards with it.
pub struct Wire {
    /// The names of the cards; they can be moved to a namespace each, and renamed.
    pub cards: [String; 2],
    /// What has happened.
    pub mishaps: Arc<Mishaps>,
    over: Arc<AtomicBool>,
    carrier: Option<JoinHandle<()>>,
}

impl Wire {
    /// A line whose mishaps follow from `seed` and the packets.
    ///
    /// # Errors
    /// When the system makes no cards, or not for this user.
    pub fn new(seed: u64) -> io::Result<Self> {
        let ((left, one), (right, other)) = (card()?, card()?);
        let (mishaps, over) = (Arc::new(Mishaps::default()), Arc::new(AtomicBool::new(false)));
        let carrier = {
            let (mishaps, over) = (Arc::clone(&mishaps), Arc::clone(&over));
            std::thread::spawn(move || {
                let mut ways = [Way::new(seed), Way::new(!seed)];
                while !over.load(Relaxed) {
                    wait(&left, &right);
                    ways[0].carry(&left, &right, &mishaps);
                    ways[1].carry(&right, &left, &mishaps);
                }
            })
        };
        Ok(Self { cards: [one, other], mishaps, over, carrier: Some(carrier) })
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.over.store(true, Relaxed);
        if let Some(carrier) = self.carrier.take() {
            let _ = carrier.join();
        }
    }
}

/// One direction.
struct Way {
    random: u64,
    /// Packets so far.
    count: u64,
    /// Late ones: when they are due, and how many had come when they did.
    late: VecDeque<(Instant, u64, Vec<u8>)>,
}

impl Way {
    fn new(seed: u64) -> Self {
        Self { random: seed | 1, count: 0, late: VecDeque::new() }
    }

    /// A number below `below`.
    fn draw(&mut self, below: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % below
    }

    /// Carries what has come, and what was late and is due.
    fn carry(&mut self, mut from: &File, to: &File, mishaps: &Mishaps) {
        let mut packet = [0; LONGEST];
        while let Ok(length) = from.read(&mut packet) {
            let packet = &packet[..length];
            self.count += 1;
            match self.draw(50) {
                0 => {
                    mishaps.lost.fetch_add(1, Relaxed);
                    continue;
                }
                1..=10 => {
                    self.late.push_back((Instant::now() + LATE, self.count, packet.to_vec()));
                    continue;
                }
                11..=20 => {
                    mishaps.doubled.fetch_add(1, Relaxed);
                    put(to, packet);
                }
                _ => {}
            }
            put(to, packet);
        }
        while self.late.front().is_some_and(|(due, ..)| *due <= Instant::now()) {
            let Some((_, place, packet)) = self.late.pop_front() else { return };
            if self.count > place {
                mishaps.overtaken.fetch_add(1, Relaxed);
            }
            put(to, &packet);
        }
    }
}

/// A card that is down takes nothing: as if the packet were lost.
fn put(mut to: &File, packet: &[u8]) {
    let _ = to.write(packet);
}

fn wait(left: &File, right: &File) {
    let poll =
        |file: &File| libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let mut both = [poll(left), poll(right)];
    // SAFETY: two descriptors that are open, in an array of two that lives as long as the call.
    unsafe { libc::poll(both.as_mut_ptr(), 2, NAP_MS) };
}

/// A new card, and its name.
fn card() -> io::Result<(File, String)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).custom_flags(libc::O_NONBLOCK);
    let file = options.open("/dev/net/tun")?;
    // SAFETY: a plain structure of numbers, for which zeros are values.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (place, letter) in request.ifr_name.iter_mut().zip(b"hasami%d") {
        *place = *letter as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_TAP | libc::IFF_NO_PI) as libc::c_short;
    // SAFETY: this request reads and writes an `ifreq`, and `request` is one.
    if unsafe { libc::ioctl(file.as_raw_fd(), libc::TUNSETIFF, &raw mut request) } < 0 {
        return Err(io::Error::last_os_error());
    }
    let name = request.ifr_name.iter().take_while(|letter| **letter != 0);
    Ok((file, name.map(|letter| *letter as u8 as char).collect()))
}
