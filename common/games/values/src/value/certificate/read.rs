//! Writing and reading the lines of a claim.

use std::fmt::Write as _;

use hasami_game::text_certificate::{Damage, Lines, TextCertificate};

use super::Claim;
use crate::go::Claimed;
use crate::value::game::Game;
use crate::value::prove::{Entry, Proof};

/// The words of lines of a table.
const WORDS: [(&str, Claimed); 3] =
    [("part", Claimed::Value), ("least", Claimed::Least), ("most", Claimed::Most)];

impl TextCertificate for Claim {
    const START: &'static str = "hasami value";
    const VERSION: &'static str = "3";
    /// Tables are at most half as long.
    const MAX_BYTES: usize = 1 << 24;

    fn body(&self) -> String {
        let Self { game, position, value, proof } = self;
        let mut body = format!(
            "{} {}\ngame {}\nposition {position}\nvalue {value}\nproof {}\n",
            Self::START,
            Self::VERSION,
            game.name(),
            proof.word(),
        );
        if let Proof::Table(lines) = proof {
            for Entry { claimed, part, value } in lines {
                let word =
                    WORDS.iter().find(|(_, one)| one == claimed).map_or("?", |(word, _)| word);
                let _ = writeln!(body, "{word} {part} {value}");
            }
        }
        body
    }

    fn parse(lines: &Lines<'_>) -> Result<Self, Damage> {
        let name = lines.value(0, "game", "go")?;
        let game = Game::NAMES.iter().find(|(known, _)| *known == name).map(|(_, one)| *one);
        let game = game.ok_or_else(|| {
            let known: Vec<&str> = Game::NAMES.iter().map(|(known, _)| *known).collect();
            lines.damage(0, format!("a game: one of {}", known.join(", ")))
        })?;
        let position = lines.value(1, "position", "…")?.to_string();
        let value = lines.value(2, "value", "{1|0}")?.to_string();
        let proof = match lines.value(3, "proof", "table")? {
            "table" => Proof::Table(table(lines)?),
            word if lines.len() > 4 => {
                return Err(lines.damage(4, format!("the hash, after proof {word}")));
            }
            "arithmetic" => Proof::Arithmetic,
            "none" => Proof::None,
            _ => return Err(lines.damage(3, "proof table, arithmetic or none")),
        };
        Ok(Self { game, position, value, proof })
    }
}

fn table(lines: &Lines<'_>) -> Result<Vec<Entry>, Damage> {
    let entry = |at: usize| {
        let found = WORDS.iter().find_map(|&(word, claimed)| {
            let (part, value) = lines.value(at, word, "").ok()?.split_once(' ')?;
            Some(Entry { claimed, part: part.to_string(), value: value.to_string() })
        });
        found.ok_or_else(|| lines.damage(at, "part, least or most, a part, and its value"))
    };
    (4..lines.len()).map(entry).collect()
}
