//! A verified tree in memory, for a player who follows it and for pictures.

use hasami_andor::Verdict;
use hasami_andor::certificate::tree::{KeptNodes, Tag};
use hasami_andor::certificate::{Fault, Source};

use super::claim::{Claim, Closing};
use super::rules::{Cells, Rules};

/// Number of a node in a [`Tree`].
pub type NodeId = usize;

/// A node, in the frame in which it is written.
#[derive(Clone, Debug)]
pub enum Node {
    /// Settled by this rule of docs/certificates.md.
    Leaf {
        /// The rule.
        rule: u8,
        /// The cell on which White completes a placement (rule 3).
        cell: Option<u8>,
        /// The lines of a paving (rule 4).
        paving: Option<String>,
    },
    /// This move is enough: Black's cell, White's cell, or White's pass.
    One(Option<u8>, Link),
    /// These moves have answers; `None` is elsewhere.
    All(Vec<(Option<u8>, Link)>, Closing),
}

/// The node below a move, and the symmetry that takes its frame to the frame here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The node.
    pub node: NodeId,
    /// The symmetry.
    pub symmetry: u8,
}

/// A tree, and what its nodes claim.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<(Node, Claim)>,
    /// The root.
    pub root: Link,
}

impl Tree {
    /// Reads the bytes of a tree that has been checked.
    ///
    /// # Errors
    /// If they are no tree at all.
    pub fn read(rules: &Rules, verdict: Verdict, bytes: &[u8]) -> Result<Self, Fault> {
        let mut reader = Reader {
            rules,
            verdict,
            from: Source::new(bytes),
            kept: KeptNodes::default(),
            nodes: Vec::new(),
            depth: 0,
        };
        let root = reader.node()?;
        Ok(Self { nodes: reader.nodes, root })
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id].0
    }

    /// What a node claims, in its frame. Only proofs have claims.
    #[must_use]
    pub fn claim(&self, id: NodeId) -> Claim {
        self.nodes[id].1
    }

    /// What all nodes claim, each in its frame.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.nodes.iter().map(|(_, claim)| claim)
    }

    /// All nodes.
    pub fn iter(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().map(|(node, _)| node)
    }
}

struct Reader<'a> {
    rules: &'a Rules,
    verdict: Verdict,
    from: Source<'a>,
    kept: KeptNodes<Option<NodeId>>,
    nodes: Vec<(Node, Claim)>,
    depth: u32,
}

/// Every second node has one more stone of Black's.
const MAX_DEPTH: u32 = 2 * 128 + 2;

impl Reader<'_> {
    fn node(&mut self) -> Result<Link, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the tree is too deep".to_string());
        }
        let tag = Tag::take(&mut self.from)?;
        let (node, claim, number) = match tag {
            Tag::Same { back, .. } => {
                let symmetry = self.from.byte()?;
                let node = self.kept.find(back)?.1.ok_or("a node that is not closed")?;
                self.depth -= 1;
                if symmetry >= self.rules.symmetries() {
                    return Err("no such symmetry".to_string());
                }
                return Ok(Link { node, symmetry });
            }
            Tag::Leaf(rule) => (self.leaf(rule)?, Claim::WON, None),
            Tag::One(kept) => {
                let number = kept.then(|| self.kept.add(None));
                let byte = self.from.byte()?;
                let (cell, claim);
                let link = match self.verdict {
                    Verdict::Proven => {
                        cell = Some(self.cell(byte)?);
                        let link = self.node()?;
                        claim = self.claim(link).before(byte);
                        link
                    }
                    Verdict::Disproven => {
                        cell = byte.checked_sub(1).map(|cell| self.cell(cell)).transpose()?;
                        claim = Claim::WON;
                        self.node()?
                    }
                };
                (Node::One(cell, link), claim, number)
            }
            Tag::All(kept) => {
                let number = kept.then(|| self.kept.add(None));
                let (node, claim) = self.all()?;
                (node, claim, number)
            }
        };
        self.depth -= 1;
        self.nodes.push((node, claim));
        let node = self.nodes.len() - 1;
        if let Some(kept) = number.and_then(|number| self.kept.get_mut(number)) {
            *kept = Some(node);
        }
        Ok(Link { node, symmetry: 0 })
    }

    fn leaf(&mut self, rule: u8) -> Result<Node, Fault> {
        let (mut cell, mut paving) = (None, None);
        match (self.verdict, rule) {
            (Verdict::Disproven, 3) => {
                let byte = self.from.byte()?;
                cell = Some(self.cell(byte)?);
            }
            (Verdict::Disproven, 4) => {
                let mut lines = Vec::new();
                for _ in 0..self.from.number()? {
                    lines.push(self.from.byte()?);
                }
                paving = Some(String::from_utf8(lines).map_err(|error| error.to_string())?);
            }
            _ => {}
        }
        Ok(Node::Leaf { rule, cell, paving })
    }

    fn all(&mut self) -> Result<(Node, Claim), Fault> {
        let count = self.from.number()?;
        let mut list = Vec::new();
        let mut claim = Claim { slack: 0, ..Claim::WON };
        for _ in 0..count {
            let byte = self.from.byte()?;
            let cell = match self.verdict {
                Verdict::Proven => byte.checked_sub(1).map(|cell| self.cell(cell)).transpose()?,
                Verdict::Disproven => Some(self.cell(byte)?),
            };
            let link = self.node()?;
            let answer = self.claim(link);
            claim.zone |= answer.zone;
            claim.stones = claim.stones.max(answer.stones);
            list.push((cell, link));
        }
        let mut closing = Closing::default();
        if self.verdict == Verdict::Proven {
            if !self.rules.weak {
                closing.slack = self.from.number()?;
            }
            closing.threats = self.set()?;
            closing.guards = self.set()?;
            claim.zone |= closing.threats | closing.guards;
            claim.slack = if self.rules.weak { Claim::ANY } else { closing.slack.into() };
            claim.stones = claim.stones.max(u32::from(closing.threats != 0));
        }
        Ok((Node::All(list, closing), claim))
    }

    fn claim(&self, link: Link) -> Claim {
        self.nodes[link.node].1.turned(self.rules, link.symmetry)
    }

    fn cell(&self, byte: u8) -> Result<u8, Fault> {
        let inside = u32::from(byte) < self.rules.all.count_ones();
        if inside { Ok(byte) } else { Err(format!("no cell {byte}")) }
    }

    fn set(&mut self) -> Result<Cells, Fault> {
        let mut set = 0;
        for _ in 0..self.from.number()? {
            let byte = self.from.byte()?;
            set |= 1 << self.cell(byte)?;
        }
        Ok(set)
    }
}
