//! Values as text: names if they have one, else braces.

mod bars;

use std::cmp::Reverse;

use crate::games::{Games, Value};

/// Longer texts are cut: a value with few positions may have a form of astronomical length.
pub const LONGEST: usize = 1 << 20;

/// Output still to be written.
enum Piece {
    Text(&'static str),
    Value(Value),
}

impl Games {
    /// The value in the syntax of [`Games::parse`]. Forms of more than a million characters are cut
    /// and end in `…`, which it does not parse.
    pub fn show(&self, value: Value) -> String {
        self.show_within(value, LONGEST)
    }

    /// Like [`Games::show`], cut after about `longest` characters.
    pub fn show_within(&self, value: Value, longest: usize) -> String {
        let mut text = String::new();
        let mut stack = vec![Piece::Value(value)];
        while let Some(piece) = stack.pop() {
            if text.len() > longest {
                text.push('…');
                break;
            }
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Value(value) => match self.short_name(value) {
                    Some(name) => text.push_str(&name),
                    None => {
                        text.push('{');
                        stack.push(Piece::Text("}"));
                        push_list(&mut stack, &self.in_order(self.right_options(value)));
                        stack.push(Piece::Text("|"));
                        push_list(&mut stack, &self.in_order(self.left_options(value)));
                    }
                },
            }
        }
        text
    }

    /// Options from large to small, independent of their numbers in this arena.
    pub(crate) fn in_order(&self, options: &[Value]) -> Vec<Value> {
        let mut options = options.to_vec();
        options.sort_by_cached_key(|&option| {
            let node = self.node(option);
            let stops = (node.left_stop.at.clone(), node.right_stop.at.clone());
            let name = self.short_name(option);
            (Reverse(stops), !node.is_number, name.is_none(), name, node.fingerprint)
        });
        options
    }

    /// A name without braces, or a switch of numbers.
    pub(crate) fn short_name(&self, value: Value) -> Option<String> {
        let node = self.node(value);
        if node.is_number {
            return Some(node.left_stop.at.to_string());
        }
        if let Some(name) = node.up_star {
            let mut text = String::new();
            if name.number != Value::ZERO {
                text.push_str(&self.node(name.number).left_stop.at.to_string());
            }
            match name.ups {
                0 => {}
                ups => {
                    text.push(if ups > 0 { '^' } else { 'v' });
                    if ups.unsigned_abs() > 1 {
                        text.push_str(&ups.unsigned_abs().to_string());
                    }
                }
            }
            match name.star {
                0 => {}
                1 => text.push('*'),
                star => text.push_str(&format!("*{star}")),
            }
            return Some(text);
        }
        self.tiny_name(value).or_else(|| self.switch_name(value))
    }

    fn tiny_name(&self, value: Value) -> Option<String> {
        let (&[left], &[right]) = (self.left_options(value), self.right_options(value)) else {
            return None;
        };
        let (near, threat, is_tiny) = match (self.number(left), self.number(right)) {
            (Some(_), None) => (left, right, true),
            (None, Some(_)) => (right, left, false),
            _ => return None,
        };
        let (&[above], &[below]) = (self.left_options(threat), self.right_options(threat)) else {
            return None;
        };
        let (kept, far) = if is_tiny { (above, below) } else { (below, above) };
        let (middle, far) = (self.number(near)?, self.number(far)?);
        if kept != near {
            return None;
        }
        let text = if is_tiny {
            format!("tiny({})", middle - far)
        } else {
            format!("miny({})", far - middle)
        };
        Some(if near == Value::ZERO { text } else { format!("{middle}+{text}") })
    }

    fn switch_name(&self, value: Value) -> Option<String> {
        let (&[left], &[right]) = (self.left_options(value), self.right_options(value)) else {
            return None;
        };
        let (left, right) = (self.number(left)?, self.number(right)?);
        (*left == -right).then(|| format!("±{left}"))
    }
}

fn push_list(stack: &mut Vec<Piece>, options: &[Value]) {
    for (i, &option) in options.iter().enumerate().rev() {
        stack.push(Piece::Value(option));
        if i > 0 {
            stack.push(Piece::Text(","));
        }
    }
}
