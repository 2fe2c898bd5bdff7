//! The order in which waiting items begin: long ones first, as far as anything is known of their
//! cost, because a long item that begins last keeps one worker busy and all others waiting.
//!
//! What is known of an item is its [`Weight`]: from an earlier run of the same question, or in a
//! sweep with stages from the item with the same parameters in the stage before. Where nothing is
//! known, the parameters often run from small to large (or back): items are taken from the end of
//! the list whose items have cost more so far.

use hasami_sweep::Measures;

use super::ids::Millis;

/// The cost of an item on a scale of logarithms, in one byte: a sweep may have ten million items.
/// Zero: nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(u8);

/// Steps for a factor of two.
const STEPS: f64 = 6.0;
/// What is cheaper has the least weight, in seconds.
const LEAST: f64 = 1e-6;

impl Weight {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self(0);

    /// The weight of a cost. The numbers come from workers: whatever they are, there is a weight.
    #[must_use]
    pub fn of(cost: Measures) -> Self {
        // Answers that were found without a clock still have nodes: a microsecond each.
        let seconds = if cost.seconds > 0.0 { cost.seconds } else { cost.nodes as f64 * LEAST };
        // A float cast saturates.
        Self(1 + ((seconds.max(LEAST) / LEAST).log2() * STEPS).min(254.0) as u8)
    }

    fn seconds(self) -> f64 {
        LEAST * (f64::from(self.0.saturating_sub(1)) / STEPS).exp2()
    }

    /// The weight of the mean cost of those that are known; unknown if none is.
    #[must_use]
    pub fn mean(all: impl Iterator<Item = Self>) -> Self {
        let (mut sum, mut count) = (0.0, 0_u64);
        for weight in all.filter(|weight| *weight != Self::UNKNOWN) {
            sum += weight.seconds();
            count += 1;
        }
        if count == 0 {
            return Self::UNKNOWN;
        }
        Self::of(Measures { seconds: sum / count as f64, ..Measures::default() })
    }
}

/// The places of a list that have not begun, taken from either end.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    /// No place before this one waits.
    front: u32,
    /// No place from this one on waits.
    back: u32,
    front_cost: Recent,
    back_cost: Recent,
    /// When a place was last taken from the back.
    probed: Option<Millis>,
}

/// The cost of what has ended lately, on the scale of [`Weight`].
#[derive(Clone, Copy, Debug, Default)]
struct Recent(Option<f32>);

impl Recent {
    /// The weight of the latest one.
    const LATEST: f32 = 0.25;

    fn add(&mut self, weight: Weight) {
        let latest = f32::from(weight.0);
        self.0 = Some(self.0.map_or(latest, |before| before + Self::LATEST * (latest - before)));
    }
}

impl Ends {
    /// Of a list of this many places.
    pub fn new(places: usize) -> Self {
        Self {
            front: 0,
            back: places as u32,
            front_cost: Recent::default(),
            back_cost: Recent::default(),
            probed: None,
        }
    }

    /// How many places may wait before `end`.
    pub fn left(&self, end: u32) -> usize {
        self.back.min(end).saturating_sub(self.front) as usize
    }

    /// The next place before `end` that `waits`. `both`: the order says nothing of the cost, and
    /// the back may be tried.
    pub fn next(
        &mut self,
        end: u32,
        both: bool,
        now: Millis,
        waits: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if both && self.back_is_dearer(now) {
            let found = (self.front..self.back).rev().find(|place| waits(*place));
            self.back = found.unwrap_or(self.front);
            self.probed = Some(now);
            return found;
        }
        let end = self.back.min(end);
        let found = (self.front..end).find(|place| waits(*place));
        self.front = found.map_or(end.max(self.front), |place| place + 1);
        found
    }

    /// Records that the item at a place has ended.
    pub fn ended(&mut self, place: u32, weight: Weight) {
        if place >= self.back {
            self.back_cost.add(weight);
        } else {
            self.front_cost.add(weight);
        }
    }

    fn back_is_dearer(&self, now: Millis) -> bool {
        // Try the last one as soon as there is something to compare it with.
        let (Some(front), Some(probed)) = (self.front_cost.0, self.probed) else {
            return self.front_cost.0.is_some();
        };
        let back = self.back_cost.0.unwrap_or_else(|| {
            // It is still being computed: it costs at least the time since.
            let seconds = now.0.saturating_sub(probed.0) as f64 / 1000.0;
            f32::from(Weight::of(Measures { seconds, ..Measures::default() }).0)
        });
        back > front
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Weight {
        Weight::of(Measures { seconds, ..Measures::default() })
    }

    #[test]
    fn weights_follow_costs_over_twelve_powers_of_ten() {
        let costs: Vec<Weight> = (-6..=6).map(|power| seconds(10_f64.powi(power))).collect();
        assert!(costs.is_sorted_by(|a, b| a < b), "{costs:?}");
        assert!(costs.iter().all(|weight| *weight > Weight::UNKNOWN));
        for strange in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            assert_ne!(seconds(strange), Weight::UNKNOWN);
        }
        let nodes = Weight::of(Measures { nodes: 1_000_000, ..Measures::default() });
        assert_eq!(nodes, seconds(1.0));
    }

    #[test]
    fn the_mean_is_that_of_costs_not_of_logarithms() {
        let mean = Weight::mean([seconds(1000.0), Weight::UNKNOWN, seconds(0.001)].into_iter());
        assert!(mean > seconds(400.0) && mean < seconds(600.0));
        assert_eq!(Weight::mean(std::iter::empty()), Weight::UNKNOWN);
    }

    /// The order in which one worker takes places of these costs.
    fn order(costs: &[f64]) -> Vec<u32> {
        let mut ends = Ends::new(costs.len());
        let mut now = 0.0;
        let mut order = Vec::new();
        while let Some(place) = ends.next(costs.len() as u32, true, Millis(now as u64), |_| true) {
            now += 1000.0 * costs[place as usize];
            ends.ended(place, seconds(costs[place as usize]));
            order.push(place);
        }
        order
    }

    #[test]
    fn the_dear_end_of_a_list_is_taken_first_whichever_it_is() {
        let rising: Vec<f64> = (0..10).map(|n| 0.01 * 2_f64.powi(n)).collect();
        assert_eq!(order(&rising), [0, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
        let falling: Vec<f64> = rising.into_iter().rev().collect();
        assert_eq!(order(&falling)[..4], [0, 9, 1, 2]);
    }

    #[test]
    fn every_place_is_taken_once_whatever_the_costs_are() {
        let costs: Vec<f64> = (1..200_u64).map(|n| (n * 7919 % 101) as f64 / 50.0).collect();
        let mut taken = order(&costs);
        taken.sort_unstable();
        assert_eq!(taken, (0..199).collect::<Vec<u32>>());
    }

    #[test]
    fn a_last_place_that_takes_long_counts_before_it_has_ended() {
        let mut ends = Ends::new(10);
        let take = |ends: &mut Ends, now| ends.next(10, true, Millis(now), |_| true);
        assert_eq!([take(&mut ends, 0), take(&mut ends, 0)], [Some(0), Some(1)]);
        ends.ended(0, seconds(0.1));
        assert_eq!(take(&mut ends, 100), Some(9), "a try");
        ends.ended(1, seconds(0.1));
        assert_eq!(take(&mut ends, 150), Some(2), "not longer than the others yet");
        assert_eq!(take(&mut ends, 900), Some(8));
    }
}
