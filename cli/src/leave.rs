//! The end of the process, past the destructors of C++.
//!
//! RocksDB keeps objects for the whole process: thread pools, mutexes, lists of thread-local data.
//! `exit` destroys them on the calling thread while others still run: a compute thread of a worker
//! that was stopped, one of the runtime that closes a database a moment late, one of RocksDB
//! itself. A thread that then touches a mutex finds it destroyed, and the process aborts ("pthread
//! lock: Invalid argument") although all its work is done. The order in which threads end cannot be
//! guaranteed from here, so nothing is destroyed at all: durable data is synced long before; the
//! log and standard output are flushed here.

use std::io::Write;

use crate::log;

/// Ends the process at once. All durable data has been written before.
pub fn leave(code: u8) -> ! {
    log::finish();
    // If standard output is closed, there is no way to report it.
    let _ = std::io::stdout().flush();
    // SAFETY: `_exit` has no conditions. It runs no destructors and no handlers, which is the point.
    unsafe { libc::_exit(code.into()) }
}
