//! What changes something: logging in and out, and the buttons. Every form needs the key of its
//! session, and comes from a page of this server ([`super::guard`]); a program shows its token instead.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form, Router, routing};
use hasami_page::Check;
use hasami_proto::v1::run_service_server::RunService;
use hasami_proto::v1::{CancelRequest, PauseRequest, ProtocolRange, ResumeRequest, SubmitRequest};
use hasami_proto::{Role, limits};
use hasami_sweep::{BUILTINS, Builtin, Sweep};
use http::StatusCode;
use http::header::{HeaderValue, SET_COOKIE};
use serde::Deserialize;
use tonic::Request;

use super::Web;
use super::calls::{Trouble, html, html_with};
use super::guard::{COOKIE_NAME, Visitor};
use super::session::LASTS;

/// Questions of a sweep that are shown.
const FIRST: usize = 5;
/// The longest form: a sweep, each byte of which may be written as three.
pub(super) const FORM: usize = 3 * limits::SWEEP + 4096;

type Web_ = State<Arc<Web>>;
type Who = Extension<Visitor>;

/// The addresses of forms.
pub(super) fn router() -> Router<Arc<Web>> {
    let small = DefaultBodyLimit::max(16 << 10);
    let large = DefaultBodyLimit::max(FORM);
    Router::new()
        .route("/login", routing::get(login).post(begin).layer(small))
        .route("/logout", routing::post(end).layer(small))
        .route("/runs/{run}/{verb}", routing::post(change).layer(small))
        .route("/submit", routing::get(form).post(submit).layer(large))
        .route("/submit/check", routing::post(check).layer(large))
}

#[derive(Default, Deserialize)]
struct Next {
    next: Option<String>,
    builtin: Option<String>,
    part: Option<String>,
}

/// Where to go: only to a place of this server.
fn place(next: Option<String>) -> String {
    let next = next.unwrap_or_default();
    let plain =
        next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\n', '\r']);
    if plain { next } else { "/".to_string() }
}

async fn login(Extension(who): Who, Query(asked): Query<Next>) -> Response {
    html(hasami_page::login(&who.viewer(), None, &place(asked.next)))
}

#[derive(Deserialize)]
struct Login {
    token: String,
    next: Option<String>,
}

async fn begin(State(web): Web_, Extension(who): Who, Form(form): Form<Login>) -> Response {
    let next = place(form.next);
    let wrong = |text: &str| {
        html_with(StatusCode::FORBIDDEN, hasami_page::login(&who.viewer(), Some(text), &next))
    };
    let Some(token) = web.tokens.shown(form.token.trim().as_bytes()) else {
        return wrong("There is no such token, or it was revoked.");
    };
    if !token.role.covers(Role::Client) {
        return wrong("This is the token of a worker. Expected that of a client or an operator.");
    }
    let cookie = match web.sessions.begin(token.id) {
        Ok(cookie) => cookie,
        Err(error) => return Trouble::Failed(error.to_string()).page(&who.viewer()),
    };
    tracing::info!(token = %token.name, "somebody has logged in on the page");
    let secure = if web.secure { "; Secure" } else { "" };
    let lasts = LASTS.as_secs();
    let cookie = format!(
        "{COOKIE_NAME}={cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age={lasts}{secure}"
    );
    with_cookie(Redirect::to(&next).into_response(), &cookie)
}

#[derive(Deserialize)]
struct Key {
    #[serde(default)]
    key: String,
}

async fn end(State(web): Web_, Extension(who): Who, Form(form): Form<Key>) -> Response {
    if let Some(cookie) = who.cookie.as_deref().filter(|_| who.may_change(&form.key)) {
        web.sessions.end(cookie);
    }
    let gone = format!("{COOKIE_NAME}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    with_cookie(Redirect::to("/").into_response(), &gone)
}

fn with_cookie(mut response: Response, cookie: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(SET_COOKIE, value);
    }
    response
}

/// Refuses whoever has no right to change anything.
fn allowed(who: &Visitor, key: &str) -> Result<(), Trouble> {
    let refused = "this needs the token of a client: log in, and send the form of this page";
    if who.may_change(key) { Ok(()) } else { Err(Trouble::Forbidden(refused.to_string())) }
}

