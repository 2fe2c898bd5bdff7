//! Texts of others stay texts on every page, and pages need nothing from other hosts.

use std::sync::Arc;

use hasami_proto::v1::{
    Counts, HeldInfo, HistoryEntry, Lease, Param, RunInfo, RunState, WorkerInfo,
};
use hasami_report::{Row, Table};
use hasami_sweep::{Answer, Basis, Certificate, Check as Checked, Measures, Sweep, Verdict};

use super::*;

const EVIL: &str = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>";

fn viewer() -> Viewer {
    Viewer { name: Some(EVIL.into()), form_key: Some("key".into()), may_log_in: true }
}

fn info() -> RunInfo {
    RunInfo {
        run: 7,
        name: EVIL.into(),
        state: RunState::Running.into(),
        items: 4,
        counts: Some(Counts { settled: 2, failed: 1, running: 1, ..Counts::default() }),
        note: EVIL.into(),
        sweep: EVIL.into(),
        eta: 12.0,
        ..RunInfo::default()
    }
}

fn sweep() -> Sweep {
    let text = "name='s'\nproblem='chomp'\n[parameters]\nrows='2..=3'\ncolumns='2..=3'\n";
    Sweep::parse(hasami_answer::CATALOG, text, "s").unwrap()
}

fn rows(sweep: &Sweep) -> Vec<Row> {
    let answer = Answer {
        verdict: Verdict::Proven,
        claim: EVIL.into(),
        fields: vec![(EVIL.into(), EVIL.into())],
        certificates: vec![Certificate { name: EVIL.into(), digest: [7; 32], bytes: 2000 }],
        measures: Measures { nodes: 12_345, seconds: 1.5, store_hits: 0 },
        check: Some(Checked {
            sender: EVIL.into(),
            by: "the coordinator".into(),
            basis: Basis::Proved,
            unproved: vec![EVIL.into()],
            note: EVIL.into(),
        }),
    };
    let row = |item| Row {
        item,
        question: sweep.item(item),
        state: "settled".into(),
        answer: Some(answer.clone()),
        failure: EVIL.into(),
        attempts: 1,
        reused: false,
    };
    (0..sweep.len()).map(row).collect()
}

/// Every page, with evil texts wherever somebody else chooses them.
fn pages() -> Vec<(&'static str, String)> {
    let (viewer, info, sweep) = (viewer(), info(), sweep());
    let rows = rows(&sweep);
    let table = Table::new(&sweep, rows.clone());
    let order = Order { words: EVIL.into(), state: EVIL.into(), ..Order::default() };
    let varying = vec!["rows".to_string(), EVIL.to_string()];
    let items = Items { order: &order, rows: &rows, fit: 120, per_page: 50, varying: &varying };
    let search = SearchView {
        question: EVIL.into(),
        path: vec![PathStep { or: true, open: 3, numbers: (1, 2), helpers: vec![4] }],
        searchers: vec![Searcher { worker: EVIL.into(), ..Searcher::default() }],
        ..SearchView::default()
    };
    let shown = RunPage {
        run: &info,
        title: EVIL,
        matrix: Some(&table),
        items,
        drawn: None,
        draws: true,
        searches: &[search],
    };
    let picture = Picture {
        title: EVIL.into(),
        about: EVIL.into(),
        frames: vec![Frame { text: EVIL.into(), svg: "<svg></svg>".into() }; 3],
        note: EVIL.into(),
        ..Picture::default()
    };
    let history = [HistoryEntry { time_ms: 0, text: EVIL.into() }];
    let one = ItemPage {
        run: 7,
        name: EVIL,
        items: 4,
        row: &rows[1],
        now: EVIL,
        history: &history,
        picture: &picture,
        step: 1,
        title: EVIL,
    };
    let held = HeldInfo {
        lease: Some(Lease::default()),
        begun: true,
        question: EVIL.into(),
        ..HeldInfo::default()
    };
    let worker = WorkerInfo {
        name: EVIL.into(),
        host: EVIL.into(),
        token: EVIL.into(),
        version: EVIL.into(),
        labels: vec![Param { name: EVIL.into(), value: EVIL.into() }],
        held: vec![held],
        ..WorkerInfo::default()
    };
    let lines = [LogLine { time_ms: 0, level: "WARN", text: EVIL.into() }];
    let machine =
        Machine { worker: EVIL.into(), host: EVIL.into(), version: EVIL.into(), threads: 1 };
    let printed = Report {
        run: &info,
        title: EVIL,
        table: &table,
        pictures: &[(1, picture.clone())],
        version: EVIL,
        coordinator: EVIL,
        machines: &[machine],
        now_ms: 0,
    };
    vec![
        ("home", home(&viewer, &[Arc::new(info.clone())], 0)),
        ("run", run(&viewer, &shown)),
        ("item", item(&viewer, &one)),
        ("workers", workers(&viewer, &[WorkerRow { info: worker, busy: 3.0, idle: 1.0 }])),
        ("log", log(&viewer, &lines, 1, EVIL, EVIL)),
        ("login", login(&viewer, Some(EVIL), EVIL)),
        ("submit", submit(&viewer, EVIL, &Check::Bad(EVIL.into()), &[(EVIL, EVIL)])),
        ("problem", problem(&viewer, EVIL, EVIL)),
        ("report", report(&printed)),
    ]
}

#[test]
fn no_text_of_others_becomes_markup() {
    for (name, page) in pages() {
        assert!(!page.contains("<script>alert") && !page.contains("<img"), "{name}: {page}");
        assert!(page.contains("&lt;script&gt;"), "{name} shows the text");
    }
}

#[test]
fn pages_need_no_other_host_and_nothing_inline() {
    for (name, page) in pages() {
        assert!(!page.contains("http://") && !page.contains("https://"), "{name}");
        if name != "report" {
            assert!(!page.contains("<style") && !page.contains(" style="), "{name}");
            assert!(!page.contains(" onclick") && page.contains("<main id=\"main\""), "{name}");
        }
    }
}

#[test]
fn only_who_has_logged_in_sees_buttons() {
    let guest = Viewer { may_log_in: true, ..Viewer::default() };
    let (info, sweep) = (info(), sweep());
    let rows = rows(&sweep);
    let order = Order::default();
    let page = |viewer: &Viewer| {
        let items = Items { order: &order, rows: &rows, fit: 4, per_page: 50, varying: &[] };
        let shown = RunPage {
            run: &info,
            title: "t",
            matrix: None,
            items,
            drawn: None,
            draws: false,
            searches: &[],
        };
        run(viewer, &shown)
    };
    assert!(!page(&guest).contains("/runs/7/pause"));
    assert!(page(&viewer()).contains("/runs/7/pause") && page(&viewer()).contains("name=\"key\""));
}

#[test]
fn the_first_view_is_small() {
    let bytes = pages()[0].1.len() + STYLE.len() + SCRIPT.len();
    assert!(bytes < 300 << 10, "{bytes} bytes");
}
