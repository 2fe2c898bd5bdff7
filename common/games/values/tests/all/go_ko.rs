//! Kos: textbook values, and walls against a search that plays with a stack of coupons.

use std::collections::{BTreeSet, HashMap};

use hasami_game::random::SplitMix;
use hasami_values::go::{
    Advice, Board, Cell, Colour, Endgames, KoThermograph, Komaster, Played, Point, Suicide,
    Unvalued, territory,
};

fn endgames() -> Endgames {
    Endgames::new(Suicide::Forbidden, 1_000_000, u64::MAX)
}

fn ko(rows: &str, komaster: Komaster) -> KoThermograph {
    let board = Board::parse(&rows.replace('/', "\n")).unwrap();
    let mut endgames = endgames();
    assert_eq!(endgames.value(&board), Err(Unvalued::Loopy), "{rows}");
    endgames.ko_thermograph(&board, komaster).unwrap()
}

/// Mean and temperature of the simple ko between x and y: (2x+y)/3 or (x+2y)/3, and (x-y)/3
/// (Berlekamp 1996).
#[test]
fn a_simple_ko_has_the_temperature_of_a_third_of_what_is_at_stake() {
    for komaster in Komaster::ALL {
        // Black has it: connecting is worth 0, losing the stone and the ko -1.
        let held = ko("#XO#/X.xO/#XO#", komaster);
        assert_eq!(
            (held.mean.to_string(), held.temperature.to_string()),
            ("-1/3".into(), "1/3".into())
        );
        // White has it, with one prisoner already counted.
        let lost = ko("#XO#/Xo.O/#XO#", komaster);
        assert_eq!(
            (lost.mean.to_string(), lost.temperature.to_string()),
            ("1/3".into(), "1/3".into())
        );
    }
}

#[test]
fn below_its_temperature_a_ko_belongs_to_the_komaster() {
    let show = |wall: &[(num_rational::BigRational, num_rational::BigRational)]| -> String {
        wall.iter().map(|(t, v)| format!("{t}:{v} ")).collect()
    };
    let rows = "#XO#/X.xO/#XO#";
    // x - t and y + 2t, with x = 0 and y = -1.
    let neither = ko(rows, Komaster::Neither);
    assert_eq!(show(&neither.left), "0:0 1/3:-1/3 ");
    assert_eq!(show(&neither.right), "0:-1 1/3:-1/3 ");
    // White gains nothing by taking if Black retakes.
    let black = ko(rows, Komaster::Black);
    assert_eq!(show(&black.left), "0:0 1/3:-1/3 ");
    assert_eq!(show(&black.right), show(&black.left));
    let white = ko(rows, Komaster::White);
    assert_eq!(show(&white.left), "0:0 1/3:-1/3 ");
    assert_eq!(show(&white.right), "0:-1 1/3:-1/3 ");
}

/// Points are counted in units of a coupon step.
const UNIT: i64 = 24;
const COUPONS: i64 = 2 * UNIT;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    /// This many coupons are left; the largest is worth this many units.
    Coupons(i64),
    /// This many free passes are left: without a limit a ko could continue for ever.
    Playing { left: u8 },
    /// Passes cost a point, both sides move equally often; this many passes are left.
    Settling { passed: bool, first: Colour, left: u8 },
}

/// Board, side to move, banned point, whether the komaster must resolve the ko now, and the play
/// elsewhere.
type State = (Board, Colour, Option<Point>, bool, Phase);

/// Plain search with the rule that a ko is not retaken at once, except by the komaster, who makes a
/// larger threat elsewhere, is answered, and retakes. The komaster must then resolve the ko with
/// the next move, unless the other side has changed something here.
struct Search {
    komaster: Option<Colour>,
    known: HashMap<State, Option<i64>>,
}

/// Whether a move here takes no ko.
fn resolves(board: &Board, colour: Colour, point: Point) -> bool {
    let played = board.play(colour, point, Suicide::Forbidden);
    played.is_ok_and(|played| taken_back(board, &played, colour).is_none())
}

fn taken_back(board: &Board, played: &Played, colour: Colour) -> Option<Point> {
    let &[taken] = &played.taken[..] else { return None };
    let back = played.board.play(colour.other(), taken, Suicide::Forbidden).ok()?;
    (back.board == *board).then_some(taken)
}

