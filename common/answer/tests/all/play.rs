//! Plays every game to its end against a random opponent; the certificate must always be right.
//!
//! These games do not show that zones are needed or right. A Black that ignored its zones won
//! 60,000 random games and every line on the small boards below. The random games do detect a Black
//! that uses one frame for all symmetric ones.

use std::collections::BTreeMap;

use hasami_andor::certificate::{Strategy, extract};
use hasami_andor::{Control, Job, Kernel, Search, Table, Verdict};
use hasami_answer::registry::{Visitor, games, visit};
use hasami_game::Game;
use hasami_game::play::{Duel, Status, Trouble};
use hasami_game::random::SplitMix;
use hasami_spec::Params;

/// Solves a question, then plays against its certificate.
enum Replay {
    /// This many games against a random opponent.
    Random(u64),
    /// One game for every line of the opponent.
    Every,
}

/// Counts of how the games ended.
type Ends = BTreeMap<String, u64>;

impl Visitor for Replay {
    type Output = Ends;

    fn visit<G: Game>(self, game: G, params: &Params) -> Ends {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("c.cert");
        let table: Table<G::Reason> = Table::with_mib(16, false).unwrap();
        let control = Control::unlimited();
        let mut search =
            Search::new(Kernel::Dfpn, &game, &table, G::ADVICE, Job::settle(game.root()));
        let verdict = search.run(&control).numbers.verdict().unwrap();
        search.park();
        let asked = game.asked(params);
        extract(&game, &table, &control, &asked, verdict, &file).unwrap();
        let strategy = Strategy::load(&file, &game, &asked).unwrap();
        assert_eq!(strategy.verdict(), verdict);
        let verified = *strategy.checked();
        let mut ends = Ends::new();
        let games = match self {
            Self::Random(games) => games,
            Self::Every => {
                every_line(&|| game.duel(&strategy), &mut Vec::new(), &mut ends);
                0
            }
        };
        for seed in 0..games {
            let mut line = Vec::new();
            let mut duel = game.duel(&strategy);
            let end = play(&mut *duel, &mut SplitMix::new(seed), &mut line);
            let end =
                end.unwrap_or_else(|trouble| panic!("{params}: {}: {trouble}", line.join(" ")));
            if let Some(most) =
                verified.length.filter(|_| verdict == Verdict::Proven && G::NAME == "polyomino")
            {
                let stones = line.len().div_ceil(2) as u32;
                assert!(stones <= most, "{params}: {stones} stones, at most {most} promised");
            }
            *ends.entry(end).or_default() += 1;
        }
        ends
    }
}

fn play(
    duel: &mut dyn Duel,
    random: &mut SplitMix,
    line: &mut Vec<String>,
) -> Result<String, Trouble> {
    loop {
        let name = match duel.status() {
            Status::Over(end) => return Ok(end),
            Status::Program => duel.answer()?,
            Status::Opponent => {
                let choice = duel.random(random);
                duel.play(&choice)?
            }
        };
        line.push(name);
    }
}

/// Continues with every move of the opponent: the answers are deterministic.
fn every_line<'a>(
    begin: &dyn Fn() -> Box<dyn Duel + 'a>,
    typed: &mut Vec<String>,
    ends: &mut Ends,
) {
    let mut duel = begin();
    let mut next = typed.iter();
    loop {
        let moved = match duel.status() {
            Status::Over(end) => {
                *ends.entry(end).or_default() += 1;
                return;
            }
            Status::Program => duel.answer(),
            Status::Opponent => match next.next() {
                Some(text) => duel.play(text),
                None => break,
            },
        };
        moved.unwrap_or_else(|trouble| panic!("{}: {trouble}", typed.join(" ")));
    }
    for choice in duel.moves() {
        typed.push(choice);
        every_line(begin, typed, ends);
        typed.pop();
    }
}

fn replay(question: &str, count: u64) -> Ends {
    let ends = ask(question, Replay::Random(count));
    assert_eq!(ends.values().sum::<u64>(), count);
    ends
}

fn ask(question: &str, how: Replay) -> Ends {
    let (name, words) = question.split_once(' ').unwrap();
    let info = games().find(|game| game.spec.name == name).unwrap().spec;
    let pairs = info.read_words(words.split(' ')).unwrap();
    visit(name, &pairs, how).unwrap()
}

#[track_caller]
fn all_end_with(question: &str, count: u64, words: &[&str]) {
    let ends = replay(question, count);
    let expected = |end: &String| words.iter().any(|word| end.starts_with(word));
    assert!(ends.keys().all(expected), "{question}: {ends:?}");
}

