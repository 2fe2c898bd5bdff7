//! Every kernel × sum rule × table size on random graphs, against exhaustive retrograde analysis.

use hasami_graphs::{Tally, try_graph};

/// `make test` wants at least 10⁵ graphs.
const GRAPHS: u64 = 100_000;
/// More than there are cores, so that the system interrupts the threads kernel anywhere.
const WORKERS: u64 = 12;

#[test]
fn no_kernel_gives_a_wrong_verdict_on_a_hundred_thousand_graphs() {
    let graphs = std::env::var("HASAMI_TRIALS").map_or(GRAPHS, |n| n.parse().unwrap());
    let run = |worker: u64| {
        let directory = tempfile::tempdir().unwrap();
        let mut tally = Tally::default();
        for seed in (worker..graphs).step_by(WORKERS as usize) {
            let fault = |what: String| panic!("{what}");
            tally += try_graph(seed, Some((directory.path(), 400)), fault).unwrap();
        }
        tally
    };
    let mut total = Tally::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|worker| scope.spawn(move || run(worker))).collect();
        for worker in workers {
            total += worker.join().unwrap();
        }
    });
    println!("{total:?}");
    assert_eq!(total.graphs, graphs);
    assert_eq!((total.wrong, total.refused), (0, 0));
    assert_eq!(total.given_up, 0, "a table for all states is enough");
    assert!(total.given_up_small * 100_000 <= total.searches, "a small one nearly always is");
    assert!(total.cyclic > graphs / 4, "cyclic graphs are among them");
    assert!(total.proven > graphs / 10 && total.proven < graphs * 9 / 10, "both verdicts are");
}
