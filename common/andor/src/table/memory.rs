//! The memory of a table: zeroed, in huge pages where the system has them, because lookups go
//! anywhere and would miss the processor's small cache of pages every time.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

/// One cache line.
#[repr(align(64))]
pub(super) struct Line(pub [AtomicU64; 8]);

/// The system has no memory for a table of this size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {mib} MiB")]
pub struct OutOfMemory {
    /// What was asked for.
    pub mib: usize,
}

/// Lines that start as zeros.
pub(super) struct Lines {
    start: *mut Line,
    count: usize,
    mapping: *mut libc::c_void,
    mapped: usize,
}

// SAFETY: lines are nothing but atomics, and the mapping belongs to this value alone.
unsafe impl Send for Lines {}
// SAFETY: as above.
unsafe impl Sync for Lines {}

const HUGE_PAGE: usize = 2 << 20;

impl Lines {
    /// Maps `count` lines of zeros; pages are taken from the system when they are first touched.
    pub fn zeroed(count: usize) -> Result<Self, OutOfMemory> {
        let bytes = count * size_of::<Line>();
        let failed = OutOfMemory { mib: bytes >> 20 };
        let mapped = bytes.checked_add(HUGE_PAGE).ok_or(failed)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: an anonymous mapping at an address of the system's choice touches nothing else.
        let mapping = unsafe { libc::mmap(std::ptr::null_mut(), mapped, protection, flags, -1, 0) };
        if mapping == libc::MAP_FAILED {
            return Err(failed);
        }
        let skip = mapping.addr().next_multiple_of(HUGE_PAGE) - mapping.addr();
        // SAFETY: `skip` is less than a huge page, and the mapping has one more than it needs.
        let start = unsafe { mapping.byte_add(skip) };
        #[cfg(target_os = "linux")]
        if bytes >= HUGE_PAGE {
            // SAFETY: the range is inside the mapping; a refusal only costs speed.
            unsafe { libc::madvise(start, bytes, libc::MADV_HUGEPAGE) };
        }
        Ok(Self { start: start.cast(), count, mapping, mapped })
    }
}

impl Deref for Lines {
    type Target = [Line];

    fn deref(&self) -> &[Line] {
        // SAFETY: the mapping holds `count` lines from `start`, aligned to a huge page, zeroed by
        // the system, which is a value of every integer; it lives as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start, self.count) }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        // SAFETY: exactly what was mapped, and no reference outlives `self`.
        unsafe { libc::munmap(self.mapping, self.mapped) };
    }
}
