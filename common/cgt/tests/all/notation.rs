//! The notation: bars, sums, comparisons, and errors with their place.

use hasami_cgt::notation::{Answer, Session};
use hasami_cgt::{Games, ParseError};

#[test]
fn bars_are_read_by_their_heights() {
    let mut games = Games::new();
    for (bars, braces) in [
        ("3||||2|||1||0|0", "{3|{2|{1|{0|0}}}}"),
        ("{3||2|0}", "{3|{2|0}}"),
        ("1|0||0", "{{1|0}|0}"),
        ("2|1||0|-1", "{{2|1}|{0|-1}}"),
        ("{a||b}", "{a|b}"),
        ("2|1,{3|0}||0,*|-1|||-4", "{{{2|1,{3|0}}|{0,*|-1}}|-4}"),
        ("|", "0"),
        ("||0", "-1"),
        ("0|||||", "1"),
        ("(1|0)+1", "{2|1}"),
    ] {
        let mut session = Session::new();
        session.run(&mut games, "a := 5|2").unwrap();
        session.run(&mut games, "b := *2").unwrap();
        let mut value = |text: &str| match session.run(&mut games, &format!("x := {text}")) {
            Ok(Answer::Named(_, value)) => value,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(value(bars), value(braces), "{bars}");
    }
}

#[test]
fn sums_multiples_and_signs_bind_as_written() {
    let mut games = Games::new();
    for (text, same) in [
        ("3.^", "^3"),
        ("-2.^+1", "1v2"),
        ("-2^", "{-2|-2*}"),
        ("-^", "v"),
        ("-1/2v3*", "-1/2+v3+*"),
        ("1-2^", "-1v"),
        ("2.{1|-1}", "0"),
        ("3.±1", "±1"),
        ("0.25+0.5", "3/4"),
        ("±(1/2)+1/2", "1|0"),
        ("5+-2", "3"),
        ("5++-2", "7|3"),
        ("+-2+-2", "{0|-4}"),
        ("2·↑", "⇑"),
        ("1−−2^", "3v"),
        ("1*2", "1+*2"),
        ("^2*3+*3", "^^"),
        ("tiny(2)-tiny(2)", "0"),
        ("(1+1).(3).^", "^6"),
        ("{ 1 , 0 | } # a comment", "2"),
    ] {
        let value = games.parse(text).unwrap();
        assert_eq!(games.parse(same).unwrap(), value, "{text} is {}", games.show(value));
    }
}

#[test]
fn comparisons_answer_all_four_ways() {
    let mut games = Games::new();
    let mut session = Session::new();
    for (text, holds) in [
        ("^ > 0", true),
        ("^ || *", true),
        ("^2 || *", false),
        ("1|0||0 < 0", true),
        ("* <> 0", true),
        ("* = 0", false),
        ("*+* = 0", true),
        ("* <| ^", true),
        ("* |> ^", true),
        ("1 >= 1", true),
        ("1 <= 1/2", false),
        ("1 != 1/2", true),
        ("{1|-1} ‖ 0", true),
    ] {
        match session.run(&mut games, text) {
            Ok(Answer::Compared { asked, order, .. }) => {
                assert_eq!(asked.holds(order), holds, "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_session_remembers_names_and_the_last_answer() {
    let mut games = Games::new();
    let mut session = Session::new();
    session.run(&mut games, "g := 3||2|0").unwrap();
    session.run(&mut games, "chill(g)").unwrap();
    let Ok(Answer::Value(value)) = session.run(&mut games, "ans - 2") else { panic!() };
    assert_eq!(games.show(value), "^");
    let Ok(Answer::List(list)) = session.run(&mut games, "left({0,*|0})") else { panic!() };
    assert_eq!(list.len(), 2);
    assert!(session.run(&mut games, "mean := 3").is_err());
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let mut games = Games::new();
    for (text, column, words) in [
        ("1|0|2", 4, "of one height (the other in column 2)"),
        ("{3|||2|||1||0|0}", 7, "two bars `|||`"),
        ("{1|0", 5, "expected `}` for what opens in column 1"),
        ("1/3", 1, "power of two"),
        ("{1,|0}", 4, "expected a game"),
        ("3*x", 3, "`x`"),
        ("(1|0) * 2", 7, "nim-heap"),
        ("{0}", 3, "expected `|`"),
        ("g+1", 1, "`g := ...`"),
        ("1,2", 2, "one game"),
        ("", 1, "found nothing"),
        ("1+", 3, "found the end"),
        ("cool({1|0})", 1, "expected cool(g,t)"),
        ("1/2.^", 4, "expected an integer"),
        ("{1|0)", 5, "expected `}`"),
        ("left(1)+1", 1, "is a list"),
        ("1 ? 2", 3, "`?`"),
    ] {
        match games.parse(text) {
            Err(error @ ParseError::Bad { .. }) => {
                assert_eq!(error.column(), Some(column), "{text}: {error}");
                assert!(error.to_string().contains(words), "{text}: {error}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// {a,b|-a,-b} for any list; one game gives the usual switch.
#[test]
fn a_switch_may_have_a_list() {
    let mut games = Games::new();
    for (list, braces) in [
        ("±(1,*)", "{1,*|-1,*}"),
        ("±({3|1},2)", "{{3|1},2|{-1|-3},-2}"),
        ("+-(^,*2)", "{^,*2|v,*2}"),
        ("5±(1,{4|0})", "5+{1,{4|0}|-1,{0|-4}}"),
        ("-±(1,{4|0})", "{1,{4|0}|-1,{0|-4}}"),
        ("±(2)", "{2|-2}"),
        ("±(3|1)", "{{3|1}|{-1|-3}}"),
        ("2.±(1,{4|0})", "{1,{4|0}|-1,{0|-4}}+{1,{4|0}|-1,{0|-4}}"),
    ] {
        assert_eq!(games.parse(list).unwrap(), games.parse(braces).unwrap(), "{list}");
    }
    for bad in
        ["(1,2)", "-(1,2)", "±(1,2", "tiny((1,2))", "±(,2)", "^[", "^[2", "v[]", "^[x]", "uppow(0)"]
    {
        assert!(games.parse(bad).is_err(), "{bad}");
    }
    assert_eq!(games.parse("^[1]").unwrap(), games.parse("^").unwrap());
    assert_eq!(games.parse("v[2]+^[2]").unwrap(), games.zero());
}
