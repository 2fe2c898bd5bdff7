//! The range of an axis, its ticks, and how numbers are written beside them.

use super::Scale;

/// Most ticks that are the numbers of the data themselves.
const MOST_OWN: usize = 10;
/// About how many ticks an axis has.
const ABOUT: f64 = 6.0;

/// An axis with its range: a place between 0 and 1 for each number.
#[derive(Clone, Debug)]
pub struct Ruler {
    scale: Scale,
    from: f64,
    to: f64,
}

impl Ruler {
    /// The exact range of the data.
    pub fn tight(scale: Scale, values: impl Iterator<Item = f64>) -> Self {
        let (from, to) = range(values).unwrap_or((1.0, 10.0));
        match scale {
            _ if from < to => Self { scale, from, to },
            Scale::Linear => Self { scale, from: from - 0.5, to: to + 0.5 },
            Scale::Log => Self { scale, from: from / 2.0, to: to * 2.0 },
        }
    }

    /// A range that ends at ticks. Bars need some height, so `bars` begins below the smallest number,
    /// or at 0.
    pub fn round(scale: Scale, values: impl Iterator<Item = f64>, bars: bool) -> Self {
        let Self { from, to, .. } = Self::tight(scale, values);
        let (mut low, mut high) = (from, to);
        match scale {
            Scale::Linear => {
                // A range that begins near 0 shows it.
                if bars || (from > 0.0 && from < to / 2.0) {
                    low = low.min(0.0);
                    high = high.max(0.0);
                }
                let step = step(high - low);
                low = (low / step).floor() * step;
                high = (high / step - 1e-9).ceil() * step;
            }
            Scale::Log => {
                let ticks = |at: f64| decimals(at.log10().floor() as i32 - 1, 3);
                let below = |tick: &f64| if bars { *tick < from * 0.999 } else { *tick <= from };
                low = ticks(from).into_iter().rfind(below).unwrap_or(from);
                high = ticks(to).into_iter().find(|tick| *tick >= to * 0.999).unwrap_or(to);
            }
        }
        Self { scale, from: low, to: high }
    }

    /// Where the number is: 0 at the beginning of the axis, 1 at its end.
    pub fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.from) / (self.to - self.from),
            Scale::Log => (value / self.from).ln() / (self.to / self.from).ln(),
        }
    }

    /// The numbers of the data if they are few and far enough apart, otherwise round ones.
    pub fn ticks_at(&self, values: impl Iterator<Item = f64>, apart: f64) -> Vec<f64> {
        let own = distinct(values);
        let near = |pair: &[f64]| self.place(pair[1]) - self.place(pair[0]) < apart;
        match own.len() <= MOST_OWN && !own.windows(2).any(near) {
            true => own,
            false => self.ticks(),
        }
    }

    /// Round numbers on the axis.
    pub fn ticks(&self) -> Vec<f64> {
        let (low, high) = (self.from, self.to);
        if self.scale == Scale::Log && high / low > 4.0 {
            let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
            let all = decimals(first, (last - first) as usize + 1);
            let powers = ((last - first) as f64 / ABOUT).ceil().max(1.0) as i32;
            let wanted = |tick: &f64| {
                let power = tick.log10();
                let whole = (power - power.round()).abs() < 1e-9;
                match high / low <= 2000.0 {
                    true => true,
                    false => whole && (power.round() as i32 - first) % powers == 0,
                }
            };
            let inside = |tick: &f64| *tick >= low * 0.999 && *tick <= high * 1.001;
            return all.into_iter().filter(inside).filter(wanted).collect();
        }
        let step = step(high - low);
        let first = (low / step - 1e-9).ceil();
        let count = (high / step + 1e-9).floor() - first;
        (0..=count as usize).map(|at| (first + at as f64) * step).collect()
    }

    /// The ends of the axis.
    pub fn ends(&self) -> (f64, f64) {
        (self.from, self.to)
    }
}

/// The numbers in ascending order, each once.
pub fn distinct(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut own: Vec<f64> = values.collect();
    own.sort_by(f64::total_cmp);
    own.dedup();
    own
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| {
        let (from, to) = range.unwrap_or((value, value));
        Some((value.min(from), value.max(to)))
    })
}

/// 1, 2 or 5 times a power of ten: the step with about [`ABOUT`] ticks over this width.
fn step(width: f64) -> f64 {
    let rough = width / ABOUT;
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough * 0.999);
    factor.unwrap_or(10.0) * power
}

/// 1, 2 and 5 times so many powers of ten, from the power `first` on.
fn decimals(first: i32, powers: usize) -> Vec<f64> {
    let powers = (first..).take(powers);
    powers.flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * 10_f64.powi(power))).collect()
}

/// A number as it is written on an axis: `0.25`, `10,000`, `2·10⁷`.
pub fn written(value: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    let size = value.abs();
    if (1e-3..1e6).contains(&size) {
        let digits = (4 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{value:.digits$}");
        let text = match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.'),
            false => &text,
        };
        return match text.parse::<u64>() {
            Ok(number) => crate::export::grouped(number),
            Err(_) => text.to_string(),
        };
    }
    let mut power = size.log10().floor() as i32;
    let mut factor = value / 10_f64.powi(power);
    if factor.abs() > 9.9995 {
        (factor, power) = (factor / 10.0, power + 1);
    }
    let ten = format!("10{}", raised(power));
    let factor = format!("{factor:.3}");
    match factor.trim_end_matches('0').trim_end_matches('.') {
        "1" => ten,
        factor => format!("{factor}·{ten}"),
    }
}

fn raised(power: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        _ => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][c as usize - '0' as usize],
    };
    power.to_string().chars().map(digit).collect()
}
