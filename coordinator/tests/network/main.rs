//! The coordinator's services over real sockets. One program: each is linked with RocksDB, which
//! takes its time.

mod access;
mod cluster;
mod health;
mod positions;
