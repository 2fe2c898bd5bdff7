//! Resources of the machine that a worker may use.

use clap::Args;
use rustix::thread::CpuSet;

use crate::amounts::mebibytes;
use crate::failure::Failure;

/// Memory if the system does not report it.
const LITTLE: u64 = 1024;

/// Threads and memory of each worker.
#[derive(Clone, Debug, Args)]
pub struct ResourceArgs {
    /// Cores that this process may use [default: all that it is allowed]; which ones, the process
    /// number decides
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096), help_heading = "Limits")]
    pub cores: Option<u32>,
    /// Lower the priority of this process by so much, 0 to 19
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=19), help_heading = "Limits")]
    pub nice: Option<i32>,
    /// Units computed at a time by a worker [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,
    /// Memory for the tables and databases of a worker, whatever sweeps ask for [default: half of
    /// what is free]
    #[arg(long, value_name = "SIZE", value_parser = mebibytes)]
    pub memory: Option<u64>,
    /// Value every position of a game afresh, without the values that others have found
    #[arg(long)]
    pub alone: bool,
}

impl ResourceArgs {
    /// Restricts this process to the cores and the priority that were asked for. Threads inherit
    /// both, so this comes before any is started.
    pub fn restrict(&self) -> Result<(), Failure> {
        let refused = |what: &str, error| Failure::Failed(format!("{what}: {error}"));
        if let Some(cores) = self.cores {
            let allowed = rustix::thread::sched_getaffinity(None)
                .map_err(|error| refused("--cores", error))?;
            let chosen = some_of(&allowed, cores as usize, std::process::id() as usize);
            rustix::thread::sched_setaffinity(None, &chosen)
                .map_err(|error| refused("--cores", error))?;
        }
        if let Some(nice) = self.nice {
            rustix::process::nice(nice).map_err(|error| refused("--nice", error))?;
        }
        Ok(())
    }

    /// Threads of each worker.
    pub fn threads(&self) -> u32 {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        self.threads.unwrap_or_else(cores)
    }

    /// Memory of each of this many workers.
    pub fn memory_mib(&self, workers: u64) -> u64 {
        self.memory.unwrap_or_else(|| {
            let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
            (available_mib(&text).unwrap_or(LITTLE) / 2 / workers.max(1)).max(16)
        })
    }
}

/// So many of the allowed cores, from a place on: workers on one machine should not all have the
/// same ones.
fn some_of(allowed: &CpuSet, cores: usize, from: usize) -> CpuSet {
    let all: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).collect();
    let mut chosen = CpuSet::new();
    let start = from.checked_rem(all.len()).unwrap_or(0);
    all.iter().cycle().skip(start).take(cores.min(all.len())).for_each(|core| chosen.set(*core));
    chosen
}

/// Free memory according to the system, in MiB.
fn available_mib(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read_from_what_the_system_says() {
        let text = "MemTotal:       32000000 kB\nMemAvailable:   2097152 kB\n";
        assert_eq!(available_mib(text), Some(2048));
        assert_eq!(available_mib("nothing"), None);
        let (cores, nice) = (None, None);
        let given = ResourceArgs { cores, nice, threads: Some(3), memory: Some(7), alone: false };
        assert_eq!((given.threads(), given.memory_mib(5)), (3, 7));
    }

    #[test]
    fn cores_are_taken_from_those_that_are_allowed_and_not_all_workers_have_the_same() {
        let mut allowed = CpuSet::new();
        [1, 4, 6].into_iter().for_each(|core| allowed.set(core));
        let of = |cores, from| {
            let chosen = some_of(&allowed, cores, from);
            (0..CpuSet::MAX_CPU).filter(|core| chosen.is_set(*core)).collect::<Vec<_>>()
        };
        assert_eq!([of(1, 0), of(1, 1), of(1, 2), of(1, 3)], [[1], [4], [6], [1]].map(Vec::from));
        assert_eq!((of(2, 2), of(9, 5)), (vec![1, 6], vec![1, 4, 6]));
    }
}
