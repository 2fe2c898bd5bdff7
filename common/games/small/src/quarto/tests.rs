//! QUARTO! against a second implementation without sets of cells, against the positions of Ogawa,
//! Koizumi and Otsuki, and against positions valued by exhaustive search.

mod data;
mod plain;
mod rules;
mod symmetries;
mod values;
