//! `hasami-bench` measures; here only that it runs and what it prints, never how fast.

use hasami_tests::Hasami;

fn bench() -> Hasami {
    Hasami::of(env!("CARGO_BIN_EXE_hasami-bench"))
}

#[test]
fn a_quick_benchmark_prints_its_figures_as_json() {
    let bench = bench();
    let figures = bench.run("overhead --quick --output json").expect(0).json();
    let figures = figures.as_array().expect("a list");
    assert!(!figures.is_empty());
    for figure in figures {
        assert_eq!(figure["bench"], "overhead", "{figure}");
        assert!(figure["what"].is_string() && figure["values"].is_string(), "{figure}");
        assert!(figure["ratio"].as_f64().expect("a ratio") > 0.0, "{figure}");
    }
}

#[test]
fn a_benchmark_cut_short_has_printed_what_it_measured() {
    let bench = bench();
    let mut running = bench.start("overhead verdicts --quick --graphs 1000000000");
    running.wait_for("bench verdicts");
    running.signal("KILL");
    let (run, signal) = running.finish();
    assert_eq!(signal, Some(9));
    let lines: Vec<_> = run.stdout.lines().collect();
    assert_eq!(lines[0], "overhead");
    assert!(lines[1..5].iter().all(|line| line.contains("M nodes/s")), "{run:#?}");
}

#[test]
fn random_graphs_are_compared_with_the_oracle_and_none_is_wrong() {
    let bench = bench();
    let figures = bench.run("verdicts --graphs 50 --output json").expect(0).json();
    for figure in figures.as_array().expect("a list") {
        assert_ne!(figure["met"], false, "{figure}");
    }
}

#[test]
fn paving_winners_are_those_of_the_sat_solver() {
    let figures = bench().run("paving --quick --output json").expect(0).json();
    let figures = figures.as_array().expect("a list");
    assert_eq!(figures.len(), 6, "five questions and their mean");
}

#[test]
fn an_unknown_benchmark_is_answered_with_the_list() {
    let run = bench().run("frobnicate");
    run.is_bad_input(&["overhead", "verdicts", "threads", "merge"]);
}

#[test]
fn the_calls_are_those_of_the_program_that_was_built_beside_it() {
    let figures = bench().run("calls --quick --output json").expect(0).json();
    assert_eq!(figures.as_array().expect("a list").len(), 7, "one for each kind of call");
}
