//! `hasami access`: a token for each worker and each client of a coordinator.

use std::path::{Path, PathBuf};

use clap::Parser;
use hasami_proto::v1::access_service_client::AccessServiceClient;
use hasami_proto::v1::{
    AddTokenRequest, ListTokensRequest, RevokeTokenRequest, RotateTokenRequest, TokenInfo,
    TokenRole,
};
use hasami_proto::{Access, Authorized, Role, Trouble, Who, connect};
use serde_json::{Value, json};
use tonic::Status;

use super::client::{AccessArgs, explain, patient};
use super::grid::Grid;
use crate::cluster::block_on;
use crate::failure::Failure;
use crate::files::{self, prepare_place};
use crate::output::{self, Output, OutputArgs};
use crate::tree::{self, Entry, Verb, verb};
use crate::words::{counted, utc};

/// The commands about tokens.
pub fn group() -> Entry {
    tree::group(
        "access",
        "Who may call a coordinator: list, add, revoke, rotate",
        "Each worker and each client can have a token of its own. Only operators may use these \
         commands; the access file that a coordinator writes is one of an operator.\n\n\
         Examples:\n  hasami access list\n  hasami access add lab-7 --role worker -o lab-7.json\n  \
         hasami access revoke lab-7",
        vec![verb::<List>(), verb::<Add>(), verb::<Revoke>(), verb::<Rotate>()],
    )
}

/// List the tokens
#[derive(Clone, Debug, Parser)]
#[command(name = "list", after_help = "Example:\n  hasami access list")]
pub struct List {
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    answer: OutputArgs,
}

/// Make a token and an access file with it
#[derive(Clone, Debug, Parser)]
#[command(
    name = "add",
    after_help = "Example:\n  hasami access add lab-7 --role worker -o lab-7.json"
)]
pub struct Add {
    /// What the token is called: letters, digits, -, _ and .
    name: String,
    /// What it may do: worker, stranger (a worker that must prove what it says), client or operator
    #[arg(long, value_name = "ROLE")]
    role: Role,
    /// Where the access file goes, mode 0400 [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    answer: OutputArgs,
}

/// End a token: its connections are closed, and the work of its workers goes to others
#[derive(Clone, Debug, Parser)]
#[command(name = "revoke", after_help = "Example:\n  hasami access revoke lab-7")]
pub struct Revoke {
    /// The token
    name: String,
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    answer: OutputArgs,
}

/// Replace a token by a new one of the same name
#[derive(Clone, Debug, Parser)]
#[command(name = "rotate", after_help = "Example:\n  hasami access rotate lab-7 -o lab-7.json")]
pub struct Rotate {
    /// The token
    name: String,
    /// Where the new access file goes, mode 0400 [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    answer: OutputArgs,
}

impl Verb for List {
    fn run(self) -> Result<(), Failure> {
        block_on(list(&self))
    }
}

impl Verb for Add {
    fn run(self) -> Result<(), Failure> {
        block_on(add(&self))
    }
}

impl Verb for Revoke {
    fn run(self) -> Result<(), Failure> {
        block_on(revoke(&self))
    }
}

impl Verb for Rotate {
    fn run(self) -> Result<(), Failure> {
        block_on(rotate(&self))
    }
}

/// The coordinator, as an operator sees it.
pub struct Operator {
    /// How it is reached, with the operator's token.
    pub access: Access,
    /// Calls about tokens.
    pub calls: AccessServiceClient<Authorized>,
}

