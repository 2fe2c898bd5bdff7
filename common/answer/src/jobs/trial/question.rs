//! `trial`: a question of a game, and every setting of its search. Settled answers are stored under the
//! parameters alone, so all that is measured is a parameter here and none is a search setting.

use std::sync::Arc;

use hasami_andor::kernel::multipath::{Amount, Schedule};
use hasami_andor::{Control, Kernel, Method, Options, SumRule};
use hasami_spec::settings::{SUM_RULES, sum_rule_word};
use hasami_spec::{
    Evaluation, KernelName, Kind, Param, ParamError, Params, Question, SearchSettings, Spec,
};

use crate::jobs::Job;
use crate::recheck::{self, Checked, Claimed, Doubt};
use crate::registry::{entry, games};
use crate::{Answered, JobError, Place};

/// One question of one game, searched as stated.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialJob {
    /// The game.
    pub(crate) game: String,
    /// Its parameters, as they were given.
    pub(crate) rules: Vec<(String, String)>,
    /// The kernel, with its own parameters.
    pub(crate) kernel: Kernel,
    /// Where first numbers come from.
    pub(crate) evaluation: Option<Evaluation>,
    /// Nodes for all stages.
    pub(crate) budget: u64,
    /// The largest size of the table, in MiB.
    pub(crate) table: u32,
    method: Method,
    sum: Option<SumRule>,
    epsilon: Option<f64>,
    seed: u64,
}

/// Stands for what suits the game.
const USUAL: &str = "usual";
/// The kernels that do the same every time.
const KERNELS: [(&str, KernelName); 5] = [
    ("dfpn", KernelName::Dfpn),
    ("pds", KernelName::Pds),
    ("multipath", KernelName::Multipath),
    ("wpns", KernelName::Wpns),
    ("pn", KernelName::Pn),
];
const METHODS: [(&str, Method); 2] = [("pds", Method::Pds), ("dfpn", Method::Dfpn)];
/// Parameters of the kernel `multipath` only.
const OF_MULTIPATH: [&str; 8] =
    ["threads", "optimized", "amount", "base", "weight", "leader", "method", "adapt"];

static PARAMS: &[Param] = &[
    Param::text("game", "the game"),
    Param::text("rules", "parameters of the game, key=value with ; between").or(""),
    Param::choice("kernel", "how to search", &["dfpn", "pds", "multipath", "wpns", "pn"])
        .or("dfpn"),
    Param::number("threads", "multipath: pseudo-threads, leader included, 1 to 16").or("3"),
    Param::choice("optimized", "multipath: the leader follows a proof at once", &["yes", "no"])
        .or("yes"),
    Param::choice("amount", "multipath: what limits a turn", &["constant", "pn", "pn+dn"])
        .or("pn+dn"),
    Param::number("base", "multipath: nodes of a turn, 1 to 1000000000").or("1000"),
    Param::text("weight", "multipath: what a table reference counts beside a node").or("0"),
    Param::text("leader", "multipath: the leader's amount is multiplied by this").or("1.25"),
    Param::choice("method", "multipath: what the pseudo-threads run", &["pds", "dfpn"]).or("pds"),
    Param::choice("adapt", "multipath: change threads and leader on the way", &["no", "yes"])
        .or("no"),
    Param::choice("sum", "how numbers add up", &[USUAL, "sum", "weak", "hybrid"]).or(USUAL),
    Param::text("epsilon", "1+ε, 0 to 16").or(USUAL),
    Param::text("evaluation", "where first numbers come from, if the game has several ways")
        .or(USUAL),
    Param::number("seed", "breaks ties").or("0"),
    Param::number("budget", "nodes, then the question is left open").or("10000000"),
    Param::number("table", "largest size of the table, in MiB").or("256"),
];

impl Job for TrialJob {
    const SPEC: Spec = Spec::job(
        "trial",
        "One question of one game, searched as stated, and what it cost",
        "trial game=mnk rules=width=4;height=4;line=4 kernel=multipath threads=2",
        PARAMS,
        &[Kind::Map],
    )
    .compares_searches()
    .checks(|params| Self::read(params).map(drop))
    .spells(|param, value| match param.name {
        "weight" | "leader" => number(param.name, &value, 0.0..=1000.0).map(|n| n.to_string()),
        "epsilon" if value != USUAL => {
            let most = SearchSettings::MAX_EPSILON;
            number(param.name, &value, 0.0..=most).map(|n| n.to_string())
        }
        _ => Ok(value),
    })
    .also_names(|params| {
        // The rules of a game may name files. Whether they hold otherwise is not the question here.
        let read = || {
            let spec = entry(params.text("game").ok()?).ok()?.spec;
            let rules = spec.read_words(params.text("rules").ok()?.split_terminator(';')).ok()?;
            Some(spec.files(&Params::new(spec.params, &rules).ok()?))
        };
        read().unwrap_or_default()
    });

