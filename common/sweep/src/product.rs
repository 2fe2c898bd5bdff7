//! The items of a sweep, by number: a mixed-radix count whose digits choose a value on each axis.
//! Nothing is stored per item, so a million items cost no more than their axes.

use std::fmt::Write as _;

use hasami_spec::Param;

use crate::range::NumberRange;

/// The values of one parameter.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// In canonical spelling.
    List(Vec<Box<str>>),
    /// Whole numbers, spelled on demand.
    Range(NumberRange),
}

impl Values {
    /// Number of values; never 0.
    pub fn len(&self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Range(range) => range.len(),
        }
    }

    /// Value `at`, from 0.
    pub fn get(&self, at: usize) -> String {
        match self {
            Self::List(list) => list[at].to_string(),
            Self::Range(range) => range.get(at).to_string(),
        }
    }

    /// Value `at` as a number; `None` if it is none.
    fn number(&self, at: usize) -> Option<i64> {
        match self {
            Self::List(list) => list[at].parse().ok(),
            Self::Range(range) => Some(range.get(at)),
        }
    }
}

/// Parameters that advance together; one digit of the count.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The parameters, by their index in the list of the problem, with equally many values each.
    pub axes: Vec<(usize, Values)>,
    /// Number of values.
    pub len: usize,
}

/// Source of a parameter's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A constant.
    Fixed(Box<str>),
    /// This axis of this group.
    Axis(usize, usize),
}

/// All items of a sweep.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    groups: Vec<Group>,
    slots: Vec<(Box<str>, Slot)>,
    len: usize,
}

impl Product {
    /// The product of these groups, the slowest-changing first. `defaults` has the values of the
    /// parameters in no group.
    pub fn new(params: &'static [Param], groups: Vec<Group>, defaults: &[Option<String>]) -> Self {
        let slot = |param: usize| {
            let mut axes = groups.iter().enumerate().flat_map(|(group, one)| {
                one.axes.iter().enumerate().map(move |(axis, (of, _))| (group, axis, *of))
            });
            match axes.find(|&(_, _, of)| of == param) {
                Some((group, axis, _)) => Slot::Axis(group, axis),
                None => Slot::Fixed(defaults[param].clone().unwrap_or_default().into()),
            }
        };
        let slots = params.iter().enumerate();
        let slots = slots.map(|(at, param)| (param.name.into(), slot(at))).collect();
        let len = groups.iter().map(|group| group.len).product();
        Self { groups, slots, len }
    }

    /// A product from parts that fit together: every slot has its axis, and the axes of a group
    /// have its length.
    pub fn from_parts(groups: Vec<Group>, slots: Vec<(Box<str>, Slot)>) -> Self {
        let len = groups.iter().map(|group| group.len).product();
        Self { groups, slots, len }
    }

