//! Draws the dashboard: 80 columns are enough.

use std::io;
use std::sync::Mutex;
use std::time::Duration;

use hasami_proto::v1::{RunInfo, WorkerInfo};
use hasami_sweep::text;
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell, Paragraph, Row, Table, TableState, Tabs, Wrap};

use super::keys::{HELP, press};
use super::locked;
use super::view::{Place, View};
use crate::cluster::run_view;
use crate::failure::Failure;
use crate::words::{counted, duration, percent, short};

/// Between two looks for a key or for news.
const BEAT: Duration = Duration::from_millis(100);

/// Shows the dashboard until somebody quits.
pub fn show(view: &Mutex<View>) -> Result<(), Failure> {
    let mut terminal = ratatui::init();
    let ended = drive(&mut terminal, view);
    ratatui::restore();
    ended.map_err(|error| Failure::Failed(format!("the terminal: {error}")))
}

fn drive(terminal: &mut ratatui::DefaultTerminal, view: &Mutex<View>) -> io::Result<()> {
    let mut drawn = 0;
    loop {
        {
            let view = locked(view);
            if view.version != drawn {
                terminal.draw(|frame| draw(frame, &view))?;
                drawn = view.version;
            }
        }
        if event::poll(BEAT)? {
            match event::read()? {
                Event::Key(key) if press(&mut locked(view), key) => return Ok(()),
                Event::Resize(..) => drawn = 0,
                _ => {}
            }
        }
    }
}

/// The whole screen.
pub fn draw(frame: &mut Frame<'_>, view: &View) {
    let parts = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
    ]);
    let [head, tabs, body, foot] = parts.areas(frame.area());
    frame.render_widget(title(view), head);
    let at = Place::ALL.iter().position(|(place, _)| *place == view.place).unwrap_or(0);
    let names = Place::ALL.iter().enumerate().map(|(at, (_, name))| format!("{} {name}", at + 1));
    let chosen = Style::new().add_modifier(Modifier::REVERSED);
    frame.render_widget(Tabs::new(names).select(at).highlight_style(chosen), tabs);
    match view.place {
        Place::Runs => runs(frame, view, body),
        Place::Run => run(frame, view, body),
        Place::Workers => workers(frame, view, body),
        Place::Events => events(frame, view, body),
    }
    frame.render_widget(Paragraph::new(HELP).dim(), foot);
}

fn title(view: &View) -> Line<'static> {
    let speed: f64 = view.known.workers.iter().map(|worker| worker.nodes_per_second).sum();
    let workers = counted(view.known.workers.len() as u64, "worker");
    match &view.known.trouble {
        Some(why) => Line::from(vec![
            Span::styled(format!("hasami {} ", view.url), Style::new().bold()),
            Span::styled(plain(why), Style::new().fg(Color::Red)),
        ]),
        None => Line::from(vec![
            Span::styled(format!("hasami {} ", view.url), Style::new().bold()),
            Span::raw(format!(" {workers}, {} nodes/s", short(speed))),
        ]),
    }
}

/// Texts of others have no control characters here: they would reach the terminal.
fn plain(words: &str) -> String {
    text::line(words, 500)
}

/// The colour of a run.
fn colour(run: &RunInfo) -> Style {
    let failed = run_view::counts(run).failed > 0;
    Style::new().fg(match run.state().word() {
        _ if failed => Color::Red,
        "running" => Color::Cyan,
        "paused" => Color::Yellow,
        "finished" => Color::Green,
        _ => Color::Gray,
    })
}

/// `█████░░░░░`
fn bar(run: &RunInfo, width: usize) -> String {
    let done = run_view::done(run) as f64 / run.items.max(1) as f64;
    let full = ((done * width as f64) as usize).min(width);
    format!("{}{}", "█".repeat(full), "░".repeat(width - full))
}

fn runs(frame: &mut Frame<'_>, view: &View, area: Rect) {
    let rows = view.listed().map(|run| {
        let counts = run_view::counts(run);
        Row::new([
            Cell::from(run.run.to_string()),
            Cell::from(plain(&run.name)),
            Cell::from(run.state().word()).style(colour(run)),
            Cell::from(bar(run, 12)),
            Cell::from(percent(run_view::done(run), run.items)),
            Cell::from(short(counts.settled as f64)),
            Cell::from(short(counts.failed as f64)).style(match counts.failed {
                0 => Style::new(),
                _ => Style::new().fg(Color::Red),
            }),
            Cell::from(format!("{}/s", short(run.nodes_per_second))),
            Cell::from(duration(run_view::seconds(run))),
        ])
    });
    let widths = [4, 18, 9, 12, 5, 7, 6, 8, 11].map(Constraint::Length);
    let head = ["run", "name", "state", "", "done", "settled", "failed", "nodes", "time"];
    let table = Table::new(rows, widths)
        .header(Row::new(head).style(Style::new().add_modifier(Modifier::DIM)))
        .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED))
        .column_spacing(1);
    let mut state = TableState::new().with_selected(view.run().map(|(at, _)| at));
    frame.render_stateful_widget(table, area, &mut state);
    if view.known.runs.is_empty() {
        frame.render_widget(Paragraph::new("\nno run yet: hasami submit SWEEP"), area);
    }
}

