//! The skeleton of an SGF text: brackets, parentheses and semicolons, and the positions of nodes.

use super::{NodeFault, SgfError};

/// Most nodes below each other. A deeper tree is not a game, and dropping it would overflow the
/// stack.
const MAX_DEPTH: usize = 5_000;

/// The positions of the nodes of the first game's main line.
pub(super) struct Outline {
    /// Line and column of each `;`, from 1.
    nodes: Vec<(usize, usize)>,
}

impl Outline {
    /// Checks the structure of all games of a text.
    pub fn read(text: &str) -> Result<Self, SgfError> {
        let mut scan = Scan::default();
        for sign in text.chars() {
            scan.sign(sign)?;
            scan.step(sign);
        }
        scan.end()
    }

    /// Number of the last node.
    pub fn last(&self) -> usize {
        self.nodes.len() - 1
    }

    /// An error at the position of a node.
    pub fn fault(&self, node: usize, fault: NodeFault) -> SgfError {
        let (line, column) = self.nodes[node];
        SgfError::Node { line, column, node, fault }
    }
}

/// The state of the parser.
#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    /// Between games.
    #[default]
    Outside,
    /// After `(`: the first node of a variation.
    Opened,
    /// In a node, before the name of a property.
    Node,
    /// In or after the name of a property.
    Name,
    /// In a value.
    Value,
    /// After a backslash in a value.
    Escaped,
    /// After a value: another one, or the next property.
    Valued,
    /// After `)`.
    Closed,
}

struct Scan {
    state: State,
    line: usize,
    column: usize,
    /// For each open `(`: the number of nodes above it, and whether it is on the main line.
    open: Vec<(usize, bool)>,
    depth: usize,
    /// Whether nodes here are on the main line.
    main: bool,
    nodes: Vec<(usize, usize)>,
}

impl Default for Scan {
    fn default() -> Self {
        let (state, open, nodes) = (State::default(), Vec::new(), Vec::new());
        Self { state, line: 1, column: 1, open, depth: 0, main: true, nodes }
    }
}

impl Scan {
    fn sign(&mut self, sign: char) -> Result<(), SgfError> {
        self.state = match (self.state, sign) {
            (State::Escaped, _) => State::Value,
            (State::Value, '\\') => State::Escaped,
            (State::Value, ']') => State::Valued,
            (State::Value, _) => State::Value,
            (same, _) if sign.is_ascii_whitespace() => same,
            (State::Name | State::Valued, '[') => State::Value,
            (State::Node | State::Name | State::Valued, _) if sign.is_ascii_alphabetic() => {
                State::Name
            }
            (State::Outside | State::Node | State::Valued | State::Closed, '(') => {
                self.open.push((self.depth, self.main));
                State::Opened
            }
            (State::Opened | State::Node | State::Valued, ';') => {
                self.node()?;
                State::Node
            }
            (State::Node | State::Valued | State::Closed, ')') => {
                let (depth, _) = self.open.pop().expect("an open parenthesis in these states");
                self.depth = depth;
                // What follows is another variation, or another game.
                self.main = false;
                if self.open.is_empty() { State::Outside } else { State::Closed }
            }
            (state, _) => return Err(self.error(format!("{sign:?}"), expected(state))),
        };
        Ok(())
    }

    fn node(&mut self) -> Result<(), SgfError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("another node".to_string(), "at most 5000 nodes in a line"));
        }
        if self.main {
            self.nodes.push((self.line, self.column));
        }
        Ok(())
    }

    fn step(&mut self, sign: char) {
        if sign == '\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else {
            self.column += 1;
        }
    }

    fn end(self) -> Result<Outline, SgfError> {
        if self.state != State::Outside || self.nodes.is_empty() {
            return Err(self.error("the end of the file".to_string(), expected(self.state)));
        }
        Ok(Outline { nodes: self.nodes })
    }

    fn error(&self, found: String, expected: &'static str) -> SgfError {
        SgfError::Syntax { line: self.line, column: self.column, found, expected }
    }
}

fn expected(state: State) -> &'static str {
    match state {
        State::Outside => "\"(\", the start of a game tree",
        State::Opened => "\";\", the start of a node",
        State::Node => "a property like AB[cd], or \")\"",
        State::Name => "\"[\", a value of the property",
        State::Value | State::Escaped => "\"]\", the end of the value",
        State::Valued => "a property like AB[cd], another value, or \")\"",
        State::Closed => "another variation, or \")\"",
    }
}