    /// The parameters in canonical order, with the sources of their values.
    pub fn slots(&self) -> &[(Box<str>, Slot)] {
        &self.slots
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// All values that were written as text.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let fixed = self.slots.iter().filter_map(|(_, slot)| match slot {
            Slot::Fixed(value) => Some(&**value),
            Slot::Axis(..) => None,
        });
        let axes = self.groups.iter().flat_map(|group| &group.axes);
        let lists = axes.filter_map(|(_, values)| match values {
            Values::List(list) => Some(list.iter().map(|value| &**value)),
            Values::Range(_) => None,
        });
        fixed.chain(lists.flatten())
    }

    /// The groups, the slowest-changing first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Distance in items between two neighbouring values of a group.
    pub fn stride(&self, group: usize) -> usize {
        self.groups[group + 1..].iter().map(|group| group.len).product()
    }

    /// The index of an item's value in a group.
    pub fn digit(&self, item: usize, group: usize) -> usize {
        item / self.stride(group) % self.groups[group].len
    }

    /// The parameters of an item, in canonical order.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn params(&self, item: usize) -> Vec<(String, String)> {
        assert!(item < self.len, "item {item} of {}", self.len);
        let value = |slot: &Slot| match slot {
            Slot::Fixed(value) => value.to_string(),
            &Slot::Axis(group, axis) => {
                self.groups[group].axes[axis].1.get(self.digit(item, group))
            }
        };
        self.slots.iter().map(|(name, slot)| (name.to_string(), value(slot))).collect()
    }

    /// Passes on the parameters of an item, in canonical order. `number` is a scratch buffer.
    pub fn each_param(&self, item: usize, number: &mut String, add: &mut dyn FnMut(&str, &str)) {
        for (name, slot) in &self.slots {
            match slot {
                Slot::Fixed(value) => add(name, value),
                &Slot::Axis(group, axis) => {
                    let digit = self.digit(item, group);
                    match &self.groups[group].axes[axis].1 {
                        Values::List(list) => add(name, &list[digit]),
                        Values::Range(range) => {
                            number.clear();
                            let _ = write!(number, "{}", range.get(digit));
                            add(name, number);
                        }
                    }
                }
            }
        }
    }

    /// The value of one parameter of an item as a number; `None` if it is none.
    pub fn number(&self, item: usize, name: &str) -> Option<i64> {
        let (_, slot) = self.slots.iter().find(|(known, _)| **known == *name)?;
        match slot {
            Slot::Fixed(value) => value.parse().ok(),
            &Slot::Axis(group, axis) => {
                self.groups[group].axes[axis].1.number(self.digit(item, group))
            }
        }
    }

    /// The value of one parameter of an item; `None` if there is no such parameter.
    pub fn value(&self, item: usize, name: &str) -> Option<String> {
        let (_, slot) = self.slots.iter().find(|(known, _)| **known == *name)?;
        Some(match slot {
            Slot::Fixed(value) => value.to_string(),
            &Slot::Axis(group, axis) => {
                self.groups[group].axes[axis].1.get(self.digit(item, group))
            }
        })
    }

    /// The item that differs from this one in one parameter, which it has from `other`; parameters
    /// that advance together with it come along.
    pub fn with_value_of(&self, item: usize, name: &str, other: usize) -> usize {
        match self.slots.iter().find(|(known, _)| **known == *name) {
            Some(&(_, Slot::Axis(group, _))) => {
                let stride = self.stride(group);
                item - self.digit(item, group) * stride + self.digit(other, group) * stride
            }
            _ => item,
        }
    }

    /// One item for every value of a parameter, in the order of the values.
    pub fn one_of_each(&self, name: &str) -> impl Iterator<Item = usize> {
        let slot = self.slots.iter().find(|(known, _)| **known == *name).map(|(_, slot)| slot);
        let (count, stride) = match slot {
            Some(&Slot::Axis(group, _)) => (self.groups[group].len, self.stride(group)),
            _ => (1, 0),
        };
        (0..count).map(move |digit| digit * stride)
    }

    /// The parameters with more than one value, in canonical order.
    pub fn varying(&self) -> impl Iterator<Item = &str> {
        self.slots.iter().filter_map(|(name, slot)| match slot {
            Slot::Axis(group, _) if self.groups[*group].len > 1 => Some(&**name),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static PARAMS: &[Param] = &[
        Param::number("a", "slow"),
        Param::number("b", "zipped with d"),
        Param::number("c", "a range"),
        Param::text("d", "zipped with b"),
        Param::text("e", "fixed"),
    ];

    fn list(values: &[String]) -> Values {
        Values::List(values.iter().map(|value| value.as_str().into()).collect())
    }

    proptest! {
        #[test]
        fn items_are_those_of_nested_loops(
            a in prop::collection::vec("[a-z]{1,3}", 1..5),
            zipped in prop::collection::vec(("[0-9]{1,3}", "[a-z]{1,3}"), 1..6),
            c in 1..7usize,
        ) {
            let range = NumberRange::parse(&format!("10..{}", 10 + c)).unwrap();
            let (b, d): (Vec<String>, Vec<String>) = zipped.iter().cloned().unzip();
            let groups = vec![
                Group { axes: vec![(0, list(&a))], len: a.len() },
                Group { axes: vec![(1, list(&b)), (3, list(&d))], len: b.len() },
                Group { axes: vec![(2, Values::Range(range))], len: c },
            ];
            let defaults = [None, None, None, None, Some("fixed".to_string())];
            let product = Product::new(PARAMS, groups, &defaults);
            let mut expected = Vec::new();
            for a in &a {
                for (b, d) in &zipped {
                    for c in 10..10 + c {
                        let values = [a, b, &c.to_string(), d, "fixed"].map(ToString::to_string);
                        let names = ["a", "b", "c", "d", "e"].map(String::from);
                        expected.push(names.into_iter().zip(values).collect::<Vec<_>>());
                    }
                }
            }
            prop_assert_eq!(product.len(), expected.len());
            for (item, expected) in expected.into_iter().enumerate() {
                prop_assert_eq!(product.params(item), expected.clone());
                let mut added = Vec::new();
                product.each_param(item, &mut String::new(), &mut |name, value| {
                    added.push((name.to_string(), value.to_string()));
                });
                prop_assert_eq!(added, expected);
            }
        }
    }
}
