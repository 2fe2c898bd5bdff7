//! Sweeps, parameters, positions and expressions.

use hasami_answer::{CATALOG, registry};
use hasami_cgt::Games;
use hasami_spec::SearchSettings;
use hasami_sweep::Sweep;
use hasami_values::value::Family;

/// The text of a sweep file.
pub fn sweep(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(sweep) = Sweep::parse(CATALOG, text, "fuzz.toml") {
        for at in [0, sweep.len() / 2, sweep.len() - 1] {
            let question = sweep.item(at);
            let _ = (question.settled_key(), question.spelled(), sweep.stage(at));
        }
    }
}

/// Parameters of every game and job: what is accepted is accepted in its canonical spelling too.
pub fn params(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some((&which, _)) = data.split_first() else { return };
    let spec = registry::ENTRIES[usize::from(which) % registry::ENTRIES.len()].spec;
    let Ok(given) = spec.read_words(text.get(1..).unwrap_or_default().split('\n')) else { return };
    if let Ok(question) = spec.question(&given, SearchSettings::default()) {
        let again = spec.question(&question.params, SearchSettings::default());
        assert_eq!(again.expect("its own spelling"), question);
        if let Ok(params) = spec.read(&question.params) {
            let _ = (spec.stage(&params, 0), spec.stage(&params, 1), spec.splits(&params));
        }
    }
}

/// Positions as families spell them, boards of Go, and game records.
pub fn position(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for (_, family) in Family::NAMES {
        if family.read(text).is_ok() {
            family.in_full(text).expect("a position that was read");
        }
    }
    let _ = hasami_values::go::Board::parse(text);
    let _ = hasami_values::go::read_sgf(text, None, hasami_values::go::Suicide::Forbidden);
    let _ = hasami_polyomino::polyomino::shape::parse_set(text);
    let _ = hasami_polyomino::paving::Paving::parse(text);
    let _ = text.parse::<hasami_polyomino::paving::Lattice>();
    let _ = text.parse::<hasami_polyomino::paving::Prefix>();
}

/// Records and positions of shogi: KIF, CSA, USI, SFEN. What is read is written and read again.
pub fn record(data: &[u8]) {
    let Ok(text) = hasami_shogi::record::decode(data) else { return };
    if let Ok(position) = hasami_shogi::sfen::read(&text) {
        let spelled = hasami_shogi::sfen::write(&position);
        assert_eq!(hasami_shogi::sfen::read(&spelled).as_ref(), Ok(&position), "{spelled}");
    }
    for read in [hasami_shogi::record::read, hasami_shogi::record::read_usi] {
        if let Ok(game) = read(&text) {
            let written = hasami_shogi::kif::write(&game, "");
            let again = hasami_shogi::kif::read(&written);
            assert_eq!(again.map(|again| again.last()), Ok(game.last()), "{written}");
        }
    }
}

/// Expressions and values, as text and as bytes.
pub fn notation(data: &[u8]) {
    const STEPS: u64 = 100_000;
    let mut games = Games::with_limit(STEPS);
    if let Ok(value) = games.from_bytes(data) {
        let _ = games.show_within(value, 1000);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut games = Games::with_limit(STEPS);
    if let Ok(value) = games.parse(text) {
        let shown = games.show_within(value, 10_000);
        if !shown.ends_with('…') {
            let again = games.read_form(&shown);
            assert!(again.is_err() || again == Ok(value), "{shown}");
        }
    }
    let _ = Games::with_limit(STEPS).read_form(text);
}
