//! Resources of the machine that a worker may use.

use clap::Args;

use crate::amounts::mebibytes;

/// Memory if the system does not report it.
const LITTLE: u64 = 1024;

/// Threads and memory of each worker.
#[derive(Clone, Debug, Args)]
pub struct ResourceArgs {
    /// Units computed at a time by a worker [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,
    /// Memory for the transposition tables of a worker [default: half of what is free]
    #[arg(long, value_name = "SIZE", value_parser = mebibytes)]
    pub memory: Option<u64>,
    /// Value every position of a game afresh, without the values that others have found
    #[arg(long)]
    pub alone: bool,
}

impl ResourceArgs {
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
        let given = ResourceArgs { threads: Some(3), memory: Some(7), alone: false };
        assert_eq!((given.threads(), given.memory_mib(5)), (3, 7));
    }
}
