use super::*;
use hasami_answer::CATALOG;
use hasami_sweep::Builtin;
use hasami_sweep::{Basis, Certificate, Check, Measures, Verdict};

fn row(sweep: &Sweep, item: usize, state: &str, answer: Option<Answer>) -> Row {
    Row {
        item,
        question: sweep.item(item),
        state: state.to_string(),
        answer,
        failure: if state == "failed" { "the worker died".to_string() } else { String::new() },
        attempts: 3,
        reused: false,
    }
}

fn answer(verdict: Verdict, fields: &[(&str, &str)], file: &str) -> Answer {
    Answer {
        verdict,
        claim: verdict.word().to_string(),
        fields: fields.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect(),
        certificates: vec![Certificate { name: file.to_string(), digest: [7; 32], bytes: 99 }],
        measures: Measures { nodes: 7, seconds: 0.5, store_hits: 2 },
        check: None,
    }
}

/// Two by two: no, yes, failed, waiting.
pub(crate) fn small() -> Table {
    let text = "name='small'\nproblem='chomp'\n[parameters]\nrows=[1,2]\ncolumns=[1,2]";
    let sweep = Sweep::parse(CATALOG, text, "small").unwrap();
    let mut no = answer(Verdict::Disproven, &[("length", "0")], "chomp-00.cert");
    no.check = Some(Check {
        sender: "worker 1".to_string(),
        by: "the coordinator".to_string(),
        basis: Basis::Proved,
        unproved: vec!["nodes".to_string(), "length".to_string()],
        note: String::new(),
    });
    let yes = answer(Verdict::Proven, &[("length", "1"), ("note", "a,b")], "chomp-01.cert");
    let rows = [
        row(&sweep, 3, "open", None),
        row(&sweep, 1, "settled", Some(yes)),
        row(&sweep, 0, "settled", Some(no)),
        row(&sweep, 2, "failed", None),
    ];
    Table::new(&sweep, rows)
}

/// The 66 pairs with made-up answers.
pub(crate) fn pairs() -> Table {
    let sweep = Builtin::find("losers-66").unwrap().sweep(CATALOG).unwrap();
    let marks = [("loser", "3 4"), ("winner", "◎"), ("paving-winner", "△"), ("unsettled", "?")];
    let rows = (0..sweep.len()).map(|item| {
        let (class, mark) = marks[item * 7 % 11 % 4];
        let file = format!("polyomino-{item:02}.cert");
        let told = answer(Verdict::Answered, &[("class", class), ("mark", mark)], &file);
        row(&sweep, item, "settled", Some(told))
    });
    Table::new(&sweep, rows.collect::<Vec<_>>())
}

#[test]
fn what_does_not_vary_is_no_column() {
    let table = pairs();
    assert_eq!(table.varying, ["shapes"]);
    assert_eq!(table.fixed, [("most-stones".to_string(), "12".to_string())]);
    assert_eq!(
        table.head(Columns::Results),
        ["item", "shapes", "verdict", "claim", "class", "mark", "certificates", "basis"]
    );
}

#[test]
fn a_column_of_the_answer_may_be_called_like_a_parameter() {
    let mut table = small();
    table.fields.push("rows".to_string());
    assert!(table.head(Columns::Results).contains(&"answer.rows".to_string()));
}

#[test]
fn pairs_make_a_triangle_in_the_order_of_the_paper() {
    let matrices = pairs().matrices();
    assert_eq!(matrices.len(), 1);
    let matrix = &matrices[0];
    let names = ["Square", "Z", "W", "R", "X", "T", "L", "U", "I", "UU", "SS", "ZZ"];
    assert_eq!(matrix.down, names);
    assert_eq!(matrix.cells.len(), 66);
    assert!(matrix.cells.keys().all(|(down, right)| down < right));
    // Every minimal loser is blocked by at least one of the six pavings (Yakuwa et al.).
    assert!(matrix.diagonal.iter().all(|numbers| !numbers.is_empty()));
}

#[test]
fn more_than_two_axes_make_several_matrices() {
    let sweep = Builtin::find("paving-winners").unwrap().sweep(CATALOG).unwrap();
    let rows = (0..sweep.len()).map(|item| row(&sweep, item, "waiting", None));
    let matrices = Table::new(&sweep, rows.collect::<Vec<_>>()).matrices();
    let captions: Vec<&str> = matrices.iter().map(|matrix| matrix.caption.as_str()).collect();
    assert_eq!(captions, ["pairs=adjacent", "pairs=any"]);
    assert!(matrices.iter().all(|matrix| matrix.cells.len() == 15));
}

#[test]
fn axes_that_advance_together_are_no_matrix() {
    let text = "name='z'\nproblem='chomp'\n[[zip]]\nrows=[1,2]\ncolumns=[1,2]";
    let sweep = Sweep::parse(CATALOG, text, "z").unwrap();
    let rows = (0..2).map(|item| row(&sweep, item, "waiting", None));
    assert!(Table::new(&sweep, rows.collect::<Vec<_>>()).matrices().is_empty());
}
