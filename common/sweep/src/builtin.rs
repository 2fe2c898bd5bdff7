//! Sweeps that come with the program.

use hasami_spec::Catalog;

use crate::error::SweepErrors;
use crate::sweep::Sweep;

/// A sweep that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// The text of its sweep file.
    pub text: &'static str,
}

macro_rules! builtins {
    ($($name:literal),+ $(,)?) => {
        /// All built-in sweeps.
        pub static BUILTINS: &[Builtin] = &[
            $(Builtin { name: $name, text: include_str!(concat!("../sweeps/", $name, ".toml")) }),+
        ];
    };
}

builtins![
    "losers-66",
    "singles",
    "paving-winners",
    "pavings-small",
    "mnk-small",
    "chomp",
    "synthetic-1k",
    "quarto-draw",
    "puzzles-10k",
    "pyonpyon-database",
    "mancala-database",
    "corridors",
    "rooms",
    "domineering-box",
];

impl Builtin {
    /// The built-in sweep of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        BUILTINS.iter().find(|one| one.name == name)
    }

    /// Parses the sweep.
    ///
    /// # Errors
    /// If the catalog lacks its game or job; never with the catalog of this program.
    pub fn sweep(&self, catalog: Catalog) -> Result<Sweep, SweepErrors> {
        Sweep::parse(catalog, self.text, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_answer::CATALOG;
    use hasami_polyomino::polyomino::shape::losers;

    #[test]
    fn all_can_be_read_and_carry_their_own_names() {
        for builtin in BUILTINS {
            let sweep = builtin.sweep(CATALOG).unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(sweep.name(), builtin.name);
            assert!(sweep.title().is_some());
            assert_eq!(sweep.text(), builtin.text);
        }
    }

    #[test]
    fn the_66_pairs_are_all_pairs_of_losers_in_the_order_of_the_table() {
        let shapes = losers();
        let mut expected = Vec::new();
        for (at, first) in shapes.iter().enumerate() {
            expected.extend(shapes[at + 1..].iter().map(|second| format!("{first},{second}")));
        }
        let sweep = Builtin::find("losers-66").unwrap().sweep(CATALOG).unwrap();
        let pairs: Vec<String> = sweep.items().map(|item| item.params[0].1.clone()).collect();
        assert_eq!(pairs, expected);
    }
    #[test]
    fn the_page_about_sweeps_is_right_about_them() {
        let page = include_str!("../../../docs/sweeps.md");
        let example =
            page.split("```").nth(1).and_then(|block| block.strip_prefix("toml")).unwrap();
        assert_eq!(Sweep::parse(CATALOG, example, "docs/sweeps.md").unwrap().len(), 6);
        for builtin in BUILTINS {
            let count = match builtin.sweep(CATALOG).unwrap().len() {
                count @ 1000.. => format!("{},{:03}", count / 1000, count % 1000),
                count => count.to_string(),
            };
            let line = format!("| `{}` | {count} |", builtin.name);
            assert!(page.contains(&line), "{line}");
        }
    }

    #[test]
    fn the_examples_that_are_shipped_can_be_read() {
        for text in [
            include_str!("../../../deploy/sweeps/skinny-boards.toml"),
            include_str!("../../../deploy/sweeps/one-hard-search.toml"),
        ] {
            Sweep::parse(CATALOG, text, "example").unwrap_or_else(|errors| panic!("{errors}"));
        }
    }
}
