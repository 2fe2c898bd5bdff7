//! Cards of winning patterns against plain minimax: the card of a proof holds in every position and
//! orientation, whatever else is on the board, and on other boards.

use crate::polyomino_reference::{Reference, on_two_cores, pictures, random_shapes};
use hasami_andor::{Expansion, Kernel, Moves, Problem, Turn, Verdict};
use hasami_game::random::SplitMix;
use hasami_game::{Game, Resources};
use hasami_polyomino::polyomino::shape::Shape;
use hasami_polyomino::polyomino::{Polyomino, Position, Zone, grid::bits};
use hasami_spec::Params;
use hasami_trials::{settle, table_for};

const BOARDS: [(u8, u8); 6] = [(3, 3), (3, 5), (4, 4), (5, 3), (4, 5), (5, 4)];

/// A game on one of the boards, and the reference for it.
fn random_game(
    shapes: &[Shape],
    resources: &Resources,
    random: &mut SplitMix,
) -> (String, Polyomino, Reference) {
    let (rows, columns) = BOARDS[random.below(BOARDS.len() as u32) as usize];
    let strong = random.below(3) == 0;
    let stones = 3 + random.below((u32::from(rows) * u32::from(columns)).div_ceil(2) - 2);
    let word = if strong { "strong" } else { "weak" };
    let spelled =
        format!("shapes={} board={rows}x{columns} game={word} stones={stones}", pictures(shapes));
    let reference = Reference::new(shapes, (rows, columns), strong, stones).with_budget(40_000);
    (spelled.clone(), built(&spelled, resources), reference)
}

/// Games built with the same resources share their cards.
fn built(spelled: &str, resources: &Resources) -> Polyomino {
    let params = Params::parse(Polyomino::params(), spelled).unwrap();
    Polyomino::build(&params, resources).unwrap()
}

/// Black to move; some random stones of either side, no shape complete.
fn random_position(game: &Polyomino, reference: &Reference, random: &mut SplitMix) -> Position {
    loop {
        let mut cells: Vec<u8> = bits(game.grid().all).collect();
        let count = random.below(game.stones());
        let mut take = |count: u32| {
            let one = |_| 1u128 << cells.swap_remove(random.below(cells.len() as u32) as usize);
            (0..count).map(one).fold(0, |all, bit| all | bit)
        };
        let black = take(count);
        let white = take(count);
        let complete = reference.completes(black as u32) || reference.completes(white as u32);
        if !complete && let Ok(state) = Position::new(black, white, Turn::Or, game.grid()) {
            return state;
        }
    }
}

/// The zone of a proof of the state, if Black wins.
fn proof(game: &Polyomino, state: &Position) -> Option<Zone> {
    if let Expansion::Settled(verdict) = game.expand(state, &mut Moves::new()) {
        return (verdict == Verdict::Proven).then(|| game.reason(state, verdict, &[]));
    }
    let table = table_for(game, 20_000, &Polyomino::ADVICE);
    let outcome = settle(game, &table, Kernel::Dfpn, Polyomino::ADVICE, *state);
    let proven = outcome.numbers.verdict() == Some(Verdict::Proven);
    proven.then(|| table.lookup(game.key(state)).unwrap().reason)
}

/// Learns from random positions and recalls others; returns the number of cards learned, of
/// positions recalled, and of those in the strong game.
fn check_cards(number: u64) -> [u64; 3] {
    let random = &mut SplitMix::new(number ^ 0x6361_7264);
    let (shapes, resources) = (random_shapes(random, 4), Resources::default());
    let [mut learned, mut recalled, mut strong] = [0; 3];
    for _ in 0..60 {
        let (spelled, game, mut reference) = random_game(&shapes, &resources, random);
        let state = random_position(&game, &reference, random);
        if let Some((verdict, _)) = game.recall(&state) {
            assert_eq!(verdict, Verdict::Proven);
            let Some(truth) = reference.value(&state) else { continue };
            assert!(truth, "{spelled}\n{}", game.show(&state));
            recalled += 1;
            strong += u64::from(spelled.contains("strong"));
        } else if let Some(zone) = proof(&game, &state) {
            game.learn(&state, Verdict::Proven, zone, u32::MAX);
            learned += 1;
        }
    }
    [learned, recalled, strong]
}

#[test]
fn a_card_holds_wherever_it_lies() {
    let [learned, recalled, strong] = on_two_cores(200, check_cards);
    println!("{learned} proofs learned from, {recalled} recalled, {strong} in the strong game");
    assert!(learned > 700 && recalled > 1000 && strong > 100, "{learned} {recalled} {strong}");
}

#[test]
fn cards_are_told_and_heard() {
    let shapes = "shapes=Skinny,Elly";
    let resources = Resources::default();
    let game = built(&format!("{shapes} board=6x6 game=weak"), &resources);
    let state = {
        let at = |row, column| 1u128 << game.grid().cell((row, column));
        Position::new(at(2, 2) | at(2, 3), at(5, 5) | at(5, 0), Turn::Or, game.grid()).unwrap()
    };
    let zone = proof(&game, &state).unwrap();
    game.learn(&state, Verdict::Proven, zone, u32::MAX);
    let learned = game.learned().unwrap();
    let notes: Vec<Vec<u8>> = learned.notes().into_iter().map(|(_, note)| note).collect();
    assert!(!notes.is_empty());
    assert_eq!(learned.merge(&notes), 0, "nothing new");
    let mut damaged = notes.clone();
    damaged.iter_mut().for_each(|note| note[3] ^= 1);
    assert_eq!(learned.merge(&damaged), 0, "no cards");
    // The same pattern, mirrored and elsewhere, on a larger board.
    let larger = built(&format!("{shapes} board=8x8 game=weak"), &resources);
    let at = |row, column| 1u128 << larger.grid().cell((row, column));
    let other = Position::new(at(3, 5) | at(4, 5), at(0, 0) | at(0, 7), Turn::Or, larger.grid());
    assert!(larger.recall(&other.unwrap()).is_some());
}
