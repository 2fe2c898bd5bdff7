use super::*;

/// Value n is 1 + the number of ones of n, computed from that of n without its lowest one. Steps
/// come in pairs, and only the second makes values final.
struct Ones {
    count: u64,
}

const LAYER: u64 = 100_000;

impl Plan for Ones {
    fn header(&self) -> Header {
        Header { game: "ones".into(), rules: String::new(), values: self.count }
    }
    fn steps(&self) -> usize {
        2 * self.count.div_ceil(LAYER) as usize
    }
    fn final_after(&self, step: usize) -> u64 {
        (step.div_ceil(2) as u64 * LAYER).min(self.count)
    }
    fn tasks(&self, _: usize) -> usize {
        10
    }
    fn fill(&self, step: usize, task: usize, values: &Values) -> Result<(), DatabaseError> {
        let from = step as u64 / 2 * LAYER;
        for number in (from..from + LAYER).filter(|number| number % 10 == task as u64) {
            // Even steps compute numbers with evenly many ones; odd steps depend on them.
            let ones = number.count_ones() as u8;
            if number < self.count && u64::from(ones) % 2 == step as u64 % 2 {
                let before = number & number.wrapping_sub(1);
                let value = match number {
                    0 => 1,
                    _ if before >= from && ones.is_multiple_of(2) => ones + 1,
                    _ => values.get(before).0 + 1,
                };
                values.set(number, Value(value));
            }
        }
        Ok(())
    }
}

fn build_it(path: &Path, stop_after: Option<u64>) -> Result<Built, DatabaseError> {
    let stop = AtomicBool::new(false);
    let mut progress = |done: u64| {
        if stop_after.is_some_and(|limit| done >= limit) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let how = Build { threads: 3, stop: &stop, progress: &mut progress };
    build(&Ones { count: 450_001 }, path, how)
}

#[test]
fn a_stopped_build_goes_on_and_ends_with_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let straight = dir.path().join("straight.db");
    build_it(&straight, None).unwrap();
    let broken = dir.path().join("broken.db");
    for limit in [100_000, 200_000, 400_000] {
        assert!(matches!(build_it(&broken, Some(limit)), Err(DatabaseError::Stopped)));
        assert!(!broken.exists());
    }
    let built = build_it(&broken, None).unwrap();
    assert!(built.resumed >= 300_000, "{}", built.resumed);
    assert_eq!(std::fs::read(&broken).unwrap(), std::fs::read(&straight).unwrap());
    let reader = crate::Reader::open(&broken).unwrap();
    for number in [0u64, 1, 2, 99_999, 300_003, 450_000] {
        let expected = if number == 0 { 1 } else { number.count_ones() as u8 + 1 };
        assert_eq!(reader.value(number).unwrap(), Value(expected), "{number}");
    }
}