#[test]
fn black_wins_every_game_on_the_infinite_board() {
    for question in [
        "polyomino Square W stones=5",
        "polyomino Square R stones=5",
        "polyomino Square U stones=6",
        "polyomino Z U stones=5",
        "polyomino R U stones=6",
        "polyomino Skinny stones=7",
        "polyomino Tippy stones=4",
        "polyomino Knobby stones=4",
        "polyomino El stones=3",
        "polyomino Domino stones=2",
        "polyomino Elam stones=1",
        "polyomino Square W stones=5 game=weak",
    ] {
        all_end_with(question, 400, &["Black wins with"]);
    }
}

#[test]
fn no_line_of_the_opponent_gets_through_on_small_boards() {
    for (question, end) in [
        ("mnk width=3 height=3 line=3", "Maker wins with"),
        ("mnk width=4 height=3 line=3", "Maker wins with"),
        ("mnk width=4 height=4 line=3", "Maker wins with"),
        ("polyomino Tippy board=3x3 stones=5", "Black wins with"),
        ("polyomino Elly board=4x4 stones=4", "Black wins with"),
        ("polyomino Elly window=5x5 stones=4", "Black wins with"),
        ("polyomino Tippy window=6x6 stones=4", "Black wins with"),
        ("polyomino Tic board=3x3 stones=any", "Black cannot win any more"),
    ] {
        let ends = ask(question, Replay::Every);
        let expected = |name: &String| name.starts_with(end) || name.starts_with("White wins with");
        assert!(ends.keys().all(expected), "{question}: {ends:?}");
        assert!(ends.values().sum::<u64>() > 50, "{question}: {ends:?}");
    }
}

#[test]
fn black_wins_every_game_on_a_board() {
    for question in [
        "polyomino Tippy board=3x3 stones=5",
        "polyomino Skinny board=7x7 stones=7",
        "polyomino Tic board=4x4 stones=3",
        "polyomino Elly board=4x4 stones=4",
    ] {
        all_end_with(question, 400, &["Black wins with"]);
    }
}

#[test]
fn white_holds_every_game_that_black_cannot_win() {
    let ends = &["Black cannot win any more", "White wins with"];
    for question in [
        "polyomino Square board=4x4 stones=any game=weak",
        "polyomino Tic board=3x3 stones=any",
        "polyomino Skinny board=5x5 stones=any",
        "polyomino Skinny board=5x5 stones=any game=weak",
        "polyomino Skinny board=6x6 stones=6",
        "polyomino Tippy board=4x3 stones=4",
        "polyomino Square I stones=any",
        "polyomino X board=5x5 stones=any",
    ] {
        all_end_with(question, 300, ends);
    }
}

#[test]
fn maker_gets_a_line_and_breaker_blocks_them_all() {
    for zones in ["on", "off"] {
        for sym in ["on", "off"] {
            let question = |board: &str| format!("mnk {board} zones={zones} sym={sym}");
            let maker = ["Maker wins with"];
            all_end_with(&question("width=5 height=5 line=3"), 200, &maker);
            all_end_with(&question("width=3 height=3 line=3"), 400, &maker);
            all_end_with(&question("width=5 height=3 line=3"), 400, &maker);
            let breaker = ["Maker cannot win any more"];
            all_end_with(&question("width=4 height=4 line=4"), 100, &breaker);
            all_end_with(&question("width=3 height=2 line=3"), 10, &breaker);
        }
    }
}

#[test]
fn games_without_stones_end_where_the_rules_settle_them() {
    for (question, verdict) in [
        ("chomp rows=5 columns=6", "proven"),
        ("chomp rows=1 columns=1", "disproven"),
        ("synthetic depth=10 branching=4 width=500 seed=1", "disproven"),
        ("paving I L board=5x5 pairs=any", "proven"),
        ("paving I ZZ board=6x6 pairs=adjacent", "proven"),
        ("paving Square board=4x4 pairs=any", "disproven"),
    ] {
        all_end_with(question, 300, &[&format!("the rules settle it: {verdict}")]);
    }
}

#[test]
fn repeated_states_end_a_game_only_for_the_side_they_favour() {
    let mut repeated = 0;
    for rule in ["proven", "disproven"] {
        for seed in 0..60 {
            let ends = replay(
                &format!(
                    "graph nodes=200 shape=cyclic sharing=0.4 leaves=0.15 repetition={rule} seed={seed}"
                ),
                20,
            );
            for end in ends.keys().filter(|end| end.starts_with("a repeated state")) {
                repeated += 1;
                assert_eq!(end, &format!("a repeated state counts as {rule}"));
            }
        }
    }
    assert!(repeated > 0, "no game came back to a state");
}
