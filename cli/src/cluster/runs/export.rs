//! `hasami runs export`: the results of a run, in the form that is wanted.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Parser;
use hasami_report::{Columns, Table, export};
use serde_json::json;

use crate::cluster::client::{AccessArgs, RunName};
use crate::cluster::{block_on, certificates, item_view, run_view};
use crate::failure::Failure;
use crate::files::{self, Form, prepare_place};
use crate::output::{self, OutputArgs};
use crate::screen;
use crate::tree::Verb;

/// What results can be written as.
pub const FORMS: [Form; 7] =
    [Form::Html, Form::Csv, Form::Json, Form::Jsonl, Form::Parquet, Form::Latex, Form::Text];

/// Print or write the results of a run, and fetch its certificates
#[derive(Clone, Debug, Parser)]
#[command(
    name = "export",
    after_help = "Examples:\n  hasami runs export 3\n  hasami runs export 3 -o results.csv\n  hasami runs export losers-66 -o out/results.html --certificates out/certificates"
)]
pub struct Export {
    /// The run: its number, or its name [default: the latest]
    pub run: Option<RunName>,
    /// Form of the export: html, csv, json, jsonl, parquet, latex or text [default: by the
    /// extension of the file, text on standard output]
    #[arg(long, value_enum, value_name = "FORM", hide_possible_values = true)]
    pub format: Option<Form>,
    /// States, attempts, nodes and times too: these differ from run to run
    #[arg(long)]
    pub all_columns: bool,
    /// Fetch the certificates into this directory
    #[arg(long, value_name = "DIR")]
    pub certificates: Option<PathBuf>,
    /// Where to write it; - is standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Export {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

/// Exports a run.
async fn act(options: &Export) -> Result<(), Failure> {
    let out = options.out.as_deref().filter(|file| !files::is_stdout(file));
    let form = match (options.format, out) {
        (Some(form), _) if !FORMS.contains(&form) => {
            return Err(Failure::Usage(
                "--format: results are no drawing and no game record; expected another".to_string(),
            ));
        }
        (Some(form), _) => form,
        (None, Some(file)) => files::form(file, &FORMS)?,
        (None, None) => Form::Text,
    };
    if let Some(file) = out {
        prepare_place("-o", file)?;
    } else if form == Form::Parquet && std::io::stdout().is_terminal() {
        return Err(Failure::Usage(
            "--format parquet: this is no text for a terminal; expected -o FILE".to_string(),
        ));
    }
    let mut client = options.access.client()?;
    let run = client.find(options.run.as_ref()).await?;
    let items = item_view::items(&mut client, run.run).await?;
    let table = item_view::results(&run, items)?;
    let columns = if options.all_columns { Columns::All } else { Columns::Results };
    let fetched = match &options.certificates {
        Some(directory) => Some(certificates::fetch(&mut client, &table, directory).await?),
        None => None,
    };
    let links = links(options.certificates.as_deref(), out);
    let bytes = render(&table, form, columns, &links)?;
    let unfinished = run_view::unfinished(&run);
    let Some(file) = out else {
        if let Some(unfinished) = unfinished {
            screen::say(&unfinished);
        }
        return files::print(&bytes);
    };
    files::save(file, &bytes)?;
    let human = format!(
        "{}: run {}, {} items{}{}",
        file.display(),
        run.run,
        table.rows().len(),
        fetched.map_or(String::new(), |count| format!(", {count} certificates")),
        unfinished.as_ref().map_or(String::new(), |text| format!("\n{text}"))
    );
    let json = json!({
        "run": run.run, "file": file.display().to_string(), "items": table.rows().len(),
        "certificates": fetched, "finished": run_view::over(&run),
        "complete": unfinished.is_none(), "unfinished": unfinished,
    });
    output::print(options.answer.output, &human, &json, &file.display().to_string())
}

/// The table in one of the forms; `links` is where certificates are, seen from a page.
pub fn render(
    table: &Table,
    form: Form,
    columns: Columns,
    links: &str,
) -> Result<Vec<u8>, Failure> {
    let lines = |text: String| if text.ends_with('\n') { text } else { text + "\n" };
    let text = match form {
        Form::Csv => export::csv(table, columns),
        Form::Latex => export::latex(table, columns),
        Form::Json => export::json(table, columns).to_string(),
        Form::Jsonl => export::json_lines(table, columns),
        Form::Html => {
            export::html(table, &export::Report { certificates: links.to_string(), columns })
        }
        Form::Parquet => {
            let file = export::parquet(table, columns);
            return file.map_err(|error| Failure::Failed(error.to_string()));
        }
        Form::Text | Form::Svg | Form::Kif => export::text(table, columns),
    };
    Ok(lines(text).into_bytes())
}

/// Where certificates are, seen from a page: relative where the two lie together, so that both can
/// be moved or put on the web.
pub fn links(certificates: Option<&Path>, page: Option<&Path>) -> String {
    let Some(certificates) = certificates else {
        return "certificates".to_string();
    };
    let below = page.and_then(Path::parent).and_then(|home| certificates.strip_prefix(home).ok());
    below.unwrap_or(certificates).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_where_page_and_certificates_lie_together() {
        let of = |certificates: &str, page: &str| {
            links(Some(Path::new(certificates)), Some(Path::new(page)))
        };
        assert_eq!(of("out/certificates", "out/page.html"), "certificates");
        assert_eq!(of("certs", "page.html"), "certs");
        assert_eq!(of("/somewhere/certs", "out/page.html"), "/somewhere/certs");
        assert_eq!(links(None, None), "certificates");
    }
}
