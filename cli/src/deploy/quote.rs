//! Words for a POSIX shell.

/// One word that the shell reads back as it is, whatever is in it.
pub fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./:=@%+,".contains(sign);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Several words, with spaces between them.
pub fn line<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        let words = [
            "plain",
            "",
            "two words",
            "it's",
            "$HOME",
            "`id`",
            "$(id)",
            "a;b",
            "\\",
            "\"",
            "*",
            "~",
            "#no",
            "a\nb",
            "挟み",
            "-n",
            "!x",
            "'",
            "''",
        ];
        let script = format!("printf '%s|' {}", line(words));
        let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
        let expected: String = words.iter().map(|word| format!("{word}|")).collect();
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
}
