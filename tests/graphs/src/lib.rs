//! Trials of the kernels: a random graph from a seed, settled by every kernel, sum rule and table
//! size, and compared with the exhaustive oracle. Used by the tests and by `hasami-bench`.

pub mod hands;

use std::path::Path;

use hasami_andor::certificate::{self, Asked};
use hasami_andor::kernel::multipath::{Amount, Schedule};
use hasami_andor::{
    Control, Job, Kernel, Method, Options, Outcome, Problem, Repetition, Search, Stopped, SumRule,
    Table, Verdict, oracle,
};

use hasami_game::random::SplitMix;
use hasami_small::graph::{Graph, GraphConfig, Shape, Turns};

/// Nodes after which a trial is given up: a table of a few dozen entries can make even a small
/// graph take longer than anybody would wait. Giving up is counted, and never wrong.
const PATIENCE: u64 = 2_000_000;

/// Kernel, sum rule and table size of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// The kernel.
    pub kernel: Kernel,
    /// Everything else about the search.
    pub options: Options,
    /// The table, in percent of the distinct states.
    pub table: usize,
}

/// How often something was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Graphs.
    pub graphs: u64,
    /// Graphs in which states can repeat.
    pub cyclic: u64,
    /// Graphs whose root is proven.
    pub proven: u64,
    /// Searches that ended, one for each setup.
    pub searches: u64,
    /// Searches with another verdict than the oracle's, of the root or of a state in the table.
    pub wrong: u64,
    /// Certificates made.
    pub certificates: u64,
    /// Certificates of them that the verifier refused.
    pub refused: u64,
    /// Searches with a table for all states that were given up.
    pub given_up: u64,
    /// Searches with a smaller table that were given up.
    pub given_up_small: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.graphs += other.graphs;
        self.cyclic += other.cyclic;
        self.proven += other.proven;
        self.searches += other.searches;
        self.wrong += other.wrong;
        self.certificates += other.certificates;
        self.refused += other.refused;
        self.given_up += other.given_up;
        self.given_up_small += other.given_up_small;
    }
}

/// Every kernel × sum rule × table size, with what else can vary drawn from `random`.
pub fn setups(random: &mut SplitMix) -> Vec<Setup> {
    let mut setups = Vec::new();
    for kernel in ["pn", "pds", "dfpn", "multipath", "threads"] {
        for sum in [SumRule::Sum, SumRule::Weak, SumRule::Hybrid] {
            for table in [100, 10, 1] {
                setups.push(Setup {
                    kernel: draw_kernel(kernel, random),
                    options: Options {
                        method: pick(random, &[Method::Dfpn, Method::Pds]),
                        sum,
                        epsilon: pick(random, &[0, 32, 64, 256]),
                        tca: random.below(2) == 0,
                        evaluate: random.below(2) == 0,
                        seed: random.word(),
                    },
                    table,
                });
            }
        }
    }
    setups
}

fn draw_kernel(name: &str, random: &mut SplitMix) -> Kernel {
    match name {
        "pn" => Kernel::Pn,
        "pds" => Kernel::Pds,
        "dfpn" => Kernel::Dfpn,
        "threads" => Kernel::Threads(2 + random.below(2) as usize),
        _ => Kernel::Multipath(Schedule {
            threads: 2 + random.below(4) as usize,
            optimized: random.below(2) == 0,
            amount: pick(random, &[Amount::Constant, Amount::Proof, Amount::ProofAndDisproof]),
            base: pick(random, &[1, 5, 50, 1000]),
            weight: pick(random, &[0.0, 0.05, 1.0]),
            leader: pick(random, &[1.0, 1.25, 2.0]),
            adapt: random.below(2) == 0,
        }),
    }
}

fn pick<T: Copy>(random: &mut SplitMix, from: &[T]) -> T {
    from[random.below(from.len() as u32) as usize]
}

/// A random family of small graphs, and one of it.
pub fn draw_graph(random: &mut SplitMix) -> GraphConfig {
    // One in 64 is so large that one percent of it is a table at all.
    let (size, thinnest) = match random.below(64) {
        0 => (20_000, 2),
        _ => (pick(random, &[5, 15, 40, 40, 120, 120, 400]), 1),
    };
    let shape = pick(random, &[Shape::Tree, Shape::Dag, Shape::Dag, Shape::Cyclic, Shape::Cyclic]);
    let size = if shape == Shape::Cyclic { size.min(2_000) } else { size };
    GraphConfig {
        nodes: 1 + random.below(size),
        shape,
        branching: pick(random, &[thinnest, 2, 3, 4, 8]),
        sharing: pick(random, &[0.05, 0.3, 0.6, 0.9]),
        leaves: pick(random, &[0.05, 0.2, 0.4]),
        bias: pick(random, &[0.1, 0.5, 0.9]),
        repetition: pick(random, &[Repetition::Disproven, Repetition::Proven]),
        turns: pick(random, &[Turns::Alternate, Turns::Random]),
        chain: random.below(4) == 0,
        evaluate: random.below(3) == 0,
        seed: random.word(),
    }
}

