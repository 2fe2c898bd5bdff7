//! All blocking pavings of one period: counted, listed, and split into disjoint parts.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use super::instance::{Instance, Pairs};
use super::lattice::Lattice;
use super::part::{Rest, Walk};
use super::pattern::{Paving, minus};
use super::prefix::{Prefix, PrefixError};
use super::search::{Goal, Search, Step};
use crate::polyomino::shape::Shape;

/// Which pavings are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Blocking, and every cell is in a pair.
    Complete,
    /// Blocking, and no pair can be removed. Removing a pair removes its repetitions by the period
    /// too, so a pattern may be minimal in one orientation and not in another. Every blocking
    /// paving contains one of these.
    Minimal,
    /// Blocking, with any cells left over.
    All,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Complete => "complete",
            Self::Minimal => "minimal",
            Self::All => "all",
        })
    }
}

/// Numbers of pavings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// As sets of pairs on the period.
    pub raw: u64,
    /// As infinite patterns up to translation, rotation and reflection.
    pub patterns: u64,
}

/// All pavings of one kind with one period that block a set of shapes.
pub struct Enumeration {
    lattice: Lattice,
    shapes: Vec<Shape>,
    kind: Kind,
    instance: Instance,
}

impl Enumeration {
    /// Prepares the enumeration; nothing is searched yet.
    #[must_use]
    pub fn new(lattice: Lattice, shapes: &[Shape], pairs: Pairs, kind: Kind) -> Self {
        let instance = Instance::periodic(lattice, shapes, pairs);
        Self { lattice, shapes: shapes.to_vec(), kind, instance }
    }

    /// Splits the work into the parts `depth` decisions from the root. Every paving is in exactly
    /// one of them; parts known to be empty are left out.
    #[must_use]
    pub fn prefixes(&self, depth: usize) -> Vec<Prefix> {
        let mut found = Vec::new();
        self.split(&mut self.search(), depth, &mut Vec::new(), &mut found);
        found
    }

    fn split(
        &self,
        search: &mut Search,
        depth: usize,
        path: &mut Vec<u32>,
        found: &mut Vec<Prefix>,
    ) {
        match search.step() {
            Step::Dead => {}
            Step::Branch { pairs, none } if path.len() < depth => {
                for child in 0..pairs.len() + usize::from(none) {
                    path.push(child as u32);
                    let mark = search.enter(&pairs, child);
                    self.split(search, depth, path, found);
                    search.leave(mark);
                    path.pop();
                }
            }
            _ => found.push(Prefix(path.clone())),
        }
    }

    /// Visits every paving of a part, in search order.
    ///
    /// # Errors
    /// If this enumeration has no such part.
    pub fn each(&self, prefix: &Prefix, visit: impl FnMut(Paving)) -> Result<(), PrefixError> {
        self.each_until(prefix, |_| false, visit).map(|_| ())
    }

    /// Visits the pavings of a part until `split` returns true. `split` gets the number of nodes so
    /// far and is called at every node but the first. Every paving of the part is either visited or
    /// in exactly one of the remaining parts; these are few, the largest first, and deeper than
    /// this one.
    ///
    /// # Errors
    /// If this enumeration has no such part.
    pub fn each_until(
        &self,
        prefix: &Prefix,
        mut split: impl FnMut(u64) -> bool,
        mut visit: impl FnMut(Paving),
    ) -> Result<Rest, PrefixError> {
        let mut search = self.search();
        for (at, &child) in prefix.0.iter().enumerate() {
            let no_child = |expected| PrefixError::NoChild {
                prefix: prefix.clone(),
                step: at + 1,
                found: child,
                expected,
            };
            let Step::Branch { pairs, none } = search.step() else { return Err(no_child(0)) };
            let children = pairs.len() + usize::from(none);
            if child as usize >= children {
                return Err(no_child(children));
            }
            search.enter(&pairs, child as usize);
        }
        let mut visit = |search: &Search| visit(self.instance.paving(self.lattice, &search.laid()));
        let mut walk = Walk::new(prefix, &mut split, &mut visit);
        walk.part(&mut search);
        Ok(Rest { parts: walk.rest(), nodes: search.nodes })
    }

    /// Counts a part. The counts of disjoint parts add up, those of patterns too: a pattern is
    /// counted in the part with its least image.
    ///
    /// # Errors
    /// If this enumeration has no such part.
    pub fn count(&self, prefix: &Prefix) -> Result<Counts, PrefixError> {
        let mut counts = Counts::default();
        self.each(prefix, |paving| {
            counts.raw += 1;
            counts.patterns += u64::from(self.is_least(&paving));
        })?;
        Ok(counts)
    }

