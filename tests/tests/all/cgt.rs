//! `cgt` tells values, compares, draws, and answers lines at its prompt.
//!
//! Expected values are those of Winning Ways and of a paper on Go endgames; the kernel's own tests
//! have more of them.

use hasami_tests::Hasami;

#[test]
fn a_game_has_value_order_stops_mean_temperature_and_thermograph() {
    let hasami = Hasami::new();
    let run = hasami.run("value cgt 3||2|0 -o t.svg -o t.html").expect(0);
    for line in [
        "value          {3|{2|0}}",
        "with bars      {3||2|0}",
        "order          > 0",
        "stops          left 3, right 2",
        "mean           2",
        "temperature    1",
        "chilled        2^",
        "left wall      3 at 0, 2 at 1",
        "right wall     2 at 0",
    ] {
        assert!(run.stdout.lines().any(|found| found == line), "{line}\n{}", run.stdout);
    }
    let drawn = run.stdout.lines().filter(|line| line.contains('│')).collect::<Vec<_>>();
    // The left wall leans to the right, and the mast stands at its end.
    let last = drawn.last().unwrap();
    assert!(last.contains('/') && last.contains('|'), "{}", run.stdout);
    let svg = String::from_utf8(hasami.read("t.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.matches("<polyline").count() == 2);
    let page = String::from_utf8(hasami.read("t.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg ") && page.contains("2^"));
}

#[test]
fn json_has_exact_numbers_and_walls() {
    let hasami = Hasami::new();
    let answer = hasami.run("value cgt 3||||2|||1||0|0 --output json").expect(0).json();
    assert_eq!(answer["value"], "{3|{2|{1|*}}}");
    assert_eq!(answer["mean"], "17/8");
    assert_eq!(answer["temperature"], "7/8");
    assert_eq!(answer["order"], ">");
    assert_eq!(answer["chilled"], "17/8");
    let corner = |t: &str, v: &str| serde_json::json!({"t": t, "v": v});
    let walls = [corner("0", "2"), corner("3/4", "2"), corner("7/8", "17/8")];
    assert_eq!(answer["right_wall"], serde_json::json!(walls));
    let number = hasami.run("value cgt 5/8 --output json").expect(0).json();
    assert_eq!(
        (&number["temperature"], &number["temperature_below_zero"]),
        (&"0".into(), &"-1/8".into())
    );
}

#[test]
fn several_are_drawn_over_each_other_and_minus_signs_are_no_options() {
    let hasami = Hasami::new();
    let answer = hasami.run("value cgt -1* -^ -(1|0) -o all.svg --output json").expect(0).json();
    let values: Vec<_> = answer.as_array().unwrap().iter().map(|one| &one["value"]).collect();
    assert_eq!(values, ["-1*", "v", "{0|-1}"]);
    let svg = String::from_utf8(hasami.read("all.svg")).unwrap();
    assert_eq!(svg.matches("<polyline").count(), 6);
    assert_eq!(hasami.run("value cgt g:=±2 g+g --output quiet").expect(0).stdout, "±2\n0\n");
}

#[test]
fn comparisons_are_answered() {
    let hasami = Hasami::new();
    for (asked, answer) in
        [("^||*", "true"), ("^<*", "false"), ("tiny(1)<^", "true"), ("*+*=0", "true")]
    {
        assert_eq!(
            hasami.run(&format!("value cgt {asked} --output quiet")).expect(0).stdout.trim(),
            answer
        );
    }
    let run = hasami.run("value cgt ^||*").expect(0);
    assert_eq!(run.stdout, "true: ^ || *\n");
}

#[test]
fn bad_expressions_are_marked_and_limits_kept() {
    let hasami = Hasami::new();
    let run = hasami.run("value cgt 1|0|2").expect(2);
    assert!(run.stderr.contains("column 4: two bars `|` of one height"), "{}", run.stderr);
    assert!(run.stderr.ends_with("  1|0|2\n     ^\n"), "{}", run.stderr);
    for bad in ["{1", "1/3", "nothing", "{1|0)", "-o"] {
        let _ = hasami.run(&format!("value cgt {bad}")).expect(2);
    }
    let run = hasami.run("value cgt 100.{5||2|-3} --limit 1000").expect(3);
    assert!(run.stderr.contains("limit of 1000 steps"), "{}", run.stderr);
    let deep = format!("{}0{}", "{".repeat(30_000), "|}".repeat(30_000));
    assert_eq!(hasami.run(&format!("value cgt {deep} --output quiet")).expect(0).stdout, "30000\n");
}

#[test]
fn the_prompt_reads_a_pipe() {
    let hasami = Hasami::new();
    let lines =
        "g := 3||2|0\nchill(g)\n# a remark\n\nans-2\nleft({0,*|0})\n^ || *\nnames\ninfo g\nquit\n";
    let run = hasami.run_with("value cgt", lines).expect(0);
    let answers: Vec<_> = run.stdout.lines().collect();
    assert_eq!(answers[..5], ["g := {3|{2|0}}", "2^", "^", "0, *", "true: ^ || *"]);
    assert!(run.stdout.contains("ans := ^\ng := {3|{2|0}}\n") && run.stdout.contains("chilled"));
    let run = hasami.run_with("value cgt --output quiet", "1+\n1+1\n").expect(2);
    assert_eq!(run.stdout, "2\n");
    assert!(run.stderr.contains("line 1: column 3"), "{}", run.stderr);
    assert!(hasami.run_with("value cgt", "help\n").expect(0).stdout.contains("cool(g,t)"));
}
