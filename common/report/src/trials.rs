//! What settings of a search cost, compared over the same problems as Takano et al. do: the speed-up
//! of a setting over another is the geometric mean of the ratios of their costs.

use hasami_sweep::Verdict;

use crate::table::{Row, Table};

/// Problems that the baseline solves with less than this part of the budget are left out, as the paper
/// leaves out those under 10 s of 3600 s.
const EASY: f64 = 1.0 / 360.0;
/// Parameters that say what is searched. All others say how.
const PROBLEM: [&str; 3] = ["game", "rules", "seed"];
/// Parameters that only one kernel has.
const OF_MULTIPATH: [&str; 8] =
    ["threads", "optimized", "amount", "base", "weight", "leader", "method", "adapt"];

/// The comparison of a run.
#[derive(Clone, Debug)]
pub struct Trials {
    /// The settings, the baseline first.
    pub settings: Vec<Setting>,
    /// The problems that are compared.
    pub problems: Vec<String>,
    /// Problems that no setting has solved.
    pub unsolved: usize,
    /// Problems that the baseline solves too fast.
    pub easy: usize,
    /// Problems that some setting has no answer for.
    pub missing: usize,
    /// Problems on which two settings have different verdicts: an error that must be reported.
    pub conflicts: Vec<String>,
}

/// One setting, and what each problem cost with it.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its name: the kernel, and parameters that vary.
    pub name: String,
    /// All parameters that say how to search.
    params: Vec<(String, String)>,
    /// In the order of [`Trials::problems`].
    pub costs: Vec<Cost>,
}

/// What a problem cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Whether it was solved.
    pub solved: bool,
    /// Nodes; the budget if it was not solved.
    pub nodes: f64,
    /// Seconds, also of a search that ended with its budget.
    pub seconds: f64,
}

/// A mean of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The geometric mean.
    pub mean: f64,
    /// The standard error, as a factor.
    pub error: f64,
}

/// A setting chosen on one half of the problems, and what it is worth on the other.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// Its place in [`Trials::settings`].
    pub setting: usize,
    /// Its speed-up where it was chosen.
    pub chosen_on: Mean,
    /// Its speed-up on the other half.
    pub tested_on: Mean,
}

impl Setting {
    fn param(&self, name: &str) -> &str {
        let found = self.params.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value)
    }

    /// Problems that it has solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.costs.iter().filter(|cost| cost.solved).count()
    }

    fn is_multipath(&self) -> bool {
        self.param("kernel") == "multipath"
    }
}