fn run(frame: &mut Frame<'_>, view: &View, area: Rect) {
    let Some((_, run)) = view.run() else {
        return frame.render_widget(Paragraph::new("no run yet"), area);
    };
    let mut lines = vec![Line::styled(
        format!("{}  {:>5}", bar(run, 60), percent(run_view::done(run), run.items)),
        colour(run),
    )];
    lines.extend(run_view::details(run).lines().map(|line| Line::raw(plain_spaced(line))));
    let room = usize::from(area.height).saturating_sub(lines.len() + 2);
    lines.push(Line::raw(""));
    let latest = view.events.iter().rev().take(room).rev();
    lines.extend(latest.map(|line| Line::raw(line.clone())));
    frame.render_widget(Paragraph::new(lines), area);
}

/// As [`plain`], with the spaces that align a text.
fn plain_spaced(line: &str) -> String {
    text::shown(line).into_owned()
}

fn workers(frame: &mut Frame<'_>, view: &View, area: Rect) {
    let rows = view.known.workers.iter().skip(view.scrolled).map(worker);
    let widths = [16, 12, 7, 9, 8, 25].map(Constraint::Length);
    let head = ["worker", "machine", "threads", "nodes/s", "silent", "works on"];
    let table = Table::new(rows, widths)
        .header(Row::new(head).style(Style::new().add_modifier(Modifier::DIM)))
        .column_spacing(1);
    frame.render_widget(table, area);
    if view.known.workers.is_empty() {
        frame.render_widget(Paragraph::new("\nno worker is connected"), area);
    }
}

fn worker(worker: &WorkerInfo) -> Row<'static> {
    let begun: Vec<_> = worker.held.iter().filter(|held| held.begun).collect();
    let works = match begun.as_slice() {
        [] => "nothing".to_string(),
        [one] => plain(&one.question),
        [one, rest @ ..] => format!("+{} {}", rest.len(), plain(&one.question)),
    };
    Row::new([
        plain(&worker.name),
        plain(&worker.host),
        worker.threads.to_string(),
        short(worker.nodes_per_second),
        duration(worker.silent),
        works,
    ])
}

fn events(frame: &mut Frame<'_>, view: &View, area: Rect) {
    let of = view.run().map_or_else(|| "no run".to_string(), |(_, run)| format!("run {}", run.run));
    let room = usize::from(area.height).saturating_sub(1);
    let latest = view.events.iter().rev().skip(view.scrolled).take(room);
    let mut lines: Vec<Line<'_>> = latest.map(|line| Line::raw(line.clone())).collect();
    lines.reverse();
    lines.insert(0, Line::styled(format!("events of {of}"), Style::new().dim()));
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

#[cfg(test)]
mod tests {
    use super::super::Known;
    use super::*;
    use hasami_proto::v1::{Counts, RunState};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyEvent};

    fn view() -> View {
        let run = |run, name: &str, settled, failed| RunInfo {
            run,
            name: name.to_string(),
            state: RunState::Running.into(),
            items: 100,
            counts: Some(Counts { settled, failed, ..Counts::default() }),
            ..RunInfo::default()
        };
        let runs = vec![run(1, "losers-66", 50, 0), run(2, "evil\u{1b}[2Jname", 1, 3)];
        let worker = WorkerInfo { name: "lab-7".into(), threads: 16, ..WorkerInfo::default() };
        View::new("http://host:1", Known { runs, workers: vec![worker], trouble: None })
    }

    fn shown(view: &View) -> String {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| draw(frame, view)).unwrap();
        terminal.backend().to_string()
    }

    fn key(view: &mut View, code: KeyCode) -> bool {
        press(view, KeyEvent::from(code))
    }

    #[test]
    fn runs_fit_into_eighty_columns_and_the_keys_are_shown() {
        let screen = shown(&view());
        assert!(screen.contains("losers-66") && screen.contains("50 %"), "{screen}");
        assert!(screen.contains("q quit") && screen.contains("1 worker,"), "{screen}");
        assert!(!screen.contains('\u{1b}'), "control characters of others");
    }

    #[test]
    fn keys_choose_a_run_and_open_it() {
        let mut view = view();
        assert_eq!(view.chosen(), Some(2));
        assert!(!key(&mut view, KeyCode::Down));
        assert_eq!(view.chosen(), Some(1));
        key(&mut view, KeyCode::Down);
        assert_eq!(view.chosen(), Some(1), "there are no more");
        view.event(1, "item 3 settled".to_string());
        view.event(2, "of another run".to_string());
        key(&mut view, KeyCode::Enter);
        let screen = shown(&view);
        assert!(screen.contains("run 1: losers-66") && screen.contains("item 3 settled"));
        assert!(!screen.contains("of another run"));
        key(&mut view, KeyCode::Char('3'));
        assert!(shown(&view).contains("lab-7"));
        assert!(key(&mut view, KeyCode::Char('q')));
    }

    #[test]
    fn what_was_known_stays_while_the_coordinator_is_gone() {
        let mut view = view();
        view.lose("cannot be reached".to_string());
        let screen = shown(&view);
        assert!(screen.contains("cannot be reached") && screen.contains("losers-66"), "{screen}");
    }
}
