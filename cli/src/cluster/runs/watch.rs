//! `hasami runs watch`: shows a run live until it ends.

use std::collections::VecDeque;
use std::io::IsTerminal;

use clap::Parser;
use console::{Term, truncate_str};
use hasami_proto::v1::{ItemInfo, ItemState, RunInfo};
use hasami_sweep::text::shown;
use serde_json::json;

use crate::cluster::client::{AccessArgs, RunName};
use crate::cluster::follow::{News, follow};
use crate::cluster::{block_on, level_beside_bar};
use crate::cluster::{item_view, run_view};
use crate::failure::Failure;
use crate::output::{self, Output, OutputArgs};
use crate::tree::Verb;

/// Watch a run until it ends
#[derive(Clone, Debug, Parser)]
#[command(
    name = "watch",
    after_help = "Example:\n  hasami runs watch 3\n\nWith --output json: a JSON object a line."
)]
pub struct Watch {
    /// The run: its number, or its name [default: the latest]
    pub run: Option<RunName>,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Watch {
    fn level() -> &'static str {
        level_beside_bar()
    }

    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Shows a run until it ends.
async fn act(options: &Watch) -> Result<(), Failure> {
    let mut client = options.access.client()?;
    let run = client.find(options.run.as_ref()).await?;
    let form = options.answer.output;
    let block = form == Output::Human && std::io::stdout().is_terminal();
    let mut view =
        if block { View::Block(Box::new(Block::new())) } else { View::Lines(form, None) };
    let last = follow(&mut client, run.run, |news| view.tell(&news)).await?;
    view.end(&last)?;
    run_view::verdict(&last)
}

enum View {
    Block(Box<Block>),
    /// The last line about the run: a repeated line is not printed.
    Lines(Output, Option<String>),
}

impl View {
    fn tell(&mut self, news: &News<'_>) -> Result<(), Failure> {
        match self {
            Self::Block(block) => block.tell(news),
            Self::Lines(form, before) => lines(*form, before, news),
        }
    }

    fn end(self, last: &RunInfo) -> Result<(), Failure> {
        match self {
            Self::Block(mut block) => block.draw(last),
            Self::Lines(Output::Quiet, _) => {
                output::print(Output::Quiet, "", &json!(null), last.state().word())
            }
            Self::Lines(..) => Ok(()),
        }
    }
}

fn lines(form: Output, before: &mut Option<String>, news: &News<'_>) -> Result<(), Failure> {
    let (human, json) = match news {
        News::Run(run) => {
            let human = format!(
                "run {}: {}: {}; {}",
                run.run,
                run.state().word(),
                run_view::outcome(run),
                run_view::speed(run)
            );
            if before.as_ref() == Some(&human) {
                return Ok(());
            }
            *before = Some(human.clone());
            (human, json!({ "event": "run", "run": run_view::json(run) }))
        }
        News::Item(item) => {
            (item_line(item), json!({ "event": "item", "item": item_view::json(item) }))
        }
        News::Missed(count) => {
            (format!("{count} changes were missed"), json!({ "event": "missed", "count": count }))
        }
    };
    output::print(form, &human, &json, "")
}

/// An event of an item in one line.
pub fn item_line(item: &ItemInfo) -> String {
    let result = item_view::result(item);
    let colon = if result.is_empty() { "" } else { ": " };
    format!(
        "item {:>4}  {:<9}  {}{colon}{result}",
        item.item,
        item.state().word(),
        item_view::asked(item)
    )
}

/// Items that are shown below the run.
const LATEST: usize = 10;

/// Lines on a terminal that are redrawn.
struct Block {
    terminal: Term,
    /// Lines on the screen now.
    drawn: usize,
    run: Option<RunInfo>,
    latest: VecDeque<String>,
}

impl Block {
    fn new() -> Self {
        Self { terminal: Term::buffered_stdout(), drawn: 0, run: None, latest: VecDeque::new() }
    }

    fn tell(&mut self, news: &News<'_>) -> Result<(), Failure> {
        match news {
            News::Run(run) => self.run = Some((*run).clone()),
            News::Item(item) if item.state() != ItemState::Waiting => {
                self.latest.push_back(item_line(item));
                self.latest.drain(..self.latest.len().saturating_sub(LATEST));
            }
            News::Item(_) | News::Missed(_) => return Ok(()),
        }
        match self.run.clone() {
            Some(run) => self.draw(&run),
            None => Ok(()),
        }
    }

    fn draw(&mut self, run: &RunInfo) -> Result<(), Failure> {
        let (height, width) = self.terminal.size();
        let mut text = format!("{}\n{}", bar(run, usize::from(width)), run_view::details(run));
        for line in &self.latest {
            text.push_str(&format!("{line}\n"));
        }
        let text = shown(&text);
        // Lines that do not fit cannot be erased.
        let most = usize::from(height).saturating_sub(1).max(1);
        let lines: Vec<_> = text.lines().take(most).collect();
        let written = self.terminal.clear_last_lines(self.drawn).and_then(|()| {
            for line in &lines {
                let line = truncate_str(line, usize::from(width), "…");
                self.terminal.write_line(&line)?;
            }
            self.terminal.flush()
        });
        self.drawn = lines.len();
        written.map_err(|error| Failure::Failed(format!("standard output: {error}")))
    }
}

/// `[######----]  62 %`, as wide as the space allows.
fn bar(run: &RunInfo, width: usize) -> String {
    let room = width.saturating_sub(10).clamp(10, 60);
    let done = run_view::done(run);
    let full = match run.items {
        0 => room,
        items => (done as f64 / items as f64 * room as f64) as usize,
    };
    let percent = crate::words::percent(done, run.items);
    format!("[{}{}] {percent:>5}", "#".repeat(full), "-".repeat(room.saturating_sub(full)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_proto::v1::Counts;

    #[test]
    fn the_bar_is_full_only_at_the_end() {
        let run = |settled| {
            let counts = Some(Counts { settled, ..Counts::default() });
            RunInfo { items: 1000, counts, ..RunInfo::default() }
        };
        assert_eq!(bar(&run(0), 20), "[----------]   0 %");
        assert_eq!(bar(&run(999), 20), "[#########-]  99 %");
        assert_eq!(bar(&run(1000), 20), "[##########] 100 %");
        assert_eq!(bar(&run(1000), 500).matches('#').count(), 60);
    }
}