    /// Counts a part and lists its patterns, each by its least image, in order.
    ///
    /// # Errors
    /// If this enumeration has no such part.
    pub fn list(&self, prefix: &Prefix) -> Result<(Counts, Vec<Paving>), PrefixError> {
        let (mut raw, mut patterns) = (0, Vec::new());
        self.each(prefix, |paving| {
            raw += 1;
            if self.is_least(&paving) {
                patterns.push(paving);
            }
        })?;
        patterns.sort_unstable();
        Ok((Counts { raw, patterns: patterns.len() as u64 }, patterns))
    }

    /// How many pavings of this enumeration are the same pattern up to translation, rotation and
    /// reflection.
    #[must_use]
    pub fn images(&self, paving: &Paving) -> usize {
        let mut images = BTreeSet::new();
        for image in self.turned(paving) {
            images.extend(self.lattice.cells().map(|vector| image.moved(vector)));
        }
        images.len()
    }

    /// Whether no image of the paving in this enumeration precedes it: every pattern has one such
    /// image.
    #[must_use]
    pub fn is_least(&self, paving: &Paving) -> bool {
        self.turned(paving).all(|image| {
            self.lattice.cells().all(|vector| {
                let moved = self.lattice.cells().map(|cell| image.at(minus(cell, vector)));
                self.lattice.cells().map(|cell| paving.at(cell)).cmp(moved) != Ordering::Greater
            })
        })
    }

    /// The pattern in all orientations that belong to this enumeration.
    fn turned(&self, paving: &Paving) -> impl Iterator<Item = Paving> {
        (0..8).filter_map(|turn| {
            let image = paving.turned(turn);
            // Minimality depends on the period, which may not turn with the pattern.
            let safe = self.kind != Kind::Minimal || image.lattice() == self.lattice;
            image.on(self.lattice).filter(|image| safe || self.is_minimal(image))
        })
    }

    /// Whether no pair of a blocking paving can be left out.
    #[must_use]
    pub fn is_minimal(&self, paving: &Paving) -> bool {
        let pairs = paving.pairs();
        (0..pairs.len()).all(|out| {
            let kept = pairs.iter().enumerate().filter(|(at, _)| *at != out);
            let fewer = Paving::new(self.lattice, kept.map(|(_, pair)| *pair))
                .expect("fewer pairs are disjoint too");
            self.shapes.iter().any(|shape| !fewer.blocks(shape))
        })
    }

    fn search(&self) -> Search<'_> {
        let goal = match self.kind {
            Kind::Complete => Goal::Complete,
            Kind::Minimal => Goal::Minimal,
            Kind::All => Goal::All,
        };
        Search::new(&self.instance, goal)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::paving::lattice::Vector;
    use crate::paving::pattern::plus;
    use crate::paving::seed::tests::shapes_of;

    /// Every set of disjoint pairs, cell by cell, regardless of what it blocks.
    fn every_paving(lattice: Lattice, steps: &[Vector]) -> Vec<Paving> {
        fn go(
            lattice: Lattice,
            steps: &[Vector],
            class: usize,
            pairs: &mut Vec<(Vector, Vector)>,
            found: &mut Vec<Paving>,
        ) {
            if class == lattice.area() {
                found.push(Paving::new(lattice, pairs.iter().copied()).unwrap());
                return;
            }
            go(lattice, steps, class + 1, pairs, found);
            let cell = lattice.cell(class);
            for &step in steps {
                pairs.push((cell, step));
                let higher = lattice.class(plus(cell, step)) > class;
                if higher && Paving::new(lattice, pairs.iter().copied()).is_ok() {
                    go(lattice, steps, class + 1, pairs, found);
                }
                pairs.pop();
            }
        }
        let mut found = Vec::new();
        go(lattice, steps, 0, &mut Vec::new(), &mut found);
        found
    }

    fn all_steps(shapes: &[Shape], pairs: Pairs) -> Vec<Vector> {
        if pairs == Pairs::Adjacent {
            return vec![(0, 1), (0, -1), (1, 0), (-1, 0)];
        }
        let mut steps = BTreeSet::new();
        for cells in shapes.iter().flat_map(Shape::orientations) {
            for &(r, c) in &cells {
                for &(s, d) in &cells {
                    steps.insert((i32::from(r) - i32::from(s), i32::from(c) - i32::from(d)));
                }
            }
        }
        steps.remove(&(0, 0));
        steps.into_iter().collect()
    }

