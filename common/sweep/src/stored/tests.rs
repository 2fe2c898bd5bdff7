//! Stored sweeps: the same questions under all later rules.

use hasami_answer::CATALOG;
use hasami_spec::{Catalog, Param};

use super::*;

const TEXT: &str = "name = \"t\"\ntitle = \"T\"\nproblem = \"chomp\"\nkind = \"search\"\n\
    priority = 3\ncrash-limit = 7\nstages = \"rows\"\n[labels]\nrack = \"3\"\n\
    [parameters]\nrows = [1, 2]\ncolumns = \"3..=5\"\n[search]\nbudget = 99\nseed = 4\n\
    partitioner = \"dovetail\"\n";

fn questions(sweep: &Sweep) -> Vec<(String, Option<i64>)> {
    sweep.items().enumerate().map(|(at, item)| (item.spelled(), sweep.stage(at))).collect()
}

#[test]
fn what_was_stored_comes_back_with_every_question_and_setting() {
    let mut texts: Vec<&str> = crate::BUILTINS.iter().map(|builtin| builtin.text).collect();
    texts.push(TEXT);
    for text in texts {
        let sweep = Sweep::parse(CATALOG, text, "t").unwrap();
        let back = Sweep::from_stored(CATALOG, sweep.stored(), text).unwrap();
        assert_eq!(questions(&back), questions(&sweep));
        assert_eq!(back.stored(), sweep.stored());
        assert_eq!((back.text(), back.unreadable()), (text, None));
        assert!(std::ptr::eq(back.spec(), sweep.spec()));
        assert_eq!(back.varying().collect::<Vec<_>>(), sweep.varying().collect::<Vec<_>>());
    }
}

#[test]
fn keys_are_those_of_the_questions() {
    let sweep = Sweep::parse(CATALOG, TEXT, "t").unwrap();
    let asked = sweep.items().map(|item| (item.settled_key(), item.open_key()));
    assert!(sweep.keys(0..sweep.len()).eq(asked));
    let one = sweep.item(4);
    assert_eq!(sweep.keys(4..5).next(), Some((one.settled_key(), one.open_key())));
}

/// A later release: `rows` is gone, and nothing else is allowed either.
static NARROW: Spec = Spec::game("chomp", "", "", &[Param::number("columns", "")])
    .checks(|_| Err(hasami_spec::ParamError::NoPair { found: "all".to_string() }));

static NARROWED: [&Spec; 1] = [&NARROW];

#[test]
fn newer_rules_do_not_judge_what_was_stored() {
    let sweep = Sweep::parse(CATALOG, TEXT, "t").unwrap();
    let narrow = Catalog(&NARROWED);
    assert!(Sweep::parse(narrow, TEXT, "t").is_err());
    let back = Sweep::from_stored(narrow, sweep.stored(), TEXT).unwrap();
    assert_eq!(questions(&back), questions(&sweep));
    assert_eq!(back.unreadable(), None, "workers judge each question");
    let gone = Sweep::from_stored(Catalog(&[]), sweep.stored(), TEXT).unwrap();
    assert_eq!(questions(&gone), questions(&sweep));
    assert!(gone.unreadable().unwrap().contains("\"chomp\""), "{:?}", gone.unreadable());
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let stored = Sweep::parse(CATALOG, TEXT, "t").unwrap().stored();
    let refused = |change: &dyn Fn(&mut Stored)| {
        let mut changed = stored.clone();
        change(&mut changed);
        Sweep::from_stored(CATALOG, changed, TEXT).is_err()
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|stored| stored.groups[0] += 1));
    assert!(refused(&|stored| stored.groups[0] = usize::MAX));
    assert!(refused(&|stored| stored.params[0].group = Some(9)));
    assert!(refused(&|stored| stored.params[0].group = None));
    let range = StoredValues::Range { first: i64::MAX, step: 1, len: 3 };
    assert!(refused(&move |stored| stored.params[1].values = range.clone()));
}

#[test]
fn a_lost_sweep_has_its_text_its_name_and_its_items() {
    let lost = Sweep::lost("name = \"old\"\nproblem = \"gone\"\n", "why".to_string(), 3);
    assert_eq!((lost.name(), lost.len(), lost.unreadable()), ("old", 3, Some("why")));
    assert_eq!(lost.item(2).spelled(), "?");
    assert_eq!(Sweep::lost("\u{1b}[2J", String::new(), 0).name(), "?");
}