impl Trials {
    /// The comparison of the answers in a table of trials; `None` if there is nothing to compare.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        if !table.spec.trials {
            return None;
        }
        let mut settings: Vec<Setting> = Vec::new();
        let mut problems: Vec<String> = Vec::new();
        let mut all: Vec<(usize, usize, &Row)> = Vec::new();
        for row in table.rows().iter().filter(|row| row.answer.is_some()) {
            let params = how(row);
            let setting = place(
                &mut settings,
                |known| known.params == params,
                || Setting {
                    name: named(table, &params),
                    params: params.clone(),
                    costs: Vec::new(),
                },
            );
            let what = PROBLEM.map(|name| row.param(name).to_string());
            let seed = if what[2] == "0" { String::new() } else { format!(" seed={}", what[2]) };
            let what = format!("{} {}{seed}", what[0], what[1]).trim_end().to_string();
            let problem = place(&mut problems, |known| *known == what, || what.clone());
            all.push((setting, problem, row));
        }
        let baseline = settings.iter().position(|setting| setting.param("kernel") == "pds");
        let baseline = baseline.unwrap_or(0);
        if settings.len() < 2 {
            return None;
        }
        let mut compared = Self {
            settings: settings.clone(),
            problems: Vec::new(),
            unsolved: 0,
            easy: 0,
            missing: 0,
            conflicts: Vec::new(),
        };
        for (number, problem) in problems.iter().enumerate() {
            let of = |setting: usize| {
                let mut rows = all.iter().filter(|(s, p, _)| (*s, *p) == (setting, number));
                rows.next().map(|(.., row)| *row)
            };
            let rows: Vec<Option<&Row>> = (0..settings.len()).map(of).collect();
            let verdicts = rows.iter().flatten().filter_map(|row| row.answer.as_ref());
            let mut verdicts =
                verdicts.map(|answer| answer.verdict).filter(|v| *v != Verdict::Open);
            let verdict = verdicts.next();
            if verdicts.any(|other| Some(other) != verdict) {
                compared.conflicts.push(problem.clone());
            }
            let costs: Option<Vec<(Cost, f64)>> = rows.iter().map(|row| cost((*row)?)).collect();
            match costs {
                None => compared.missing += 1,
                Some(_) if verdict.is_none() => compared.unsolved += 1,
                Some(costs) if costs[baseline].0.nodes < costs[baseline].1 * EASY => {
                    compared.easy += 1;
                }
                Some(costs) => {
                    compared.problems.push(problem.clone());
                    for (setting, (cost, _)) in compared.settings.iter_mut().zip(costs) {
                        setting.costs.push(cost);
                    }
                }
            }
        }
        let first = compared.settings.remove(baseline);
        compared.settings.insert(0, first);
        Some(compared)
    }

    /// The speed-up of a setting over the baseline, on the problems that `on` picks by their place.
    #[must_use]
    pub fn speed_up(
        &self,
        setting: usize,
        of: fn(&Cost) -> f64,
        on: impl Fn(usize) -> bool,
    ) -> Option<Mean> {
        let (base, costs) = (&self.settings[0].costs, &self.settings[setting].costs);
        let places = (0..self.problems.len()).filter(|place| on(*place));
        mean(places.map(|place| of(&base[place]) / of(&costs[place])))
    }

    /// The best setting of each half of the problems, tested on the other half: first chosen on those
    /// at even places, then on those at odd places.
    #[must_use]
    pub fn held_out(&self) -> Vec<HeldOut> {
        let half = |odd: usize| {
            let speed_up = |setting: usize, part: usize| {
                self.speed_up(setting, |cost| cost.nodes, |place| place % 2 == part)
            };
            let best = (0..self.settings.len())
                .filter_map(|setting| Some((setting, speed_up(setting, odd)?)))
                .max_by(|a, b| a.1.mean.total_cmp(&b.1.mean).then(b.0.cmp(&a.0)))?;
            let tested_on = speed_up(best.0, 1 - odd)?;
            Some(HeldOut { setting: best.0, chosen_on: best.1, tested_on })
        };
        [half(0), half(1)].into_iter().flatten().collect()
    }

    /// The settings of `multipath` in which these parameters have these values, by the value of
    /// another one: pseudo-threads and place of each setting.
    #[must_use]
    pub fn by(&self, varied: &str, fixed: &[(&str, &str)]) -> Vec<(String, Vec<(u32, usize)>)> {
        let mut groups: Vec<(String, Vec<(u32, usize)>)> = Vec::new();
        for (at, setting) in self.settings.iter().enumerate() {
            let fits = |(name, value): &(&str, &str)| setting.param(name) == *value;
            let threads = setting.param("threads").parse();
            let (true, true, Ok(threads)) =
                (setting.is_multipath(), fixed.iter().all(fits), threads)
            else {
                continue;
            };
            let value = setting.param(varied).to_string();
            let group =
                place(&mut groups, |known| known.0 == value, || (value.clone(), Vec::new()));
            groups[group].1.push((threads, at));
        }
        for (_, settings) in &mut groups {
            settings.sort_unstable();
        }
        groups
    }
}

/// The geometric mean of some ratios.
pub fn mean(ratios: impl Iterator<Item = f64>) -> Option<Mean> {
    let logs: Vec<f64> =
        ratios.filter(|ratio| ratio.is_finite() && *ratio > 0.0).map(f64::ln).collect();
    let count = logs.len() as f64;
    if logs.is_empty() {
        return None;
    }
    let middle = logs.iter().sum::<f64>() / count;
    let squares: f64 = logs.iter().map(|log| (log - middle).powi(2)).sum();
    let error = if logs.len() > 1 { (squares / (count - 1.0) / count).sqrt() } else { 0.0 };
    Some(Mean { mean: middle.exp(), error: error.exp() })
}

/// The place of the first that fits; a new one at the end if there is none.
fn place<T>(all: &mut Vec<T>, fits: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> usize {
    all.iter().position(fits).unwrap_or_else(|| {
        all.push(new());
        all.len() - 1
    })
}

/// The parameters that say how a row was searched.
fn how(row: &Row) -> Vec<(String, String)> {
    let multipath = row.param("kernel") == "multipath";
    let says =
        |name: &str| !PROBLEM.contains(&name) && (multipath || !OF_MULTIPATH.contains(&name));
    row.question.params.iter().filter(|(name, _)| says(name)).cloned().collect()
}

/// The kernel, and the parameters that vary in the run.
fn named(table: &Table, params: &[(String, String)]) -> String {
    let mut words = Vec::new();
    for (name, value) in params {
        match name.as_str() {
            "kernel" => words.insert(0, value.clone()),
            name if table.varying.iter().any(|varying| varying == name) => {
                words.push(format!("{name}={value}"));
            }
            _ => {}
        }
    }
    words.join(" ")
}

/// What a row cost, and its budget.
fn cost(row: &Row) -> Option<(Cost, f64)> {
    let answer = row.answer.as_ref()?;
    let budget: f64 = row.param("budget").parse().ok()?;
    let solved = answer.verdict != Verdict::Open;
    let nodes: f64 = if solved { row.field("expanded")?.parse().ok()? } else { budget };
    // The shortest searches take less than a clock shows.
    let (nodes, seconds) = (nodes.max(1.0), answer.measures.seconds.max(1e-6));
    Some((Cost { solved, nodes, seconds }, budget))
}

#[cfg(test)]
mod tests;
