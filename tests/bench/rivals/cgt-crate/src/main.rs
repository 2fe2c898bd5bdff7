//! The work of `hasami-bench cgt` done by the `cgt` crate: `hasami-rival-cgt PART NUMBER`. Prints the
//! seconds it took and a fingerprint of the means and temperatures found, so that both programs can
//! be seen to have done the same.

use std::time::Instant;

use cgt::grid::small_bit_grid::SmallBitGrid;
use cgt::short::partizan::canonical_form::CanonicalForm;
use cgt::short::partizan::games::domineering::Domineering;
use cgt::short::partizan::partizan_game::PartizanGame;
use cgt::short::partizan::transposition_table::ParallelTranspositionTable;

fn main() {
    let mut words = std::env::args().skip(1);
    let part = words.next().expect("a part: domineering, random or switches");
    let number: u64 = words.next().and_then(|word| word.parse().ok()).expect("a number");
    let started = Instant::now();
    let values = match part.as_str() {
        "domineering" => domineering(number as u8),
        "random" => random(number),
        "switches" => switches_up_to(number as i64),
        _ => panic!("{part}: expected domineering, random or switches"),
    };
    let seconds = started.elapsed().as_secs_f64();
    let mut print = 0xcbf2_9ce4_8422_2325u64;
    for value in &values {
        for byte in format!("{} {};", value.mean(), value.temperature()).bytes() {
            print = (print ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    println!("{seconds} {print:016x}");
}

/// All rectangles up to a square, with one table.
fn domineering(side: u8) -> Vec<CanonicalForm> {
    let table = ParallelTranspositionTable::new();
    let mut values = Vec::new();
    for height in 1..=side {
        for width in 1..=side {
            let grid = SmallBitGrid::empty(width, height).expect("a small grid");
            let board: Domineering = Domineering::new(grid);
            values.push(board.canonical_form(&table));
        }
    }
    values
}

fn random(games: u64) -> Vec<CanonicalForm> {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    (0..games).map(|_| game(&mut dice, 5)).collect()
}

fn game(dice: &mut Dice, depth: u32) -> CanonicalForm {
    if depth == 0 {
        return CanonicalForm::new_integer(dice.below(11) as i64 - 5);
    }
    let left = (0..1 + dice.below(2)).map(|_| game(dice, depth - 1)).collect();
    let right = (0..1 + dice.below(2)).map(|_| game(dice, depth - 1)).collect();
    CanonicalForm::new_from_moves(left, right)
}

fn switches_up_to(last: i64) -> Vec<CanonicalForm> {
    let switch = |n: i64| {
        let options = [n, -n].map(CanonicalForm::new_integer);
        CanonicalForm::new_from_moves(vec![options[0].clone()], vec![options[1].clone()])
    };
    let sum: CanonicalForm = (1..=last).map(switch).sum();
    vec![sum]
}

/// xorshift64, as in the bench.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % end
    }
}
