//! `hasami`: settles AND/OR questions about combinatorial games and shows why.
//!
//! Exit codes: 0 done, 1 failed, 2 wrong usage or bad input, 3 not settled within the budget.

mod args;
mod certify;
mod cgt;
mod cluster;
mod database;
mod failure;
mod games;
mod go;
mod kernel_args;
mod leave;
mod log;
mod output;
mod pave;
mod play;
mod puzzles;
mod screen;
mod shapes;
mod solve;
mod store;
mod table;
mod verify;
mod words;

fn main() {
    let result = args::parse().and_then(|request| {
        let logging = log::start(&request.log, request.level())?;
        let result = match request.action {
            args::Action::Solve(question, options) => solve::run(&question, &options),
            args::Action::Pave(options) => pave::run(&options),
            args::Action::Shapes(options) => shapes::run(&options),
            args::Action::Cgt(options) => cgt::run(&options),
            args::Action::Go(options) => go::run(&options),
            args::Action::Play(what, options) => play::run(&what, &options),
            args::Action::Puzzles(options) => puzzles::run(&options),
            args::Action::Table(options) => table::run(&options),
            args::Action::Verify(options) => verify::run(&options),
            args::Action::Database(options) => database::run(&options),
            args::Action::Query(options) => database::query(&options),
            args::Action::Store(options) => store::run(&options),
            args::Action::Games(options) => games::run(&options),
            args::Action::Cluster(command) => cluster::run(&command),
        };
        if let Err(failure) = &result {
            logging.tell(failure);
        }
        result
    });
    leave::leave(match result {
        Ok(()) => 0,
        Err(failure) => {
            failure.report();
            failure.exit_code()
        }
    })
}
