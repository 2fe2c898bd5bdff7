//! `hasami-hostile`: sends a coordinator what it must bear.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use hasami_hostile::{Order, harass};
use hasami_proto::Access;

/// Sends hostile messages to a coordinator.
#[derive(Parser)]
struct Arguments {
    /// The access file of the coordinator.
    #[arg(long)]
    access: PathBuf,
    /// Messages to send.
    #[arg(long, default_value_t = 1000)]
    messages: u64,
    /// Where chance begins.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Callers at the same time.
    #[arg(long, default_value_t = 4)]
    callers: u32,
    /// A run that clients leave alone.
    #[arg(long, default_value_t = 1)]
    spare: u64,
}

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { access, messages, seed, callers, spare } = Arguments::parse();
    let access = match Access::read(&access) {
        Ok(access) => access,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    match harass(&access, &Order { messages, seed, callers, spare }).await {
        Ok(tally) => {
            println!("{tally:?}");
            ExitCode::SUCCESS
        }
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::FAILURE
        }
    }
}
