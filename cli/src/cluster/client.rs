//! A coordinator as the commands use it: which one, how to reach it, and how to report its errors
//! to the user.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use clap::Args;
use hasami_proto::v1::run_service_client::RunServiceClient;
use hasami_proto::v1::{ListRequest, RunInfo, ShowRequest};
use hasami_proto::{Access, Authorized, PROTOCOL, Refusal, Trouble, Who, connect};
use tonic::{Code, Status};

use crate::failure::Failure;
use crate::files::xdg;

/// A command waits at most this long for a coordinator that says it is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Calls again while the coordinator is busy, when it asks for it. A busy coordinator refuses a call
/// before it does anything, so every kind of call may be repeated.
pub async fn patient<T>(call: impl AsyncFnMut() -> Result<T, Status>) -> Result<T, Status> {
    patient_for(PATIENCE, call).await
}

async fn patient_for<T>(
    patience: Duration,
    mut call: impl AsyncFnMut() -> Result<T, Status>,
) -> Result<T, Status> {
    let began = Instant::now();
    loop {
        let status = match call().await {
            Ok(reply) => return Ok(reply),
            Err(status) => status,
        };
        match Trouble::from(&status) {
            Trouble::Busy { after, message } if began.elapsed() + after < patience => {
                tracing::info!("the coordinator is busy: {message}; trying again in {after:?}");
                tokio::time::sleep(after).await;
            }
            _ => return Err(status),
        }
    }
}

/// Default locations of the access file, in this order.
fn places() -> Vec<PathBuf> {
    let home = xdg("XDG_CONFIG_HOME", ".config").map(|home| home.join("access.json"));
    [PathBuf::from("hasami-data/access.json")].into_iter().chain(home).collect()
}

/// A run as users name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunName {
    /// By number.
    Number(u64),
    /// The latest of this name.
    Name(String),
}

impl FromStr for RunName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<u64>() {
            Ok(0) => Err("runs are numbered from 1".to_string()),
            Ok(number) => Ok(Self::Number(number)),
            Err(_) => Ok(Self::Name(text.to_string())),
        }
    }
}

/// Which coordinator.
#[derive(Clone, Debug, Args)]
pub struct AccessArgs {
    /// The coordinator's access file [default: hasami-data/access.json, then
    /// $XDG_CONFIG_HOME/hasami/access.json]
    #[arg(long, value_name = "FILE")]
    pub access: Option<PathBuf>,
    /// Address of the coordinator, where it differs from the one in the access file
    #[arg(long, value_name = "URL")]
    pub coordinator: Option<String>,
}

impl AccessArgs {
    /// Reads the access file.
    pub fn read(&self) -> Result<Access, Failure> {
        let places = places();
        let found = || places.iter().find(|place| place.exists());
        let Some(file) = self.access.as_ref().or_else(found) else {
            let sought: Vec<_> = places.iter().map(|place| place.display().to_string()).collect();
            return Err(Failure::Usage(format!(
                "no access file; it was sought in --access FILE, HASAMI_ACCESS, {}\n  \
                 `hasami coordinator` writes it into its data directory",
                sought.join(", ")
            )));
        };
        let mut access = Access::read(file).map_err(|error| Failure::Usage(error.to_string()))?;
        if let Some(url) = &self.coordinator {
            access.url.clone_from(url);
        }
        Ok(access)
    }

    /// Prepares the connection; the first call makes it.
    pub fn client(&self) -> Result<Client, Failure> {
        Client::new(&self.read()?)
    }
}

/// A connected coordinator.
#[derive(Clone)]
pub struct Client {
    url: String,
    /// Its service for clients.
    pub runs: RunServiceClient<Authorized>,
}

impl Client {
    /// Prepares a connection to a coordinator.
    pub fn new(access: &Access) -> Result<Self, Failure> {
        let connection =
            connect(access, Who::Client).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self { url: access.url.clone(), runs: connection.runs() })
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The error message for a failed call.
    pub fn failure(&self, status: &Status) -> Failure {
        explain(&self.url, &Trouble::from(status))
    }

    /// All runs.
    pub async fn list(&mut self) -> Result<Vec<RunInfo>, Failure> {
        match patient(async || self.runs.list(ListRequest {}).await).await {
            Ok(reply) => Ok(reply.into_inner().runs),
            Err(status) => Err(self.failure(&status)),
        }
    }

    /// A run by number, or the latest.
    pub async fn show(&mut self, run: Option<u64>) -> Result<RunInfo, Failure> {
        let request = ShowRequest { run: run.unwrap_or(0) };
        match patient(async || self.runs.show(request).await).await {
            Ok(reply) => Ok(reply.into_inner().run.unwrap_or_default()),
            Err(status) => Err(self.run_failure(run, &status).await),
        }
    }

    /// A run by number or name, or the latest.
    pub async fn find(&mut self, name: Option<&RunName>) -> Result<RunInfo, Failure> {
        let name = match name {
            None => return self.show(None).await,
            Some(RunName::Number(number)) => return self.show(Some(*number)).await,
            Some(RunName::Name(name)) => name,
        };
        let runs = self.list().await?;
        match runs.iter().rev().find(|run| run.name == *name) {
            Some(run) => self.show(Some(run.run)).await,
            None => Err(Failure::Usage(no_such_run(name, &runs))),
        }
    }