impl Search {
    fn score(&mut self, state: &State) -> Option<i64> {
        if let Some(known) = self.known.get(state) {
            return *known;
        }
        self.known.insert(state.clone(), None);
        let (board, colour, ban, must, phase) = state;
        let master = self.komaster == Some(*colour);
        let must_now =
            *must && master && board.empty().any(|point| resolves(board, *colour, point));
        let mut best = if must_now {
            None
        } else {
            Some(self.elsewhere(board, *colour, *must && !master, *phase)?)
        };
        let next = match *phase {
            Phase::Coupons(left) => Phase::Coupons(left),
            Phase::Playing { left } => Phase::Playing { left },
            Phase::Settling { first, left, .. } => Phase::Settling { passed: false, first, left },
        };
        for point in board.empty().collect::<Vec<_>>() {
            let banned = Some(point) == *ban;
            if banned && !master || must_now && !resolves(board, *colour, point) {
                continue;
            }
            let Ok(played) = board.play(*colour, point, Suicide::Forbidden) else { continue };
            let back = taken_back(board, &played, *colour);
            let rest = self.score(&(played.board, colour.other(), back, banned, next))?;
            let score = UNIT * played.prisoners + rest;
            best = Some(match (best, colour) {
                (None, _) => score,
                (Some(best), Colour::Black) => best.max(score),
                (Some(best), Colour::White) => best.min(score),
            });
        }
        self.known.insert(state.clone(), best);
        best
    }

    fn elsewhere(
        &mut self,
        board: &Board,
        colour: Colour,
        must: bool,
        phase: Phase,
    ) -> Option<i64> {
        let other = colour.other();
        let mut go = |phase| self.score(&(board.clone(), other, None, must, phase));
        match phase {
            Phase::Coupons(left) => {
                let rest = match left {
                    1 => Phase::Playing { left: 4 },
                    _ => Phase::Coupons(left - 1),
                };
                Some(colour.sign() * left + go(rest)?)
            }
            Phase::Playing { left: 0 } => {
                go(Phase::Settling { passed: false, first: other, left: 8 })
            }
            Phase::Playing { left } => go(Phase::Playing { left: left - 1 }),
            Phase::Settling { passed, first, left } => {
                let rest = if (passed && colour != first) || left == 0 {
                    UNIT * territory(board)
                } else {
                    go(Phase::Settling { passed: true, first, left: left.saturating_sub(1) })?
                };
                Some(rest - UNIT * colour.sign())
            }
        }
    }

    /// The wall of the side to begin, in units, at a temperature in units.
    fn wall(&mut self, board: &Board, colour: Colour, t: i64) -> Option<i64> {
        let score = self.score(&(board.clone(), colour, None, false, Phase::Coupons(t)))?;
        // Without the board, the side to begin gets every second coupon: half of the first, rounded
        // up.
        Some(score - colour.sign() * ((t + 1) / 2))
    }
}

fn at(wall: &[(num_rational::BigRational, num_rational::BigRational)], t: i64) -> f64 {
    let number = |fraction: &num_rational::BigRational| -> f64 {
        fraction.numer().to_string().parse::<f64>().unwrap()
            / fraction.denom().to_string().parse::<f64>().unwrap()
    };
    let t = t as f64 / UNIT as f64;
    let corners: Vec<(f64, f64)> = wall.iter().map(|(t, v)| (number(t), number(v))).collect();
    let after = corners.iter().position(|corner| corner.0 > t);
    match after {
        None => corners[corners.len() - 1].1,
        Some(after) => {
            let (from, to) = (corners[after - 1], corners[after]);
            from.1 + (to.1 - from.1) * (t - from.0) / (to.0 - from.0)
        }
    }
}

fn random_board(random: &mut SplitMix) -> Option<Board> {
    let cells = (0..12).map(|_| match random.below(20) {
        0..6 => Cell::Wall(Colour::Black),
        6..12 => Cell::Wall(Colour::White),
        12..16 => Cell::Empty,
        16..18 => Cell::Stone(Colour::Black),
        _ => Cell::Stone(Colour::White),
    });
    let board = Board::new(4, cells.collect());
    let open = board.cells().iter().filter(|cell| cell.is_open()).count();
    ((2..=6).contains(&open) && board.choked().is_none()).then_some(board)
}

