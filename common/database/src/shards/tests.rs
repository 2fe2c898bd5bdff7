use super::*;
use crate::{Build, Value, build};
use proptest::prelude::*;

/// Value n is 1 + the number of ones of n, computed from that of n without its lowest one. A stage
/// has the numbers with equally many ones, which are spread out; a piece has equal low bits.
struct Ones {
    bits: u32,
}

impl Ones {
    fn numbers(&self, stage: usize, ending: u64) -> Vec<u64> {
        (0..1 << self.bits)
            .filter(|number: &u64| number.count_ones() as usize == stage && number % 8 == ending)
            .collect()
    }
}

impl Plan for Ones {
    fn header(&self) -> Header {
        Header { game: "ones".into(), rules: format!("bits={}", self.bits), values: 1 << self.bits }
    }
    fn steps(&self) -> usize {
        self.stages()
    }
    fn final_after(&self, step: usize) -> u64 {
        if step as u32 == self.bits { 1 << self.bits } else { 0 }
    }
    fn tasks(&self, _: usize) -> usize {
        8
    }
    fn fill(&self, step: usize, task: usize, values: &Values) -> Result<(), DatabaseError> {
        for number in self.numbers(step, task as u64) {
            let before = number & number.wrapping_sub(1);
            let value = if number == 0 { 1 } else { values.get(before).0 + 1 };
            values.set(number, Value(value));
        }
        Ok(())
    }
}

impl Staged for Ones {
    fn stages(&self) -> usize {
        self.bits as usize + 1
    }
    fn pieces(&self, stage: usize) -> Vec<Piece> {
        let piece = |task: u64| Piece {
            tasks: vec![(stage, task as usize)],
            numbers: self.numbers(stage, task).into_iter().map(|n| n..n + 1).collect(),
        };
        (0..8).map(piece).collect()
    }
}

const QUIET: Watch<'static> = Watch { stop: &|| false, progress: &|_| {} };

fn shards(place: &Path, bits: u32, slices: usize) -> Shards<Ones> {
    Shards::new(Box::new(Ones { bits }), place, slices).unwrap()
}

fn straight(place: &Path, bits: u32) -> Vec<u8> {
    let file = place.join("straight.db");
    let stop = std::sync::atomic::AtomicBool::new(false);
    let how = Build { threads: 2, stop: &stop, progress: &mut |_| {} };
    build(&Ones { bits }, &file, how).unwrap();
    std::fs::read(file).unwrap()
}

#[test]
fn machines_that_share_a_directory_make_the_same_file_as_one() {
    let place = tempfile::tempdir().unwrap();
    let expected = straight(place.path(), 17);
    for (directory, slices) in [("a", 1), ("b", 3), ("c", 64)] {
        let directory = place.path().join(directory);
        let machines: Vec<_> = (0..3).map(|_| shards(&directory, 17, slices)).collect();
        let mut turn = 0;
        for stage in 0..machines[0].stages() {
            for slice in 0..slices {
                machines[turn % 3].make(stage, slice, &QUIET).unwrap();
                turn += 1;
            }
        }
        machines[1].join(2, &QUIET).unwrap();
        assert!(std::fs::read(machines[0].target()).unwrap() == expected, "{slices} slices");
        assert!(machines[2].is_joined().unwrap());
    }
}

#[test]
fn a_stage_does_not_begin_without_the_ones_below_it() {
    let place = tempfile::tempdir().unwrap();
    let one = shards(place.path(), 13, 2);
    let error = one.make(1, 0, &QUIET).unwrap_err();
    assert!(error.to_string().contains("stage-000-slice-000.shard: missing"), "{error}");
    assert!(matches!(one.join(1, &QUIET), Err(DatabaseError::Missing { .. })));
}

#[test]
fn a_damaged_shard_is_not_rested_on_and_made_again_by_its_own_item() {
    let place = tempfile::tempdir().unwrap();
    for stage in 0..14 {
        for slice in 0..2 {
            shards(place.path(), 13, 2).make(stage, slice, &QUIET).unwrap();
        }
    }
    let (_, file) = shards(place.path(), 13, 2).shard(6, 0).unwrap();
    let sound = std::fs::read(&file).unwrap();
    let mut bytes = sound.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let error = shards(place.path(), 13, 2).join(1, &QUIET).unwrap_err();
    assert!(error.to_string().contains("stage-006-slice-000.shard: a damaged shard"), "{error}");
    shards(place.path(), 13, 2).make(6, 0, &QUIET).unwrap();
    assert!(std::fs::read(&file).unwrap() == sound);
    shards(place.path(), 13, 2).join(1, &QUIET).unwrap();
    // A directory started with another number of slices is refused, not mixed.
    let other = shards(place.path(), 13, 3);
    assert!(matches!(other.make(6, 0, &QUIET), Err(DatabaseError::Foreign { .. })));
}

#[test]
fn what_is_stopped_leaves_nothing_behind() {
    let place = tempfile::tempdir().unwrap();
    let one = shards(place.path(), 10, 1);
    let watch = Watch { stop: &|| true, progress: &|_| {} };
    assert!(matches!(one.make(0, 0, &watch), Err(DatabaseError::Stopped)));
    let (_, file) = one.shard(0, 0).unwrap();
    assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), 0);
}

proptest! {
    #[test]
    fn slices_have_every_piece_once_and_in_order(
        sizes in prop::collection::vec(0..20_000u64, 0..50),
        slices in 1..20usize,
    ) {
        let mut from = 0;
        let piece = |(at, &size): (usize, &u64)| {
            let numbers = from..from + size;
            from += size;
            Piece { tasks: vec![(0, at)], numbers: vec![numbers] }
        };
        let pieces: Vec<Piece> = sizes.iter().enumerate().map(piece).collect();
        let divided = slices_of(pieces.clone(), slices);
        prop_assert!((1..=slices).contains(&divided.len()));
        prop_assert_eq!(divided.concat(), pieces);
        // No slice is larger than its share plus one piece.
        let total: u64 = sizes.iter().sum();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let share = total.div_ceil(divided.len() as u64);
        for slice in &divided {
            prop_assert!(slice.iter().map(Piece::values).sum::<u64>() <= share + largest);
        }
    }
}
