//! Signals: the first asks everything to end politely, the second ends the process at once.

use super::backend::Stop;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::failure::Failure;
use crate::leave::leave;
use crate::screen;

/// What a shell sees of a process that Ctrl-C has ended.
const INTERRUPTED: u8 = 130;

/// Watches for signals from here on. `polite` is what the first one says.
pub fn on_signals(polite: &'static str) -> Result<watch::Receiver<Stop>, Failure> {
    let open = |kind| {
        signal(kind).map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))
    };
    let (mut interrupt, mut end) = (open(SignalKind::interrupt())?, open(SignalKind::terminate())?);
    let (tell, told) = watch::channel(Stop::No);
    tokio::spawn(async move {
        let signal = either(&mut interrupt, &mut end).await;
        tracing::info!(signal, "stopping: {polite}");
        screen::say_soon(format!("stopping: {polite}; once more to stop at once"));
        tell.send_replace(Stop::Polite);
        let signal = either(&mut interrupt, &mut end).await;
        tell.send_replace(Stop::Now);
        tracing::warn!(signal, "stopped at once");
        // What was acknowledged is on disk: nothing is lost by leaving now.
        leave(INTERRUPTED);
    });
    Ok(told)
}

/// Waits for one of the two; which it was.
async fn either(interrupt: &mut Signal, end: &mut Signal) -> &'static str {
    tokio::select! {
        _ = interrupt.recv() => "SIGINT",
        _ = end.recv() => "SIGTERM",
    }
}

/// Waits for the first signal.
pub async fn asked(stop: &mut watch::Receiver<Stop>) {
    if stop.wait_for(|stop| *stop != Stop::No).await.is_err() {
        std::future::pending::<()>().await;
    }
}
