//! Every small change of a certificate: each field of each node, nodes left out, exchanged, repeated.

use crate::tree::{Node, Part};

/// The moves of an ALL with what follows each.
type Answers = Vec<(Vec<u8>, Node)>;

/// All small changes of a part, each with what was changed. The changed parts are well formed where
/// that can be; whether they still prove something is for checkers to say.
pub fn forgeries(part: &Part) -> Vec<(String, Part)> {
    let mut all = Vec::new();
    headers(part, &mut all);
    for number in 0..part.root.count() {
        let mut copy = part.root.clone();
        let node = copy.at(number).expect("a node").clone();
        let mut push = |what: &str, changed: Node| {
            let mut forged = part.clone();
            *forged.root.at(number).expect("a node") = changed;
            all.push((format!("node {number}: {what}"), forged));
        };
        changes(&node, &mut push);
        if part.has_ranks() {
            for rank in [0, u64::from(u32::MAX), 2047 << 21, 3 << 21, (2047 << 21) | 1] {
                push("a yield before it", Node::Yield(rank, Box::new(node.clone())));
            }
        }
        // Another node in its place: the one before, or the one after.
        for other in [number.wrapping_sub(1), number + 1] {
            if let Some(other) = copy.at(other).cloned().filter(|_| other < part.root.count()) {
                push("another node in its place", other);
            }
        }
    }
    all
}

fn headers(part: &Part, all: &mut Vec<(String, Part)>) {
    for at in 0..part.header.len() {
        let line = part.header[at].clone();
        let mut push = |what: &str, change: &dyn Fn(&mut Vec<String>)| {
            let mut forged = part.clone();
            change(&mut forged.header);
            all.push((format!("line {at} ({line}): {what}"), forged));
        };
        push("given twice", &|lines| lines.insert(at, line.clone()));
        push("with more", &|lines| lines[at].push('0'));
        push("without its end", &|lines| {
            let _ = lines[at].pop();
        });
        if let Some((key, value)) = line.split_once(' ') {
            let other = match value {
                "proven" => "disproven",
                "disproven" => "proven",
                "strong" => "weak",
                "weak" => "strong",
                "win" => "not-lose",
                "not-lose" => "win",
                "adjacent" => "any",
                _ => "",
            };
            if !other.is_empty() {
                push("the other word", &|lines| lines[at] = format!("{key} {other}"));
            }
            if let Ok(number) = value.parse::<u64>() {
                for other in [number + 1, number.saturating_sub(1)] {
                    push("another number", &|lines| lines[at] = format!("{key} {other}"));
                }
            }
        }
    }
}

fn changes(node: &Node, push: &mut dyn FnMut(&str, Node)) {
    match node {
        Node::Leaf(rule, data) => {
            for other in 0..6 {
                if other != *rule {
                    push("another rule", Node::Leaf(other, data.clone()));
                }
            }
            for data in other_bytes(data) {
                push("other data", Node::Leaf(*rule, data));
            }
        }
        Node::One(kept, mv, next) => {
            push("kept or not", Node::One(!kept, mv.clone(), next.clone()));
            for mv in other_bytes(mv) {
                push("another move", Node::One(*kept, mv, next.clone()));
            }
            push("all moves instead", all_of(*kept, &[(mv.clone(), (**next).clone())]));
            push("what follows it", (**next).clone());
            push("a leaf", Node::Leaf(1, Vec::new()));
        }
        Node::All(kept, moves, closing) => {
            push("kept or not", Node::All(!kept, moves.clone(), closing.clone()));
            for at in 0..moves.len() {
                let with = |change: &dyn Fn(&mut Answers)| {
                    let mut moves = moves.clone();
                    change(&mut moves);
                    Node::All(*kept, moves, closing.clone())
                };
                push("a move left out", with(&|moves| drop(moves.remove(at))));
                push("a move twice", with(&|moves| moves.insert(at, moves[at].clone())));
                for mv in other_bytes(&moves[at].0) {
                    push("another move", with(&|moves| moves[at].0.clone_from(&mv)));
                }
                if at > 0 {
                    push("moves exchanged", with(&|moves| moves.swap(at, at - 1)));
                    push(
                        "answers exchanged",
                        with(&|moves| {
                            let (before, after) = moves.split_at_mut(at);
                            std::mem::swap(&mut before[at - 1].1, &mut after[0].1);
                        }),
                    );
                }
            }
            closings(node, push);
            push("a leaf", Node::Leaf(1, Vec::new()));
        }
        Node::Same(back, last, symmetry) => {
            push("last or not", Node::Same(*back, !last, symmetry.clone()));
            for other in [back + 1, back.wrapping_sub(1), back + 2] {
                push("another node", Node::Same(other, *last, symmetry.clone()));
            }
            for symmetry in other_bytes(symmetry) {
                push("another symmetry", Node::Same(*back, *last, symmetry));
            }
            push("a leaf", Node::Leaf(1, Vec::new()));
        }
        Node::Yield(rank, next) => {
            push("no yield", (**next).clone());
            for place in 0..33 {
                for other in [rank ^ 1 << place, rank + (1 << place), rank.wrapping_sub(1 << place)]
                {
                    push("another rank", Node::Yield(other, next.clone()));
                }
            }
        }
    }
}

fn closings(node: &Node, push: &mut dyn FnMut(&str, Node)) {
    let Node::All(kept, moves, closing) = node else { return };
    let mut with = |what: &str, change: &dyn Fn(&mut crate::tree::Closing)| {
        let mut closing = closing.clone();
        change(&mut closing);
        push(what, Node::All(*kept, moves.clone(), closing));
    };
    if let Some(slack) = closing.slack {
        with("slack raised by one", &|closing| closing.slack = Some(slack + 1));
        with("slack lowered by one", &|closing| closing.slack = Some(slack.saturating_sub(1)));
        with("slack raised a lot", &|closing| closing.slack = Some(slack + 200));
    }
    for at in 0..closing.threats.len() {
        with("a threat left out", &|closing| {
            let _ = closing.threats.remove(at);
        });
        with("another threat", &|closing| closing.threats[at] += 1);
    }
    for at in 0..closing.guards.len() {
        with("a guard left out", &|closing| {
            let _ = closing.guards.remove(at);
        });
        with("another guard", &|closing| closing.guards[at] = closing.guards[at].wrapping_add(1));
    }
    for cell in [0, 1, 60, 127, 255] {
        with("a guard more", &|closing| {
            closing.guards.push(cell);
            closing.guards.sort_unstable();
        });
        with("a threat more", &|closing| {
            closing.threats.push(cell);
            closing.threats.sort_unstable();
        });
    }
}

/// A part of an ALL without closing data.
fn all_of(kept: bool, moves: &[(Vec<u8>, Node)]) -> Node {
    Node::All(kept, moves.to_vec(), crate::tree::Closing::default())
}

/// Byte strings of the same length that differ in one byte.
fn other_bytes(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for at in 0..bytes.len() {
        for change in [1u8, 2, 255, 7] {
            let mut other = bytes.to_vec();
            other[at] = (other[at].wrapping_add(change)) & 0x7f;
            if other != bytes {
                all.push(other);
            }
        }
    }
    all
}
