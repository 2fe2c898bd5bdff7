//! Random graphs by every kernel × sum rule × table size, against exhaustive retrograde analysis.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use hasami_graphs::{Tally, try_graph};

use crate::figures::{Failure, Figure, Figures};
use crate::words::grouped;

/// One certificate for so many searches.
const CERTIFICATES: u32 = 400;

/// Tries `graphs` graphs on all cores.
pub fn run(graphs: u64, figures: &mut Figures) -> Result<(), Failure> {
    let next = AtomicU64::new(0);
    // More than there are cores: a trial of the threads kernel mostly waits.
    let workers = 6 * std::thread::available_parallelism().map_or(1, usize::from);
    let directory = tempfile::tempdir()?;
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
            let fault = |what: String| eprintln!("  {what}");
            tally += try_graph(seed, Some((&directory, CERTIFICATES)), fault)?;
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
        total += result.map_err(Failure)?;
    }
    let searched = format!(
        "{} graphs ({} cyclic), {} searches",
        grouped(total.graphs),
        grouped(total.cyclic),
        grouped(total.searches)
    );
    let certified = format!("{} certificates", grouped(total.certificates));
    let all = [
        Figure::never("wrong verdicts", searched, total.wrong),
        Figure::never("certificates refused", certified, total.refused),
        Figure::never(
            "given up, full table",
            format!("{} searches", total.given_up),
            total.given_up,
        ),
        Figure {
            what: "given up, table of 10 % or 1 %".to_string(),
            values: format!("{} searches of 2,000,000 nodes", total.given_up_small),
            ratio: total.given_up_small as f64,
            goal: None,
        },
    ];
    all.into_iter().for_each(|figure| figures.push(figure));
    if total.wrong + total.refused > 0 {
        return Err(Failure("the kernels are wrong: see above".to_string()));
    }
    Ok(())
}
