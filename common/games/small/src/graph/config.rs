//! The configuration of a random graph: a plain struct, its parameters, and the canonical spelling
//! that connects the two.

use std::fmt;
use std::ops::RangeInclusive;

use hasami_andor::Repetition;

use hasami_spec::params::{Param, ParamError, Params};

const NODES: RangeInclusive<u32> = 1..=20_000_000;
const BRANCHING: RangeInclusive<u16> = 1..=64;

/// The parameters, in the order of [`GraphConfig`]'s fields.
pub(super) static PARAMS: &[Param] = &[
    Param::number("nodes", "how many nodes, 1 to 20000000").or("1000"),
    Param::choice("shape", "how edges may meet", &["tree", "dag", "cyclic"]).or("dag"),
    Param::number("branching", "most moves of a node, 1 to 64").or("4"),
    Param::fraction("sharing", "edges that go to a known node, not a new one").or("0.3"),
    Param::fraction("leaves", "nodes that are settled").or("0.2"),
    Param::fraction("bias", "settled nodes that are proven").or("0.5"),
    Param::choice(
        "repetition",
        "what a repeated node counts as (cyclic graphs only)",
        &["disproven", "proven"],
    )
    .or("disproven"),
    Param::choice(
        "turns",
        "whether the sides alternate or every node is drawn",
        &["alternate", "random"],
    )
    .or("alternate"),
    Param::switch("chain", "show a move only when the one before it has failed").or("off"),
    Param::switch("evaluate", "give random first numbers, some of them settled").or("off"),
    Param::number("seed", "which of these graphs").or("0"),
];

/// How edges may join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every node has one parent.
    Tree,
    /// Nodes are shared and reached by paths of several lengths, without cycles.
    Dag,
    /// Edges go anywhere: back to ancestors, to the parent, to the node itself.
    Cyclic,
}

/// Which player chooses at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// The children of OR nodes are AND nodes and vice versa, on all edges (so no node is its own
    /// child).
    Alternate,
    /// Every node is drawn at random: several moves in a turn, loops at one node.
    Random,
}

/// A family of random graphs, and one member of it.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphConfig {
    /// The exact number of nodes.
    pub nodes: u32,
    /// How edges may join.
    pub shape: Shape,
    /// The most moves of a node; each number from 1 is equally likely.
    pub branching: u16,
    /// The probability that an edge goes to a known node rather than a new one.
    pub sharing: f64,
    /// The probability that a node is settled; it also is if no edge can be found for it.
    pub leaves: f64,
    /// The probability that a settled node is proven.
    pub bias: f64,
    /// The value of a repeated node, in cyclic graphs.
    pub repetition: Repetition,
    /// Which player chooses at a node.
    pub turns: Turns,
    /// Whether a move is hidden until the one before it has failed.
    pub chain: bool,
    /// Whether nodes have initial numbers.
    pub evaluate: bool,
    /// The member of the family.
    pub seed: u64,
}

impl Default for GraphConfig {
    /// The defaults of the parameters.
    fn default() -> Self {
        Self {
            nodes: 1000,
            shape: Shape::Dag,
            branching: 4,
            sharing: 0.3,
            leaves: 0.2,
            bias: 0.5,
            repetition: Repetition::Disproven,
            turns: Turns::Alternate,
            chain: false,
            evaluate: false,
            seed: 0,
        }
    }
}

impl GraphConfig {
    /// The configuration from these parameters.
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            nodes: params.number("nodes", NODES)?,
            shape: params.choice(
                "shape",
                &[("tree", Shape::Tree), ("dag", Shape::Dag), ("cyclic", Shape::Cyclic)],
            )?,
            branching: params.number("branching", BRANCHING)?,
            sharing: params.fraction("sharing")?,
            leaves: params.fraction("leaves")?,
            bias: params.fraction("bias")?,
            repetition: params.choice(
                "repetition",
                &[("disproven", Repetition::Disproven), ("proven", Repetition::Proven)],
            )?,
            turns: params
                .choice("turns", &[("alternate", Turns::Alternate), ("random", Turns::Random)])?,
            chain: params.switch("chain")?,
            evaluate: params.switch("evaluate")?,
            seed: params.number("seed", 0..=u64::MAX)?,
        })
    }

    /// Checks that such graphs can be made.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        if !NODES.contains(&self.nodes) || !BRANCHING.contains(&self.branching) {
            return Params::parse(PARAMS, &self.to_string())
                .and_then(|params| Self::from_params(&params).map(drop));
        }
        for (key, value) in
            [("sharing", self.sharing), ("leaves", self.leaves), ("bias", self.bias)]
        {
            if !(0.0..=1.0).contains(&value) {
                return Err(ParamError::bad(key, value, "a number from 0 to 1"));
            }
        }
        if self.shape == Shape::Cyclic && self.repetition == Repetition::Impossible {
            let expected = "disproven or proven in a cyclic graph";
            return Err(ParamError::bad("repetition", "impossible", expected));
        }
        Ok(())
    }
}

/// The canonical spelling.
impl fmt::Display for GraphConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = match self.shape {
            Shape::Tree => "tree",
            Shape::Dag => "dag",
            Shape::Cyclic => "cyclic",
        };
        let repetition = match self.repetition {
            Repetition::Impossible | Repetition::Disproven => "disproven",
            Repetition::Proven => "proven",
        };
        let turns = match self.turns {
            Turns::Alternate => "alternate",
            Turns::Random => "random",
        };
        let switch = |on: bool| if on { "on" } else { "off" };
        write!(f, "nodes={} shape={shape}", self.nodes)?;
        write!(f, " branching={} sharing={}", self.branching, self.sharing)?;
        write!(f, " leaves={} bias={}", self.leaves, self.bias)?;
        write!(f, " repetition={repetition} turns={turns}")?;
        write!(f, " chain={}", switch(self.chain))?;
        write!(f, " evaluate={}", switch(self.evaluate))?;
        write!(f, " seed={}", self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_struct_and_the_parameters_have_the_same_defaults_and_spelling() {
        let params = Params::parse(PARAMS, "").unwrap();
        let config = GraphConfig::from_params(&params).unwrap();
        assert_eq!(config, GraphConfig::default());
        assert_eq!(config.to_string(), params.canonical());
    }

    #[test]
    fn every_field_is_in_the_spelling() {
        let config = GraphConfig {
            nodes: 77,
            shape: Shape::Cyclic,
            branching: 9,
            sharing: 0.125,
            leaves: 1.0,
            bias: 0.1 + 0.2,
            repetition: Repetition::Proven,
            turns: Turns::Random,
            chain: true,
            evaluate: true,
            seed: u64::MAX,
        };
        let params = Params::parse(PARAMS, &config.to_string()).unwrap();
        assert_eq!(params.canonical(), config.to_string());
        assert_eq!(GraphConfig::from_params(&params), Ok(config));
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let refused = |config: GraphConfig| config.check().unwrap_err().to_string();
        let wrong = GraphConfig { nodes: 0, ..GraphConfig::default() };
        assert_eq!(refused(wrong), "nodes=0: expected a whole number from 1 to 20000000");
        let wrong = GraphConfig { leaves: -0.5, ..GraphConfig::default() };
        assert_eq!(refused(wrong), "leaves=-0.5: expected a number from 0 to 1");
        let wrong = GraphConfig {
            shape: Shape::Cyclic,
            repetition: Repetition::Impossible,
            ..GraphConfig::default()
        };
        assert!(refused(wrong).starts_with("repetition=impossible"));
    }
}
