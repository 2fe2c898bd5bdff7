//! Writing and reading the lines of a claim.

use hasami_game::text_certificate::{Damage, Lines, TextCertificate};

use super::{Claim, Entry, Family};

/// The format without a table.
const VERSION: &str = "1";
/// The format with a table.
const WITH_TABLE: &str = "2";

impl TextCertificate for Claim {
    const START: &'static str = "hasami value";
    const VERSIONS: &'static [&'static str] = &[VERSION, WITH_TABLE];
    /// Canonical forms are cut after a million characters.
    const MAX_BYTES: usize = 1 << 22;

    fn body(&self) -> String {
        let version = if self.table.is_empty() { VERSION } else { WITH_TABLE };
        let mut body = format!(
            "{} {version}\nfamily {}\nposition {}\nvalue {}\n",
            Self::START,
            self.family.name(),
            self.position,
            self.value
        );
        for Entry { part, value } in &self.table {
            body.push_str(&format!("part {part} {value}\n"));
        }
        body
    }

    fn parse(version: &str, lines: &Lines<'_>) -> Result<Self, Damage> {
        let name = lines.value(0, "family", "go-room")?;
        let family = Family::NAMES.iter().find(|(known, _)| *known == name).map(|(_, one)| *one);
        let family = family.ok_or_else(|| {
            let known: Vec<&str> = Family::NAMES.iter().map(|(known, _)| *known).collect();
            lines.damage(0, format!("a family: one of {}", known.join(", ")))
        })?;
        let position = lines.value(1, "position", "…")?.to_string();
        let value = lines.value(2, "value", "{1|0}")?.to_string();
        let mut table = Vec::new();
        if version == WITH_TABLE {
            for at in 3..lines.len() {
                let line = lines.value(at, "part", "XXX/O.X/XXX {1|0}")?;
                let (part, worth) =
                    line.split_once(' ').ok_or_else(|| lines.damage(at, "a part and its value"))?;
                table.push(Entry { part: part.to_string(), value: worth.to_string() });
            }
        }
        Ok(Self { family, position, value, table })
    }
}
