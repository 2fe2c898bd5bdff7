//! What is kept without being judged, what is refused rather than lost, and what is deleted.

use hasami_spec::{Catalog, Spec};
use hasami_unit::ItemState;

use super::*;

static NONE: [&Spec; 0] = [];

fn answer(claim: &str, certificate: &str) -> Answer {
    let certificates = if certificate.is_empty() {
        Vec::new()
    } else {
        let (name, digest) = (certificate.to_string(), [7; 32]);
        vec![hasami_sweep::Certificate { name, digest, bytes: 3 }]
    };
    Answer {
        verdict: Verdict::Proven,
        claim: claim.to_string(),
        fields: Vec::new(),
        certificates,
        measures: Measures::default(),
        check: None,
    }
}

fn item(run: u64, item: u32, state: ItemState, answer: Option<ContentKey>) -> Change {
    let record = ItemRecord {
        state,
        reused: false,
        answer,
        failure: String::new(),
        attempts: 1,
        cost: Measures::default(),
    };
    Change::Item(RunId(run), ItemNo(item), record)
}

fn state(core: &Core, run: u64, item: u32) -> ItemState {
    core.run(RunId(run)).unwrap().item(ItemNo(item)).unwrap().0
}

/// A journal with three runs in a directory of its own.
fn three(directory: &Path) -> PathBuf {
    let path = directory.join("journal");
    let journal = Journal::open(&path).unwrap();
    journal.commit(&[run(1), run(2), run(3)], 0).unwrap();
    path
}

#[test]
fn a_journal_without_its_list_of_files_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = three(directory.path());
    fs::remove_file(path.join("CURRENT")).unwrap();
    let files = || fs::read_dir(&path).unwrap().count();
    let before = files();
    let refused = Journal::open(&path).err().unwrap();
    assert!(matches!(refused, JournalError::Lost { .. }), "{refused}");
    assert!(refused.to_string().contains("CURRENT is missing"), "{refused}");
    assert_eq!(files(), before, "nothing was made");
    fs::remove_file(Marker::file(&path)).unwrap();
    let refused = Journal::open(&path).err().unwrap();
    assert!(matches!(refused, JournalError::Lost { .. }), "remains without a note: {refused}");
}

#[test]
fn a_journal_that_is_gone_is_not_begun_anew_without_a_word() {
    let directory = tempfile::tempdir().unwrap();
    let path = three(directory.path());
    fs::remove_dir_all(&path).unwrap();
    let refused = Journal::open(&path).err().unwrap().to_string();
    assert!(refused.contains("remove") && refused.contains("journal.marker"), "{refused}");
    fs::remove_file(Marker::file(&path)).unwrap();
    assert_eq!(runs(&Journal::open(&path).unwrap()), [0u64; 0], "the operator has said so");
}

/// RocksDB accepts a list of its files that ends early, wherever it is cut.
#[test]
fn a_list_of_files_that_was_cut_never_gives_fewer_runs() {
    let directory = tempfile::tempdir().unwrap();
    let path = three(directory.path());
    // Flush and start again, so that the runs are in a table that the list names.
    let journal = Journal::open(&path).unwrap();
    for family in keys::FAMILIES {
        journal.rocks().db.flush_cf(journal.rocks().family(family)).unwrap();
    }
    journal.commit(&[run(4)], 0).unwrap();
    drop(journal);
    let manifest = fs::read_to_string(path.join("CURRENT")).unwrap();
    let manifest = manifest.trim().to_string();
    let whole = fs::read(path.join(&manifest)).unwrap();
    for cut in (0..whole.len()).step_by(whole.len() / 24 + 1) {
        let copy = directory.path().join(format!("cut-{cut}"));
        killed(&path, &copy);
        fs::copy(Marker::file(&path), Marker::file(&copy)).unwrap();
        fs::write(copy.join(&manifest), &whole[..cut]).unwrap();
        if let Ok(journal) = Journal::open(&copy) {
            assert_eq!(runs(&journal), [1, 2, 3, 4], "cut after {cut} of {} bytes", whole.len());
        }
    }
}

#[test]
fn an_older_copy_of_the_journal_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let path = three(directory.path());
    let copy = directory.path().join("copy");
    killed(&path, &copy);
    Journal::open(&path).unwrap().commit(&[run(4)], 0).unwrap();
    fs::copy(Marker::file(&path), Marker::file(&copy)).unwrap();
    let refused = Journal::open(&copy).err().unwrap().to_string();
    assert!(refused.contains("it is from start"), "{refused}");
}

