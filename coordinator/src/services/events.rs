//! Events for all watchers. A slow reader misses events and gets their number; it delays no other.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use hasami_proto::v1::{Event, event};
use tokio::sync::broadcast;

use crate::engine::wall_ms;

/// How many events a reader may lag behind.
const BEHIND: usize = 4096;

/// The stream of events.
#[derive(Clone)]
pub struct Events {
    send: broadcast::Sender<Event>,
    sequence: Arc<AtomicU64>,
}

impl Default for Events {
    fn default() -> Self {
        Self { send: broadcast::channel(BEHIND).0, sequence: Arc::default() }
    }
}

impl Events {
    /// Whether there are watchers.
    #[must_use]
    pub fn heard(&self) -> bool {
        self.send.receiver_count() > 0
    }

    /// Sends an event to all watchers.
    pub fn tell(&self, kind: event::Kind) {
        // No watchers is fine.
        let _ = self.send.send(self.event(kind));
    }

    /// An event with the next number.
    #[must_use]
    pub fn event(&self, kind: event::Kind) -> Event {
        let sequence = self.sequence.fetch_add(1, Relaxed) + 1;
        Event { sequence, time_ms: wall_ms(), missed: 0, kind: Some(kind) }
    }

    /// Subscribes from now on.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<Event> {
        self.send.subscribe()
    }
}
