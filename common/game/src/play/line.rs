//! A line of play against a certificate, to be shown step by step. The other side plays as random
//! opponents do, from fixed seeds, and the one that holds out the longest is shown: the same
//! certificate always shows the same line.

use super::{Duel, Status};
use crate::game::Step;
use crate::random::SplitMix;

/// Opponents that are tried.
const OPPONENTS: u64 = 8;
/// Moves of all of them together.
const PATIENCE: usize = 1000;

/// Plays until a game is over, or for `most` moves.
pub fn line<'a>(begin: &dyn Fn() -> Box<dyn Duel + 'a>, most: usize) -> Vec<Step> {
    let (mut longest, mut moves) = (Vec::new(), 0);
    for seed in 1..=OPPONENTS {
        let steps = played(&mut *begin(), most, seed);
        moves += steps.len();
        if steps.len() > longest.len() {
            longest = steps;
        }
        if moves > PATIENCE {
            break;
        }
    }
    longest
}

fn played(duel: &mut dyn Duel, most: usize, seed: u64) -> Vec<Step> {
    let sides = duel.sides();
    let mut random = SplitMix::new(seed);
    let mut steps = vec![Step { text: String::new(), svg: duel.picture() }];
    while steps.len() <= most {
        let moved = match duel.status() {
            Status::Over(end) => {
                if let Some(last) = steps.last_mut() {
                    let dash = if last.text.is_empty() { "" } else { " — " };
                    last.text.push_str(&format!("{dash}{end}"));
                }
                break;
            }
            Status::Program => duel.answer().map(|name| (sides.program, name)),
            Status::Opponent => {
                let choice = duel.random(&mut random);
                duel.play(&choice).map(|name| (sides.opponent, name))
            }
        };
        match moved {
            Ok((side, name)) => {
                steps.push(Step { text: format!("{side} {name}"), svg: duel.picture() });
            }
            Err(trouble) => {
                steps.push(Step { text: trouble.to_string(), svg: duel.picture() });
                break;
            }
        }
    }
    steps
}
