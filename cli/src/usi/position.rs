//! What follows `position`.

use hasami_shogi::{Position, Side, legality, record, sfen};

/// Reads `startpos` or `sfen …`, then `moves …`. The position before the first move must be legal,
/// and every move legal where it is played: then the last position is legal too.
///
/// # Errors
/// What is wrong, and where.
pub fn read(words: &[&str]) -> Result<Position, String> {
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(end);
    let mut position = match start {
        ["startpos"] => sfen::read(sfen::START),
        ["sfen", rest @ ..] => sfen::read(&rest.join(" ")),
        _ => return Err("expected startpos or sfen, then moves if there are any".to_string()),
    }
    .map_err(|fault| fault.to_string())?;
    if let Some(attacker) = attacker(&position) {
        legality::check(&position, attacker).map_err(|fault| fault.to_string())?;
    }
    for (number, word) in (1..).zip(moves.iter().skip(1)) {
        let mv =
            record::usi_move(&position, word).map_err(|fault| format!("move {number}: {fault}"))?;
        position = position.play(mv);
    }
    Ok(position)
}

/// A side that may be the attacker: the other one has a king.
fn attacker(position: &Position) -> Option<Side> {
    let sides = [position.turn(), position.turn().other()];
    sides.into_iter().find(|side| position.king(side.other()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: &str) -> Result<String, String> {
        read(&line.split_whitespace().collect::<Vec<_>>()).map(|position| sfen::write(&position))
    }

    #[test]
    fn positions_are_those_after_the_last_move() {
        assert_eq!(at("startpos").as_deref(), Ok(sfen::START));
        assert_eq!(at("startpos moves").as_deref(), Ok(sfen::START));
        let after = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_eq!(at("startpos moves 7g7f 3c3d").as_deref(), Ok(after));
        assert_eq!(at(&format!("sfen {after}")).as_deref(), Ok(after));
        assert!(at("sfen 9/9/8k/7R1/7G1/9/9/9/9 b - 1").is_ok(), "no king of the attacker");
        assert!(at("sfen 9/9/8K/7r1/7g1/9/9/9/9 w - 1").is_ok());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (line, said) in [
            ("", "startpos or sfen"),
            ("fen 9", "startpos or sfen"),
            ("startpos 7g7f", "startpos or sfen"),
            ("sfen", "empty text"),
            ("sfen 9/9 b - 1", "2 ranks"),
            ("sfen 9/9/8k/7R1/7G1/9/9/9/9 x - 1", "side to move"),
            ("sfen 9/9/8k/7R1/7G1/9/9/P8/P8 b - 1", "pawns of Black on file 9"),
            ("sfen 8k/8R/9/9/9/9/9/9/9 b - 1", "in check by the piece on 1b"),
            ("startpos moves 7g7f 7g7f", "move 2"),
            ("startpos moves 7g7e", "move 1"),
            ("startpos moves 7g7f 3c3d 8h2b+ x", "move 4"),
        ] {
            let fault = at(line).unwrap_err();
            assert!(fault.contains(said), "{line}: {fault}");
        }
    }
}
