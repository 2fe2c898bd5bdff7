//! Values with bars of several heights instead of braces: `{3||2|0}`.

use rustc_hash::FxHashMap;

use super::LONGEST;
use crate::games::{Games, Value};

/// Higher bars are hard to count, and the text would grow with the square of the depth.
const HIGHEST: usize = 4;

enum Piece {
    Sign(char),
    /// A bar of this height.
    Bar(usize),
    /// In braces, if it has no name.
    Closed(Value),
    /// Without braces, as a side of a higher bar.
    Bare(Value),
}

impl Games {
    /// Like [`Games::show`], with bars up to a height of four instead of inner braces.
    pub fn show_bars(&self, value: Value) -> String {
        let heights = self.heights(value);
        let mut text = String::new();
        let mut stack = vec![Piece::Closed(value)];
        while let Some(piece) = stack.pop() {
            if text.len() > LONGEST {
                text.push('…');
                break;
            }
            match piece {
                Piece::Sign(sign) => text.push(sign),
                Piece::Bar(height) => text.extend(std::iter::repeat_n('|', height)),
                Piece::Closed(value) => match self.short_name(value) {
                    Some(name) => text.push_str(&name),
                    None => {
                        stack.extend([Piece::Sign('}'), Piece::Bare(value), Piece::Sign('{')]);
                    }
                },
                Piece::Bare(value) => {
                    push_side(&mut stack, &self.in_order(self.right_options(value)), &heights);
                    stack.push(Piece::Bar(heights[&value]));
                    push_side(&mut stack, &self.in_order(self.left_options(value)), &heights);
                }
            }
        }
        text
    }

    /// The height of the bar of every position; names have none.
    fn heights(&self, value: Value) -> FxHashMap<Value, usize> {
        let mut heights = FxHashMap::default();
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if heights.contains_key(&top) || self.short_name(top).is_some() {
                heights.entry(top).or_insert(0);
                stack.pop();
                continue;
            }
            let sides = [self.left_options(top), self.right_options(top)];
            let before = stack.len();
            let unknown = sides.iter().flat_map(|side| side.iter());
            stack.extend(unknown.filter(|option| !heights.contains_key(option)));
            if stack.len() == before {
                let lower = sides.map(|side| match side {
                    [option] if heights[option] < HIGHEST => heights[option],
                    _ => 0,
                });
                heights.insert(top, 1 + lower[0].max(lower[1]));
                stack.pop();
            }
        }
        heights
    }
}

fn push_side(stack: &mut Vec<Piece>, options: &[Value], heights: &FxHashMap<Value, usize>) {
    if let &[option] = options
        && (1..HIGHEST).contains(&heights[&option])
    {
        stack.push(Piece::Bare(option));
        return;
    }
    for (i, &option) in options.iter().enumerate().rev() {
        stack.push(Piece::Closed(option));
        if i > 0 {
            stack.push(Piece::Sign(','));
        }
    }
}
