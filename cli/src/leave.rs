//! The end of the process, past the destructors of C++.
//!
//! RocksDB keeps objects for the whole process: pools of threads, mutexes, lists of what each thread
//! has. `exit` destroys them on the thread that calls it while others still run: a thread that computes
//! for a worker nobody wants any more, one of the runtime that closes a database a moment late, one of
//! RocksDB itself. Whoever of them touches a mutex then finds it destroyed, and the process aborts
//! ("pthread lock: Invalid argument") although all its work is done. The order in which threads end
//! cannot be promised from here, so nothing is destroyed at all: what must be on the disk is synced long
//! before; the log and standard output are flushed here.

use std::io::Write;

use crate::log;

/// Ends the process at once. Everything that is to be kept has been written before.
pub fn leave(code: u8) -> ! {
    log::finish();
    // Where nobody reads it any more, there is nobody to tell.
    let _ = std::io::stdout().flush();
    // SAFETY: `_exit` has no conditions. It runs no destructors and no handlers, which is the point.
    unsafe { libc::_exit(code.into()) }
}
