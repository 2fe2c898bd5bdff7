//! What keys do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::view::{Place, View};

/// The keys, for the last line.
pub const HELP: &str =
    "1 runs  2 run  3 workers  4 events   ↑↓ choose or scroll   Enter open   q quit";

/// Does what a key means; true to quit.
pub fn press(view: &mut View, key: KeyEvent) -> bool {
    if key.kind == KeyEventKind::Release {
        return false;
    }
    match key.code {
        KeyCode::Char('q') => return true,
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return true,
        KeyCode::Esc if view.place == Place::Runs => return true,
        KeyCode::Esc | KeyCode::Char('1') => view.go(Place::Runs),
        KeyCode::Char('2') | KeyCode::Enter => view.go(Place::Run),
        KeyCode::Char('3') => view.go(Place::Workers),
        KeyCode::Char('4') => view.go(Place::Events),
        KeyCode::Tab => {
            let at = Place::ALL.iter().position(|(place, _)| *place == view.place).unwrap_or(0);
            view.go(Place::ALL[(at + 1) % Place::ALL.len()].0);
        }
        KeyCode::Up | KeyCode::Char('k') => view.step(-1),
        KeyCode::Down | KeyCode::Char('j') => view.step(1),
        KeyCode::PageUp => view.step(-10),
        KeyCode::PageDown => view.step(10),
        _ => {}
    }
    false
}
