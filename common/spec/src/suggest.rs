//! "Did you mean …?" for mistyped names.

use strsim::damerau_levenshtein;

/// The name nearest to `found`, if one is near: at most two letters wrong or swapped, and fewer
/// than half.
#[must_use]
pub fn nearest<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|name| (damerau_levenshtein(found, name), name))
        .filter(|&(wrong, name)| wrong <= 2 && 2 * wrong < name.chars().count())
        .min_by_key(|&(wrong, _)| wrong)
        .map(|(_, name)| name)
}

/// The end of a message with a suggestion: `; did you mean "…"?`, or nothing.
#[must_use]
pub fn hint(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let known = || ["graph", "chomp", "mnk"].into_iter();
        assert_eq!(nearest("grahp", known()), Some("graph"));
        assert_eq!(nearest("chom", known()), Some("chomp"));
        assert_eq!(nearest("mk", known()), Some("mnk"));
        // Two swapped letters are one mistake.
        assert_eq!(nearest("mkn", known()), Some("mnk"));
        assert_eq!(nearest("xx", known()), None);
        assert_eq!(nearest("shogi", known()), None);
    }
}
