//! The figures of the paper, to stand beside ours.

use crate::shard::Kind;

/// What the paper prints.
pub(crate) struct Paper {
    /// Table 2, for each set of features: R² of proof, log proof, disproof, log disproof. Of the last
    /// column only the entry of set 4 can be read.
    pub sizes: [[f64; 4]; 4],
    /// Table 3.
    pub values: [f64; 4],
}

pub(crate) const PAPER: Paper = Paper {
    sizes: [
        [0.013, 0.055, 0.097, 0.0],
        [0.013, 0.057, 0.099, 0.0],
        [0.041, 0.119, 0.187, 0.0],
        [0.091, 0.254, 0.200, 0.611],
    ],
    values: [0.098, 0.113, 0.351, 0.422],
};

/// Positions searched in tables 4 and 5, without an evaluation and with it.
const NONE: [u32; 2] = [4_015_138, 1_899_894];
const MATES: [(&str, u32); 13] = [
    ("proof (1)", 4_260_746),
    ("proof (2)", 4_295_551),
    ("proof (3)", 4_414_581),
    ("proof (4)", 2_957_751),
    ("proof (1) log", 6_471_862),
    ("proof (2) log", 6_174_945),
    ("proof (3) log", 5_017_261),
    ("proof (4) log", 4_361_708),
    ("both (4)", 3_568_060),
    ("value (1)", 4_304_044),
    ("value (2)", 6_099_030),
    ("value (3)", 3_200_853),
    ("value (4)", 3_195_096),
];
const NO_MATES: [(&str, u32); 13] = [
    ("disproof (1)", 1_299_925),
    ("disproof (2)", 1_240_033),
    ("disproof (3)", 851_212),
    ("disproof (4)", 895_990),
    ("disproof (1) log", 975_803),
    ("disproof (2) log", 1_051_606),
    ("disproof (3) log", 883_421),
    ("disproof (4) log", 888_763),
    ("both (4)", 901_660),
    ("value (1)", 1_457_535),
    ("value (2)", 1_505_405),
    ("value (3)", 1_667_634),
    ("value (4)", 1_631_208),
];

/// How many positions the paper searched with an evaluation, as a part of those without one.
pub(crate) fn ratio(kind: Kind, name: &str) -> Option<f64> {
    let (none, list) = match kind {
        Kind::Mate => (NONE[0], &MATES),
        Kind::NoMate => (NONE[1], &NO_MATES),
    };
    let found = list.iter().find(|(one, _)| *one == name)?;
    Some(f64::from(found.1) / f64::from(none))
}
