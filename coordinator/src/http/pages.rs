//! Pages to read.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router, routing};
use hasami_page::{ItemPage, Items, Machine, Order, Report, RunPage, Shown, Sort};
use hasami_proto::v1::run_service_server::RunService;
use hasami_proto::v1::{ExplainRequest, RunInfo, ShowRequest};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use serde::Deserialize;
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Request;

use super::calls::{Trouble, html, refusal};
use super::feeds::{LINES, Topic, follow};
use super::guard::Visitor;
use super::{Web, metrics, post};
use crate::engine::wall_ms;

/// Items on a page, as a table and as diagrams.
const ROWS: usize = 50;
const DIAGRAMS: usize = 24;
/// Pictures in a report that the page makes.
const PICTURES: usize = 24;
/// Runs with more items have no report on the page: `hasami report` makes one.
const REPORTED: usize = 20_000;
/// The scheduler must answer within this time, or it is not healthy.
const ALIVE: Duration = Duration::from_secs(5);
/// Pieces of a certificate.
const PIECE: usize = 64 << 10;

type Web_ = State<Arc<Web>>;
type Who = Extension<Visitor>;

/// All addresses.
pub(super) fn router(web: &Arc<Web>) -> Router {
    let guard = axum::middleware::from_fn_with_state(Arc::clone(web), super::guard::guard);
    Router::new()
        .route("/", routing::get(home))
        .route("/runs/{run}", routing::get(run))
        .route("/runs/{run}/items/{item}", routing::get(item))
        .route("/runs/{run}/report.html", routing::get(report))
        .route("/workers", routing::get(workers))
        .route("/log", routing::get(log))
        .route("/certificates/{file}", routing::get(certificate))
        .route(
            "/live/runs",
            routing::get(|State(web): Web_| async move { follow(&web, Topic::Runs) }),
        )
        .route(
            "/live/workers",
            routing::get(|State(web): Web_| async move { follow(&web, Topic::Workers) }),
        )
        .route(
            "/live/log",
            routing::get(|State(web): Web_| async move { follow(&web, Topic::Log) }),
        )
        .route(
            "/live/runs/{run}",
            routing::get(|State(web): Web_, Path(run): Path<u64>| async move {
                follow(&web, Topic::Run(run))
            }),
        )
        .route("/assets/{version}/{name}", routing::get(asset))
        .route("/healthz", routing::get(healthz))
        .route("/readyz", routing::get(readyz))
        .route("/metrics", routing::get(metrics::metrics))
        .merge(post::router())
        .fallback(|Extension(who): Who| async move {
            Trouble::Missing("there is no such page".to_string()).page(&who.viewer())
        })
        .layer(guard)
        .with_state(Arc::clone(web))
}

/// The words of an address behind its question mark. What cannot be read counts as left out.
#[derive(Default, Deserialize)]
struct Asked {
    page: Option<usize>,
    state: Option<String>,
    q: Option<String>,
    sort: Option<String>,
    down: Option<String>,
    view: Option<String>,
    step: Option<usize>,
    part: Option<String>,
    level: Option<String>,
}

async fn home(State(web): Web_, Extension(who): Who, Query(asked): Query<Asked>) -> Response {
    let page = asked.page.unwrap_or(1).saturating_sub(1);
    match web.snapshot().await {
        Ok(snapshot) => html(hasami_page::home(&who.viewer(), &snapshot.runs, page)),
        Err(stopped) => Trouble::from(stopped).page(&who.viewer()),
    }
}

async fn workers(State(web): Web_, Extension(who): Who) -> Response {
    match web.snapshot().await {
        Ok(snapshot) => html(hasami_page::workers(&who.viewer(), &snapshot.workers)),
        Err(stopped) => Trouble::from(stopped).page(&who.viewer()),
    }
}

async fn log(State(web): Web_, Extension(who): Who, Query(asked): Query<Asked>) -> Response {
    let (words, level) = (asked.q.unwrap_or_default(), asked.level.unwrap_or_default());
    let (lines, kept) = web.lines.latest(&words, &level, LINES);
    html(hasami_page::log(&who.viewer(), &lines, kept, &words, &level))
}

async fn run(
    State(web): Web_,
    Extension(who): Who,
    Path(run): Path<u64>,
    Query(asked): Query<Asked>,
) -> Response {
    run_page(&web, &who, run, asked).await.unwrap_or_else(|trouble| trouble.page(&who.viewer()))
}

