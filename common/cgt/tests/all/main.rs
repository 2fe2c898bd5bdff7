//! The kernel against papers, brute force and identities, in one executable.

mod census;
mod domineering;
mod hostile;
mod identities;
mod names;
mod notation;
mod plain;
mod seed;
mod thermographs;
mod weights;
