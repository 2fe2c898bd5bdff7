//! Signals. The first SIGINT, SIGTERM or SIGHUP requests a graceful end, the second ends the
//! process at once. All commands with durable data watch for signals here, and only here.

use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tokio::sync::watch;

use crate::cluster::backend::Stop;
use crate::failure::Failure;
use crate::leave::leave;
use crate::screen;

/// The first signal received; 0 if none.
static FIRST: AtomicI32 = AtomicI32::new(0);

/// The exit code of a process that a signal has stopped: 130 for SIGINT, 143 for SIGTERM. `None` if
/// no signal came.
pub fn exit_code() -> Option<u8> {
    match FIRST.load(Relaxed) {
        0 => None,
        signal => Some(code(signal)),
    }
}

/// What a shell sees of a process that a signal has ended.
fn code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

fn name(signal: i32) -> &'static str {
    match signal {
        SIGINT => "SIGINT",
        SIGTERM => "SIGTERM",
        _ => "SIGHUP",
    }
}

/// Watches for signals from here on. The first one prints `polite` and calls `stop`.
pub fn on_signal(
    polite: &'static str,
    mut stop: impl FnMut() + Send + 'static,
) -> Result<(), Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
        .map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if FIRST.compare_exchange(0, signal, Relaxed, Relaxed).is_err() {
                tracing::warn!(signal = name(signal), "stopped at once");
                // Acknowledged data is on disk: nothing is lost by leaving now.
                leave(code(signal));
            }
            tracing::info!(signal = name(signal), "stopping: {polite}");
            stop();
            screen::say_soon(format!("stopping: {polite}; once more to stop at once"));
        }
    });
    Ok(())
}

/// The same for tasks: the channel carries the request.
pub fn channel(polite: &'static str) -> Result<watch::Receiver<Stop>, Failure> {
    let (sender, receiver) = watch::channel(Stop::No);
    on_signal(polite, move || {
        sender.send_replace(Stop::Polite);
    })?;
    Ok(receiver)
}

/// Waits for the first signal.
pub async fn asked(stop: &mut watch::Receiver<Stop>) {
    if stop.wait_for(|stop| *stop != Stop::No).await.is_err() {
        std::future::pending::<()>().await;
    }
}