#[test]
fn only_a_lock_that_is_held_is_another_coordinator() {
    let directory = tempfile::tempdir().unwrap();
    // A path with the word in it, and a file where the directory should be.
    let path = directory.path().join("LOCKED-lock");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("CURRENT"), "MANIFEST-000009\n").unwrap();
    let refused = Journal::open(&path).err().unwrap();
    assert!(!matches!(refused, JournalError::Busy { .. }), "{refused}");
}

#[test]
fn a_sweep_that_newer_rules_refuse_stops_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = Journal::open(&path).unwrap();
    let old = |number: u64, sweep: &str, state: RunState| {
        let Change::Run(record) = run(number) else { unreachable!() };
        Change::Run(RunRecord { sweep: sweep.to_string(), stored: None, state, ..record })
    };
    let refused = "name = \"old\"\nproblem = \"chomp\"\n[parameters]\nrows = 2\nheight = 9\n";
    let changes = [
        run(1),
        old(2, refused, RunState::Running),
        old(3, refused, RunState::Finished),
        old(4, SWEEP, RunState::Finished),
        item(2, 5, ItemState::Settled, None),
        item(3, 1, ItemState::Settled, None),
    ];
    journal.commit(&changes, 0).unwrap();
    let core = restored(&journal);
    let state_of = |run| core.run(RunId(run)).unwrap().state;
    assert_eq!(state_of(1), RunState::Running);
    assert_eq!(state_of(2), RunState::Unreadable);
    assert_eq!(state_of(3), RunState::Unreadable);
    assert_eq!(state_of(4), RunState::Finished, "format 2: the text is enough");
    let lost = core.run(RunId(2)).unwrap();
    assert!(lost.note.contains("height"), "{}", lost.note);
    assert_eq!((lost.sweep.name(), lost.sweep.text(), lost.sweep.len()), ("old", refused, 6));
    assert_eq!(state(&core, 2, 5), ItemState::Settled);
    // No game is left at all: what was stored is shown, and goes on when they are back.
    let bare = journal.restore(Catalog(&NONE), Settings::default(), true, Millis(0)).unwrap();
    let first = bare.run(RunId(1)).unwrap();
    assert_eq!((first.state, first.sweep.len()), (RunState::Unreadable, 8));
    assert_eq!(first.sweep.item(7).spelled(), "chomp rows=2 columns=8");
}

#[test]
fn records_that_make_no_sense_are_counted_shown_and_left() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = Journal::open(&path).unwrap();
    let key = ContentKey::of(&["x"]);
    journal.commit(&[run(1), run(2), item(1, 3, ItemState::Settled, Some(key))], 0).unwrap();
    let put = |family: &str, key: &[u8]| {
        journal.rocks().db.put_cf(journal.rocks().family(family), key, [0xff, 1]).unwrap();
    };
    put(RUNS, &keys::run(2));
    put(ITEMS, &keys::item(RunId(1), ItemNo(5)));
    put(UNITS, &keys::unit(RunId(1), ItemNo(6), UnitNo(0)));
    put(WORKERS, &7u64.to_be_bytes());
    put(ANSWERS, &key.0);
    put(HISTORY, &keys::history(RunId(1), ItemNo(3), 1, 1, 0));
    let core = restored(&journal);
    assert_eq!(core.run(RunId(2)).unwrap().state, RunState::Unreadable);
    assert_eq!(state(&core, 1, 5), ItemState::Failed);
    assert_eq!(state(&core, 1, 6), ItemState::Failed);
    assert_eq!(state(&core, 1, 0), ItemState::Waiting);
    assert_eq!(journal.damage(9).0, 4);
    assert!(journal.answer(key).is_err());
    assert!(journal.item(RunId(1), ItemNo(5)).is_err());
    assert!(journal.history(RunId(1), ItemNo(3)).unwrap()[0].text.contains("cannot be read"));
    let (count, told) = journal.damage(9);
    assert_eq!((count, told.len()), (6, 6), "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("items 000000000000000100000005: ")));
    for (family, key) in [(RUNS, keys::run(2).to_vec()), (ANSWERS, key.0.to_vec())] {
        let kept = journal.rocks().db.get_cf(journal.rocks().family(family), key).unwrap();
        assert_eq!(kept.as_deref(), Some(&[0xff, 1][..]), "{family}");
    }
}

