//! Text that may be shown: on a terminal, in a log, in a table. Control characters can move the
//! cursor and forge lines; others are invisible or reverse what is read.

use std::borrow::Cow;

/// Stands for a character that is not shown.
const REPLACEMENT: char = '\u{FFFD}';

/// Whether a character has a place of its own on a line. Line breaks and tabs have none.
#[must_use]
pub fn is_shown(sign: char) -> bool {
    !sign.is_control() && !is_hidden(sign)
}

/// Characters that are invisible, break lines, or change the direction of others.
fn is_hidden(sign: char) -> bool {
    matches!(sign,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// The first character that a text of several lines may not have.
#[must_use]
pub fn unshown(text: &str) -> Option<char> {
    text.chars().find(|&sign| !is_shown(sign) && sign != '\n' && sign != '\t')
}

/// The text with everything replaced that is not shown; line breaks and tabs stay.
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    if unshown(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            // A line break of other systems is one as well.
            '\r' if signs.peek() == Some(&'\n') => {}
            sign if is_shown(sign) || sign == '\n' || sign == '\t' => out.push(sign),
            _ => out.push(REPLACEMENT),
        }
    }
    Cow::Owned(out)
}

/// The text on one line, with at most `most` bytes; what is cut is marked.
#[must_use]
pub fn line(text: &str, most: usize) -> String {
    let one = |sign: char| if sign == '\n' || sign == '\t' { ' ' } else { sign };
    cut(&shown(text).chars().map(one).collect::<String>(), most)
}

/// At most `most` bytes of a text; what is cut is marked.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    const MARK: &str = "…";
    if text.len() <= most {
        return text.to_string();
    }
    let end = text.floor_char_boundary(most.saturating_sub(MARK.len()));
    format!("{}{MARK}", &text[..end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_moves_the_cursor_or_hides_is_replaced() {
        for bad in ["\x1b[2J", "\u{9b}31m", "a\rb", "\x07", "\x7f", "\u{202e}cod", "a\u{200b}b"] {
            assert!(unshown(bad).is_some(), "{bad:?}");
            assert!(shown(bad).contains(REPLACEMENT), "{bad:?}");
        }
        for fine in ["", "Square W", "1 2\n3\t4", "はさみ将棋 ↑*", "±½", "é"] {
            assert_eq!(shown(fine), fine);
        }
        assert_eq!(shown("one\r\ntwo"), "one\ntwo");
        assert_eq!(line("one\r\ntwo\tthree", 99), "one two three");
    }

    #[test]
    fn a_cut_text_says_so_and_is_whole_text() {
        assert_eq!(cut("はさみ", 9), "はさみ");
        assert_eq!(cut("はさみ将", 9), "はさ…");
        assert_eq!(cut("abc", 2), "…", "the mark needs three bytes");
    }

    proptest! {
        #[test]
        fn what_is_shown_is_all_shown(text in any::<String>(), most in 3usize..40) {
            prop_assert_eq!(unshown(&shown(&text)), None);
            let line = line(&text, most);
            prop_assert!(line.len() <= most && line.chars().all(is_shown), "{:?}", line);
        }
    }
}
