//! Errors of requests, and the calls of gRPC that pages make too.

use axum::response::{IntoResponse, Response};
use hasami_page::Viewer;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use tonic::{Code, Status};

use crate::engine::Stopped;
use crate::journal::JournalError;

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// There is no such thing.
    Missing(String),
    /// The request is wrong.
    Wrong(String),
    /// It may not be done.
    Forbidden(String),
    /// The coordinator is stopping, or busy.
    Unavailable(String),
    /// Something is broken here.
    Failed(String),
}

impl Trouble {
    fn told(&self) -> (StatusCode, &'static str, &str) {
        match self {
            Self::Missing(text) => (StatusCode::NOT_FOUND, "Not here", text),
            Self::Wrong(text) => (StatusCode::BAD_REQUEST, "That cannot be done", text),
            Self::Forbidden(text) => (StatusCode::FORBIDDEN, "Not allowed", text),
            Self::Unavailable(text) => (StatusCode::SERVICE_UNAVAILABLE, "Not now", text),
            Self::Failed(text) => (StatusCode::INTERNAL_SERVER_ERROR, "Something is wrong", text),
        }
    }

    /// As a page.
    pub fn page(&self, viewer: &Viewer) -> Response {
        let (code, title, text) = self.told();
        html_with(code, hasami_page::problem(viewer, title, text))
    }
}

impl From<Stopped> for Trouble {
    fn from(stopped: Stopped) -> Self {
        Self::Unavailable(stopped.to_string())
    }
}

impl From<JournalError> for Trouble {
    fn from(error: JournalError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<Status> for Trouble {
    fn from(status: Status) -> Self {
        let text = status.message().to_string();
        match status.code() {
            Code::NotFound => Self::Missing(text),
            Code::InvalidArgument | Code::FailedPrecondition => Self::Wrong(text),
            Code::PermissionDenied | Code::Unauthenticated => Self::Forbidden(text),
            Code::Unavailable | Code::ResourceExhausted => Self::Unavailable(text),
            _ => Self::Failed(text),
        }
    }
}

/// A page.
pub(super) fn html(page: String) -> Response {
    html_with(StatusCode::OK, page)
}

pub(super) fn html_with(code: StatusCode, page: String) -> Response {
    (code, [(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

/// A short answer in plain words.
pub(super) fn refusal(code: StatusCode, text: &str) -> Response {
    (code, [(CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{text}\n")).into_response()
}
