//! `hasami report`: a run as one file to print, to send and to cite.

use std::path::{Path, PathBuf};

use clap::Parser;
use hasami_page::{Machine, Picture, Report as Contents};
use hasami_proto::v1::{StatusRequest, WorkersRequest};
use hasami_report::{Row, Table};
use hasami_sweep::Sweep;
use serde_json::json;

use super::client::{AccessArgs, Client, RunName, patient};
use crate::cluster::{artist, block_on, certificates, item_view, run_view};
use crate::failure::Failure;
use crate::files::{self, prepare_place};
use crate::output::{self, OutputArgs};
use crate::tree::Verb;
use crate::version;
use crate::words::now_ms;

/// Larger certificates are not played for a picture.
const LARGEST: u64 = 8 << 20;

/// Write a report of a run: one HTML file with tables, pictures and where everything comes from
#[derive(Clone, Debug, Parser)]
#[command(
    name = "report",
    after_help = "\
Examples:
  hasami report losers-66 -o report.html
  hasami report 3 -o out/report.html --pictures 66

The file needs no other file and no network, and it prints."
)]
pub struct Report {
    /// The run: its number, or its name [default: the latest]
    pub run: Option<RunName>,
    /// Where to write it; - is standard output
    #[arg(short, long, default_value = "report.html", value_name = "FILE")]
    pub out: PathBuf,
    /// Draw at most so many items
    #[arg(long, default_value_t = 24, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub pictures: u16,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub answer: OutputArgs,
}

impl Verb for Report {
    fn run(self) -> Result<(), Failure> {
        block_on(act(&self))
    }
}

async fn act(options: &Report) -> Result<(), Failure> {
    let out = Some(options.out.as_path()).filter(|file| !files::is_stdout(file));
    if let Some(file) = out {
        prepare_place("-o", file)?;
    }
    let mut client = options.access.client()?;
    let run = client.find(options.run.as_ref()).await?;
    let items = item_view::items(&mut client, run.run).await?;
    let table = item_view::results(&run, items)?;
    let pictures = pictures(&mut client, &table, usize::from(options.pictures)).await?;
    let machines = machines(&mut client).await?;
    let coordinator = match patient(async || client.runs.status(StatusRequest {}).await).await {
        Ok(reply) => reply.into_inner().version,
        Err(status) => return Err(client.failure(&status)),
    };
    let sweep = Sweep::parse(hasami_answer::CATALOG, &run.sweep, &run.name).ok();
    let title = sweep.as_ref().and_then(Sweep::title).unwrap_or(&run.name);
    let text = hasami_page::report(&Contents {
        run: &run,
        title,
        table: &table,
        pictures: &pictures,
        version: &format!("hasami {}", version::short()),
        coordinator: &coordinator,
        machines: &machines,
        now_ms: now_ms(),
    });
    let Some(file) = out else {
        return files::print(text.as_bytes());
    };
    files::save(file, text.as_bytes())?;
    let unfinished = run_view::unfinished(&run);
    let human = format!(
        "{}: run {}, {} items, {} pictures{}",
        file.display(),
        run.run,
        table.rows().len(),
        pictures.len(),
        unfinished.as_ref().map_or(String::new(), |text| format!("\n{text}"))
    );
    let json = json!({
        "run": run.run, "file": file.display().to_string(), "items": table.rows().len(),
        "pictures": pictures.len(), "complete": unfinished.is_none(), "unfinished": unfinished,
    });
    output::print(options.answer.output, &human, &json, &file.display().to_string())
}

/// Pictures of the first answers that can be drawn. Their certificates are fetched for it.
async fn pictures(
    client: &mut Client,
    table: &Table,
    most: usize,
) -> Result<Vec<(usize, Picture)>, Failure> {
    let directory = tempfile::tempdir()
        .map_err(|error| Failure::Failed(format!("a directory for certificates: {error}")))?;
    let mut pictures = Vec::new();
    for row in table.rows() {
        if pictures.len() >= most {
            break;
        }
        if let Some(picture) = picture(client, row, directory.path()).await? {
            pictures.push((row.item, picture));
        }
    }
    Ok(pictures)
}

async fn picture(
    client: &mut Client,
    row: &Row,
    directory: &Path,
) -> Result<Option<Picture>, Failure> {
    let Some(answer) = &row.answer else { return Ok(None) };
    let bytes: u64 = answer.certificates.iter().map(|file| file.bytes).sum();
    if answer.certificates.is_empty() || bytes > LARGEST {
        return Ok(None);
    }
    for file in &answer.certificates {
        certificates::fetch_one(client, file, directory).await?;
    }
    let files: Vec<PathBuf> =
        answer.certificates.iter().map(|file| directory.join(file.file_name())).collect();
    let (question, answer) = (row.question.clone(), answer.clone());
    let drawn = tokio::task::spawn_blocking(move || artist::picture(&question, &answer, &files));
    let picture = drawn.await.map_err(|error| Failure::Failed(error.to_string()))?;
    Ok((picture.still.is_some() || !picture.frames.is_empty()).then_some(picture))
}

/// The workers that are connected now.
async fn machines(client: &mut Client) -> Result<Vec<Machine>, Failure> {
    let reply = match patient(async || client.runs.workers(WorkersRequest {}).await).await {
        Ok(reply) => reply.into_inner(),
        Err(status) => return Err(client.failure(&status)),
    };
    let machine = |worker: hasami_proto::v1::WorkerInfo| Machine {
        worker: worker.name,
        host: worker.host,
        version: worker.version,
        threads: worker.threads,
    };
    Ok(reply.workers.into_iter().map(machine).collect())
}
