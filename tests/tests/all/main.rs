//! The program from outside, in one executable: building one for each file takes minutes.

mod bench;
mod cgt;
mod cluster;
mod cluster_chaos;
mod cluster_faults;
mod cluster_kinds;
mod cluster_network;
mod cluster_run;
mod damaged_certificates;
mod databases;
mod forged_certificates;
mod full_disk;
mod games;
mod go;
mod output;
mod pave;
mod paving;
mod play;
mod polyomino;
mod puzzles;
mod signals;
mod solve;
mod staged_databases;
mod store;
mod usage;
mod values;
