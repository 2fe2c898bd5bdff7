//! Small games, and random graphs for testing kernels.

/// Declares the modules of this crate's games, and passes the list to the registry.
macro_rules! games {
    ($d:tt $($kind:ident $module:ident::$game:ident),+ $(,)?) => {
        $(pub mod $module;)+

        /// Appends the games of this crate to the input of a macro.
        #[macro_export]
        macro_rules! with_small_games {
            ($d registry:ident! { $d($d before:tt)* }) => {
                $d registry! { $d($d before)* $($kind $d crate::$module::$game),+ }
            };
        }
    };
}

// Each game is one line: `puzzle_game` if it also implements `Puzzle`.
games! { $
    game mnk::Mnk,
    game chomp::Chomp,
    puzzle_game quarto::Quarto,
    game graph::Graph,
    game synthetic::Synthetic,
}
