use std::collections::HashMap;
use std::sync::Mutex;

use super::*;
use crate::value::{Family, Limits, Position, value, value_shared};
use hasami_game::random::SplitMix;

#[derive(Default)]
struct Table(Mutex<HashMap<(ProblemId, Key), Vec<u8>>>);

impl Notes for Table {
    fn find(&self, family: ProblemId, keys: &[Key]) -> Vec<Option<Vec<u8>>> {
        let table = self.0.lock().unwrap();
        keys.iter().map(|&key| table.get(&(family, key)).cloned()).collect()
    }

    fn keep(&self, family: ProblemId, notes: Vec<(Key, Vec<u8>)>) {
        self.0.lock().unwrap().extend(notes.into_iter().map(|(key, note)| ((family, key), note)));
    }
}

fn positions() -> Vec<Position> {
    let mut all = Vec::new();
    let mut read = |family: Family, text: String| all.push(family.read(&text).unwrap());
    for room in (0..95).chain((100..1200).step_by(97)) {
        read(Family::GoRoom, room.to_string());
    }
    for length in 3..14 {
        read(Family::GoCorridor, length.to_string());
    }
    for length in 2..6 {
        read(Family::GoCorridor, format!("socket2-{length}"));
        read(Family::GoCorridor, format!("open-{length}"));
    }
    for text in ["3x4", "4x3", "4x4", "5x3", "3x6", "..../...#/#.../...."] {
        read(Family::Domineering, text.to_string());
    }
    for text in ["xoxo/oxox", "oxox/xoxo", "xoxoxoxo", "oxoxoxox", "xxoo/oxox/xoxo"] {
        read(Family::Clobber, text.to_string());
    }
    for text in ["TT..FF", "TTT..FF", "TT..FFF", "TT.T.FF.F"] {
        read(Family::Toads, text.to_string());
    }
    all
}

/// The result for a position as text.
fn described(found: Result<(Games, Value), crate::go::Unvalued>) -> String {
    match found {
        Ok((games, value)) => games.show(value),
        Err(error) => error.to_string(),
    }
}

fn alone(position: &Position) -> String {
    described(value(position, Limits::default()))
}

fn sharing(position: &Position, notes: &Table) -> (String, u64, Tally) {
    match value_shared(position, Limits::default(), notes) {
        Ok(found) => (found.games.show(found.value), found.evaluations, found.tally),
        Err(error) => (error.to_string(), 0, Tally::default()),
    }
}

#[test]
fn shared_values_are_those_found_alone_and_take_fewer_evaluations() {
    let (notes, mut random) = (Table::default(), SplitMix::new(3));
    let mut all = positions();
    // In any order: known values of others must not change anything.
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at as u32 + 1) as usize);
    }
    let (mut single, mut shared) = (0, 0);
    for position in &all {
        let (found, evaluations, _) = sharing(position, &notes);
        assert_eq!(found, alone(position), "{position:?}");
        shared += evaluations;
        let nothing = Table::default();
        single += sharing(position, &nothing).1;
    }
    assert!(shared < single, "{shared} of {single}");
    // A second time hardly any work is left.
    let mut again = 0;
    for position in &all {
        let (found, evaluations, _) = sharing(position, &notes);
        assert_eq!(found, alone(position), "{position:?}");
        again += evaluations;
    }
    assert!(again * 20 < single, "{again} of {single}");
}

/// 4x5 is the negative of 5x4, and a strip read from its other end with the animals swapped is the
/// negative of the strip.
#[test]
fn a_position_and_its_negative_share_a_note() {
    for (family, one, other) in [
        (Family::Domineering, "4x5", "5x4"),
        (Family::Clobber, "xoxo/oxxx/xoxo", "oxox/xooo/oxox"),
        (Family::Toads, "TT.T..FF", "TT..F.FF"),
    ] {
        let [one, other] = [one, other].map(|text| family.read(text).unwrap());
        let notes = Table::default();
        let (first, evaluations, tally) = sharing(&one, &notes);
        assert!(evaluations > 0 && tally.kept > 0, "{evaluations} {tally:?}");
        let (second, none, tally) = sharing(&other, &notes);
        assert_eq!((none, tally.recalled), (0, 1), "{first} {second}");
        assert_eq!(second, alone(&other));
        assert_ne!(first, second);
    }
}

type Spoil = fn(&mut Vec<u8>, &mut SplitMix);

#[test]
fn spoiled_notes_are_passed_over_and_replaced() {
    let mut random = SplitMix::new(8);
    let position = Family::GoRoom.read("700").unwrap();
    let expected = alone(&position);
    let notes = Table::default();
    let fresh = sharing(&position, &notes).1;
    let whole = notes.0.lock().unwrap().clone();
    assert!(whole.len() > 1, "{}", whole.len());
    let spoil: [(&str, Spoil); 6] = [
        ("a flipped bit", |note, random| {
            let at = random.below(note.len() as u32) as usize;
            note[at] ^= 1 << random.below(8);
        }),
        ("cut", |note, random| note.truncate(random.below(note.len() as u32) as usize)),
        ("empty", |note, _| note.clear()),
        ("longer", |note, _| note.push(0)),
        ("too long", |note, _| note.resize(LONGEST_NOTE + 1, 0)),
        ("random", |note, random| {
            note.iter_mut().for_each(|byte| *byte = random.below(256) as u8);
        }),
    ];
    for (how, spoil) in spoil {
        let mut spoiled = whole.clone();
        spoiled.values_mut().for_each(|note| spoil(note, &mut random));
        let table = Table(Mutex::new(spoiled));
        let (found, evaluations, tally) = sharing(&position, &table);
        assert_eq!((found.as_str(), evaluations), (expected.as_str(), fresh), "{how}");
        assert!(tally.spoiled > 0 && tally.recalled == 0, "{how}: {tally:?}");
        assert_eq!(sharing(&position, &table).1, 0, "{how}: not replaced");
    }
    // Notes of other keys are no better.
    let mut moved = whole.clone();
    let mut bytes: Vec<Vec<u8>> = whole.values().cloned().collect();
    bytes.rotate_left(1);
    moved.values_mut().zip(bytes).for_each(|(note, other)| *note = other);
    let (found, evaluations, tally) = sharing(&position, &Table(Mutex::new(moved)));
    assert_eq!((found, evaluations, tally.recalled), (expected, fresh, 0));
}

#[test]
fn other_rules_have_other_keys() {
    let ids = [family_id("go", "suicide forbidden"), family_id("go", "suicide allowed")];
    assert_ne!(ids[0], ids[1]);
    assert_ne!(family_id("clobber", ""), family_id("toads", ""));
}
