//! Why zones turn with their positions: without that, the game proves what is false.

use hasami_andor::certificate::{ExtractError, Fault, Source, extract};
use hasami_andor::problem::BadState;
use hasami_andor::{
    Control, Expansion, Kernel, Key, Moves, Problem, ProblemId, Table, Turn, Verdict,
};
use hasami_game::Game;
use hasami_polyomino::polyomino::{Polyomino, Position, Stone, Zone};
use hasami_trials::certified::asked;
use hasami_trials::{made, settle, table_for};

/// The game, but zones are used in the orientation in which they were found.
struct Unturned(Polyomino);

impl Unturned {
    /// The zone that becomes this one after the game has turned it to the grid.
    fn turned(&self, state: &Position, mv: Stone, zone: Zone) -> Zone {
        let cells = self.0.grid().turned(zone.cells, self.0.play(state, mv).symmetry());
        Zone { cells, ..zone }
    }
}

impl Problem for Unturned {
    type State = Position;
    type Move = Stone;
    type Reason = Zone;
    fn id(&self) -> ProblemId {
        self.0.id()
    }
    fn root(&self) -> Position {
        self.0.root()
    }
    fn turn(&self, state: &Position) -> Turn {
        self.0.turn(state)
    }
    fn expand(&self, state: &Position, moves: &mut Moves<Stone>) -> Expansion {
        self.0.expand(state, moves)
    }
    fn play(&self, state: &Position, mv: Stone) -> Position {
        self.0.play(state, mv)
    }
    fn key(&self, state: &Position) -> Key {
        self.0.key(state)
    }
    fn encode(&self, state: &Position, out: &mut Vec<u8>) {
        self.0.encode(state, out);
    }
    fn decode(&self, bytes: &[u8]) -> Result<Position, BadState> {
        self.0.decode(bytes)
    }
    fn open(&self, state: &Position, mv: Stone, zone: Option<Zone>, moves: &mut Moves<Stone>) {
        self.0.open(state, mv, zone.map(|zone| self.turned(state, mv, zone)), moves);
    }
    fn reason(&self, state: &Position, verdict: Verdict, basis: &[(Stone, Zone)]) -> Zone {
        let turned: Vec<_> =
            basis.iter().map(|&(mv, zone)| (mv, self.turned(state, mv, zone))).collect();
        let zone = self.0.reason(state, verdict, &turned);
        Zone { cells: self.0.grid().turned_back(zone.cells, state.symmetry()), ..zone }
    }
    fn put_move(&self, state: &Position, mv: Stone, out: &mut Vec<u8>) {
        self.0.put_move(state, mv, out);
    }
    fn take_move(&self, state: &Position, from: &mut Source<'_>) -> Result<Stone, Fault> {
        self.0.take_move(state, from)
    }
    fn show(&self, state: &Position) -> String {
        self.0.show(state)
    }
    fn show_move(&self, state: &Position, mv: Stone) -> String {
        self.0.show_move(state, mv)
    }
}

/// Harary's table: Knobby wins on 5x5, not on 4x4.
const KNOBBY: &str = "shapes=Knobby board=4x4 game=strong stones=any";

fn solved<P: Problem<State = Position, Reason = Zone>>(game: &P) -> (Verdict, Table<Zone>) {
    let table = table_for(game, 20_000, &Polyomino::ADVICE);
    let outcome = settle(game, &table, Kernel::Dfpn, Polyomino::ADVICE, game.root());
    (outcome.numbers.verdict().unwrap(), table)
}

#[test]
fn zones_that_are_not_turned_with_their_positions_prove_what_is_false() {
    assert_eq!(solved(&made::<Polyomino>(KNOBBY)).0, Verdict::Disproven);
    assert_eq!(solved(&Unturned(made(KNOBBY))).0, Verdict::Proven);
}

#[test]
fn no_certificate_comes_of_zones_that_are_not_turned() {
    let wrong = Unturned(made(KNOBBY));
    let (verdict, table) = solved(&wrong);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("certificate");
    let asked = asked(&wrong);
    let made = extract(&wrong, &table, &Control::unlimited(), &asked, verdict, &file);
    assert!(matches!(made, Err(ExtractError::Contradiction { .. })), "{made:?}");
}
