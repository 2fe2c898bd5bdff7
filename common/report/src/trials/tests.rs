use hasami_sweep::{Answer, Measures, Sweep};

use super::*;
use crate::export;
use crate::table::Columns;

/// What each problem costs with `pds`, with 2 pseudo-threads and with 3: 0 for not solved.
const COSTS: [(u64, [u64; 3]); 7] = [
    (4, [1000, 500, 4000]),
    (5, [1000, 500, 250]),
    (6, [1000, 2000, 250]),
    (7, [0, 500, 1000]),
    (8, [1000, 0, 500]),
    (9, [0, 0, 0]),
    (10, [1, 2, 3]),
];
const BUDGET: u64 = 4000;

fn table(verdict: impl Fn(u64, usize) -> Verdict) -> Table {
    let rules: Vec<String> = COSTS.iter().map(|(rows, _)| format!("'rows={rows}'")).collect();
    let text = format!(
        "name='t'\nproblem='trial'\n[parameters]\ngame='chomp'\nbudget={BUDGET}\nrules=[{}]\n[[zip]]\n\
         kernel=['multipath', 'pds', 'multipath']\nthreads=[2, 3, 3]\namount=['constant', 'pn+dn', 'constant']\n\
         leader=['1', '1.25', '1']\n",
        rules.join(", ")
    );
    let sweep = Sweep::parse(hasami_answer::CATALOG, &text, "t").unwrap();
    let rows = (0..sweep.len()).map(|item| {
        let (problem, setting) = (item / 3, [1, 0, 2][item % 3]);
        let (number, costs) = COSTS[problem];
        let nodes = costs[setting];
        let verdict = if nodes == 0 { Verdict::Open } else { verdict(number, setting) };
        let nodes = if nodes == 0 { BUDGET } else { nodes };
        row(&sweep, item, verdict, nodes)
    });
    Table::new(&sweep, rows)
}

fn row(sweep: &Sweep, item: usize, verdict: Verdict, nodes: u64) -> Row {
    let answer = Answer {
        verdict,
        claim: String::new(),
        fields: vec![("expanded".to_string(), nodes.to_string())],
        certificates: Vec::new(),
        measures: Measures { nodes, seconds: nodes as f64 / 100.0, store_hits: 0 },
        check: None,
    };
    Row {
        item,
        question: sweep.item(item),
        state: "settled".to_string(),
        answer: Some(answer),
        failure: String::new(),
        attempts: 1,
        reused: false,
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn the_speed_up_is_the_geometric_mean_and_a_failure_costs_the_budget() {
    let trials = Trials::of(&table(|_, _| Verdict::Proven)).unwrap();
    let names: Vec<&str> = trials.settings.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "pds",
            "multipath threads=2 amount=constant leader=1",
            "multipath threads=3 amount=constant leader=1"
        ]
    );
    assert_eq!((trials.problems.len(), trials.unsolved, trials.easy), (5, 1, 1));
    assert_eq!(trials.problems[0], "chomp rows=4");
    let speed_up = |setting| trials.speed_up(setting, |cost| cost.nodes, |_| true).unwrap();
    assert!(near(speed_up(0).mean, 1.0) && near(speed_up(0).error, 1.0));
    // 2, 2, 1/2, 4000/500 and 1000/4000.
    let product: f64 = 2.0 * 2.0 * 0.5 * 8.0 * 0.25;
    assert!(near(speed_up(1).mean, product.powf(0.2)), "{:?}", speed_up(1));
    let seconds = trials.speed_up(1, |cost| cost.seconds, |_| true).unwrap();
    assert!(near(seconds.mean, speed_up(1).mean));
    assert_eq!(trials.settings.iter().map(Setting::solved).collect::<Vec<_>>(), [4, 4, 5]);
    assert!(trials.conflicts.is_empty());
}

#[test]
fn a_setting_is_chosen_on_one_half_and_tested_on_the_other() {
    let trials = Trials::of(&table(|_, _| Verdict::Proven)).unwrap();
    let held = trials.held_out();
    // Even places: 2, 1/2, 1/4 against 1/4, 4, 2. Odd places: 2, 8 against 4, 4.
    assert_eq!(held[0].setting, 2);
    assert!(near(held[0].chosen_on.mean, 2.0_f64.powf(1.0 / 3.0)));
    assert!(near(held[0].tested_on.mean, 4.0));
    assert!(held[1].chosen_on.mean >= 4.0 - 1e-9);
}

#[test]
fn two_verdicts_on_one_problem_are_told() {
    let lie = |problem, setting| match (problem, setting) {
        (5, 1) => Verdict::Disproven,
        _ => Verdict::Proven,
    };
    let table = table(lie);
    assert_eq!(Trials::of(&table).unwrap().conflicts, ["chomp rows=5"]);
    let page = export::trials(&table, Columns::Results).into_string();
    assert!(page.contains("different verdicts on chomp rows=5"), "{page}");
}

#[test]
fn the_figures_have_the_bars_of_their_settings() {
    let table = table(|_, _| Verdict::Proven);
    let trials = Trials::of(&table).unwrap();
    let groups = trials.by("leader", &[("amount", "constant")]);
    assert_eq!(groups, [("1".to_string(), vec![(2, 1), (3, 2)])]);
    // One curve is no comparison.
    assert_eq!(export::trials(&table, Columns::Results).into_string().matches("<svg").count(), 0);
    let all = export::trials(&table, Columns::All).into_string();
    assert!(all.contains("in seconds") && all.contains("Best on the problems at even places"));
}

/// Not those beyond the paper: an adaptive schedule is no bar of its figures.
#[test]
fn a_figure_compares_the_settings_of_the_paper() {
    let text = "name='f'\nproblem='trial'\n[parameters]\ngame='chomp'\nbudget=4000\n\
                rules=['rows=4', 'rows=5']\n[[zip]]\n\
                kernel=['pds', 'multipath', 'multipath', 'multipath']\nthreads=[3, 2, 2, 2]\n\
                amount=['pn+dn', 'pn', 'constant', 'pn']\nleader=['1.25', '1', '1', '1']\n\
                adapt=['no', 'no', 'no', 'yes']\n";
    let sweep = Sweep::parse(hasami_answer::CATALOG, text, "f").unwrap();
    let rows = (0..sweep.len())
        .map(|item| row(&sweep, item, Verdict::Proven, [800, 200, 400, 100][item % 4]));
    let page = export::trials(&Table::new(&sweep, rows), Columns::Results).into_string();
    assert_eq!(page.matches("<svg").count(), 1);
    assert!(page.contains("<title>Figure 6: What limits a turn</title>"));
    for bar in ["amount=pn: 2, 4", "amount=constant: 2, 2"] {
        assert_eq!(page.matches(&format!("<title>{bar}</title>")).count(), 1, "{bar}");
    }
    assert!(page.contains(
        "Here: on average amount=pn (4.00); of all amount=pn with 2 pseudo-threads (4.00)."
    ));
}

#[test]
fn tables_of_other_questions_compare_nothing() {
    assert!(Trials::of(&crate::table::tests::small()).is_none());
    assert!(export::trials(&crate::table::tests::small(), Columns::All).0.is_empty());
}
