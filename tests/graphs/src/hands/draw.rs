//! Random graphs with hands.

use super::{Arc, Hand, Hands, KINDS, Vertex};
use hasami_andor::{Repetition, Turn};
use hasami_game::random::SplitMix;

fn pick<T: Copy>(random: &mut SplitMix, from: &[T]) -> T {
    from[random.below(from.len() as u32) as usize]
}

/// Mostly zeros: one kind has a number below `most`.
fn few(random: &mut SplitMix, most: u32) -> Hand {
    let mut hand = [0; KINDS];
    hand[random.below(KINDS as u32) as usize] = random.below(most + 1) as u8;
    hand
}

/// A graph of at most `largest` nodes.
#[must_use]
pub fn draw(random: &mut SplitMix, largest: u32) -> Hands {
    let size = 2 + random.below(largest - 1);
    let cyclic = random.below(4) > 0;
    let most: Hand = std::array::from_fn(|_| pick(random, &[0, 1, 2, 3]));
    let branching = pick(random, &[1, 2, 3, 5]);
    let (leaves, alternate) = (pick(random, &[4, 8, 16]), random.below(2) == 0);
    let backwards = pick(random, &[1, 2, 6]);
    let mut nodes: Vec<Vertex> = Vec::new();
    for node in 0..size {
        let turn = match alternate {
            true if node % 2 == 0 => Turn::Or,
            false if random.below(2) == 0 => Turn::Or,
            _ => Turn::And,
        };
        let last = node + 1 == size;
        let leaf = last || node > 0 && random.below(leaves) == 0;
        let leaf = leaf.then(|| match random.below(4) {
            0 => [0; KINDS],
            1 => [9; KINDS],
            _ => few(random, 3),
        });
        let mut edges = Vec::new();
        while leaf.is_none() && edges.len() < 1 + branching as usize {
            // The first edge leads on, so that every node is reached.
            let to = match edges.len() {
                0 => node + 1,
                _ if cyclic && random.below(backwards) > 0 => random.below(node + 1),
                _ => node + 1 + random.below(size - node - 1),
            };
            let need = match turn {
                Turn::Or if random.below(2) == 0 => few(random, 2),
                Turn::Or => [0; KINDS],
                Turn::And if random.below(2) == 0 => {
                    let mut need = [9; KINDS];
                    let kind = random.below(KINDS as u32) as usize;
                    need[kind] = random.below(u32::from(most[kind]) + 1) as u8;
                    need
                }
                Turn::And => [9; KINDS],
            };
            let gains = few(random, 2);
            let change = gains.map(|count| match turn {
                Turn::Or => count as i8,
                Turn::And => pick(random, &[0, 1, 1, -1]) * count as i8,
            });
            edges.push(Arc { to, need, change });
            if random.below(3) == 0 {
                break;
            }
        }
        nodes.push(Vertex { turn, leaf, edges });
    }
    let repetition = match cyclic {
        true => pick(random, &[Repetition::Disproven, Repetition::Proven]),
        false => Repetition::Impossible,
    };
    Hands {
        nodes,
        most,
        first: std::array::from_fn(|kind| random.below(u32::from(most[kind]) + 1) as u8),
        repetition,
        chain: random.below(4) == 0,
        groups: pick(random, &[0, 0, 1, 2]),
        seed: random.word(),
    }
}