    fn by_brute_force(lattice: Lattice, shapes: &[Shape], pairs: Pairs, kind: Kind) -> Vec<Paving> {
        let blocks = |paving: &Paving| shapes.iter().all(|shape| paving.blocks(shape));
        let wanted = |paving: &Paving| match kind {
            Kind::All => true,
            Kind::Complete => paving.is_complete(),
            Kind::Minimal => (0..paving.pairs().len()).all(|out| {
                let mut fewer = paving.pairs();
                fewer.remove(out);
                !blocks(&Paving::new(lattice, fewer).unwrap())
            }),
        };
        let mut all = every_paving(lattice, &all_steps(shapes, pairs));
        all.retain(|paving| blocks(paving) && wanted(paving));
        all.sort_unstable();
        all
    }

    #[track_caller]
    fn agrees_with_brute_force(lattice: Lattice, shapes: &[Shape], pairs: Pairs, kind: Kind) {
        let expected = by_brute_force(lattice, shapes, pairs, kind);
        let enumeration = Enumeration::new(lattice, shapes, pairs, kind);
        let mut found = Vec::new();
        enumeration.each(&Prefix::default(), |paving| found.push(paving)).unwrap();
        found.sort_unstable();
        assert_eq!(found, expected);
        let patterns: BTreeSet<Paving> = expected.iter().map(Paving::canonical).collect();
        let counts = Counts { raw: expected.len() as u64, patterns: patterns.len() as u64 };
        assert_eq!(enumeration.count(&Prefix::default()), Ok(counts));
        let (same, listed) = enumeration.list(&Prefix::default()).unwrap();
        assert_eq!(same, counts);
        assert_eq!(listed.iter().map(Paving::canonical).collect::<BTreeSet<_>>(), patterns);
        assert_eq!(
            listed.iter().map(|paving| enumeration.images(paving)).sum::<usize>(),
            expected.len()
        );
        for depth in 1..4 {
            let mut parts = Vec::new();
            let mut sum = Counts::default();
            for prefix in enumeration.prefixes(depth) {
                let prefix: Prefix = prefix.to_string().parse().unwrap();
                enumeration.each(&prefix, |paving| parts.push(paving)).unwrap();
                let part = enumeration.count(&prefix).unwrap();
                sum.raw += part.raw;
                sum.patterns += part.patterns;
            }
            parts.sort_unstable();
            assert_eq!(parts, expected, "parts at depth {depth}");
            assert_eq!(sum, counts, "parts at depth {depth}");
        }
    }

    /// Counts and lists everything, part by part, and splits whenever `split` returns true.
    fn in_parts(enumeration: &Enumeration, mut split: impl FnMut() -> bool) -> (Vec<Paving>, u64) {
        let mut parts = vec![Prefix::default()];
        let (mut found, mut patterns) = (Vec::new(), 0);
        while let Some(part) = parts.pop() {
            let part: Prefix = part.to_string().parse().unwrap();
            let rest = enumeration.each_until(
                &part,
                |_| split(),
                |paving| {
                    patterns += u64::from(enumeration.is_least(&paving));
                    found.push(paving);
                },
            );
            for rest in rest.unwrap().parts {
                assert!(rest.0.starts_with(&part.0) && rest != part, "{rest} of {part}");
                parts.push(rest);
            }
        }
        found.sort_unstable();
        (found, patterns)
    }

    const KINDS: [Kind; 3] = [Kind::Complete, Kind::Minimal, Kind::All];

    #[test]
    fn chosen_sets_on_small_periods_agree_with_brute_force() {
        for (shapes, period) in [
            ("Square,I", "1x4+1"),
            ("Square", "2x4"),
            ("X,T,L", "2x4"),
            ("SS,ZZ", "3x2"),
            ("W,I", "2x4+2"),
            ("Z,W,R", "3x3"),
            // Large shapes leave many pavings, some with spare pairs.
            ("###/###/###", "3x3"),
            ("####/####", "2x4"),
            ("####/###.,##/##/##/##", "2x4+1"),
        ] {
            for kind in KINDS {
                let lattice = period.parse().unwrap();
                agrees_with_brute_force(lattice, &shapes_of(shapes), Pairs::Adjacent, kind);
            }
        }
    }

    #[test]
    fn any_pairs_on_small_tori_agree_with_brute_force() {
        for (shapes, period) in [("Square", "2x2"), ("Z", "1x4+2"), ("U", "2x3"), ("I", "1x5")] {
            for kind in KINDS {
                let lattice = period.parse().unwrap();
                agrees_with_brute_force(lattice, &shapes_of(shapes), Pairs::Any, kind);
            }
        }
    }

