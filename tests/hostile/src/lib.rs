//! A lying worker and a hostile client. They speak the real protocol to a real coordinator, with
//! tokens that are valid or not, and do from a seed what an honest program never does.
//!
//! Whether the coordinator bears it is for the caller to say: it looks at the table, the health and
//! the memory of the coordinator afterwards. Here only one thing is watched: that it still answers.

mod client;
mod dice;
mod forged;
mod raw;
mod truth;
mod worker;

use std::error::Error as _;
use std::time::Duration;

use hasami_proto::v1::StatusRequest;
use hasami_proto::{Access, Who, connect};
use tokio::time::Instant;
use tonic::{Code, Status};

use dice::Dice;

/// Patience with one call. Nobody is owed an answer to nonsense, so a call that takes longer is given
/// up and counted.
const PATIENCE: Duration = Duration::from_secs(5);
/// Patience with the coordinator as a whole.
const ALIVE: Duration = Duration::from_secs(60);
/// Between two calls while nobody is there.
const AWAY: Duration = Duration::from_millis(20);
/// Messages between two looks at whether it still answers.
const LOOK_EVERY: u64 = 500;

/// What to do.
#[derive(Clone, Debug)]
pub struct Order {
    /// Messages to send, in all.
    pub messages: u64,
    /// Where chance begins.
    pub seed: u64,
    /// Callers at the same time.
    pub callers: u32,
    /// A run that clients leave alone: whoever has a client's token may cancel any run.
    pub spare: u64,
}

/// What happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Calls that were accepted.
    pub accepted: u64,
    /// Calls that were refused.
    pub refused: u64,
    /// Calls that were given up.
    pub given_up: u64,
    /// Outcomes that the coordinator says it has used.
    pub counted: u64,
    /// Calls that reached nobody; they are no messages.
    pub lost: u64,
}

impl Tally {
    /// All messages.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.accepted + self.refused + self.given_up
    }

    fn add(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.given_up += other.given_up;
        self.counted += other.counted;
        self.lost += other.lost;
    }

    /// Counts a call.
    fn call<T>(
        &mut self,
        result: Result<Result<T, Status>, tokio::time::error::Elapsed>,
    ) -> Option<T> {
        match result {
            Ok(Ok(value)) => {
                self.accepted += 1;
                Some(value)
            }
            Ok(Err(status)) if status.code() == Code::Unavailable && status.source().is_some() => {
                self.lost += 1;
                None
            }
            Ok(Err(_)) => {
                self.refused += 1;
                None
            }
            Err(_) => {
                self.given_up += 1;
                None
            }
        }
    }
}

/// Why the work ended early.
#[derive(Debug)]
pub enum Trouble {
    /// The access file is of no use.
    Access(String),
    /// The coordinator does not answer an honest question.
    Silent(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Access(why) => write!(f, "the access file: {why}"),
            Self::Silent(why) => write!(f, "the coordinator does not answer: {why}"),
        }
    }
}

impl std::error::Error for Trouble {}

/// Lets callers loose on a coordinator. Must be called inside a tokio runtime.
///
/// # Errors
/// If the coordinator stops answering.
pub async fn harass(access: &Access, order: &Order) -> Result<Tally, Trouble> {
    let callers = order.callers.max(1);
    let mut tasks = Vec::new();
    for caller in 0..callers {
        let share = order.messages / u64::from(callers)
            + u64::from(u64::from(caller) < order.messages % u64::from(callers));
        let dice = Dice::new(order.seed.wrapping_mul(0x9e37_79b9).wrapping_add(caller.into()));
        let access = access.clone();
        let spare = order.spare;
        tasks.push(tokio::spawn(one(access, dice, share, spare)));
    }
    let mut sum = Tally::default();
    let mut trouble = None;
    for task in tasks {
        match task.await {
            Ok(Ok(tally)) => sum.add(tally),
            Ok(Err(why)) => trouble = Some(why),
            Err(error) => trouble = Some(Trouble::Silent(error.to_string())),
        }
    }
    trouble.map_or(Ok(sum), Err)
}

/// One caller.
async fn one(access: Access, dice: Dice, messages: u64, spare: u64) -> Result<Tally, Trouble> {
    let mut worker = worker::Liar::new(&access, dice.clone())?;
    let mut client = client::Client::new(&access, dice.clone(), spare)?;
    let mut raw = raw::Raw::new(&access, dice.clone())?;
    let mut dice = dice;
    let mut tally = Tally::default();
    let mut heard = Instant::now();
    while tally.messages() < messages {
        let (before, lost) = (tally.messages(), tally.lost);
        match dice.below(10) {
            0..6 => worker.act(&mut tally).await,
            6..8 => client.act(&mut tally).await,
            _ => raw.act(&mut tally).await,
        }
        if tally.messages() == before && tally.lost > lost {
            // The coordinator is away: a lie that nobody hears tests nothing.
            if heard.elapsed() >= ALIVE {
                return Err(Trouble::Silent(format!("nobody there for {ALIVE:?}")));
            }
            tokio::time::sleep(AWAY).await;
            continue;
        }
        if tally.messages() > before {
            heard = Instant::now();
        }
        // Something that could not even be sent is not counted, and must not go on for ever.
        tally.refused += u64::from(tally.messages() == before);
        if tally.messages() / LOOK_EVERY != before / LOOK_EVERY {
            look(&access).await?;
        }
    }
    Ok(tally)
}

/// Asks an honest question.
async fn look(access: &Access) -> Result<(), Trouble> {
    let who = if access.client_token.is_some() { Who::Client } else { return Ok(()) };
    let connection = connect(access, who).map_err(|error| Trouble::Access(error.to_string()))?;
    let end = Instant::now() + ALIVE;
    loop {
        let asked = tokio::time::timeout(PATIENCE, async {
            connection.runs().status(StatusRequest::default()).await
        });
        let why = match asked.await {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(status)) => status.to_string(),
            Err(_) => "no answer in time".to_string(),
        };
        if Instant::now() >= end {
            return Err(Trouble::Silent(why));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
