//! `hasami export`: the results of a run, in the form that is wanted.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hasami_sweep::{Columns, Sweep, Table, export};
use serde_json::json;

use super::client::AccessArgs;
use super::{certificates, item_view};
use crate::certify::prepare_place;
use crate::failure::Failure;
use crate::output::{self, Output, OutputArgs};

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns.
    Text,
    /// Comma separated.
    Csv,
    /// A JSON list.
    Json,
    /// A JSON object on each line.
    Jsonl,
    /// A table for papers.
    Latex,
    /// A page in one file.
    Html,
    /// Typed columns for data frames; needs a file.
    Parquet,
}

/// Options of `export`.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// The run by number [default: the latest]
    pub run: Option<u64>,
    /// Form of the export
    #[arg(long, value_enum, default_value = "text", value_name = "FORM")]
    pub format: Format,
    /// States, attempts, nodes and times too: these differ from run to run
    #[arg(long)]
    pub all_columns: bool,
    /// Fetch the certificates into this directory
    #[arg(long, value_name = "DIR")]
    pub certificates: Option<PathBuf>,
    /// Where to write it [default: standard output]
    #[arg(short = 'o', long = "file", value_name = "FILE")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// Exports a run.
pub async fn run(options: &ExportArgs) -> Result<(), Failure> {
    match &options.file {
        Some(file) => prepare_place("-o", file)?,
        None if options.format == Format::Parquet => {
            return Err(Failure::Usage(
                "--format parquet: found no -o FILE; expected one, for it is no text".to_string(),
            ));
        }
        None => {}
    }
    let mut client = options.access.client()?;
    let run = client.show(options.run).await?;
    let items = item_view::items(&mut client, run.run).await?;
    let table = item_view::results(&sweep_of(&run.sweep)?, items)?;
    let columns = if options.all_columns { Columns::All } else { Columns::Results };
    let fetched = match &options.certificates {
        Some(directory) => Some(certificates::fetch(&mut client, &table, directory).await?),
        None => None,
    };
    let links = links(options.certificates.as_deref(), options.file.as_deref());
    let bytes = render(&table, options.format, columns, &links)?;
    let Some(file) = &options.file else {
        return output::print(Output::Human, &String::from_utf8_lossy(&bytes), &json!(null), "");
    };
    save(file, &bytes)?;
    let human = format!(
        "{}: run {}, {} items{}",
        file.display(),
        run.run,
        table.rows().len(),
        fetched.map_or(String::new(), |count| format!(", {count} certificates"))
    );
    let json = json!({
        "run": run.run, "file": file.display().to_string(), "items": table.rows().len(),
        "certificates": fetched,
    });
    output::print(options.answer.output, &human, &json, &file.display().to_string())
}

/// The sweep of a run, as the coordinator keeps it.
pub fn sweep_of(text: &str) -> Result<Sweep, Failure> {
    Sweep::parse(text, "the sweep of the run").map_err(|errors| {
        Failure::Failed(format!("this version does not understand it any more: {errors}"))
    })
}

/// The table in one of the forms; `links` is where certificates are, seen from a page.
pub fn render(
    table: &Table,
    format: Format,
    columns: Columns,
    links: &str,
) -> Result<Vec<u8>, Failure> {
    let text = match format {
        Format::Text => export::text(table, columns),
        Format::Csv => export::csv(table, columns),
        Format::Jsonl => export::json_lines(table, columns),
        Format::Latex => export::latex(table, columns),
        Format::Json => export::json(table, columns).to_string(),
        Format::Html => {
            export::html(table, &export::Report { certificates: links.to_string(), columns })
        }
        Format::Parquet => {
            let file = export::parquet(table, columns);
            return file.map_err(|error| Failure::Failed(error.to_string()));
        }
    };
    Ok(text.into_bytes())
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

/// Writes a file whole or not at all.
pub fn save(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    hasami_files::write_whole(file, bytes)
        .map_err(|error| Failure::Failed(format!("{}: {error}", file.display())))
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
