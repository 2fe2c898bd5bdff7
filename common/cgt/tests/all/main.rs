//! The kernel against papers, brute force and identities, in one executable.

mod census;
