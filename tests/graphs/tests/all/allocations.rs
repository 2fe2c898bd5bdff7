//! A search whose stack is warm takes nothing from the heap, however many nodes it visits.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use hasami_andor::{Control, Job, Kernel, Options, Problem, Search, Stopped, SumRule, Table};
use hasami_game::Game;
use hasami_small::synthetic::Synthetic;
use hasami_spec::Params;

/// The system's allocator, counting for each thread: other tests run at the same time.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter any more, and nobody asks for it.
    let _ = ALLOCATIONS.try_with(|made| made.set(made.get() + 1));
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block came from `System` above.
        unsafe { System.dealloc(block, layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the block came from `System` above.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn depth_first_search_makes_no_allocation_per_node() {
    // Far too large to be settled; the stack is as deep as it gets after a few thousand nodes.
    let spelling = "depth=200 branching=4 width=1000000000";
    let params = Params::parse(Synthetic::params(), spelling).unwrap();
    let game = Synthetic::from_params(&params).unwrap();
    for kernel in [Kernel::Dfpn, Kernel::Pds] {
        for sum in [SumRule::Sum, SumRule::Weak, SumRule::Hybrid] {
            let options = Options { sum, ..Options::default() };
            let table = Table::with_entries(1 << 18, true);
            let control = Control::with_budget(1_000_000);
            let job = Job::settle(game.root());
            let mut search = Search::new(kernel, &game, &table, options, job);
            assert_eq!(search.run(&control).stopped, Stopped::Budget);
            let before = ALLOCATIONS.get();
            control.extend(1_000_000);
            let outcome = search.run(&control);
            let made = ALLOCATIONS.get() - before;
            assert_eq!(outcome.stopped, Stopped::Budget);
            assert!(outcome.counts.nodes >= 2_000_000, "{outcome:?}");
            assert!(made < 100, "{made} for the second million, {kernel:?} {sum:?}");
        }
    }
}
