//! Polyomino achievement: every number of stones on small boards.

use hasami_game::Game;
use hasami_polyomino::polyomino::Polyomino;
use hasami_spec::Params;

use super::{Asker, verdict};
use crate::plain::polyomino::{NEVER, Polyomino as Plainly};

const SETS: &[&[&str]] = &[
    &["#"],
    &["##"],
    &["###"],
    &["##/#."],
    &["##/##"],
    &["####"],
    &["#../###"],
    &[".#./###"],
    &["##./.##"],
    &["###", "##/##"],
    &["####", "##./.##"],
    &["##/##", "##./.##"],
];

#[test]
fn every_number_of_stones_on_small_boards() {
    let mut asker = Asker::new(3);
    let mut won = 0;
    for (rows, columns) in [(1, 4), (2, 3), (2, 5), (3, 3), (3, 4)] {
        for set in SETS {
            for (game, strong) in [("strong", true), ("weak", false)] {
                let fewest = Plainly::new(set, rows, columns, strong).fewest(0, 0);
                won += u32::from(fewest != NEVER);
                let rules = format!("shapes={} board={rows}x{columns} game={game}", set.join(","));
                let most = (rows * columns + 1) as u32 / 2;
                for stones in 1..=most + 2 {
                    let near = stones + 1 == fewest || stones == fewest || stones == most;
                    let spelling = format!("{rules} stones={stones}");
                    let verified =
                        asker.ask::<Polyomino>(&spelling, verdict(fewest <= stones), near);
                    if let Some(verified) = verified.filter(|_| fewest <= stones) {
                        let length =
                            verified.length.unwrap_or_else(|| panic!("{spelling}: no length"));
                        assert!((fewest..=stones).contains(&length), "{spelling}: {length}");
                    }
                }
                let any = verdict(fewest != NEVER);
                asker.ask::<Polyomino>(&format!("{rules} stones=any"), any, false);
                try_stages(&rules, fewest);
            }
        }
    }
    assert!(won > 20, "{won}");
    asker.finish(500, 40);
}

/// The questions of `stones=fewest` include the one with the right number.
fn try_stages(rules: &str, fewest: u32) {
    let params = Params::parse(Polyomino::params(), &format!("{rules} stones=fewest")).unwrap();
    let mut asked = Vec::new();
    while let Some(stage) = Polyomino::SPEC.stage(&params, asked.len() as u32).unwrap() {
        asked.push(stage.text("stones").unwrap().parse::<u32>().unwrap());
    }
    assert!(asked.is_sorted() && !asked.is_empty(), "{rules}: {asked:?}");
    assert!(fewest == NEVER || asked.contains(&fewest), "{rules}: {asked:?}");
}
