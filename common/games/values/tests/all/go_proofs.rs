//! Values of Go positions proven by play, move by move, without any of the shortcuts that found them.

use hasami_game::random::SplitMix;
use hasami_values::go::{Board, Cell, Colour, Endgames, Suicide, Unvalued, is_worth, rooms};

const MOST: usize = 1_000_000;

fn endgames() -> Endgames {
    Endgames::new(Suicide::Forbidden, 1_000_000, u64::MAX)
}

#[test]
fn rooms_are_worth_their_values_and_nothing_else() {
    let mut endgames = endgames();
    for room in rooms(4) {
        let value = endgames.value(&room).unwrap();
        let games = &mut endgames.games;
        let proven = is_worth(games, &room, value, Suicide::Forbidden, MOST).unwrap();
        assert!(proven.0, "{room}\n{}", games.show(value));
        let star = games.star(1).unwrap();
        let wrong = games.add(value, star).unwrap();
        assert!(!is_worth(games, &room, wrong, Suicide::Forbidden, MOST).unwrap().0, "{room}");
    }
}

#[test]
fn random_positions_are_worth_their_values() {
    let mut random = SplitMix::new(77);
    let mut endgames = endgames();
    let (mut proven, mut repeating) = (0, 0);
    while proven < 250 {
        let cells = (0..20).map(|_| match random.below(20) {
            0..6 => Cell::Wall(Colour::Black),
            6..11 => Cell::Wall(Colour::White),
            11..17 => Cell::Empty,
            17..19 => Cell::Stone(Colour::Black),
            _ => Cell::Stone(Colour::White),
        });
        let board = Board::new(5, cells.collect());
        let open = board.cells().iter().filter(|cell| cell.is_open()).count();
        if !(3..=6).contains(&open) || board.choked().is_some() {
            continue;
        }
        let Ok(value) = endgames.value(&board) else { continue };
        match is_worth(&mut endgames.games, &board, value, Suicide::Forbidden, MOST) {
            Ok((holds, _)) => {
                assert!(holds, "{board}\n{}", endgames.games.show(value));
                proven += 1;
            }
            // Some useless line repeats: the value stands, but not by this proof.
            Err(Unvalued::Loopy) => repeating += 1,
            Err(error) => panic!("{error}"),
        }
    }
    println!("{proven} proven, {repeating} with lines that repeat");
}

#[test]
fn suicide_takes_two_stones_or_more_if_it_is_allowed() {
    let board = Board::parse("XXXX\nXo.X\nXXXX").unwrap();
    let point = board.empty().next().unwrap();
    assert!(board.play(Colour::White, point, Suicide::Forbidden).is_err());
    let played = board.play(Colour::White, point, Suicide::Allowed).unwrap();
    assert_eq!((played.board.to_string().as_str(), played.prisoners), ("XXXX\nX..X\nXXXX", 2));
    let alone = Board::parse("XXX\nX.X\nXXX").unwrap();
    assert!(alone.play(Colour::White, 4, Suicide::Allowed).is_err());
}
