//! Every `hasami` line of the documentation: its usage is right, and it runs where it can.
//!
//! Blocks marked `sh` in README.md, docs/ and examples/ are read. The usage of every command is
//! checked, so a wrong flag fails. Lines are then run, those of one page in one directory that has
//! the examples, unless [`NOT_RUN`] says why not.

use std::path::{Path, PathBuf};

use hasami_tests::Hasami;

/// Lines with these words are not run; `\n` is the end of a line.
const NOT_RUN: &[(&str, &str)] = &[
    ("hasami coordinator", "runs until it is stopped"),
    ("hasami worker", "needs a coordinator"),
    ("hasami submit", "needs a coordinator"),
    ("hasami runs", "needs a coordinator"),
    ("hasami access", "needs a coordinator"),
    ("hasami status", "needs a coordinator"),
    ("hasami deploy", "needs other machines"),
    ("hasami watch", "needs a coordinator"),
    ("hasami report", "needs a coordinator"),
    ("hasami store clear-fault", "needs a coordinator"),
    ("hasami man ", "writes outside of the directory"),
    ("hasami completions", "writes outside of the directory"),
    ("i-and-l.", "a search of seconds comes first"),
    ("hasami run losers-66", "takes minutes"),
    ("hasami run singles", "takes minutes"),
    ("hasami run corridors", "takes minutes"),
    ("hasami run quarto-draw", "takes days"),
    ("hasami run puzzles-10k", "takes an hour"),
    ("hasami run pyonpyon-database", "takes minutes"),
    ("hasami run mancala-database", "takes minutes and a gigabyte"),
    ("hasami database build pyonpyon", "takes minutes and a gigabyte"),
    ("hasami database build mancala", "takes minutes"),
    ("hasami polyomino pairs -o", "takes minutes: all 66 pairs"),
    ("pass.db", "needs a database that takes minutes"),
    ("endings", "needs a database that takes minutes"),
    ("either-26.db", "needs a database that takes hours"),
    ("six-three.cert", "needs a database that takes hours"),
    ("hasami puzzles make", "takes a minute without optimization"),
    ("hasami puzzles merge", "needs the results of a long run"),
    ("hasami solve polyomino Y5", "takes minutes without optimization"),
    ("hasami solve polyomino I L", "takes minutes without optimization"),
    ("hasami solve polyomino UU SS", "takes minutes"),
    ("hasami solve polyomino Square SS", "takes minutes"),
    ("hasami solve polyomino Skinny", "takes minutes without optimization"),
    ("hasami solve mancala pits=4", "takes minutes"),
    ("depth=24 branching=3 --store hasami-data/store\n", "takes minutes"),
    ("my-sweep.toml", "is a name for the reader's own file"),
    ("problems.sfen", "is a name for the reader's own file"),
    ("--file a.kif", "is a name for the reader's own file"),
    ("positions.txt", "is a name for the reader's own file"),
    ("shogi-f14822b4e025.cert", "is the certificate of an example"),
    ("hasami-data/certificates/value-", "is the certificate of a long run"),
];

/// A line of the documentation.
struct Line {
    page: PathBuf,
    number: usize,
    text: String,
}

impl Line {
    fn place(&self) -> String {
        format!("{}:{}: {}", self.page.display(), self.number, self.text)
    }

    fn is_run(&self) -> bool {
        let placeholder = self.text.contains('…') || self.text.contains("FILE");
        let line = format!("{}\n", self.text);
        !placeholder && !NOT_RUN.iter().any(|(words, _)| line.contains(words))
    }
}

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the directory above").to_owned()
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![top().join("README.md"), top().join("examples/README.md")];
    let docs = std::fs::read_dir(top().join("docs")).expect("the docs");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    pages.extend(docs.filter(|page| page.extension().is_some_and(|end| end == "md")));
    pages.sort();
    pages
}

/// The lines of `sh` blocks that call the program, without what follows `#`.
fn lines(page: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(page).expect("a page");
    let (mut lines, mut inside, mut before) = (Vec::new(), false, String::new());
    for (at, line) in text.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            inside = !inside && matches!(language.trim(), "sh" | "bash" | "shell" | "console");
            continue;
        }
        if !inside {
            continue;
        }
        let line = without_remark(line.trim_start_matches("$ "));
        if let Some(begun) = line.strip_suffix('\\') {
            before.push_str(begun);
            continue;
        }
        let whole = std::mem::take(&mut before) + &line;
        if commands(&whole).iter().any(|command| words(command).is_some()) {
            let page = page.strip_prefix(top()).unwrap_or(page).to_owned();
            lines.push(Line { page, number: at + 1, text: whole.trim().to_string() });
        }
    }
    lines
}

