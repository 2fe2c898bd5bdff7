//! Calls of asynchronous libraries from threads that may wait, on a runtime of their own.

use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

/// A runtime with one thread.
pub struct Waiting(Option<Runtime>);

impl Waiting {
    /// Starts the thread; `name` is that of its thread.
    ///
    /// # Errors
    /// If the system has no room for it.
    pub fn start(name: &str) -> io::Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name(name).enable_all().build()?;
        Ok(Self(Some(runtime)))
    }

    /// Waits for something.
    pub fn run<T>(&self, work: impl Future<Output = T>) -> T {
        let runtime = self.0.as_ref().expect("a runtime until the end");
        // A task that waits here lets others have its thread.
        match Handle::try_current().map(|handle| handle.runtime_flavor()) {
            Ok(RuntimeFlavor::MultiThread) => {
                tokio::task::block_in_place(|| runtime.block_on(work))
            }
            _ => runtime.block_on(work),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // A runtime may not be dropped where others run.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