#[test]
fn an_answer_that_cannot_be_read_is_not_reused_and_its_bytes_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::open(&directory.path().join("journal")).unwrap();
    let sweep = Sweep::parse(CATALOG, SWEEP, "t").unwrap();
    let key = |item: usize| sweep.item(item).settled_key();
    let open = sweep.item(2).open_key();
    let changes = [
        Change::Answer(key(0), answer("yes", "")),
        Change::Answer(key(2), answer("yes", "")),
        Change::Answer(open, answer("open", "")),
        Change::Answer(sweep.item(4).open_key(), answer("open", "")),
    ];
    journal.commit(&changes, 0).unwrap();
    journal.rocks().db.put_cf(journal.rocks().family(ANSWERS), key(1).0, [0xff, 1]).unwrap();
    let known = journal.known(&sweep).unwrap();
    let expected = [(0, key(0), true), (2, key(2), true), (4, sweep.item(4).open_key(), false)];
    assert_eq!(known, expected.map(|(item, key, settled)| (ItemNo(item), key, settled)));
    let aside = journal
        .rocks()
        .db
        .get_cf(journal.rocks().family(META), format!("damaged answers {}", key(1)));
    assert_eq!(aside.unwrap().as_deref(), Some(&[0xff, 1][..]));
}

#[test]
fn the_answers_of_a_large_sweep_are_found_as_those_of_a_small_one() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::open(&directory.path().join("journal")).unwrap();
    let text = |seeds: &str| {
        format!("name = \"t\"\nproblem = \"synthetic\"\n[parameters]\nseed = \"{seeds}\"\n")
    };
    let large = Sweep::parse(CATALOG, &text("0..50000"), "t").unwrap();
    assert_eq!(journal.known(&large).unwrap(), []);
    let there = [0u32, 1, 777, 24_999, 25_000, 49_999];
    let changes = there.map(|item| {
        let question = large.item(item as usize);
        let settled = item % 2 == 0;
        let key = if settled { question.settled_key() } else { question.open_key() };
        (Change::Answer(key, answer("yes", "")), (ItemNo(item), key, settled))
    });
    journal.commit(&changes.clone().map(|(change, _)| change), 0).unwrap();
    assert_eq!(journal.known(&large).unwrap(), changes.map(|(_, known)| known));
}

#[test]
fn a_deleted_run_takes_its_items_along_and_only_the_answers_that_nobody_else_has() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = Journal::open(&path).unwrap();
    let [own, shared, other] = ["own", "shared", "other"].map(|text| ContentKey::of(&[text]));
    let changes = [
        run(1),
        run(2),
        item(1, 0, ItemState::Settled, Some(own)),
        item(1, 1, ItemState::Settled, Some(shared)),
        item(2, 0, ItemState::Settled, Some(shared)),
        item(2, 1, ItemState::Settled, Some(other)),
        Change::Unit(RunId(1), ItemNo(2), UnitNo(0), UnitRecord::default()),
        Change::Unit(RunId(2), ItemNo(2), UnitNo(0), UnitRecord::default()),
        Change::History(RunId(1), ItemNo(0), "given".to_string()),
        Change::History(RunId(2), ItemNo(0), "given".to_string()),
        Change::Answer(own, answer("own", "own.cert")),
        Change::Answer(shared, answer("shared", "shared.cert")),
        Change::Answer(other, answer("other", "other.cert")),
    ];
    journal.commit(&changes, 0).unwrap();
    let found = journal.answers_of(&[RunId(1)].into()).unwrap();
    assert_eq!((found.only.as_slice(), found.shared), (&[own][..], 1));
    assert!(!journal.owes_collection().unwrap());
    journal.commit(&[Change::DropRun(RunId(1)), Change::DropAnswers(found.only)], 0).unwrap();
    drop(journal);
    // A crash here: the files are still to be removed.
    let journal = Journal::open(&path).unwrap();
    assert!(journal.owes_collection().unwrap());
    let mut kept = Vec::new();
    journal.each_certificate(&Default::default(), |file| kept.push(file.name.clone())).unwrap();
    kept.sort();
    assert_eq!(kept, ["other.cert", "shared.cert"]);
    journal.collected().unwrap();
    assert!(!journal.owes_collection().unwrap());
    assert_eq!(runs(&journal), [2]);
    for (family, left) in [(ITEMS, 2), (UNITS, 1), (HISTORY, 1), (ANSWERS, 2)] {
        let mut count = 0;
        journal.scan(family, |_, _| count += 1).unwrap();
        assert_eq!(count, left, "{family}");
    }
    journal.commit(&[run(3)], 0).unwrap();
    drop(journal);
    assert_eq!(runs(&Journal::open(&path).unwrap()), [2, 3]);
}