    #[test]
    fn domino_tilings_of_tori_are_counted_right() {
        // The middle of a 3×3 square has its partner within: every complete paving blocks it. So
        // these are all domino tilings of the torus (Kasteleyn 1961): 8 on 2×2, 36 on 2×4, 272 on 4×4,
        // 90,176 on 6×6.
        let large = &shapes_of("###/###/###");
        for (period, tilings) in [("2x2", 8), ("2x4", 36), ("4x4", 272), ("6x6", 90_176)] {
            let enumeration =
                Enumeration::new(period.parse().unwrap(), large, Pairs::Adjacent, Kind::Complete);
            assert_eq!(enumeration.count(&Prefix::default()).unwrap().raw, tilings, "{period}");
        }
    }

    #[test]
    fn tilings_counted_in_parts_are_as_many_and_the_rest_stays_short() {
        let large = &shapes_of("###/###/###");
        let enumeration =
            Enumeration::new("4x6".parse().unwrap(), large, Pairs::Adjacent, Kind::Complete);
        let whole = enumeration.count(&Prefix::default()).unwrap();
        for every in [1, 7, 100, 5000] {
            let mut node = 0;
            let split = || {
                node += 1;
                node % every == 0
            };
            let (found, patterns) = in_parts(&enumeration, split);
            assert_eq!(Counts { raw: found.len() as u64, patterns }, whole, "every {every}");
        }
        let rest = enumeration.each_until(&Prefix::default(), |nodes| nodes > 500, |_| {}).unwrap();
        // At most three untaken siblings at each of the twelve pairs.
        assert!(!rest.parts.is_empty() && rest.parts.len() <= 36, "{:?}", rest.parts);
        assert!(rest.parts.is_sorted_by_key(|part| part.0.len()));
    }

    #[test]
    fn a_prefix_of_another_question_is_refused() {
        let shapes = shapes_of("Square");
        let enumeration =
            Enumeration::new("2x2".parse().unwrap(), &shapes, Pairs::Adjacent, Kind::Complete);
        let wrong = enumeration.count(&"99".parse().unwrap()).unwrap_err();
        assert!(wrong.to_string().contains("no child 99 at step 1; expected a number below"));
        let deep = enumeration.count(&"0.0.0.0.0.0".parse().unwrap()).unwrap_err();
        assert!(deep.to_string().contains("expected a number below 0"), "{deep}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn random_sets_on_random_periods_agree_with_brute_force(
            // Small shapes are rarely blocked; the larger ones make the counts grow.
            size in 3_usize..9,
            picks in proptest::collection::vec(any::<prop::sample::Index>(), 1..3),
            rows in 1_u32..4,
            columns in 1_u32..5,
            shift in 0_u32..4,
            any_pairs in any::<bool>(),
            kind in prop::sample::select(KINDS.to_vec()),
        ) {
            let cells = if any_pairs { 6 } else { 9 };
            prop_assume!(rows * columns <= cells && shift < columns);
            let all = Shape::all_of_size(size);
            let shapes: Vec<Shape> = picks.iter().map(|pick| pick.get(&all).clone()).collect();
            let pairs = if any_pairs { Pairs::Any } else { Pairs::Adjacent };
            agrees_with_brute_force(Lattice::new(rows, columns, shift).unwrap(), &shapes, pairs, kind);
        }

        #[test]
        fn splitting_at_random_moments_loses_nothing_and_counts_nothing_twice(
            size in 3_usize..9,
            picks in proptest::collection::vec(any::<prop::sample::Index>(), 1..3),
            rows in 1_u32..4,
            columns in 1_u32..5,
            shift in 0_u32..4,
            any_pairs in any::<bool>(),
            kind in prop::sample::select(KINDS.to_vec()),
            // In how many of 256 nodes the part is split; all of them at worst.
            often in 1_u64..=256,
            seed in any::<u64>(),
        ) {
            let cells = if any_pairs { 6 } else { 9 };
            prop_assume!(rows * columns <= cells && shift < columns);
            let all = Shape::all_of_size(size);
            let shapes: Vec<Shape> = picks.iter().map(|pick| pick.get(&all).clone()).collect();
            let pairs = if any_pairs { Pairs::Any } else { Pairs::Adjacent };
            let lattice = Lattice::new(rows, columns, shift).unwrap();
            let expected = by_brute_force(lattice, &shapes, pairs, kind);
            let enumeration = Enumeration::new(lattice, &shapes, pairs, kind);
            let mut random = seed | 1;
            let split = || {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                random >> 56 < often
            };
            let (found, patterns) = in_parts(&enumeration, split);
            let distinct: BTreeSet<Paving> = expected.iter().map(Paving::canonical).collect();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(patterns, distinct.len() as u64);
        }
    }
}
