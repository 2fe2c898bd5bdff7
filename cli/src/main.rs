//! `hasami`: settles AND/OR questions about combinatorial games and shows why.
//!
//! Exit codes: 0 done, 1 failed, 2 wrong usage or bad input, 3 not settled within the budget, 4
//! another coordinator has taken over, 130
//! after SIGINT, 143 after SIGTERM.

mod amounts;
mod cluster;
mod completions;
mod config;
mod database;
mod deploy;
mod failure;
mod files;
mod game_args;
mod games;
mod global;
mod kernel_args;
mod learn;
mod leave;
mod log;
mod man;
mod output;
mod parse;
mod play;
mod polyomino;
mod puzzles;
mod screen;
mod secrets;
mod solve;
mod stop;
mod store;
mod suggest;
mod tree;
mod usi;
mod value;
mod verify;
mod version;
mod words;

use std::ffi::OsString;

use failure::Failure;

/// A contradiction panics with a payload that the default hook cannot print.
fn name_contradictions() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if let Some(contradiction) = info.payload().downcast_ref::<hasami_andor::Contradiction>() {
            eprintln!("contradiction: {contradiction}");
        }
        default(info);
    }));
}

fn main() {
    name_contradictions();
    let words: Vec<OsString> = usi::by_name(std::env::args_os().collect());
    let mut form = parse::form(&words);
    let result = parse::parse(&words).and_then(|request| {
        form = request.global.output.output;
        let level = request.global.level();
        let logging = log::start(&request.global.log, level, (request.action.level)())?;
        let result = request.run();
        if let Err(failure) = &result {
            logging.tell(failure);
        }
        result
    });
    leave::leave(match result {
        Ok(()) => 0,
        Err(failure) => {
            failure.report(form);
            match (&failure, stop::exit_code()) {
                // Stopped by the user, not by a budget.
                (Failure::Unsettled, Some(code)) => code,
                _ => failure.exit_code(),
            }
        }
    })
}
