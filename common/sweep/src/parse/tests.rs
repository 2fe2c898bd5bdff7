use std::time::Duration;

use hasami_andor::SumRule;
use hasami_answer::CATALOG;
use hasami_spec::KernelName;
use proptest::prelude::*;

use crate::sweep::Sweep;
use hasami_spec::{Kind, Partitioner};

fn good(text: &str) -> Sweep {
    Sweep::parse(CATALOG, text, "s.toml").unwrap_or_else(|errors| panic!("{errors}"))
}

fn errors(text: &str) -> Vec<String> {
    let errors = Sweep::parse(CATALOG, text, "s.toml").map(|sweep| sweep.len()).unwrap_err();
    errors.to_string().lines().map(str::to_string).collect()
}

#[test]
fn a_trial_says_how_to_search_in_its_parameters_only() {
    let head = "name = 's'\nproblem = 'trial'\n[parameters]\ngame = 'mnk'\n[search]\n";
    assert_eq!(
        errors(&format!("{head}kernel = 'pds'\ntime-limit = '1h'\npartitioner = 'aohpas'\n")),
        [
            "s.toml:6:1: search.kernel: not for trial; expected [parameters] kernel, which is part \
             of the question",
            "s.toml:8:1: search.partitioner: not for trial; expected time-limit only",
        ]
    );
    let found = errors(
        "name='s'\nproblem='trial'\n[parameters]\ngame='mnk'\nthreads=[3, 17]\nkernel='multipath'",
    );
    assert!(found[0].starts_with("s.toml:5:"), "{found:?}");
    assert!(found[0].contains("expected a whole number from 1 to 16"), "{found:?}");
}

#[test]
fn a_parameter_can_order_the_items() {
    let head = "name = 's'\nproblem = 'chomp'\n";
    let sweep =
        good(&format!("{head}stages = 'columns'\n[parameters]\nrows = [1, 2]\ncolumns = [5, 3]\n"));
    assert_eq!(sweep.ordered_by(), Some("columns"));
    let stages: Vec<_> = (0..4).map(|item| sweep.stage(item)).collect();
    assert_eq!(stages, [Some(5), Some(3), Some(5), Some(3)]);
    let sweep = good(&format!("{head}stages = 'rows'\n[parameters]\ncolumns = [5, 3]\n"));
    assert_eq!(sweep.stage(0), sweep.stage(1), "a parameter that does not vary is one stage");
    assert_eq!(good(&format!("{head}[parameters]\nrows = 2\n")).stage(0), None);
}

#[test]
fn an_item_has_its_like_in_every_stage() {
    let parameters = "rows = [1, 2]\ncolumns = [5, 3]";
    let sweep = good(&format!(
        "name = 's'\nproblem = 'chomp'\nstages = 'columns'\n[parameters]\n{parameters}\n"
    ));
    let like: Vec<usize> = (0..4).map(|item| sweep.in_stage_of(item, 1)).collect();
    assert_eq!(like, [1, 1, 3, 3]);
    let plain = good(&format!("name = 's'\nproblem = 'chomp'\n[parameters]\n{parameters}\n"));
    assert_eq!(plain.in_stage_of(2, 1), 2);
}

#[test]
fn limits_and_shares_are_read_and_checked() {
    let head = "name = 's'\nproblem = 'chomp'\n";
    let sweep =
        good(&format!("{head}share = 3\ntime-limit = '2h'\n[search]\ntime-limit = '1_500ms'\n"));
    assert_eq!((sweep.share(), sweep.time_limit()), (3, Some(Duration::from_secs(7200))));
    assert_eq!(sweep.search().time_limit_ms, Some(1500));
    let sweep = good(head);
    assert_eq!((sweep.share(), sweep.time_limit(), sweep.search().time_limit_ms), (1, None, None));
    let expected = "a duration from \"10ms\" to \"365d\", like \"30s\", \"5min\" or \"2h\"";
    assert_eq!(
        errors(&format!("{head}share = 0\ntime-limit = 30\n[search]\ntime-limit = '1ms'\n")),
        [
            "s.toml:3:9: share: found 0; expected a whole number from 1 to 1000".to_string(),
            format!("s.toml:4:14: time-limit: found 30; expected {expected}"),
            format!("s.toml:6:14: search.time-limit: found \"1ms\"; expected {expected}"),
        ]
    );
}