    /// As [`Client::failure`]; if the run does not exist, lists those that do.
    pub async fn run_failure(&mut self, run: Option<u64>, status: &Status) -> Failure {
        if status.code() != Code::NotFound {
            return self.failure(status);
        }
        match self.list().await {
            Ok(runs) => {
                let number = run.map_or(String::new(), |run| run.to_string());
                Failure::Usage(no_such_run(&number, &runs))
            }
            Err(failure) => failure,
        }
    }
}

fn no_such_run(name: &str, runs: &[RunInfo]) -> String {
    let found = format!("there is no run {name}").trim_end().to_string();
    let names: Vec<_> =
        runs.iter().rev().take(20).map(|run| format!("{} ({})", run.run, run.name)).collect();
    if names.is_empty() {
        format!("{found}: nothing was submitted yet; see `hasami submit --help`")
    } else {
        format!("{found}; expected one of {}", names.join(", "))
    }
}

/// Describes an error and what to do about it.
pub fn explain(url: &str, trouble: &Trouble) -> Failure {
    match trouble {
        Trouble::Unreachable(message) => Failure::Failed(format!(
            "the coordinator at {url} cannot be reached: {message}\n  \
             check that `hasami coordinator` is running there, that the address is right \
             (--coordinator URL overrides the access file) and that no firewall is between"
        )),
        Trouble::Refused { why: Refusal::Token, message } => Failure::Usage(format!(
            "the coordinator at {url} refuses the token: {message}\n  \
             use the access file that it has written last, and one that holds a client token"
        )),
        Trouble::Refused { why: Refusal::Version, message } => Failure::Usage(format!(
            "{message}\n  this is hasami {}, which speaks version {PROTOCOL} of the protocol",
            env!("CARGO_PKG_VERSION")
        )),
        Trouble::Refused { message, .. } => Failure::Usage(format!(
            "the coordinator at {url} cannot be trusted: {message}\n  \
             use the access file that it has written last"
        )),
        Trouble::Other {
            code: Code::InvalidArgument | Code::NotFound | Code::AlreadyExists,
            message,
        }
        | Trouble::Other { code: Code::FailedPrecondition, message } => {
            Failure::Usage(message.clone())
        }
        Trouble::Busy { message, after } => Failure::Failed(format!(
            "the coordinator at {url} is busy: {message}\n  try again in {} s",
            after.as_secs().max(1)
        )),
        Trouble::Contradiction(message)
        | Trouble::UnknownWorker(message)
        | Trouble::NoRoom(message) => {
            Failure::Failed(format!("the coordinator at {url}: {message}"))
        }
        Trouble::Other { code, message } => {
            Failure::Failed(format!("the coordinator at {url}: {code:?}: {message}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use hasami_proto::v1::ProtocolRange;

    use super::*;

    fn words(status: Status) -> String {
        match explain("http://there:1", &Trouble::from(&status)) {
            Failure::Usage(message) => format!("2 {message}"),
            Failure::Failed(message) => format!("1 {message}"),
            _ => unreachable!("no other end"),
        }
    }

    #[test]
    fn every_trouble_says_what_to_check() {
        let text = words(Status::unavailable("connection refused"));
        assert!(
            text.starts_with("1 the coordinator at http://there:1 cannot be reached"),
            "{text}"
        );
        let text = words(Status::unauthenticated("unknown token"));
        assert!(text.starts_with("2 ") && text.contains("access file"), "{text}");
        let theirs = ProtocolRange { oldest: 7, newest: 9 };
        let text = words(hasami_proto::wrong_protocol(theirs));
        let ours = format!("version {PROTOCOL}");
        assert!(text.contains("versions 7 to 9") && text.contains(&ours), "{text}");
        assert_eq!(words(Status::invalid_argument("no sweep")), "2 no sweep");
    }

    #[tokio::test]
    async fn a_busy_coordinator_is_asked_again_and_not_for_ever() {
        // It asks for a pause of a second.
        let mut calls = 0;
        let replied = patient(async || {
            calls += 1;
            if calls == 1 { Err(hasami_proto::busy("too much")) } else { Ok(()) }
        });
        assert!(replied.await.is_ok() && calls == 2);
        let mut calls = 0;
        let busy = patient_for(Duration::from_secs(3), async || {
            calls += 1;
            Err::<(), _>(hasami_proto::busy("too much"))
        });
        assert!(busy.await.is_err() && (2..=3).contains(&calls), "{calls} calls");
        let other = patient(async || Err::<(), _>(Status::not_found("no run")));
        assert_eq!(other.await.unwrap_err().code(), Code::NotFound);
    }

    #[test]
    fn who_asks_for_a_run_that_is_not_there_hears_which_are() {
        let runs =
            [1, 2].map(|run| RunInfo { run, name: "chomp".to_string(), ..RunInfo::default() });
        let text = no_such_run("7", &runs);
        assert_eq!(text, "there is no run 7; expected one of 2 (chomp), 1 (chomp)");
        assert!(no_such_run("", &[]).contains("hasami submit"));
    }
}
