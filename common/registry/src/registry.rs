//! The list of games. A game is one line in `games!` below; everything else that names a game
//! (command line, sweep files, certificates) goes through [`visit`], with static dispatch.

use hasami_game::{Game, GameError, GameInfo};
use hasami_spec::Params;
use hasami_spec::suggest::nearest;

/// Something to be done with a game whose type is only known at run time.
pub trait Visitor {
    /// What comes out.
    type Output;
    /// Does it; compiled once for every game.
    fn visit<G: Game>(self, game: G, params: &Params) -> Self::Output;
}

macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// All games, in the order in which they are shown.
        #[must_use]
        pub fn games() -> Vec<GameInfo> {
            vec![$(GameInfo::of::<$game>()),+]
        }

        /// Makes the game `name` with the parameters in `pairs` and shows it to `visitor`.
        ///
        /// # Errors
        /// When there is no such game or it refuses the parameters; each says what is valid.
        pub fn visit<V: Visitor>(
            name: &str,
            pairs: &[(String, String)],
            visitor: V,
        ) -> Result<V::Output, GameError> {
            $(
                if name == <$game as Game>::NAME {
                    let (game, params) = make::<$game>(pairs)?;
                    return Ok(visitor.visit(game, &params));
                }
            )+
            Err(unknown(name))
        }
    };
}

games! {
    hasami_polyomino::polyomino::Polyomino,
    hasami_small::mnk::Mnk,
    hasami_small::chomp::Chomp,
    hasami_small::quarto::Quarto,
    hasami_race::pyonpyon::Pyonpyon,
    hasami_race::mancala::Mancala,
    hasami_polyomino::paving_winner::PavingWinner,
    hasami_small::graph::Graph,
    hasami_small::synthetic::Synthetic,
}

fn make<G: Game>(pairs: &[(String, String)]) -> Result<(G, Params), GameError> {
    Params::new(G::params(), pairs)
        .and_then(|params| Ok((G::from_params(&params)?, params)))
        .map_err(|error| GameError::Params { game: G::NAME, error })
}

fn unknown(name: &str) -> GameError {
    let known: Vec<&'static str> = games().iter().map(|game| game.name).collect();
    GameError::UnknownGame {
        name: name.to_string(),
        suggestion: nearest(name, known.iter().copied()),
        known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl Visitor for Name {
        type Output = (&'static str, String);
        fn visit<G: Game>(self, _: G, params: &Params) -> Self::Output {
            (G::NAME, params.canonical())
        }
    }

    fn asked(name: &str, pairs: &[(&str, &str)]) -> Result<(&'static str, String), GameError> {
        let pairs: Vec<(String, String)> =
            pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        visit(name, &pairs, Name)
    }

    #[test]
    fn the_example_of_every_game_works() {
        for game in games() {
            let mut words = game.example.split(' ');
            assert_eq!(words.next(), Some(game.name));
            let pairs = game.read_words(words).unwrap();
            assert_eq!(visit(game.name, &pairs, Name).unwrap().0, game.name);
        }
    }

    #[test]
    fn every_game_has_a_name_and_keys_of_its_own() {
        let games = games();
        for (at, game) in games.iter().enumerate() {
            assert!(games[..at].iter().all(|other| other.name != game.name));
            assert!(!game.about.contains('\n') && !game.about.is_empty());
            for (at, param) in game.params.iter().enumerate() {
                let mut before = game.params[..at].iter();
                assert!(before.all(|other| other.name != param.name));
                assert!(!param.help.is_empty());
            }
        }
    }

    #[test]
    fn plain_words_are_the_value_of_the_parameter_that_takes_them() {
        let info = |name| games().into_iter().find(|game| game.name == name).unwrap();
        let paving = info("paving");
        assert!(paving.params.iter().any(|param| Some(param.name) == paving.words));
        let pair = |key: &str, value: &str| (key.to_string(), value.to_string());
        assert_eq!(
            paving.read_words(["I", "board=6x6", "##/##"]),
            Ok(vec![pair("board", "6x6"), pair("shapes", "I,##/##")])
        );
        assert_eq!(paving.read_words(["pairs=any"]), Ok(vec![pair("pairs", "any")]));
        let wrong = info("chomp").read_words(["rows=3", "many"]).unwrap_err();
        assert_eq!(
            wrong,
            "game chomp: found \"many\"; expected KEY=VALUE with one of the keys rows, columns"
        );
    }

    #[test]
    fn errors_name_the_game_and_what_is_valid() {
        let wrong = asked("comp", &[]).unwrap_err().to_string();
        assert!(
            wrong.starts_with("unknown game \"comp\"; expected one of polyomino, mnk, chomp"),
            "{wrong}"
        );
        assert!(wrong.ends_with("did you mean \"chomp\"?"), "{wrong}");
        let wrong = asked("chomp", &[("rows", "99")]).unwrap_err().to_string();
        assert_eq!(wrong, "game chomp: rows=99: expected a whole number from 1 to 16");
    }
}
