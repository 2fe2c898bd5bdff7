//! "Did you mean …?" for names that a person mistyped.

/// The name nearest to `found`, if one is near: at most two letters wrong, and fewer than half.
#[must_use]
pub fn nearest<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|name| (distance(found, name), name))
        .filter(|&(wrong, name)| wrong <= 2 && 2 * wrong < name.chars().count())
        .min_by_key(|&(wrong, _)| wrong)
        .map(|(_, name)| name)
}

/// The ending of a message that has a suggestion: `; did you mean "…"?`, or nothing.
#[must_use]
pub fn hint(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

/// How many letters must be put in, left out or changed (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in to.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
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
        assert_eq!(nearest("xx", known()), None);
        assert_eq!(nearest("shogi", known()), None);
    }
}
