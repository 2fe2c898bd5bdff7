//! Every kernel × sum rule × table size on random graphs with hands, where one verdict settles many
//! states, against exhaustive retrograde analysis.

use hasami_graphs::Tally;
use hasami_graphs::hands::try_hands;

const GRAPHS: u64 = 20_000;
const WORKERS: u64 = 8;

#[test]
fn no_kernel_claims_a_wrong_hand_on_twenty_thousand_graphs() {
    let graphs = std::env::var("HASAMI_TRIALS").map_or(GRAPHS, |n| n.parse().unwrap());
    let run = |worker: u64| {
        let directory = tempfile::tempdir().unwrap();
        let mut tally = Tally::default();
        for seed in (worker..graphs).step_by(WORKERS as usize) {
            let fault = |what: String| panic!("{what}");
            tally += try_hands(seed, Some((directory.path(), 10)), fault).unwrap();
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
    assert!(total.given_up_small * 10_000 <= total.searches, "a small one nearly always is");
    assert!(total.cyclic > graphs / 4, "cyclic graphs are among them");
    assert!(total.proven > graphs / 8 && total.proven < graphs * 7 / 8, "both verdicts occur");
}
