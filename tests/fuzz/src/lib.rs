//! What the fuzz targets do with their bytes. Only a panic, an overflow, a hang or a lack of memory is
//! a finding; where something is read and written again, it must come out the same.

mod certificates;
mod messages;
mod texts;

pub use certificates::{
    answer, certificate_file, certificate_tree, database, paving_text, state, value_text,
};
pub use messages::{access, journal, message, packed};
pub use texts::{notation, params, position, record, sweep};

/// Questions whose certificates are checked: the first byte of an input chooses.
pub const QUESTIONS: &[&str] = &[
    "chomp rows=3 columns=4",
    "mnk width=3 height=3 line=3",
    "quarto position=23...e10d.b.8.ac,7 within=3",
    "graph nodes=60 shape=cyclic sharing=0.6",
    "pyonpyon rows=1 columns=5 home=2",
    "mancala position=1,0,1,1,1,0/0,1,0,1,0,1:first within=9",
    "paving shapes=I,L board=5x5 pairs=any",
    "polyomino shapes=El board=4x4 stones=3",
    "polyomino shapes=Square,W stones=9",
    "synthetic depth=6 branching=3 width=10 leaves=0.1",
    "shogi position=8k/9/7G1/9/R8/9/9/9/9_b_2p",
    "shogi position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p within=5",
];

/// The question of this spelling.
#[must_use]
pub fn question(words: &str) -> hasami_spec::Question {
    let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
    let spec = hasami_answer::entry(name).expect("a known name").spec;
    let given = spec.read_words(rest.split_terminator(' ')).expect("words");
    spec.question(&given, hasami_spec::SearchSettings::default()).expect("a question")
}