/// Format 2 had the text of a sweep alone, an item record for every cancelled item, and no numbers
/// beside the records but the first two.
#[test]
fn a_journal_of_format_2_is_read_and_carried_over() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let journal = Journal::open(&path).unwrap();
    let old = |number: u64, state: RunState| {
        let Change::Run(record) = run(number) else { unreachable!() };
        Change::Run(RunRecord { stored: None, state, ..record })
    };
    let key = ContentKey::of(&["x"]);
    let mut changes = vec![old(4, RunState::Running), old(9, RunState::Cancelled)];
    changes.push(item(4, 1, ItemState::Settled, Some(key)));
    changes.push(Change::Answer(key, answer("yes", "")));
    changes.extend((0..8).map(|number| item(9, number, ItemState::Cancelled, None)));
    journal.commit(&changes, 0).unwrap();
    let meta = journal.rocks().family(META);
    journal.rocks().db.put_cf(meta, FORMAT_KEY, FORMAT_2).unwrap();
    for key in [ID_KEY, RUNS_KEY, LAST_RUN_KEY] {
        journal.rocks().db.delete_cf(meta, key).unwrap();
    }
    drop(journal);
    fs::remove_file(Marker::file(&path)).unwrap();
    for start in 2..4 {
        let journal = Journal::open(&path).unwrap();
        let mut core = restored(&journal);
        assert_eq!((journal.epoch(), runs(&journal)), (start, vec![4, 9]));
        assert_eq!(state(&core, 4, 1), ItemState::Settled);
        assert_eq!(state(&core, 4, 2), ItemState::Waiting);
        assert_eq!(core.run(RunId(9)).unwrap().counts().of(ItemState::Cancelled), 8);
        assert_eq!(journal.answer(key).unwrap().unwrap().claim, "yes");
        core.pause(RunId(4)).ok();
        journal.commit(&core.take_effects().0, 0).unwrap();
        let record =
            journal.rocks().db.get_cf(journal.rocks().family(RUNS), keys::run(4)).unwrap().unwrap();
        let record = RunRecord::from_bytes(&record).unwrap();
        assert_eq!(record.stored.map(|stored| stored.groups), Some(vec![1, 8]));
    }
}

/// Written by release 0.2.0 and left by a kill −9: a finished run, a cancelled one, and a paused one
/// that was begun.
#[test]
fn a_journal_that_release_0_2_0_has_written_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    killed(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/journal/tests/format-2")), &path);
    let journal = Journal::open(&path).unwrap();
    let core = restored(&journal);
    let told: Vec<_> =
        core.runs().map(|run| (run.sweep.name(), run.state, run.sweep.len())).collect();
    let expected = [
        ("small", RunState::Finished, 4),
        ("stopped", RunState::Cancelled, 3),
        ("endless", RunState::Paused, 3),
    ];
    assert_eq!(told, expected);
    let counts = |run: u64| core.run(RunId(run)).unwrap().counts();
    assert_eq!(counts(1).of(ItemState::Settled), 4);
    assert_eq!(counts(2).of(ItemState::Cancelled), 3);
    assert_eq!((counts(3).of(ItemState::Running), counts(3).of(ItemState::Waiting)), (1, 2));
    let record = journal.item(RunId(1), ItemNo(3)).unwrap().unwrap();
    let answer = journal.answer(record.answer.unwrap()).unwrap().unwrap();
    assert_eq!((answer.verdict, answer.claim.as_str()), (Verdict::Proven, "proven"));
    assert_eq!(answer.certificates.len(), 1);
    assert_eq!(journal.history(RunId(3), ItemNo(0)).unwrap().len(), 2);
    assert_eq!(journal.damage(9).0, 0);
}
