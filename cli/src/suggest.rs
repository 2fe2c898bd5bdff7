//! What a mistyped word may have meant.

use clap::Command;

/// The nearest of some words, if it is near at all. Swapped letters count as one mistake.
pub fn nearest<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let distance = |known: &str| strsim::osa_distance(word, known);
    let near = words.into_iter().filter(|known| {
        let most = (word.chars().count().max(known.chars().count()) / 3).max(1);
        distance(known) <= most
    });
    near.min_by_key(|known| distance(known))
}

/// A command near a mistyped one: beside it, or of that name anywhere in the tree.
pub fn command(tree: &Command, at: &Command, path: &str, word: &str) -> Option<String> {
    let mut all = Vec::new();
    walk(tree, "hasami", &mut all);
    // The right word in the wrong place goes before a similar word beside it.
    let exact = all.iter().find(|(name, _)| name == word);
    if let Some((_, path)) = exact {
        return Some(format!("`{path}`"));
    }
    let beside = at.get_subcommands().filter(|below| !below.is_hide_set());
    if let Some(name) = nearest(word, beside.map(Command::get_name)) {
        return Some(if path == "hasami" { name.to_string() } else { format!("`{path} {name}`") });
    }
    let near = || {
        let name = nearest(word, all.iter().map(|(name, _)| name.as_str()))?;
        all.iter().find(|(known, _)| known == name)
    };
    near().map(|(_, path)| format!("`{path}`"))
}

fn walk(command: &Command, path: &str, all: &mut Vec<(String, String)>) {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        let path = format!("{path} {}", below.get_name());
        all.push((below.get_name().to_string(), path.clone()));
        walk(below, &path, all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_letters_are_one_mistake() {
        assert_eq!(nearest("slove", ["store", "solve", "submit"]), Some("solve"));
        assert_eq!(nearest("losers66", ["chomp", "losers-66"]), Some("losers-66"));
        assert_eq!(nearest("frobnicate", ["store", "solve"]), None);
    }

    #[test]
    fn commands_are_found_where_they_are() {
        let tree = crate::tree::command();
        let hint = |word| command(&tree, &tree, "hasami", word);
        assert_eq!(hint("slove").as_deref(), Some("solve"));
        assert_eq!(hint("cgt").as_deref(), Some("`hasami value cgt`"));
        assert_eq!(hint("explain").as_deref(), Some("`hasami runs explain`"));
        assert_eq!(hint("chomp").as_deref(), Some("`hasami solve chomp`"));
        assert_eq!(hint("frobnicate"), None);
    }
}