/// Goes through a line, telling for each sign whether it is quoted.
fn quoted(line: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let mut open = None;
    line.char_indices().map(move |(at, sign)| {
        let inside = open.is_some();
        match open {
            Some(quote) if quote == sign => open = None,
            None if sign == '\'' || sign == '"' => open = Some(sign),
            _ => {}
        }
        (at, sign, inside || open.is_some())
    })
}

fn without_remark(line: &str) -> String {
    let mut before = ' ';
    for (at, sign, quoted) in quoted(line) {
        if sign == '#' && before == ' ' && !quoted {
            return line[..at].trim_end().to_string();
        }
        before = sign;
    }
    line.trim_end().to_string()
}

/// The commands of a line, divided by `&&`, `||`, `;` and `|`; what is redirected is cut off.
fn commands(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut redirected = false;
    for (_, sign, quoted) in quoted(line) {
        match sign {
            '&' | '|' | ';' if !quoted => {
                all.push(String::new());
                redirected = false;
            }
            '>' | '<' if !quoted => redirected = true,
            _ if redirected => {}
            _ => all.last_mut().expect("at least one").push(sign),
        }
    }
    all.into_iter()
        .map(|command| command.trim().to_string())
        .filter(|one| !one.is_empty())
        .collect()
}

/// The words of a command for the program, after variables that are set for it.
fn words(command: &str) -> Option<&str> {
    let mut rest = command.trim_start();
    loop {
        let (first, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        if first == "hasami" {
            return Some(behind);
        }
        if !first.contains('=') {
            return None;
        }
        rest = behind.trim_start();
    }
}

#[test]
fn their_usage_is_right() {
    let hasami = Hasami::new();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for line in pages().iter().flat_map(|page| lines(page)) {
        for command in commands(&line.text) {
            let Some(words) = words(&command) else { continue };
            // Patterns and substitutions stay as they are: only the usage is checked.
            let run = hasami.shell(&format!("set -f; hasami --check-usage {words}"));
            checked += 1;
            if run.code != Some(0) {
                wrong.push(format!("{}\n{}", line.place(), run.stderr));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 50, "{checked} commands were found");
}

#[test]
fn they_run() {
    let mut wrong = Vec::new();
    for page in pages() {
        let hasami = Hasami::new();
        std::fs::create_dir(hasami.path("examples")).expect("a directory");
        for entry in std::fs::read_dir(top().join("examples")).expect("the examples") {
            let entry = entry.expect("an entry");
            let to = hasami.path("examples").join(entry.file_name());
            std::fs::copy(entry.path(), to).expect("a copy");
        }
        for line in lines(&page).iter().filter(|line| line.is_run()) {
            let run =
                hasami.shell(&format!("timeout 120 sh -c '{}'", line.text.replace('\'', "'\\''")));
            // 3: a budget was used up, which some lines show.
            if !matches!(run.code, Some(0 | 3)) {
                let why = if run.code == Some(124) { "took more than two minutes" } else { "" };
                wrong.push(format!("{}\n{:?} {why}\n{}", line.place(), run.code, run.stderr));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_flag_would_be_found() {
    let hasami = Hasami::new();
    let check = |words: &str| hasami.shell(&format!("hasami --check-usage {words}")).code;
    assert_eq!(check("solve mnk width=5 --budget 5M"), Some(0));
    assert_eq!(check("solve mnk width=5 --bugdet 5M"), Some(2));
    assert_eq!(check("solve mnk widht 5"), Some(2));
    assert_eq!(check("solv mnk"), Some(2));
    let line = "A=1 hasami go 'a;b#c' | hasami cgt > x && true; hasami x   # remark";
    let found: Vec<String> = commands(&without_remark(line));
    let found: Vec<_> = found.iter().filter_map(|command| words(command)).collect();
    assert_eq!(found, ["go 'a;b#c'", "cgt", "x"]);
}