#[test]
fn what_cannot_order_items_is_refused() {
    let head = "name = 's'\nproblem = 'mnk'\n";
    assert_eq!(
        errors(&format!("{head}stages = 'zones'\n")),
        [
            "s.toml:3:10: stages: found \"zones\"; expected a parameter that is a whole number: width, height, line"
        ]
    );
    assert_eq!(
        errors(&format!("{head}stages = 3\n")),
        ["s.toml:3:10: stages: found 3; expected a text in quotes"]
    );
    let large = "name = 's'\nproblem = 'synthetic'\nstages = 'seed'\n[parameters]\nseed = [1, '18446744073709551615']\n";
    assert_eq!(
        errors(large),
        [
            "s.toml:5:12: seed: stage 18446744073709551615: expected a number up to 9223372036854775807"
        ]
    );
}

#[test]
fn every_field_is_read() {
    let sweep = good(
        r#"
name = "all-1.x"
title = "All of it"
problem = "mnk"
kind = "search"
priority = -5
crash-limit = 7
[parameters]
line = [3, 4]
sym = [true, false]
[[zip]]
width = "4..=6"
height = [7, 8, 9]
[search]
kernel = "dfpn"
sum = "weak"
budget = "600k"
seed = 9
epsilon = 0.25
table = "64MiB"
partitioner = "aohpas-or"
[labels]
rack = "3"
"#,
    );
    assert_eq!((sweep.name(), sweep.title()), ("all-1.x", Some("All of it")));
    assert_eq!((sweep.problem(), sweep.kind()), ("mnk", Kind::Search));
    assert_eq!((sweep.priority(), sweep.crash_limit()), (-5, 7));
    assert_eq!(sweep.labels(), [("rack".to_string(), "3".to_string())]);
    assert_eq!(sweep.partitioner(), Partitioner::Aohpas { and_helpers: false });
    let search = sweep.search();
    assert_eq!(search.kernel, Some(KernelName::Dfpn));
    assert_eq!(search.sum, Some(SumRule::Weak));
    assert_eq!((search.budget, search.seed), (Some(600_000), 9));
    assert_eq!((search.epsilon, search.table_mib), (Some(0.25), Some(64)));
    assert_eq!(sweep.len(), 12);
    assert_eq!(sweep.varying().collect::<Vec<_>>(), ["width", "height", "line", "sym"]);
    let items: Vec<String> = sweep.items().map(|item| item.spelled()).collect();
    assert_eq!(items[0], "mnk width=4 height=7 line=3 zones=on sym=on");
    assert_eq!(items[1], "mnk width=5 height=8 line=3 zones=on sym=on");
    assert_eq!(items[3], "mnk width=4 height=7 line=3 zones=on sym=off");
    assert_eq!(items[11], "mnk width=6 height=9 line=4 zones=on sym=off");
}

#[test]
fn little_is_enough() {
    let sweep = good("name = \"one\"\nproblem = \"chomp\"\n");
    assert_eq!((sweep.len(), sweep.kind()), (1, Kind::Map));
    assert_eq!((sweep.priority(), sweep.crash_limit()), (0, 3));
    assert_eq!(sweep.partitioner(), Partitioner::DEFAULT);
    assert_eq!(sweep.item(0).spelled(), "chomp rows=4 columns=5");
    let pavings =
        "name = \"p\"\nproblem = \"pavings\"\nparameters = {shapes = \"I\", period = \"04x4+0\"}";
    assert_eq!(good(pavings).kind(), Kind::Enumerate);
    assert_eq!(good(pavings).item(0).params[1].1, "4x4");
}

#[test]
fn the_order_written_is_the_order_of_the_loops() {
    let text = "name='x'\nproblem='chomp'\n[parameters]\ncolumns=[1,2]\nrows=[1,2]";
    let items: Vec<String> = good(text).items().map(|item| item.spelled()).collect();
    assert_eq!(items[1], "chomp rows=2 columns=1");
    let text = "name='x'\nproblem='chomp'\n[[zip]]\ncolumns=[1,2]\n[parameters]\nrows=[1,2]";
    let items: Vec<String> = good(text).items().map(|item| item.spelled()).collect();
    assert_eq!(items[1], "chomp rows=2 columns=1");
}

#[test]
fn numbers_have_one_spelling() {
    let text =
        "name='x'\nproblem='synthetic'\n[parameters]\nbias=['0.50', 0.25]\nseed=[0x10, 1_000]";
    let items: Vec<String> = good(text).items().map(|item| item.spelled()).collect();
    assert!(items[0].ends_with("bias=0.5 seed=16"), "{}", items[0]);
    assert!(items[3].ends_with("bias=0.25 seed=1000"), "{}", items[3]);
}

