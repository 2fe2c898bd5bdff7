//! Soundness of the polyomino game.
