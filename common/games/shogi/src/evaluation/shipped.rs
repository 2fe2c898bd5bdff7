//! The weights that come with the program, read when they are first used.

use std::sync::{Arc, OnceLock};

use hasami_spec::Evaluation;

use super::{FirstNumbers, Linear, Tables};

const SIZES: [&str; 4] = [
    include_str!("../../weights/paper-1.txt"),
    include_str!("../../weights/paper-2.txt"),
    include_str!("../../weights/paper-3.txt"),
    include_str!("../../weights/paper-4.txt"),
];
const VALUES: [&str; 4] = [
    include_str!("../../weights/value-1.txt"),
    include_str!("../../weights/value-2.txt"),
    include_str!("../../weights/value-3.txt"),
    include_str!("../../weights/value-4.txt"),
];
const LEARNED: &str = include_str!("../../weights/learned.txt");

impl FirstNumbers {
    /// Those of a name.
    ///
    /// # Panics
    /// If the number of a set is not from 1 to 4.
    #[must_use]
    pub fn shipped(evaluation: Evaluation) -> Self {
        static LINEAR: [[OnceLock<Arc<Linear>>; 4]; 2] =
            [const { [const { OnceLock::new() }; 4] }; 2];
        static TABLES: OnceLock<Arc<Tables>> = OnceLock::new();
        let linear = |method: usize, set: u8, texts: &[&str; 4]| {
            let at = usize::from(set) - 1;
            let read = || Linear::read(texts[at].trim()).expect("weights of this program").into();
            Self::Linear(Arc::clone(LINEAR[method][at].get_or_init(read)))
        };
        match evaluation {
            Evaluation::None => Self::Same,
            Evaluation::Thumb => Self::Thumb,
            Evaluation::Size(set) => linear(0, set, &SIZES),
            Evaluation::Value(set) => linear(1, set, &VALUES),
            Evaluation::Learned => {
                let read = || Tables::read(LEARNED).expect("weights of this program").into();
                Self::Tables(Arc::clone(TABLES.get_or_init(read)))
            }
        }
    }
}