    fn read(params: &Params) -> Result<Self, ParamError> {
        let name = params.text("game")?;
        let spec = games().map(|entry| entry.spec).find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| {
            let names: Vec<&str> = games().map(|entry| entry.spec.name).collect();
            ParamError::bad("game", name, format!("one of {}", names.join(", ")))
        })?;
        let text = params.text("rules")?;
        let refused = |why: String| ParamError::bad("rules", text, why);
        let rules = spec.read_words(text.split_terminator(';')).map_err(refused)?;
        spec.read(&rules).map_err(|error| refused(error.to_string()))?;
        let kernel = params.choice("kernel", &KERNELS)?;
        if kernel != KernelName::Multipath {
            let usual = |name: &str| {
                PARAMS.iter().find(|param| param.name == name).and_then(|param| param.default)
            };
            for name in OF_MULTIPATH {
                let value = params.text(name)?;
                if usual(name) != Some(value) {
                    return Err(ParamError::bad(name, value, "kernel=multipath with it"));
                }
            }
        }
        let yes = [("yes", true), ("no", false)];
        let schedule = Schedule {
            threads: params.number("threads", 1..=16)?,
            optimized: params.choice("optimized", &yes)?,
            amount: params.choice("amount", &Amount::NAMES)?,
            base: params.number("base", 1..=1_000_000_000)?,
            weight: number("weight", params.text("weight")?, 0.0..=1000.0)?,
            leader: number("leader", params.text("leader")?, 0.01..=1000.0)?,
            adapt: params.choice("adapt", &yes)?,
        };
        let sum = match params.text("sum")? {
            USUAL => None,
            _ => Some(params.choice("sum", &SUM_RULES)?),
        };
        let settings = SearchSettings { kernel: Some(kernel), sum, ..SearchSettings::default() };
        settings.check().map_err(|conflict| {
            ParamError::bad("sum", sum_rule_word(conflict.0), "weak, or usual, with kernel=wpns")
        })?;
        let epsilon = match params.text("epsilon")? {
            USUAL => None,
            text => Some(number("epsilon", text, 0.0..=SearchSettings::MAX_EPSILON)?),
        };
        Ok(Self {
            game: name.to_string(),
            rules,
            kernel: match kernel {
                KernelName::Multipath => Kernel::Multipath(schedule),
                other => other.kernel(1),
            },
            evaluation: evaluation(params, spec)?,
            budget: params.number("budget", 1..=u64::MAX)?,
            table: params.number("table", 1..=SearchSettings::MAX_TABLE_MIB)?,
            method: params.choice("method", &METHODS)?,
            sum: if kernel == KernelName::Wpns { Some(SumRule::Weak) } else { sum },
            epsilon,
            seed: params.number("seed", 0..=u64::MAX)?,
        })
    }

    fn answer(
        self,
        question: &Question,
        place: &Place,
        control: &Arc<Control>,
    ) -> Result<Answered, JobError> {
        super::answer(&self, question, place, control)
    }

    fn check(self, claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
        recheck::trial::check(&self, claimed)
    }
}

impl TrialJob {
    /// The question of the game, with the limits of this one.
    pub(crate) fn asked(&self, question: &Question) -> Question {
        let search = SearchSettings {
            budget: Some(self.budget),
            time_limit_ms: question.search.time_limit_ms,
            ..SearchSettings::default()
        };
        Question { problem: self.game.clone(), params: self.rules.clone(), search }
    }

    /// The options of the search, with `advice` for what is not said.
    pub(crate) fn options(&self, advice: Options) -> Options {
        let Self { sum, epsilon, seed, .. } = *self;
        let settings = SearchSettings { sum, epsilon, seed, ..SearchSettings::default() };
        Options { method: self.method, ..settings.options(advice) }
    }
}

/// A number in a range, in its shortest spelling.
fn number(name: &str, text: &str, range: std::ops::RangeInclusive<f64>) -> Result<f64, ParamError> {
    match text.parse::<f64>() {
        // Adding 0 turns -0 into 0.
        Ok(number) if range.contains(&number) => Ok(number + 0.0),
        _ => {
            let expected = format!("a number from {} to {}", range.start(), range.end());
            Err(ParamError::bad(name, text, expected))
        }
    }
}

/// The evaluation that is asked for, which the game must have.
fn evaluation(params: &Params, spec: &Spec) -> Result<Option<Evaluation>, ParamError> {
    let word = params.text("evaluation")?;
    if word == USUAL {
        return Ok(None);
    }
    let found = Evaluation::NAMES.iter().find(|(name, _)| *name == word);
    let names = Evaluation::NAMES.map(|(name, _)| name).join(", ");
    let expected = || ParamError::bad("evaluation", word, format!("{USUAL}, or one of {names}"));
    let wanted = found.map(|(_, evaluation)| *evaluation).ok_or_else(expected)?;
    spec.check_evaluation(Some(wanted))?;
    Ok(Some(wanted))
}
