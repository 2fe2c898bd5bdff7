//! Files that commands write: where they go, and the form that the extension asks for.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A form of a written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// Text for people
    #[value(alias = "txt")]
    Text,
    /// Comma separated
    Csv,
    /// One JSON value
    Json,
    /// A JSON object a line
    Jsonl,
    /// A table for papers
    #[value(alias = "tex")]
    Latex,
    /// A page in one file
    Html,
    /// A drawing
    Svg,
    /// A game record of shogi
    Kif,
    /// Typed columns for data frames
    Parquet,
}

impl Form {
    /// The extension of such files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Latex => "tex",
            Self::Html => "html",
            Self::Svg => "svg",
            Self::Kif => "kif",
            Self::Parquet => "parquet",
        }
    }
}

/// The form of a file: by its extension, one of those that the command can write.
pub fn form(file: &Path, forms: &[Form]) -> Result<Form, Failure> {
    let extension = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let found = forms.iter().copied().find(|form| form.extension() == extension);
    found.ok_or_else(|| {
        let all: Vec<_> = forms.iter().map(|form| format!(".{}", form.extension())).collect();
        let (last, first) = all.split_last().map_or(("", &[][..]), |(last, first)| (last, first));
        let list = if first.is_empty() {
            last.to_string()
        } else {
            format!("{} or {last}", first.join(", "))
        };
        Failure::Usage(format!("-o {}: expected a file that ends in {list}", file.display()))
    })
}

/// Whether a file means standard output.
pub fn is_stdout(file: &Path) -> bool {
    file == Path::new("-")
}

/// Finds out before the work whether a file can be written where the option `name` wants it.
pub fn prepare_place(name: &str, file: &Path) -> Result<(), Failure> {
    if is_stdout(file) {
        return Ok(());
    }
    let refuse = |what: String| {
        Failure::Usage(format!(
            "{name} {}: {what}; expected a file that can be written",
            file.display()
        ))
    };
    if file.is_dir() {
        return Err(refuse("this is a directory".to_string()));
    }
    match file.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        None => Ok(()),
        Some(directory) => std::fs::create_dir_all(directory)
            .map_err(|error| refuse(format!("no directory {}: {error}", directory.display()))),
    }
}

/// Writes a file whole or not at all; `-` is standard output.
pub fn save(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_stdout(file) {
        return print(bytes);
    }
    hasami_files::write_whole(file, bytes)
        .map_err(|error| Failure::Failed(format!("{}: {error}", file.display())))
}

/// Writes bytes to standard output. A reader that has closed the pipe has read enough.
pub fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// The default directory of certificates.
pub fn default_place(file_name: &str) -> PathBuf {
    Path::new("hasami-data").join("certificates").join(file_name)
}

/// A directory of the user, by the XDG rules.
pub fn xdg(variable: &str, below_home: &str) -> Option<PathBuf> {
    let set =
        |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let base = set(variable).or_else(|| Some(set("HOME")?.join(below_home)))?;
    Some(base.join("hasami"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_chooses_the_form() {
        let forms = [Form::Html, Form::Svg];
        assert!(matches!(form(Path::new("a/b.svg"), &forms), Ok(Form::Svg)));
        for wrong in ["a.csv", "svg", ".svg", "a."] {
            let Err(Failure::Usage(message)) = form(Path::new(wrong), &forms) else {
                panic!("{wrong} has no form")
            };
            assert!(message.ends_with(".html or .svg"), "{message}");
        }
    }
}
