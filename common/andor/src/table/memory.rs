//! The memory of a table: reserved at once, zeroed by the system page by page at first touch. The
//! part in use has huge pages where available, because lookups are random and would miss the TLB
//! every time.

use std::ops::Deref;

use super::atomic::AtomicU64;

/// One cache line.
#[repr(align(64))]
pub(super) struct Line(pub [AtomicU64; 8]);

/// The system has no memory for a table of this size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {mib} MiB")]
pub struct OutOfMemory {
    /// The requested size in MiB.
    pub mib: usize,
}

/// Lines that start as zeros.
pub(super) struct Lines {
    start: *mut Line,
    count: usize,
    /// Start and length of the mapping; `None` for a small table on the heap.
    mapping: Option<(*mut libc::c_void, usize)>,
}

// SAFETY: lines are nothing but atomics, and the memory belongs to this value alone.
unsafe impl Send for Lines {}
// SAFETY: as above.
unsafe impl Sync for Lines {}

const HUGE_PAGE: usize = 2 << 20;
/// Smaller tables lie on the heap: a mapping would cost more than the search.
const SMALLEST_MAPPING: usize = 64 << 10;

impl Lines {
    /// Maps `count` lines of zeros; the system provides pages when they are first touched.
    pub fn zeroed(count: usize) -> Result<Self, OutOfMemory> {
        let bytes = count * size_of::<Line>();
        if bytes < SMALLEST_MAPPING {
            return Ok(Self::on_the_heap(count));
        }
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
        Ok(Self { start: start.cast(), count, mapping: Some((mapping, mapped)) })
    }

    /// Asks for huge pages for the first `count` lines. Pages touched before do not change, so this
    /// is called before more of the memory is used.
    pub fn prefer_huge_pages(&self, count: usize) {
        let bytes = count.min(self.count) * size_of::<Line>();
        #[cfg(target_os = "linux")]
        if self.mapping.is_some() && bytes >= HUGE_PAGE {
            // SAFETY: the range is inside the mapping; a refusal only costs speed.
            unsafe { libc::madvise(self.start.cast(), bytes, libc::MADV_HUGEPAGE) };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = bytes;
    }

    fn on_the_heap(count: usize) -> Self {
        let line = |_| Line(std::array::from_fn(|_| AtomicU64::new(0)));
        let lines: Box<[Line]> = (0..count).map(line).collect();
        Self { start: Box::into_raw(lines).cast(), count, mapping: None }
    }
}

impl Deref for Lines {
    type Target = [Line];

    fn deref(&self) -> &[Line] {
        // SAFETY: `count` lines lie from `start` on, aligned for a line, zeroed at first, which is
        // a value of every integer; they live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start, self.count) }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        match self.mapping {
            // SAFETY: exactly what was mapped, and no reference outlives `self`.
            Some((mapping, mapped)) => unsafe {
                libc::munmap(mapping, mapped);
            },
            // SAFETY: exactly what `on_the_heap` took from its box.
            None => unsafe {
                drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.start, self.count)));
            },
        }
    }
}