impl Operator {
    /// Prepares the connection; the first call makes it.
    pub fn new(options: &AccessArgs) -> Result<Self, Failure> {
        let access = options.read()?;
        let connection =
            connect(&access, Who::Client).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self { access, calls: connection.access() })
    }

    /// What an error of the coordinator means to the user.
    pub fn failure(&self, status: &Status) -> Failure {
        explain(&self.access.url, &Trouble::from(status))
    }

    /// Writes the access file of a new token, or prints it.
    fn hand_over(
        &self,
        token: &TokenInfo,
        secret: String,
        out: Option<&Path>,
        form: Output,
    ) -> Result<(), Failure> {
        let mut access = Access { client_token: None, worker_token: None, ..self.access.clone() };
        match token.role() {
            TokenRole::Worker | TokenRole::Stranger => access.worker_token = Some(secret),
            _ => access.client_token = Some(secret),
        }
        let (name, role) = (&token.name, role(token));
        let Some(file) = out.filter(|file| !files::is_stdout(file)) else {
            let text = access.text().map_err(|error| Failure::Failed(error.to_string()))?;
            return files::print(text.as_bytes());
        };
        access.write(file).map_err(|error| Failure::Failed(error.to_string()))?;
        let file = file.display().to_string();
        let human = format!("{file}: access file of {name}, a {role}; only its owner can read it");
        output::print(form, &human, &json!({ "token": json(token), "access": file }), &file)
    }
}

fn role(token: &TokenInfo) -> &'static str {
    Role::try_from(token.role()).map_or("unknown", Role::word)
}

fn json(token: &TokenInfo) -> Value {
    json!({
        "name": token.name, "role": role(token), "created_ms": token.created_ms,
        "used_ms": (token.used_ms > 0).then_some(token.used_ms), "connections": token.connections,
    })
}

async fn list(options: &List) -> Result<(), Failure> {
    let mut operator = Operator::new(&options.access)?;
    let tokens =
        match patient(async || operator.calls.list_tokens(ListTokensRequest {}).await).await {
            Ok(reply) => reply.into_inner().tokens,
            Err(status) => return Err(operator.failure(&status)),
        };
    let mut grid = Grid::new(&["NAME", "ROLE", "CREATED", "USED", ">CONNECTIONS"]);
    for token in &tokens {
        let used = if token.used_ms > 0 { utc(token.used_ms) } else { "-".to_string() };
        grid.row([
            token.name.clone(),
            role(token).to_string(),
            utc(token.created_ms),
            used,
            token.connections.to_string(),
        ]);
    }
    let json: Value = tokens.iter().map(json).collect();
    let names: Vec<&str> = tokens.iter().map(|token| token.name.as_str()).collect();
    output::print(options.answer.output, &grid.text(), &json, &names.join("\n"))
}

async fn add(options: &Add) -> Result<(), Failure> {
    let mut operator = Operator::new(&options.access)?;
    // Before the token is made: it is shown only once.
    options.out.as_deref().map_or(Ok(()), |file| prepare_place("-o", file))?;
    let request =
        AddTokenRequest { name: options.name.clone(), role: TokenRole::from(options.role).into() };
    match patient(async || operator.calls.add_token(request.clone()).await).await {
        Ok(reply) => {
            let reply = reply.into_inner();
            let token = reply.token.unwrap_or_default();
            let (out, form) = (options.out.as_deref(), options.answer.output);
            operator.hand_over(&token, reply.secret, out, form)
        }
        Err(status) => Err(operator.failure(&status)),
    }
}

async fn rotate(options: &Rotate) -> Result<(), Failure> {
    let mut operator = Operator::new(&options.access)?;
    options.out.as_deref().map_or(Ok(()), |file| prepare_place("-o", file))?;
    let request = RotateTokenRequest { name: options.name.clone() };
    match patient(async || operator.calls.rotate_token(request.clone()).await).await {
        Ok(reply) => {
            let reply = reply.into_inner();
            let token = reply.token.unwrap_or_default();
            let (out, form) = (options.out.as_deref(), options.answer.output);
            operator.hand_over(&token, reply.secret, out, form)
        }
        Err(status) => Err(operator.failure(&status)),
    }
}

async fn revoke(options: &Revoke) -> Result<(), Failure> {
    let mut operator = Operator::new(&options.access)?;
    let name = &options.name;
    let workers = match patient(async || {
        operator.calls.revoke_token(RevokeTokenRequest { name: name.clone() }).await
    })
    .await
    {
        Ok(reply) => reply.into_inner().workers,
        Err(status) => return Err(operator.failure(&status)),
    };
    let human = format!("{name}: revoked; {} had it", counted(workers.into(), "worker"));
    output::print(options.answer.output, &human, &json!({ "name": name, "workers": workers }), name)
}
