//! Values that jobs share, including wrong ones.

use std::collections::HashMap;
use std::sync::Mutex;

use hasami_cgt::Games;
use hasami_spec::SearchSettings;
use hasami_values::value::shared::{family_id, note};

use super::*;

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

fn asked(family: &str, position: &str, notes: &Arc<Table>) -> Answered {
    let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
    let question = Question {
        problem: "value".to_string(),
        params: vec![pair("family", family), pair("position", position)],
        search: SearchSettings::default(),
    };
    let directory = tempfile::tempdir().unwrap();
    let place = Place { notes: Arc::clone(notes) as _, ..Place::alone(directory.path().into(), 1) };
    crate::answer(&question, &place, &Arc::new(Control::unlimited())).unwrap()
}

#[test]
fn the_second_item_finds_what_the_first_has_found() {
    let notes = Arc::new(Table::default());
    for (family, first, second) in
        [("domineering", "4x5", "5x4"), ("go-corridor", "9", "10"), ("go-room", "1000", "1001")]
    {
        let one = asked(family, first, &notes);
        let two = asked(family, second, &notes);
        let alone = asked(family, second, &Arc::new(Table::default()));
        let (shared, single) = (two.answer.measures, alone.answer.measures);
        assert!(shared.nodes < single.nodes && shared.store_hits > 0, "{shared:?} {single:?}");
        assert_eq!(two.answer.fields, alone.answer.fields);
        assert_eq!(two.answer.certificates, alone.answer.certificates);
        assert_ne!(one.answer.fields, two.answer.fields);
    }
}

/// Notes that are intact but wrong: the proof rejects what rests on them, and the value
/// is found without them.
#[test]
fn a_wrong_note_is_overruled_and_replaced() {
    for (family, position, notes_of) in [
        ("domineering", "4x4", family_id("domineering", "")),
        ("go-corridor", "30", family_id("go", "suicide forbidden")),
        ("go-room", "300", family_id("go", "suicide forbidden")),
    ] {
        let notes = Arc::new(Table::default());
        let expected = asked(family, position, &notes).answer;
        let mut games = Games::new();
        let wrong = games.parse("{5|^*}").unwrap();
        for ((id, key), stored) in notes.0.lock().unwrap().iter_mut() {
            assert_eq!(*id, notes_of);
            *stored = note(&games, *id, *key, wrong).unwrap();
        }
        let answer = asked(family, position, &notes).answer;
        assert_eq!((&answer.fields, &answer.claim), (&expected.fields, &expected.claim));
        assert_eq!(answer.measures.nodes, expected.measures.nodes);
        // The notes are correct again.
        let again = asked(family, position, &notes).answer;
        assert_eq!((again.fields, again.measures.nodes), (expected.fields, 0));
    }
}
