//! The registry as users see it: every game has an example, and the example runs.

use hasami_tests::Hasami;
use serde_json::Value;

fn games(hasami: &Hasami) -> Vec<Value> {
    let list = hasami.run("games --output json").expect(0).json();
    list.as_array().expect("a list").clone()
}

fn text<'a>(game: &'a Value, key: &str) -> &'a str {
    game[key].as_str().unwrap_or_else(|| panic!("{key} of {game}"))
}

#[test]
fn all_games_are_listed_in_every_form() {
    let hasami = Hasami::new();
    let games = games(&hasami);
    let names: Vec<_> = games.iter().map(|game| text(game, "name")).collect();
    for name in ["mnk", "chomp", "graph", "synthetic"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let quiet = hasami.run("games --output quiet").expect(0).stdout;
    assert_eq!(quiet.lines().collect::<Vec<_>>(), names);
    let list = hasami.run("games").expect(0).stdout;
    for game in &games {
        let (name, about) = (text(game, "name"), text(game, "about"));
        assert!(list.contains(name) && list.contains(about), "{list}");
        let human = hasami.run(&format!("games {name}")).expect(0).stdout;
        assert!(human.contains(&format!("hasami solve {}", text(game, "example"))), "{human}");
        for parameter in game["parameters"].as_array().expect("a list") {
            assert!(human.contains(text(parameter, "help")), "{human}");
        }
    }
}

#[test]
fn an_unknown_game_is_answered_with_the_nearest() {
    let hasami = Hasami::new();
    hasami.run("games poliomino").is_bad_input(&["poliomino", "did you mean polyomino?"]);
}

#[test]
fn every_example_runs_and_is_about_its_game() {
    let hasami = Hasami::new();
    for game in games(&hasami) {
        let example = text(&game, "example");
        let run = hasami.run(&format!("solve {example} --budget 500000 --output json"));
        assert!(matches!(run.code, Some(0 | 3)), "{run:#?}");
        let answer = run.json();
        assert_eq!(answer["game"], game["name"], "{answer}");
        assert_eq!(answer["verdict"] == "unknown", run.code == Some(3), "{answer}");
    }
}

#[test]
fn every_default_is_a_value_that_can_be_given() {
    let hasami = Hasami::new();
    for game in games(&hasami) {
        let name = text(&game, "name");
        let words: Vec<_> = game["parameters"].as_array().expect("a list").iter().collect();
        let words: Vec<_> = words
            .iter()
            .filter_map(|word| {
                Some(format!("{}={}", text(word, "name"), word["default"].as_str()?))
            })
            .collect();
        let budget = "--budget 1000 --table 1MiB --output json";
        let given = hasami.run_words(&format!("solve {name} {budget}"), &words);
        assert!(matches!(given.code, Some(0 | 3)), "{given:#?}");
        let left_out = hasami.run(&format!("solve {name} {budget}"));
        assert_eq!(given.json()["id"], left_out.json()["id"], "{name}");
    }
}