#[test]
fn all_mistakes_are_reported_with_their_places() {
    let found = errors(
        r#"name = "a b"
titel = "x"
problem = "chomp"
kind = "mapp"
priority = "high"
crash-limit = 0
[parameters]
row = 3
columns = [1, "two"]
[search]
kernel = "dfpm"
budget = "lots"
epsilon = 99
seeds = 1
"#,
    );
    let expected = [
        "s.toml:1:8: name: found \"a b\"; expected letters, digits, -, _ and ., a letter or digit first, at most 100 of them",
        "s.toml:2:1: titel: unknown field; expected one of name, title, problem, kind, priority, share, time-limit, crash-limit, stages, labels, parameters, zip, search; did you mean \"title\"?",
        "s.toml:4:8: kind: found \"mapp\"; expected one of map, search, enumerate; did you mean \"map\"?",
        "s.toml:5:12: priority: found \"high\"; expected a whole number from -1000 to 1000",
        "s.toml:6:15: crash-limit: found 0; expected a whole number from 1 to 1000",
        "s.toml:11:10: search.kernel: found \"dfpm\"; expected one of pn, pds, dfpn, multipath, threads, wpns; did you mean \"dfpn\"?",
        "s.toml:12:10: search.budget: found \"lots\"; expected a number of nodes from 1, like 600_000, \"600k\" or \"5M\"",
        "s.toml:13:11: search.epsilon: found 99; expected a number from 0 to 16",
        "s.toml:14:1: search.seeds: unknown field; expected one of kernel, sum, budget, time-limit, seed, epsilon, evaluation, table, partitioner; did you mean \"seed\"?",
        "s.toml:8:1: parameters.row: unknown field; expected one of rows, columns; did you mean \"rows\"?",
        "s.toml:9:15: parameters.columns: found \"two\"; expected a whole number",
    ];
    assert_eq!(found, expected);
}

