//! The option `--http`: where the coordinator serves its page.

use std::path::PathBuf;

use clap::Args;
use hasami_coordinator::HttpOptions;

use super::artist;
use super::coordinator::address;
use crate::failure::Failure;
use crate::{log, version};

/// Where the page is served.
#[derive(Clone, Debug, Args)]
pub struct HttpArgs {
    /// Serve a page with live progress, /metrics, /healthz and /readyz here; port 0: any that is
    /// free. Beyond the loopback it needs a client's token [default: no page]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub http: Option<String>,
}

impl HttpArgs {
    /// The options of the server, if one is wanted.
    pub fn options(&self, allow_files: &[PathBuf]) -> Result<Option<HttpOptions>, Failure> {
        let Some(text) = &self.http else { return Ok(None) };
        Ok(Some(HttpOptions {
            listen: address("--http", text)?,
            artist: artist::artist(allow_files)?,
            lines: log::page_lines(),
            version: format!("hasami {}", version::short()),
        }))
    }
}
