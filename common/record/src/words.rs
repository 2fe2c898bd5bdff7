//! What a verdict depends on, as at most four words stored inline: most games have none, and their
//! records must not need the heap. Relies on the `Reason` trait of `hasami-andor`.

use std::fmt;

use hasami_andor::Reason;

/// Maximum number of words of a reason.
pub const MAX_WORDS: usize = 4;

/// At most [`MAX_WORDS`] words.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Words {
    // Unused words stay zero, so that derived equality compares only the used ones.
    words: [u64; MAX_WORDS],
    len: u8,
}

impl Words {
    /// No words: the reason `()`.
    pub const EMPTY: Self = Self { words: [0; MAX_WORDS], len: 0 };

    /// The given words, or `None` if there are too many.
    #[must_use]
    pub fn new(words: &[u64]) -> Option<Self> {
        let mut all = [0; MAX_WORDS];
        all.get_mut(..words.len())?.copy_from_slice(words);
        Some(Self { words: all, len: words.len() as u8 })
    }

    /// The words of a reason.
    #[must_use]
    pub fn of<R: Reason>(reason: R) -> Self {
        const { assert!(R::WORDS <= MAX_WORDS) };
        let mut words = [0; MAX_WORDS];
        reason.store(&mut words[..R::WORDS]);
        Self { words, len: R::WORDS as u8 }
    }

    /// The reason of these words, or `None` if it has another number of words.
    #[must_use]
    pub fn load<R: Reason>(&self) -> Option<R> {
        (self.as_slice().len() == R::WORDS).then(|| R::load(self.as_slice()))
    }

    /// The words in order.
    #[must_use]
    pub fn as_slice(&self) -> &[u64] {
        &self.words[..usize::from(self.len)]
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_comes_back_as_it_was() {
        assert_eq!(Words::of(()).load::<()>(), Some(()));
        assert_eq!(Words::of(7_u64).load::<u64>(), Some(7));
        let wide = u128::MAX - 5;
        assert_eq!(Words::of(wide).load::<u128>(), Some(wide));
    }

    #[test]
    fn a_reason_of_another_length_is_not_misread() {
        assert_eq!(Words::of(7_u64).load::<u128>(), None);
        assert_eq!(Words::EMPTY.load::<u64>(), None);
    }

    #[test]
    fn five_words_are_too_many() {
        assert!(Words::new(&[1; 4]).is_some());
        assert!(Words::new(&[1; 5]).is_none());
    }
}
