//! Signals: the first asks everything to end politely, the second ends the process at once.

use super::backend::Stop;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::failure::Failure;
use crate::screen;

/// What a shell sees of a process that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// Watches for signals from here on. `polite` is what the first one says.
pub fn on_signals(polite: &'static str) -> Result<watch::Receiver<Stop>, Failure> {
    let open = |kind| {
        signal(kind).map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))
    };
    let (mut interrupt, mut end) = (open(SignalKind::interrupt())?, open(SignalKind::terminate())?);
    let (tell, told) = watch::channel(Stop::No);
    tokio::spawn(async move {
        either(&mut interrupt, &mut end).await;
        screen::say(&format!("stopping: {polite}; once more to stop at once"));
        tell.send_replace(Stop::Polite);
        either(&mut interrupt, &mut end).await;
        tell.send_replace(Stop::Now);
        // What was acknowledged is on disk: nothing is lost by leaving without a word.
        std::process::exit(INTERRUPTED);
    });
    Ok(told)
}

async fn either(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}

/// Waits for the first signal.
pub async fn asked(stop: &mut watch::Receiver<Stop>) {
    if stop.wait_for(|stop| *stop != Stop::No).await.is_err() {
        std::future::pending::<()>().await;
    }
}