#[test]
fn common_mistakes_have_one_clear_message() {
    let top = "name='x'\nproblem='chomp'\n";
    for (text, expected) in [
        (
            "",
            vec![
                "s.toml:1:1: name: missing; expected a name for the sweep, like name = \"chomp\"",
                "s.toml:1:1: problem: missing; expected a game or a job, like problem = \"chomp\"",
            ],
        ),
        (
            "name='x'\nproblem='comp'\n[parameters]\nrows=3",
            vec![
                "s.toml:2:9: problem: found \"comp\"; expected one of polyomino, paving, pyonpyon, mancala, shogi, mnk, chomp, quarto, graph, synthetic, pair, mate, pave, pavings, pyonpyon-database, mancala-database, puzzles, learning, self-play, trial, value; did you mean \"chomp\"?",
            ],
        ),
        (
            "name='x'\nproblem='pave'\nkind='search'\nparameters.shapes='I'",
            vec!["s.toml:3:6: kind: found \"search\"; expected map, the way to spread pave"],
        ),
        (
            "name='x'\nproblem='pair'",
            vec![
                "s.toml:2:9: parameters.shapes: missing; expected shapes = … (two polyominoes, names or pictures with a comma between: Square,W)",
            ],
        ),
        (
            &format!("{top}[parameters]\nrows=[]"),
            vec!["s.toml:4:6: parameters.rows: found an empty list; expected a value in it"],
        ),
        (
            &format!("{top}[parameters]\nrows=[[1]]"),
            vec![
                "s.toml:4:7: parameters.rows: found a list; expected a number, true or false, a text, a list of these, or a range",
            ],
        ),
        (
            &format!("{top}[parameters]\nrows='1..x'"),
            vec![
                "s.toml:4:6: parameters.rows: found \"1..x\": no last number; expected a range like 4..=10, 4..10 or 0..=100 step 5",
            ],
        ),
        (
            &format!("{top}[[zip]]\nrows=[1,2]\ncolumns='1..=3'"),
            vec![
                "s.toml:5:1: zip 1.columns: found 3 values where rows has 2; expected lists of equal length",
            ],
        ),
        (
            &format!("{top}[parameters]\nrows=1\n[[zip]]\nrows=[1,2]"),
            vec![
                "s.toml:6:1: rows: given twice; expected it once, in [parameters] or in one [[zip]]",
            ],
        ),
        (
            &format!("{top}[parameters]\nrows=[3, 99]\ncolumns=[1,2]"),
            vec![
                "s.toml:4:10: rows: item 2 (chomp rows=99 columns=1): rows=99: expected a whole number from 1 to 16",
            ],
        ),
        (
            &format!("{top}[parameters]\nrows=[3, 4, '03']\ncolumns=[1,2]"),
            vec!["s.toml:4:13: rows: items 0 and 4 are the same question: chomp rows=3 columns=1"],
        ),
        (
            &format!("{top}[parameters]\nrows='1..=16'\ncolumns='0..99999999'"),
            vec!["s.toml:3:2: parameters: found 1599999984 items; expected at most 10000000"],
        ),
        (
            "name='x'\nproblem='pair'\nparameters.shapes=['Square,W', 'w,square']",
            vec![
                "s.toml:3:32: shapes: items 0 and 1 are the same question: pair shapes=Square,W most-stones=12",
            ],
        ),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
    let broken = errors("name = \nproblem = 'chomp'\nkind = @\n");
    assert!(broken.len() >= 2 && broken[0].starts_with("s.toml:1:"), "{broken:?}");
    let shape = errors("name='x'\nproblem='polyomino'\nparameters.shapes=['Sqare']");
    assert!(shape[0].starts_with("s.toml:3:20: parameters.shapes: found \"Sqare\"; expected shapes with commas between; unknown shape \"Sqare\""), "{shape:?}");
    assert!(shape[0].ends_with("did you mean \"Square\"?"), "{shape:?}");
}

#[test]
fn columns_count_characters_and_not_bytes() {
    assert!(errors("name = \"x\"\ntitle = { 挟み = 1 }")[0].starts_with("s.toml:2:"));
    let found = errors("problem = 'chomp'\nsearch = { \"挟み\" = 1, kernel = 'x' }\nname = 'x'");
    assert!(found[1].starts_with("s.toml:2:31: search.kernel"), "{found:?}");
}

#[test]
fn after_twenty_errors_nobody_reads_on() {
    let text = format!("name='x'\nproblem='chomp'\nparameters.rows={:?}", Vec::from_iter(17..99));
    let found = errors(&text);
    assert_eq!(found.len(), 21);
    assert_eq!(found[20], "stopped looking after 20 errors");
}

#[test]
fn a_million_items_cost_no_more_than_their_axes() {
    let text = "name='x'\nproblem='synthetic'\n[parameters]\ndepth='1..=1000'\nseed='0..1000'";
    let sweep = good(text);
    assert_eq!(sweep.len(), 1_000_000);
    assert!(sweep.item(999_999).spelled().starts_with("synthetic depth=1000 "));
    let text = "name='x'\nproblem='synthetic'\n[parameters]\nseed='0..1_000_000'\nwidth=[1, -1]";
    assert!(errors(text)[0].contains("item 1 "), "a bad value of a large sweep is found");
}

const WORDS: &[&str] = &[
    "name",
    "problem",
    "kind",
    "=",
    "\"",
    "'",
    "[",
    "]",
    "[[zip]]",
    "[parameters]",
    "[search]",
    "\n",
    "rows",
    "columns",
    "1",
    "..",
    "1..=3",
    "chomp",
    "pair",
    "shapes",
    "I,L",
    ",",
    "{",
    "}",
    "true",
    "1e400",
    "0x",
    "2020-01-01",
    "budget",
    "99999999999999999999",
    "step",
    "挟",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = Sweep::parse(CATALOG, &text, "s.toml");
    }

    #[test]
    fn no_text_of_familiar_words_makes_it_panic(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..40)
    ) {
        let _ = Sweep::parse(CATALOG, &words.concat(), "s.toml");
        let text = format!("name='x'\nproblem='chomp'\n[parameters]\n{}", words.concat());
        let _ = Sweep::parse(CATALOG, &text, "s.toml");
    }

    #[test]
    fn every_list_of_numbers_comes_back(
        rows in prop::collection::hash_set(1..=16u8, 1..6),
        columns in prop::collection::hash_set(1..=16u8, 1..6),
    ) {
        let text = format!("name='x'\nproblem='chomp'\n[parameters]\nrows={rows:?}\ncolumns={columns:?}")
            .replace('{', "[").replace('}', "]");
        let mut items = good(&text).items().collect::<Vec<_>>().into_iter();
        for row in &rows {
            for column in &columns {
                let item = items.next().unwrap().spelled();
                prop_assert_eq!(item, format!("chomp rows={row} columns={column}"));
            }
        }
        prop_assert!(items.next().is_none());
    }
}
