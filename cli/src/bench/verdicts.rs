//! Random graphs by every kernel × sum rule × table size, against exhaustive retrograde analysis.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use hasami_small::trial::{Tally, try_graph};

use super::{Figure, Figures};
use crate::failure::Failure;
use crate::output::grouped;

/// One certificate for so many searches.
const CERTIFICATES: u32 = 400;

/// Tries `graphs` graphs on all cores.
pub fn run(graphs: u64, figures: &mut Figures) -> Result<(), Failure> {
    let next = AtomicU64::new(0);
    // More than there are cores: a trial of the threads kernel mostly waits.
    let workers = 6 * std::thread::available_parallelism().map_or(1, usize::from);
    let directory = tempfile::tempdir().map_err(|e| Failure::Failed(e.to_string()))?;
    let work = |worker: usize| -> Result<Tally, String> {
        let directory = directory.path().join(worker.to_string());
        std::fs::create_dir(&directory).map_err(|error| error.to_string())?;
        let mut tally = Tally::default();
        loop {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= graphs {
                return Ok(tally);
            }
            if seed > 0 && seed.is_multiple_of(50_000) {
                eprintln!("  {} of {} graphs", grouped(seed), grouped(graphs));
            }
            tally += try_graph(seed, Some((&directory, CERTIFICATES)))?;
        }
    };
    let results = std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = (0..workers).map(|w| scope.spawn(move || work(w))).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, Result<Tally, String>>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().map(join).collect::<Vec<_>>()
    });
    let mut total = Tally::default();
    for result in results {
        total += result.map_err(Failure::Failed)?;
    }
    let searched = format!(
        "{} graphs ({} cyclic), {} searches",
        grouped(total.graphs),
        grouped(total.cyclic),
        grouped(total.searches)
    );
    let certified = format!("{} certificates verified", grouped(total.certificates));
    let all = [
        Figure {
            what: "wrong verdicts".to_string(),
            values: searched,
            ratio: 0.0,
            goal: Some(("0", true)),
        },
        Figure {
            what: "certificates refused".to_string(),
            values: certified,
            ratio: 0.0,
            goal: Some(("0", true)),
        },
        Figure {
            what: "given up, full table".to_string(),
            values: format!("{} searches", total.given_up),
            ratio: total.given_up as f64,
            goal: Some(("0", total.given_up == 0)),
        },
        Figure {
            what: "given up, table of 10 % or 1 %".to_string(),
            values: format!("{} searches of 2,000,000 nodes", total.given_up_small),
            ratio: total.given_up_small as f64,
            goal: None,
        },
    ];
    all.into_iter().for_each(|figure| figures.push(figure));
    Ok(())
}
