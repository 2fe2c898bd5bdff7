//! What the dashboard shows, without a terminal: the place, the chosen run, and what is known.

use std::collections::VecDeque;

use hasami_proto::v1::RunInfo;

use super::Known;
use crate::cluster::run_view;

/// Events that are kept.
const EVENTS: usize = 500;

/// The four places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Runs,
    Run,
    Workers,
    Events,
}

impl Place {
    /// All places, in the order of their keys.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Runs, "runs"),
        (Self::Run, "run"),
        (Self::Workers, "workers"),
        (Self::Events, "events"),
    ];
}

/// The state of the dashboard.
pub struct View {
    /// The address of the coordinator.
    pub url: String,
    /// What is shown.
    pub place: Place,
    /// What is known.
    pub known: Known,
    /// The run that is chosen, by its number.
    chosen: Option<u64>,
    /// Events of the chosen run, the newest last.
    pub events: VecDeque<String>,
    /// Lines that are scrolled past.
    pub scrolled: usize,
    /// Changes whenever the screen has to be drawn again.
    pub version: u64,
}

impl View {
    /// The runs, with the latest unfinished one chosen.
    pub fn new(url: &str, known: Known) -> Self {
        let unfinished = known.runs.iter().rev().find(|run| !run_view::over(run));
        let chosen = unfinished.or(known.runs.last()).map(|run| run.run);
        Self {
            url: url.to_string(),
            place: Place::Runs,
            known,
            chosen,
            events: VecDeque::new(),
            scrolled: 0,
            version: 1,
        }
    }

    /// The runs as they are listed: the latest first.
    pub fn listed(&self) -> impl Iterator<Item = &RunInfo> {
        self.known.runs.iter().rev()
    }

    /// The number of the chosen run.
    pub fn chosen(&self) -> Option<u64> {
        self.chosen
    }

    /// The chosen run, and its place in the list.
    pub fn run(&self) -> Option<(usize, &RunInfo)> {
        self.listed().enumerate().find(|(_, run)| Some(run.run) == self.chosen)
    }

    /// The coordinator has answered.
    pub fn learn(&mut self, known: Known) {
        self.known = known;
        if self.run().is_none() {
            self.chosen = self.known.runs.last().map(|run| run.run);
        }
        self.version += 1;
    }

    /// The coordinator does not answer: what is known stays.
    pub fn lose(&mut self, why: String) {
        self.known.trouble = Some(why);
        self.version += 1;
    }

    /// Something has happened to the chosen run.
    pub fn event(&mut self, run: u64, line: String) {
        if self.chosen == Some(run) {
            if self.events.len() >= EVENTS {
                self.events.pop_front();
            }
            self.events.push_back(hasami_sweep::text::line(&line, 500));
            self.version += 1;
        }
    }

    /// Goes to a place.
    pub fn go(&mut self, place: Place) {
        self.place = place;
        self.scrolled = 0;
        self.version += 1;
    }

    /// Chooses the run so many lines below, or scrolls.
    pub fn step(&mut self, by: isize) {
        self.version += 1;
        if self.place != Place::Runs {
            self.scrolled = self.scrolled.saturating_add_signed(by);
            return;
        }
        let at = self.run().map_or(0, |(at, _)| at);
        let last = self.known.runs.len().saturating_sub(1);
        let to = at.saturating_add_signed(by).min(last);
        let chosen = self.listed().nth(to).map(|run| run.run);
        if chosen != self.chosen {
            self.chosen = chosen;
            self.events.clear();
        }
    }
}
