//! Which server of a cluster has which key: 16384 slots, read from `CLUSTER SLOTS` and corrected by
//! redirections.

use redis::Value;

use super::address::Node;

const SLOTS: usize = 16384;

/// The slot of a key. Braces select the part of the key that counts. In all our keys the first
/// braces are an empty pair, which means that the whole key counts.
pub(crate) fn slot(key: &[u8]) -> u16 {
    let mut crc = 0_u16;
    for &byte in key {
        crc ^= u16::from(byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 != 0 { crc << 1 ^ 0x1021 } else { crc << 1 };
        }
    }
    crc % SLOTS as u16
}

/// The primary of every slot, as far as known.
pub(crate) struct Slots {
    nodes: Vec<Node>,
    /// Indexes into `nodes`.
    owners: Vec<Option<u16>>,
}

impl Slots {
    /// One server that owns every slot.
    pub(crate) fn single(node: Node) -> Self {
        Self { nodes: vec![node], owners: vec![Some(0); SLOTS] }
    }

    /// Parses the answer of `from` to `CLUSTER SLOTS`.
    pub(crate) fn parse(answer: &Value, from: &Node) -> Option<Self> {
        let mut slots = Self { nodes: Vec::new(), owners: vec![None; SLOTS] };
        for range in array(answer)? {
            let [Value::Int(first), Value::Int(last), primary, ..] = array(range)? else {
                return None;
            };
            let [host, Value::Int(port), ..] = array(primary)? else { return None };
            // A server that does not know its own name means the address it was asked at.
            let host = text(host).filter(|host| !["", "?"].contains(host)).unwrap_or(&from.host);
            let node = Node { host: host.to_owned(), port: u16::try_from(*port).ok()? };
            let range = usize::try_from(*first).ok()?..=usize::try_from(*last).ok()?;
            let owner = slots.place(node);
            slots.owners.get_mut(range)?.fill(Some(owner));
        }
        Some(slots)
    }

    pub(crate) fn owner(&self, slot: u16) -> Option<&Node> {
        self.owners[usize::from(slot)].map(|place| &self.nodes[usize::from(place)])
    }

    /// Records that a slot has moved. Ignores an invalid slot.
    pub(crate) fn moved(&mut self, slot: u16, node: Node) {
        let place = self.place(node);
        if let Some(owner) = self.owners.get_mut(usize::from(slot)) {
            *owner = Some(place);
        }
    }

    /// The servers that have slots now.
    pub(crate) fn owners(&self) -> Vec<&Node> {
        let mut used = vec![false; self.nodes.len()];
        self.owners.iter().flatten().for_each(|&place| used[usize::from(place)] = true);
        self.nodes.iter().zip(used).filter_map(|(node, used)| used.then_some(node)).collect()
    }

    fn place(&mut self, node: Node) -> u16 {
        let place = self.nodes.iter().position(|known| *known == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        });
        u16::try_from(place).expect("no more servers than slots")
    }
}

fn array(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(values) => Some(values),
        _ => None,
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::BulkString(bytes) => std::str::from_utf8(bytes).ok(),
        Value::SimpleString(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(host: &str, port: u16) -> Node {
        Node { host: host.to_owned(), port }
    }

    fn range(first: i64, last: i64, host: &str, port: i64) -> Value {
        let server = vec![Value::BulkString(host.into()), Value::Int(port), Value::Nil];
        Value::Array(vec![Value::Int(first), Value::Int(last), Value::Array(server)])
    }

    #[test]
    fn slots_are_those_of_the_cluster_specification() {
        // The check value of CRC16-XMODEM, and CLUSTER KEYSLOT of a server.
        assert_eq!(slot(b"123456789"), 0x31c3);
        assert_eq!(slot(b"foo"), 12182);
    }

    #[test]
    fn every_slot_has_the_owner_that_was_told() {
        let answer = Value::Array(vec![range(0, 9, "a", 1), range(10, 16383, "", 2)]);
        let mut slots = Slots::parse(&answer, &node("asked", 7)).unwrap();
        assert_eq!(slots.owner(9), Some(&node("a", 1)));
        assert_eq!(slots.owner(10), Some(&node("asked", 2)));
        slots.moved(9, node("b", 3));
        assert_eq!(slots.owner(9), Some(&node("b", 3)));
        assert_eq!(slots.owner(8), Some(&node("a", 1)));
        (0..9).for_each(|slot| slots.moved(slot, node("b", 3)));
        assert_eq!(slots.owners(), [&node("asked", 2), &node("b", 3)]);
    }

    #[test]
    fn a_slot_that_cannot_be_does_not_move() {
        let mut slots = Slots::single(node("a", 1));
        slots.moved(16384, node("b", 2));
        assert_eq!(slots.owners(), [&node("a", 1)]);
    }

    #[test]
    fn an_answer_that_makes_no_sense_is_refused() {
        let from = node("asked", 7);
        for answer in [
            Value::Nil,
            Value::Array(vec![Value::Nil]),
            Value::Array(vec![range(0, 16384, "a", 1)]),
            Value::Array(vec![range(5, 2, "a", 1)]),
            Value::Array(vec![range(-1, 2, "a", 1)]),
            Value::Array(vec![range(0, 2, "a", 70_000)]),
        ] {
            assert!(Slots::parse(&answer, &from).is_none(), "{answer:?}");
        }
        assert_eq!(Slots::parse(&Value::Array(vec![]), &from).unwrap().owner(0), None);
    }
}
