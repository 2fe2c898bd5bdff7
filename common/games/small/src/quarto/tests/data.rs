//! Positions with known values.

use crate::quarto::solver::plies;
use crate::quarto::{Position, Solver, Value, notation};

/// One position of the file, with its fields.
pub struct Known {
    pub id: String,
    pub position: Position,
    pub value: Value,
    pub first_moves: Vec<String>,
}

/// The positions of `positions.json`, valued by exhaustive search with two other programs.
pub fn known() -> Vec<Known> {
    let text = include_str!("positions.json");
    let after = |text: &str, name: &str| {
        let at = text.find(&format!("\"{name}\":")).unwrap();
        text[at + name.len() + 3..].trim_start().to_string()
    };
    let quoted = |text: &str| text.split('"').nth(1).unwrap().to_string();
    let entries = text.split("\"positions\"").nth(1).unwrap().split('{').skip(1);
    let known = entries.map(|entry| {
        let (board, given) = (quoted(&after(entry, "board")), quoted(&after(entry, "given")));
        let digits: String =
            after(entry, "distance").chars().take_while(char::is_ascii_digit).collect();
        let plies = digits.parse().unwrap();
        let moves = after(entry, "shortest_first_moves");
        let list = moves[..moves.find(']').unwrap()].split('"').skip(1).step_by(2);
        Known {
            id: quoted(&after(entry, "id")),
            position: notation::read(&format!("{board}{given}")).unwrap(),
            value: match quoted(&after(entry, "outcome")).as_str() {
                "first_win" => Value::Win(plies),
                _ => Value::Loss(plies),
            },
            first_moves: list.map(str::to_string).collect(),
        }
    });
    known.collect()
}

#[test]
fn every_known_position_has_its_value_and_its_shortest_first_moves() {
    let mut solver = Solver::new(16);
    let known = known();
    assert_eq!(known.len(), 8);
    for Known { id, position, value, first_moves } in known {
        assert_eq!(solver.value(&position), Ok(value), "{id}");
        let shortest = plies(&position).filter(|&ply| {
            matches!(value, Value::Win(_)) && solver.value_of(&position, ply) == Ok(value)
        });
        let shown: Vec<String> = shortest
            .map(|ply| match ply.gift {
                Some(gift) => format!("{}:{gift:x}", ply.cell),
                None => ply.cell.to_string(),
            })
            .collect();
        assert_eq!(shown, first_moves, "{id}");
    }
}
