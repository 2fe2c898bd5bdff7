//! A gapless number for every position: the index of a database.
//!
//! Positions are from the view of the side to move, rows sorted. Rows of equal progress form a
//! class; positions are ordered by the progress still missing, then by the classes of their rows,
//! then by the rows. So a move leads to a smaller number, and positions that are computed together,
//! and those they lead to, are adjacent.

use std::ops::Range;

use super::row::Rows;

/// The number of every position with `R` rows, at most three.
#[derive(Clone, Debug)]
pub struct Numbering<const R: usize> {
    /// The class of a row and its index in it.
    places: Vec<(u8, u16)>,
    /// The number of rows of each class.
    sizes: Vec<u16>,
    /// The first row of each class.
    first: Vec<u16>,
    /// The first number of each combination of classes, by the classes as digits.
    bases: Vec<u64>,
    /// Combinations of classes, layer by layer; the layer is the sum of the classes.
    layers: Vec<Vec<[u8; R]>>,
    /// The number of indices up to the end of each layer.
    ends: Vec<u64>,
}

/// The number of ways to choose `count` of `size` things with repetition, regardless of order.
#[inline]
fn multisets(size: u64, count: usize) -> u64 {
    match count {
        0 => 1,
        1 => size,
        2 => size * (size + 1) / 2,
        _ => size * (size + 1) * (size + 2) / 6,
    }
}

impl<const R: usize> Numbering<R> {
    /// The numbering of positions whose rows are `rows`.
    #[must_use]
    pub fn new(rows: &Rows) -> Self {
        let most = rows.progress(0);
        let class = |row: u16| most - rows.progress(row);
        let count = rows.count() as u16;
        let classes = usize::from(class(count - 1)) + 1;
        let mut sizes = vec![0u16; classes];
        let mut first = vec![0u16; classes];
        let mut places = Vec::new();
        for row in 0..count {
            let at = usize::from(class(row));
            if sizes[at] == 0 {
                first[at] = row;
            }
            places.push((class(row), sizes[at]));
            sizes[at] += 1;
        }
        let mut layers = vec![Vec::new(); R * (classes - 1) + 1];
        let mut combination = [0u8; R];
        loop {
            let sum: usize = combination.iter().map(|&class| usize::from(class)).sum();
            // On a narrow board some classes have no rows.
            if combination.iter().all(|&class| sizes[usize::from(class)] > 0) {
                layers[sum].push(combination);
            }
            // The next combination: digits never decrease from left to right.
            let Some(at) = (0..R).rev().find(|&at| usize::from(combination[at]) + 1 < classes)
            else {
                break;
            };
            let next = combination[at] + 1;
            combination[at..].fill(next);
        }
        let mut numbering =
            Self { places, sizes, first, bases: Vec::new(), layers, ends: Vec::new() };
        numbering.bases = vec![u64::MAX; classes.pow(R as u32)];
        let mut next = 0;
        for layer in 0..numbering.layers.len() {
            for at in 0..numbering.layers[layer].len() {
                let combination = numbering.layers[layer][at];
                let digits = numbering.digits(&combination);
                numbering.bases[digits] = next;
                next += numbering.count_of(&combination);
            }
            numbering.ends.push(next);
        }
        numbering
    }

    fn digits(&self, classes: &[u8; R]) -> usize {
        classes.iter().fold(0, |digits, &class| digits * self.sizes.len() + usize::from(class))
    }

    /// The number of positions with rows of these classes.
    #[must_use]
    pub fn count_of(&self, classes: &[u8; R]) -> u64 {
        let mut count = 1;
        for group in classes.chunk_by(|left, right| left == right) {
            count *= multisets(self.sizes[usize::from(group[0])].into(), group.len());
        }
        count
    }

    /// The numbers of the positions with rows of these classes.
    #[must_use]
    pub fn numbers(&self, classes: &[u8; R]) -> Range<u64> {
        let from = self.bases[self.digits(classes)];
        from..from + self.count_of(classes)
    }

    /// The number of positions, including those that the side to move has already won.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Layers, starting from the end of the game; a move leads to an earlier one.
    #[must_use]
    pub fn layers(&self) -> &[Vec<[u8; R]>] {
        &self.layers
    }

    /// The number of indices up to the end of a layer.
    #[must_use]
    pub fn end(&self, layer: usize) -> u64 {
        self.ends[layer]
    }