fn order(asked: Asked) -> Order {
    let sort = asked.sort.unwrap_or_default();
    Order {
        state: asked.state.unwrap_or_default(),
        words: asked.q.unwrap_or_default(),
        sort: Sort::NAMES.iter().find(|(name, _)| *name == sort).map_or(Sort::Item, |(_, s)| *s),
        down: asked.down.is_some(),
        page: asked.page.unwrap_or(1).saturating_sub(1),
        shown: match asked.view.as_deref() {
            Some("diagrams") => Shown::Diagrams,
            _ => Shown::Table,
        },
    }
}

/// A run with the text of its sweep.
async fn shown(web: &Web, run: u64) -> Result<RunInfo, Trouble> {
    let reply = web.calls.show(Request::new(ShowRequest { run: run.max(1) })).await?;
    reply.into_inner().run.ok_or_else(|| Trouble::Missing("there is no such run".to_string()))
}

async fn run_page(web: &Web, who: &Visitor, run: u64, asked: Asked) -> Result<Response, Trouble> {
    let info = shown(web, run).await?;
    let missing = || Trouble::Missing(format!("there is no run {run}"));
    let known = web.known(run).await?.ok_or_else(missing)?;
    let order = order(asked);
    let draws = web.draws(&known).await?;
    let most = if order.shown == Shown::Diagrams { DIAGRAMS } else { ROWS };
    let page = web.page(&known, &order, most).await?;
    let matrix = web.matrix(&known).await?;
    let drawn = match order.shown {
        Shown::Diagrams if draws => Some(web.diagrams(&page.rows).await?),
        _ => None,
    };
    let snapshot = web.snapshot().await?;
    let searches = snapshot.searches.get(&run).map_or(&[][..], Vec::as_slice);
    let mut varying: Vec<String> = known.sweep.varying().map(str::to_string).collect();
    if varying.is_empty() && !known.sweep.is_empty() {
        varying = known.sweep.item(0).params.into_iter().map(|(name, _)| name).collect();
    }
    let items =
        Items { order: &order, rows: &page.rows, fit: page.fit, per_page: most, varying: &varying };
    Ok(html(hasami_page::run(
        &who.viewer(),
        &RunPage {
            run: &info,
            title: known.sweep.title().unwrap_or(known.sweep.name()),
            matrix: matrix.as_deref(),
            items,
            drawn: drawn.as_deref(),
            draws,
            searches,
        },
    )))
}

async fn item(
    State(web): Web_,
    Extension(who): Who,
    Path((run, item)): Path<(u64, u32)>,
    Query(asked): Query<Asked>,
) -> Response {
    let page = item_page(&web, &who, run, item, asked).await;
    page.unwrap_or_else(|trouble| trouble.page(&who.viewer()))
}

async fn item_page(
    web: &Web,
    who: &Visitor,
    run: u64,
    item: u32,
    asked: Asked,
) -> Result<Response, Trouble> {
    let missing = || Trouble::Missing(format!("there is no item {item} in run {run}"));
    let known = web.known(run).await?.ok_or_else(missing)?;
    known.briefs.get(item as usize).ok_or_else(missing)?;
    let row = web.row(&known, item).await?;
    let picture = web.picture(&row).await?;
    let step = asked.step.unwrap_or(0);
    if asked.part.as_deref() == Some("line") {
        return Ok(html(hasami_page::line(run, row.item, &picture, step).into_string()));
    }
    let explained =
        web.calls.explain(Request::new(ExplainRequest { run, item })).await?.into_inner();
    let mut differing: Vec<&str> = known.sweep.varying().map(|name| row.param(name)).collect();
    if differing.is_empty() {
        differing.push(&row.question.problem);
    }
    Ok(html(hasami_page::item(
        &who.viewer(),
        &ItemPage {
            run,
            name: known.sweep.name(),
            items: known.briefs.len() as u64,
            row: &row,
            now: &explained.now,
            history: &explained.history,
            picture: &picture,
            step,
            title: &differing.join(", "),
        },
    )))
}

async fn report(State(web): Web_, Extension(who): Who, Path(run): Path<u64>) -> Response {
    whole_report(&web, run).await.unwrap_or_else(|trouble| trouble.page(&who.viewer()))
}

