//! The options that choose and tune a kernel.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use hasami_andor::SumRule;
use hasami_andor::kernel::multipath::{Amount, Schedule};
use hasami_andor::{Kernel, Method, Options};
use hasami_spec::{self as spec, Evaluation, SearchSettings};

use crate::failure::Failure;

/// Names of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KernelName {
    /// Best-first search of an explicit graph (Allis 1994)
    Pn,
    /// Depth-first, both thresholds from 1 upward (Nagai 1998)
    Pds,
    /// Depth-first, thresholds from the root (Nagai & Imai 2002)
    Dfpn,
    /// A leader and pseudo-threads on one core (Takano et al.)
    Multipath,
    /// Many cores on one table (after Kaneko 2010)
    Threads,
    /// `dfpn` with the sum rule `weak` (Ueda et al. 2008)
    Wpns,
}

/// Names of the sum rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SumName {
    /// Sum of all children (Allis 1994)
    Sum,
    /// Largest child plus one for each further one (Ueda et al. 2008)
    Weak,
    /// Sum, but largest among children that share descendants
    Hybrid,
}

/// Names of the depth-first methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// Thresholds from 1 upward
    Pds,
    /// Thresholds from the root
    Dfpn,
}

/// How the turns of pseudo-threads follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScheduleName {
    /// Strictly in turn
    Plain,
    /// The leader is next when a slave has proven its node
    Optimized,
}

/// How much a pseudo-thread may search in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AmountName {
    /// The base, for everybody
    Constant,
    /// base × Σ pn / pn
    Pn,
    /// base × Σ (pn + dn) / (pn + dn)
    #[value(name = "pn+dn")]
    PnDn,
}

/// Which kernel, and how.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct KernelArgs {
    /// Kernel; `threads` if --threads says more than 1, else `dfpn`
    #[arg(long, value_enum)]
    pub kernel: Option<KernelName>,
    /// How the numbers of children add up where all are needed [default: what suits the game]
    #[arg(long, value_enum, value_name = "RULE")]
    pub sum: Option<SumName>,
    /// Cores, for the kernel `threads` [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub threads: Option<u16>,
    /// 1+ε: a child is left only when it is this much worse than the second best [default: what
    /// suits the game]
    #[arg(long, value_name = "E", value_parser = epsilon)]
    pub epsilon: Option<f64>,
    /// Where the first numbers of new positions come from [default: what suits the game]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Evaluation::NAMES.map(|(name, _)| name)))]
    pub evaluation: Option<String>,
    /// Do without threshold controlling where states repeat
    #[arg(long)]
    pub no_tca: bool,
    /// Do without the game's own first numbers (df-pn instead of df-pn+)
    #[arg(long)]
    pub no_evaluate: bool,
    #[command(flatten)]
    pub multipath: MultipathArgs,
}

/// The scheduler of `multipath`.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Kernel multipath")]
pub struct MultipathArgs {
    /// Pseudo-threads, leader included
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub pseudo_threads: u16,
    /// How the turns follow one another
    #[arg(long, value_enum, default_value = "optimized", value_name = "WAY")]
    pub schedule: ScheduleName,
    /// How much a pseudo-thread may search in a turn
    #[arg(long, value_enum, default_value = "pn+dn", value_name = "WAY")]
    pub amount: AmountName,
    /// The amount of a turn, in nodes
    #[arg(long, default_value_t = 1000, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub base: u64,
    /// What a table reference counts beside a node
    #[arg(long, default_value_t = 0.0, value_name = "W", value_parser = weight)]
    pub weight: f64,
    /// The leader's amount is multiplied by this
    #[arg(long, default_value_t = 1.25, value_name = "F", value_parser = factor)]
    pub leader_factor: f64,
    /// Change the number of pseudo-threads and the leader's factor while the search runs
    #[arg(long)]
    pub adapt: bool,
    /// The depth-first search that the pseudo-threads run
    #[arg(long, value_enum, default_value = "pds", value_name = "METHOD")]
    pub method: MethodName,
}

fn between(text: &str, low: f64, high: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (low..=high).contains(&value) => Ok(value),
        _ => Err(format!("expected a number from {low} to {high}")),
    }
}

fn epsilon(text: &str) -> Result<f64, String> {
    between(text, 0.0, SearchSettings::MAX_EPSILON)
}

fn weight(text: &str) -> Result<f64, String> {
    between(text, 0.0, 1000.0)
}

fn factor(text: &str) -> Result<f64, String> {
    between(text, 0.01, 1000.0)
}

impl KernelArgs {
    /// The kernel.
    pub fn kernel(&self) -> Result<Kernel, Failure> {
        let many = self.threads.is_some_and(|threads| threads > 1);
        let name = self.kernel.unwrap_or(if many { KernelName::Threads } else { KernelName::Dfpn });
        if many && name != KernelName::Threads {
            return Err(Failure::Usage(
                "--threads goes with --kernel threads; for multipath see --pseudo-threads"
                    .to_string(),
            ));
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(match name.known().kernel(self.threads.map_or_else(cores, usize::from)) {
            Kernel::Multipath(_) => Kernel::Multipath(self.multipath.schedule()),
            other => other,
        })
    }

    /// What was said about the search, as sweeps say it.
    pub fn settings(&self, seed: u64) -> Result<SearchSettings, Failure> {
        let settings = SearchSettings {
            kernel: self.kernel.map(KernelName::known),
            sum: self.sum.map(SumName::rule),
            epsilon: self.epsilon,
            evaluation: self.evaluation(),
            seed,
            ..Default::default()
        };
        settings.check().map_err(|error| Failure::Usage(format!("--sum: {error}")))?;
        Ok(settings)
    }

    /// The evaluation that was asked for.
    pub fn evaluation(&self) -> Option<Evaluation> {
        let wanted = self.evaluation.as_deref()?;
        let found = Evaluation::NAMES.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, evaluation)| *evaluation)
    }

    /// Options with what only the command line can say.
    pub fn tuned(&self, options: Options) -> Options {
        Options {
            method: match self.multipath.method {
                MethodName::Pds => Method::Pds,
                MethodName::Dfpn => Method::Dfpn,
            },
            tca: !self.no_tca,
            evaluate: !self.no_evaluate,
            ..options
        }
    }
}

impl KernelName {
    fn known(self) -> spec::KernelName {
        match self {
            Self::Pn => spec::KernelName::Pn,
            Self::Pds => spec::KernelName::Pds,
            Self::Dfpn => spec::KernelName::Dfpn,
            Self::Multipath => spec::KernelName::Multipath,
            Self::Threads => spec::KernelName::Threads,
            Self::Wpns => spec::KernelName::Wpns,
        }
    }
}

impl SumName {
    fn rule(self) -> SumRule {
        match self {
            Self::Sum => SumRule::Sum,
            Self::Weak => SumRule::Weak,
            Self::Hybrid => SumRule::Hybrid,
        }
    }
}

impl MultipathArgs {
    fn schedule(&self) -> Schedule {
        Schedule {
            threads: usize::from(self.pseudo_threads),
            optimized: self.schedule == ScheduleName::Optimized,
            amount: match self.amount {
                AmountName::Constant => Amount::Constant,
                AmountName::Pn => Amount::Proof,
                AmountName::PnDn => Amount::ProofAndDisproof,
            },
            base: self.base,
            weight: self.weight,
            leader: self.leader_factor,
            adapt: self.adapt,
        }
    }
}