#[test]
fn walls_without_threats_are_those_of_play_with_coupons() {
    let mut random = SplitMix::new(5);
    let mut endgames = endgames();
    let (mut checked, mut refused, mut hot) = (0, 0, 0);
    while checked < 40 {
        let Some(board) = random_board(&mut random) else { continue };
        let Some(part) = hasami_values::go::parts(&board)
            .into_iter()
            .find(|part| endgames.value(&part.board) == Err(Unvalued::Loopy))
        else {
            continue;
        };
        let Ok(graph) = endgames.ko_thermograph(&part.board, Komaster::Neither) else {
            refused += 1;
            continue;
        };
        let mut search = Search { komaster: None, known: HashMap::new() };
        for t in (2..=COUPONS).step_by(5) {
            let [Some(left), Some(right)] =
                Colour::BOTH.map(|colour| search.wall(&part.board, colour, t))
            else {
                panic!("{}: not refused, but play repeats", part.board)
            };
            for (found, expected) in [(left, at(&graph.left, t)), (right, at(&graph.right, t))] {
                let off = (found as f64 / UNIT as f64 - expected).abs();
                assert!(
                    off <= 3.0 / UNIT as f64,
                    "{}\nt {t}/{UNIT}: {found}/{UNIT}, not {expected}\n{graph:?}",
                    part.board
                );
            }
        }
        checked += 1;
        hot += usize::from(graph.temperature.to_string() != "0");
    }
    println!("{checked} kos, {hot} hot, {refused} refused");
}

/// The same with a komaster, on boards with more at stake than the last point.
#[test]
fn walls_with_a_komaster_are_those_of_play_with_coupons_and_threats() {
    let mut random = SplitMix::new(11);
    let mut endgames = endgames();
    let (mut checked, mut hot, mut repeating, mut kinds) = (0, 0, 0, BTreeSet::new());
    while checked < 30 {
        let Some(board) = random_board(&mut random) else { continue };
        let Some(part) = hasami_values::go::parts(&board)
            .into_iter()
            .find(|part| endgames.value(&part.board) == Err(Unvalued::Loopy))
        else {
            continue;
        };
        for (komaster, master) in
            [(Komaster::Black, Colour::Black), (Komaster::White, Colour::White)]
        {
            let Ok(graph) = endgames.ko_thermograph(&part.board, komaster) else { continue };
            let mut search = Search { komaster: Some(master), known: HashMap::new() };
            for t in (2..=COUPONS).step_by(5) {
                let walls = Colour::BOTH.map(|colour| search.wall(&part.board, colour, t));
                let [Some(left), Some(right)] = walls else {
                    repeating += 1;
                    break;
                };
                for (found, expected) in [(left, at(&graph.left, t)), (right, at(&graph.right, t))]
                {
                    let off = (found as f64 / UNIT as f64 - expected).abs();
                    assert!(
                        off <= 4.0 / UNIT as f64,
                        "{}\n{komaster:?}, t {t}/{UNIT}: {found}/{UNIT}, not {expected}\n{graph:?}",
                        part.board
                    );
                }
            }
            hot += usize::from(graph.temperature.to_string() != "0");
            kinds.insert((graph.mean.to_string(), graph.temperature.to_string()));
        }
        checked += 1;
    }
    println!("{checked} kos, {hot} hot graphs, {} kinds, {repeating} repeat", kinds.len());
    assert!(hot > 20 && kinds.len() > 5, "{hot} hot, {} kinds", kinds.len());
}

/// Both sides gain a third in the last ko: less than a half-point sente corridor, more than a number.
#[test]
fn a_move_in_a_ko_is_weighed_against_moves_elsewhere() {
    let mut endgames = endgames();
    let ko = ["#XO#", "X.xO", "#XO#"];
    // Beside it a corridor of two points, in which a move gains a half; and nothing but territory.
    for (corridor, in_ko) in [(["XXXX", "O..X", "XXXX"], false), (["XXXX", "X..X", "XXXX"], true)] {
        let rows: Vec<String> =
            ko.iter().zip(corridor).map(|(left, right)| format!("{left}#{right}")).collect();
        let board = Board::parse(&rows.join("\n")).unwrap();
        let whole = endgames.whole(&board);
        assert_eq!(whole.total, Err(Unvalued::Loopy));
        for komaster in Komaster::ALL {
            for colour in Colour::BOTH {
                match endgames.advice_with(&whole, colour, komaster).unwrap() {
                    Advice::Ko(choice) => {
                        assert!(in_ko, "{board}\n{choice:?}");
                        assert_eq!(choice.gain.to_string(), "1/3");
                        // Black connects, White takes.
                        assert_eq!(choice.resolves, colour == Colour::Black);
                        assert_eq!((choice.point / 9, choice.point % 9), (1, 1));
                        assert_eq!(choice.komaster, komaster);
                    }
                    Advice::Hottest(choice) => {
                        assert!(!in_ko, "{board}\n{choice:?}");
                        assert_eq!(choice.gain.to_string(), "1/2");
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}