async fn change(
    State(web): Web_,
    Extension(who): Who,
    Path((run, verb)): Path<(u64, String)>,
    Form(form): Form<Key>,
) -> Response {
    let changed = async {
        allowed(&who, &form.key)?;
        let by = who.name.as_deref().unwrap_or_default();
        tracing::info!(run, token = by, "{verb} asked for on the page");
        match verb.as_str() {
            "pause" => drop(web.calls.pause(Request::new(PauseRequest { run })).await?),
            "resume" => drop(web.calls.resume(Request::new(ResumeRequest { run })).await?),
            "cancel" => drop(web.calls.cancel(Request::new(CancelRequest { run })).await?),
            _ => return Err(Trouble::Missing("there is no such button".to_string())),
        }
        web.look_again().await;
        Ok(Redirect::to(&format!("/runs/{run}")).into_response())
    };
    changed.await.unwrap_or_else(|trouble: Trouble| trouble.page(&who.viewer()))
}

#[derive(Deserialize)]
struct Submitted {
    sweep: String,
    #[serde(default)]
    key: String,
    force: Option<String>,
}

/// The built-in sweeps with the first line of their titles.
fn builtins(web: &Web) -> Vec<(&'static str, String)> {
    let about = |builtin: &Builtin| {
        let sweep = builtin.sweep(web.shared.catalog).ok();
        sweep.and_then(|sweep| sweep.title().map(str::to_string)).unwrap_or_default()
    };
    BUILTINS.iter().map(|builtin| (builtin.name, about(builtin))).collect()
}

fn form_page(web: &Web, who: &Visitor, text: &str, found: &Check) -> String {
    let builtins = builtins(web);
    let listed: Vec<(&str, &str)> =
        builtins.iter().map(|(name, about)| (*name, about.as_str())).collect();
    hasami_page::submit(&who.viewer(), text, found, &listed)
}

async fn form(State(web): Web_, Extension(who): Who, Query(asked): Query<Next>) -> Response {
    let builtin = asked.builtin.as_deref().and_then(Builtin::find);
    html(form_page(&web, &who, builtin.map_or("", |one| one.text), &Check::Empty))
}

/// What is in the text of a sweep.
async fn looked(web: &Web, text: &str) -> Result<Check, Trouble> {
    let (catalog, text) = (web.shared.catalog, text.replace("\r\n", "\n"));
    if text.trim().is_empty() {
        return Ok(Check::Empty);
    }
    if text.len() > limits::SWEEP {
        let found = format!("{} bytes; expected at most {}", text.len(), limits::SWEEP);
        return Ok(Check::Bad(found));
    }
    web.blocking(move || {
        Ok(match Sweep::parse(catalog, &text, "sweep") {
            Err(errors) => Check::Bad(errors.to_string()),
            Ok(sweep) => Check::Good {
                name: sweep.name().to_string(),
                problem: sweep.problem().to_string(),
                items: sweep.len() as u64,
                first: sweep.items().take(FIRST).map(|question| question.spelled()).collect(),
            },
        })
    })
    .await
}

async fn check(
    State(web): Web_,
    Extension(who): Who,
    Query(asked): Query<Next>,
    Form(form): Form<Submitted>,
) -> Response {
    let checked = async {
        allowed(&who, &form.key)?;
        let found = looked(&web, &form.sweep).await?;
        Ok(html(match asked.part.as_deref() {
            Some("check") => hasami_page::check(&found).into_string(),
            _ => form_page(&web, &who, &form.sweep, &found),
        }))
    };
    checked.await.unwrap_or_else(|trouble: Trouble| trouble.page(&who.viewer()))
}

async fn submit(State(web): Web_, Extension(who): Who, Form(form): Form<Submitted>) -> Response {
    let submitted = async {
        allowed(&who, &form.key)?;
        let sweep = form.sweep.replace("\r\n", "\n");
        let request = SubmitRequest {
            sweep,
            force: form.force.is_some(),
            protocol: Some(ProtocolRange::OURS),
        };
        match web.calls.submit(Request::new(request)).await {
            Ok(reply) => {
                web.look_again().await;
                let run = reply.into_inner().run.unwrap_or_default().run;
                tracing::info!(run, token = who.name.as_deref(), "submitted on the page");
                Ok(Redirect::to(&format!("/runs/{run}")).into_response())
            }
            Err(status) if status.code() == tonic::Code::InvalidArgument => {
                let found = Check::Bad(status.message().to_string());
                let page = form_page(&web, &who, &form.sweep, &found);
                Ok(html_with(StatusCode::UNPROCESSABLE_ENTITY, page))
            }
            Err(status) => Err(Trouble::from(status)),
        }
    };
    submitted.await.unwrap_or_else(|trouble: Trouble| trouble.page(&who.viewer()))
}
