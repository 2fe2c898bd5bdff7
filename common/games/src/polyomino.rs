//! Achievement games for polyominoes (Harary): who first owns all cells of a target shape, turned
//! and mirrored as you like, wins.

pub mod shape;