/// Tries one random graph with every setup; `certificates` is where certificates are written
/// and verified, for one setup in `one_in`. Each fault is counted, and told in a sentence that says how
/// to see it again.
///
/// # Errors
/// If the graph cannot be tried at all.
pub fn try_graph(
    seed: u64,
    certificates: Option<(&Path, u32)>,
    mut tell: impl FnMut(String),
) -> Result<Tally, String> {
    let mut random = SplitMix::new(seed);
    let config = draw_graph(&mut random);
    let about = |what: String| format!("trial {seed}: {what}; graph {config:?}");
    let graph = Graph::new(config.clone()).map_err(|error| about(error.to_string()))?;
    let truth = oracle::solve(&graph, 1 << 20).map_err(|error| about(error.to_string()))?;
    let mut tally = Tally {
        graphs: 1,
        cyclic: u64::from(graph.repetition() != Repetition::Impossible),
        proven: u64::from(truth.root == Verdict::Proven),
        ..Tally::default()
    };
    for setup in setups(&mut random) {
        let states = truth.verdicts.len();
        let table =
            Table::with_entries(states * setup.table / 100, setup.options.sum == SumRule::Hybrid);
        let about = |what: String| about(format!("{what} with {setup:?}"));
        let Some(outcome) = settle(&graph, &table, &setup, &mut random) else {
            match setup.table {
                100 => tally.given_up += 1,
                _ => tally.given_up_small += 1,
            }
            continue;
        };
        tally.searches += 1;
        if let Some(fault) = fault(&outcome, &table, &truth) {
            tally.wrong += 1;
            tell(about(fault));
            continue;
        }
        if let Some((directory, one_in)) = certificates
            && random.below(one_in) == 0
        {
            tally.certificates += 1;
            if let Err(refusal) = certify(&graph, &table, truth.root, directory) {
                tally.refused += 1;
                tell(about(refusal));
            }
        }
    }
    Ok(tally)
}

/// Where a search contradicts the oracle: in the verdict of the root, or in that of any state that the
/// table calls settled.
fn fault(outcome: &Outcome, table: &Table<()>, truth: &oracle::Answer) -> Option<String> {
    if outcome.numbers.verdict() != Some(truth.root) {
        return Some(format!("{outcome:?}, the oracle says {:?}", truth.root));
    }
    let mut wrong = None;
    table.for_each(|key, entry| {
        let right = truth.verdicts.get(&key).copied();
        if entry.numbers.verdict().is_some_and(|verdict| Some(verdict) != right) {
            wrong = Some(format!("the table says {:?} of {key:?}: {right:?}", entry.numbers));
        }
    });
    wrong
}

/// Runs a search to its end, sometimes in pieces: a budget that ends, a continuation.
fn settle<P: Problem>(
    graph: &P,
    table: &Table<P::Reason>,
    setup: &Setup,
    random: &mut SplitMix,
) -> Option<Outcome> {
    let in_pieces = random.below(4) == 0;
    let control = Control::with_budget(if in_pieces { 3 } else { PATIENCE });
    let job = Job::settle(graph.root());
    let mut search = Search::new(setup.kernel, graph, table, setup.options, job);
    loop {
        let outcome = search.run(&control);
        if outcome.stopped == Stopped::Settled {
            return Some(outcome);
        }
        if control.nodes() >= PATIENCE {
            return None;
        }
        control.extend(1 + u64::from(random.below(50)));
    }
}

/// Name of the certificate of a trial.
const FILE: &str = "trial.cert";

fn asked<P: Problem>(graph: &P) -> Asked {
    let lines = vec![("id".to_string(), graph.id().to_string())];
    Asked { game: "trial".to_string(), rules: 1, lines, except: None }
}

fn certify<P: Problem>(
    graph: &P,
    table: &Table<P::Reason>,
    verdict: Verdict,
    directory: &Path,
) -> Result<(), String> {
    let (asked, file) = (asked(graph), directory.join(FILE));
    certificate::extract(graph, table, &Control::unlimited(), &asked, verdict, &file)
        .map_err(|error| format!("no certificate: {error}"))?;
    let verified = certificate::verify(&file, graph, &asked)
        .map_err(|error| format!("the certificate is refused: {error}"))?;
    if verified.header.verdict == verdict {
        Ok(())
    } else {
        Err("the certificate has another verdict".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that is right, and the truth that it is measured by with one verdict turned round.
    #[test]
    fn a_wrong_verdict_is_seen_at_the_root_and_in_the_table() {
        let config = GraphConfig {
            nodes: 200,
            shape: Shape::Dag,
            branching: 3,
            leaves: 0.1,
            bias: 0.5,
            chain: false,
            ..draw_graph(&mut SplitMix::new(1))
        };
        let graph = Graph::new(config).expect("a graph");
        let mut truth = oracle::solve(&graph, 1 << 20).expect("a small graph");
        let table = Table::with_entries(1 << 12, false);
        let options = Options::default();
        let setup = Setup { kernel: Kernel::Dfpn, options, table: 100 };
        let outcome = settle(&graph, &table, &setup, &mut SplitMix::new(2)).expect("a verdict");
        assert_eq!(fault(&outcome, &table, &truth), None);

        let mut settled = None;
        table.for_each(|key, entry| {
            if entry.numbers.verdict().is_some() && key != graph.key(&graph.root()) {
                settled = Some(key);
            }
        });
        let state = settled.expect("a settled state below the root");
        let right = truth.verdicts[&state];
        truth.verdicts.insert(state, right.opposite());
        assert!(fault(&outcome, &table, &truth).is_some_and(|what| what.contains("the table")));
        truth.verdicts.insert(state, right);
        truth.root = truth.root.opposite();
        assert!(fault(&outcome, &table, &truth).is_some_and(|what| what.contains("the oracle")));
    }
}
