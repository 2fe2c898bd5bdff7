//! QUARTO!: random endings.

use hasami_andor::{Expansion, Moves, Problem};
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_puzzles::{Analyst, Deepening, Puzzle};
use hasami_small::quarto::{Quarto, Solver, Value, notation};
use hasami_spec::Params;

use super::{Asker, lost, try_analyst, won};
use crate::plain::quarto::{Position, Quarto as Plainly};
use crate::plain::{Ending, Plain, Rules};
use hasami_trials::made;

/// A board with this many pieces and no line, and a piece in hand.
fn random_position(pieces: usize, random: &mut SplitMix) -> Position {
    loop {
        let (mut order, mut places): (Vec<u8>, Vec<usize>) = ((0..16).collect(), (0..16).collect());
        for at in (1..16).rev() {
            order.swap(at, random.below(at as u32 + 1) as usize);
            places.swap(at, random.below(at as u32 + 1) as usize);
        }
        let mut cells = [None; 16];
        for (&piece, &cell) in order.iter().zip(&places).take(pieces) {
            cells[cell] = Some(piece);
        }
        if !Plainly::has_line(&cells) {
            return Position { cells, hand: Some(order[pieces]) };
        }
    }
}

/// `within=shortest` asks 1, 3, 5, … up to the number of empty cells.
fn try_stages(rules: &str, empty: u32) {
    let params = Params::parse(Quarto::params(), &format!("{rules} within=shortest")).unwrap();
    let mut asked = Vec::new();
    while let Some(stage) = Quarto::SPEC.stage(&params, asked.len() as u32).unwrap() {
        asked.push(stage.text("within").unwrap().parse::<u32>().unwrap());
    }
    assert_eq!(asked, (1..=empty.max(1)).step_by(2).collect::<Vec<_>>(), "{rules}");
}

#[test]
fn random_endings_of_quarto() {
    let mut asker = Asker::new(6);
    let mut random = SplitMix::new(13);
    // One of each for all positions: their tables are large.
    let mut analysts: [Box<dyn Analyst<Quarto>>; 2] =
        [Quarto::analyst(), Box::new(Deepening::new())];
    let mut found = [0; 3];
    for number in 0..150 {
        let pieces = 11 + number % 5;
        let position = random_position(pieces, &mut random);
        let mut plain = Plain::new(Plainly);
        let rules = format!("position={}", Plainly::spell(&position));
        let empty = 16 - pieces as u32;
        let decided = asker.ask_all::<Quarto, _>(&mut plain, &position, &rules, empty);
        found[decided.map_or(1, |(_, ending)| ending as usize)] += 1;
        try_stages(&rules, empty);
        let read = notation::read(&Plainly::spell(&position)).unwrap();
        let value = match decided {
            Some((plies, Ending::Won)) => Value::Win(plies as u8),
            Some((plies, _)) => Value::Loss(plies as u8),
            None => Value::Draw,
        };
        assert_eq!(Solver::new(1).value(&read), Ok(value), "{rules}");
        for plies in 0..=empty + 2 {
            let ending = plain.within(&position, plies);
            let (wins, loses) = (Ok(ending == Ending::Won), Ok(ending == Ending::Lost));
            assert_eq!(Solver::new(1).wins_within(&read, plies as u8), wins, "{rules} {plies}");
            assert_eq!(Solver::new(1).loses_within(&read, plies as u8), loses, "{rules} {plies}");
        }
        let game: Quarto = made(&rules);
        let mut moves = Moves::new();
        assert_eq!(game.expand(&game.root(), &mut moves), Expansion::Open);
        let after = plain.rules.plies(&position);
        for analyst in &mut analysts {
            try_analyst(analyst.as_mut(), (&game, &game.root()), won(decided), &rules);
            // If a line can be completed, only that is offered.
            if moves.len() != after.len() || number % 10 != 0 {
                continue;
            }
            for (mv, next) in moves.iter().zip(&after) {
                let wanted = lost(plain.decided(next, empty));
                let state = game.play(&game.root(), mv);
                try_analyst(analyst.as_mut(), (&game, &state), wanted, &rules);
            }
        }
    }
    assert!(found.iter().all(|&count| count > 3), "{found:?}");
    asker.finish(1_000, 20);
}

/// The last piece on the last cell completes a line on the last ply.
#[test]
fn a_line_on_the_last_ply_has_won() {
    let mut random = SplitMix::new(14);
    let mut asker = Asker::new(1);
    let mut seen = [0; 2];
    for _ in 0..40 {
        let position = random_position(15, &mut random);
        let mut plain = Plain::new(Plainly);
        let wins = plain.within(&position, 1) == Ending::Won;
        seen[usize::from(wins)] += 1;
        let rules = format!("position={}", Plainly::spell(&position));
        let decided = asker.ask_all::<Quarto, _>(&mut plain, &position, &rules, 1);
        assert_eq!(won(decided), wins.then_some(1));
    }
    assert!(seen[0] > 2 && seen[1] > 2, "{seen:?}");
}