    /// The number of the position with these rows, in any order.
    #[inline]
    #[must_use]
    pub fn number(&self, mut rows: [u16; R]) -> u64 {
        sort(&mut rows);
        let places = rows.map(|row| self.places[usize::from(row)]);
        let digits = places
            .iter()
            .fold(0, |digits, &(class, _)| digits * self.sizes.len() + usize::from(class));
        let mut number = self.bases[digits];
        let mut weight = 1;
        let mut at = 0;
        while at < R {
            let (class, place) = places[at];
            let size = u64::from(self.sizes[usize::from(class)]);
            let place = u64::from(place);
            let same = places[at..].iter().take_while(|other| other.0 == class).count();
            // Rows of one class in order: the combinatorial number system.
            match same {
                1 => {
                    number += weight * place;
                    weight *= size;
                }
                _ => {
                    let mut within = 0;
                    for (digit, &(_, place)) in (0..).zip(&places[at..at + same]) {
                        within += multisets(u64::from(place), digit + 1);
                    }
                    number += weight * within;
                    weight *= multisets(size, same);
                }
            }
            at += same;
        }
        number
    }

    /// The rows of position `number`, in order.
    #[must_use]
    pub fn rows(&self, number: u64) -> Option<[u16; R]> {
        let layer = self.ends.partition_point(|&end| end <= number);
        let base = |classes: &[u8; R]| self.bases[self.digits(classes)];
        let combinations = self.layers.get(layer)?;
        let at = combinations.partition_point(|classes| base(classes) <= number);
        let classes = &combinations[at.checked_sub(1)?];
        let mut rest = number - base(classes);
        let mut rows = [0; R];
        let mut from = 0;
        for group in classes.chunk_by(|left, right| left == right) {
            let class = usize::from(group[0]);
            let size = u64::from(self.sizes[class]);
            let ways = multisets(size, group.len());
            let mut within = rest % ways;
            rest /= ways;
            // The last row of a group is the most significant.
            for digit in (0..group.len()).rev() {
                let place = (0..size).rev().find(|&place| multisets(place, digit + 1) <= within)?;
                within -= multisets(place, digit + 1);
                rows[from + digit] = self.first[class] + place as u16;
            }
            from += group.len();
        }
        Some(rows)
    }

    /// Calls `take` with the number and the rows of every position of these classes, in ascending
    /// order.
    pub fn for_each(&self, classes: &[u8; R], mut take: impl FnMut(u64, [u16; R])) {
        let mut number = self.bases[self.digits(classes)];
        let begin = classes.map(|class| self.first[usize::from(class)]);
        let mut rows = begin;
        loop {
            take(number, rows);
            number += 1;
            // The first row changes fastest; rows of one class never decrease.
            let mut at = 0;
            loop {
                if at == R {
                    return;
                }
                let last = match classes.get(at + 1) {
                    Some(&next) if next == classes[at] => rows[at + 1],
                    _ => begin[at] + self.sizes[usize::from(classes[at])] - 1,
                };
                if rows[at] < last {
                    rows[at] += 1;
                    break;
                }
                rows[at] = begin[at];
                at += 1;
            }
        }
    }
}

/// Sorts a few numbers faster than the standard sort.
#[inline]
fn sort<const R: usize>(rows: &mut [u16; R]) {
    for end in (1..R).rev() {
        for at in 0..end {
            let (low, high) = (rows[at].min(rows[at + 1]), rows[at].max(rows[at + 1]));
            rows[at] = low;
            rows[at + 1] = high;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const R: usize>(columns: u8, home: u8, expected: u64) {
        let rows = Rows::new(columns, home);
        let numbering = Numbering::<R>::new(&rows);
        assert_eq!(numbering.count(), expected);
        let mut next = 0;
        for (layer, combinations) in numbering.layers().iter().enumerate() {
            for classes in combinations {
                numbering.for_each(classes, |number, rows| {
                    assert_eq!(number, next);
                    assert!(rows.is_sorted());
                    let mut other = rows;
                    other.reverse();
                    assert_eq!(numbering.number(other), number);
                    assert_eq!(numbering.rows(number), Some(rows));
                    next += 1;
                });
            }
            assert_eq!(numbering.end(layer), next);
        }
        assert_eq!(next, expected);
        assert_eq!(numbering.rows(expected), None);
    }

    #[test]
    fn numbers_have_no_gaps() {
        check::<1>(9, 3, 1680);
        check::<2>(7, 2, 210 * 211 / 2);
        check::<3>(5, 2, 30 * 31 * 32 / 6);
        check::<2>(9, 3, 1680 * 1681 / 2);
        // No row has made two steps.
        check::<2>(3, 1, 6 * 7 / 2);
    }

    #[test]
    fn the_whole_board_has_791_682_220_positions() {
        // Positions already won by the side to move are not playable: twenty of every row.
        let numbering = Numbering::<3>::new(&Rows::new(9, 3));
        assert_eq!(numbering.count() - multisets(20, 3), 791_682_220);
    }
}