async fn whole_report(web: &Web, run: u64) -> Result<Response, Trouble> {
    let info = shown(web, run).await?;
    let missing = || Trouble::Missing(format!("there is no run {run}"));
    let known = web.known(run).await?.ok_or_else(missing)?;
    if known.briefs.len() > REPORTED {
        return Err(Trouble::Wrong(format!(
            "{} items are too many for a page; make it with `hasami report {run} -o report.html`",
            known.briefs.len()
        )));
    }
    let table = web.whole(&known).await?;
    let mut pictures = Vec::new();
    for row in table.rows().iter().filter(|row| row.answer.is_some()) {
        if pictures.len() >= PICTURES {
            break;
        }
        let picture = web.picture(row).await?;
        if picture.still.is_some() || !picture.frames.is_empty() {
            pictures.push((row.item, (*picture).clone()));
        }
    }
    let snapshot = web.snapshot().await?;
    let machines = snapshot.workers.iter().map(|row| Machine {
        worker: row.info.name.clone(),
        host: row.info.host.clone(),
        version: row.info.version.clone(),
        threads: row.info.threads,
    });
    let machines: Vec<Machine> = machines.collect();
    let text = hasami_page::report(&Report {
        run: &info,
        title: known.sweep.title().unwrap_or(known.sweep.name()),
        table: &table,
        pictures: &pictures,
        version: &web.version,
        coordinator: env!("CARGO_PKG_VERSION"),
        machines: &machines,
        now_ms: wall_ms(),
    });
    let name = format!("attachment; filename=\"hasami-run-{run}.html\"");
    let mut response = html(text);
    if let Ok(name) = name.parse() {
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// A certificate, by the sum of its bytes.
async fn certificate(State(web): Web_, Extension(who): Who, Path(file): Path<String>) -> Response {
    let digest = file.strip_suffix(".cert").unwrap_or_default();
    let plain =
        digest.len() == 64 && digest.bytes().all(|d| matches!(d, b'0'..=b'9' | b'a'..=b'f'));
    let missing = || Trouble::Missing("there is no such certificate".to_string());
    if !plain {
        return missing().page(&who.viewer());
    }
    let path = web.shared.certificates.directory().join(&file);
    let opened = async {
        let open = tokio::fs::File::open(path).await?;
        let length = open.metadata().await?.len();
        Ok::<_, std::io::Error>((open, length))
    };
    let Ok((mut open, length)) = opened.await else {
        return missing().page(&who.viewer());
    };
    let (send, receive) = mpsc::channel::<std::io::Result<Vec<u8>>>(1);
    tokio::spawn(async move {
        loop {
            let mut piece = Vec::with_capacity(PIECE);
            let read = (&mut open).take(PIECE as u64).read_to_end(&mut piece).await;
            let last = !matches!(read, Ok(1..));
            if last && read.is_ok() {
                return;
            }
            if send.send(read.map(|_| piece)).await.is_err() || last {
                return;
            }
        }
    });
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_string()),
        (CONTENT_LENGTH, length.to_string()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{file}\"")),
        (CACHE_CONTROL, "private, max-age=31536000, immutable".to_string()),
    ];
    (headers, Body::from_stream(ReceiverStream::new(receive))).into_response()
}

/// The assets never change under one version.
async fn asset(Path((version, name)): Path<(String, String)>) -> Response {
    let (kind, text) = match name.as_str() {
        "style.css" => ("text/css; charset=utf-8", hasami_page::STYLE),
        "page.js" => ("text/javascript; charset=utf-8", hasami_page::SCRIPT),
        _ => return refusal(StatusCode::NOT_FOUND, "there is no such asset"),
    };
    let lasting = version == hasami_page::etag();
    let cache = if lasting { "public, max-age=31536000, immutable" } else { "no-store" };
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, cache)], text).into_response()
}

/// Whether the scheduler answers.
async fn healthz(State(web): Web_) -> Response {
    match tokio::time::timeout(ALIVE, web.snapshot()).await {
        Ok(Ok(_)) => refusal(StatusCode::OK, "ok"),
        Ok(Err(stopped)) => refusal(StatusCode::SERVICE_UNAVAILABLE, &stopped.to_string()),
        Err(_) => refusal(StatusCode::SERVICE_UNAVAILABLE, "the scheduler does not answer"),
    }
}

/// Whether work is handed out and taken in: the scheduler answers, there is room on the disk, and the
/// store works.
async fn readyz(State(web): Web_) -> Response {
    let not = |text: &str| refusal(StatusCode::SERVICE_UNAVAILABLE, text);
    let snapshot = match tokio::time::timeout(ALIVE, web.snapshot()).await {
        Ok(Ok(snapshot)) => snapshot,
        Ok(Err(stopped)) => return not(&stopped.to_string()),
        Err(_) => return not("the scheduler does not answer"),
    };
    if snapshot.trouble.is_some() || web.shared.room.is_short() {
        return not("there is no room on the disk");
    }
    if web.shared.positions.watch_faults().borrow().store.is_some() {
        return not("the store has failed");
    }
    refusal(StatusCode::OK, "ready")
}
