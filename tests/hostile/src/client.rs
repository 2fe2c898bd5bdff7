//! A client that means harm.

use std::collections::VecDeque;

use hasami_proto::v1::run_service_client::RunServiceClient;
use hasami_proto::v1::{self, WatchResponse};
use hasami_proto::{Access, Authorized, OLDEST_PROTOCOL, PROTOCOL, Who, connect};
use tokio::time::timeout;
use tonic::Streaming;

use crate::dice::Dice;
use crate::{PATIENCE, Tally, Trouble};

/// Streams that are held open and not read.
const UNREAD: usize = 4;

pub(crate) struct Client {
    dice: Dice,
    runs: Option<RunServiceClient<Authorized>>,
    spare: u64,
    unread: VecDeque<Streaming<WatchResponse>>,
}

impl Client {
    pub(crate) fn new(access: &Access, dice: Dice, spare: u64) -> Result<Self, Trouble> {
        let runs = match access.client_token {
            Some(_) => {
                let connection = connect(access, Who::Client);
                Some(connection.map_err(|error| Trouble::Access(error.to_string()))?.runs())
            }
            // A worker's copy of the access file.
            None => None,
        };
        Ok(Self { dice, runs, spare, unread: VecDeque::new() })
    }

    /// Sends one message.
    pub(crate) async fn act(&mut self, tally: &mut Tally) {
        let Some(mut runs) = self.runs.clone() else { return };
        let dice = &mut self.dice;
        let run = if dice.one_in(2) { dice.number() } else { dice.below(4) };
        // Whoever may cancel may cancel: that is no fault of the coordinator.
        let other = if run == self.spare || run == 0 { u64::MAX } else { run };
        match dice.below(12) {
            0..4 => {
                let request = v1::SubmitRequest {
                    sweep: sweep(dice),
                    force: dice.one_in(2),
                    protocol: Some(v1::ProtocolRange { oldest: OLDEST_PROTOCOL, newest: PROTOCOL }),
                };
                let called = timeout(PATIENCE, runs.submit(request)).await;
                if let Some(response) = tally.call(called) {
                    // Nothing that was taken shall keep the honest worker from its run.
                    let run = response.into_inner().run.map_or(u64::MAX, |run| run.run);
                    let request = v1::CancelRequest { run };
                    tally.call(timeout(PATIENCE, runs.cancel(request)).await);
                }
            }
            4 => {
                let request = v1::ShowRequest { run };
                tally.call(timeout(PATIENCE, runs.show(request)).await);
            }
            5 => {
                let request = v1::ExplainRequest { run, item: dice.small() };
                tally.call(timeout(PATIENCE, runs.explain(request)).await);
            }
            6 => {
                let request = v1::ItemsRequest { run, ..Default::default() };
                let called = timeout(PATIENCE, runs.items(request)).await;
                tally.call(called.map(|stream| stream.map(drop)));
            }
            7 => {
                let request = v1::WatchRequest { run };
                let called = timeout(PATIENCE, runs.watch(request)).await;
                if let Some(stream) = tally.call(called) {
                    self.unread.push_back(stream.into_inner());
                    if self.unread.len() > UNREAD {
                        self.unread.pop_front();
                    }
                }
            }
            8 => {
                let request = v1::GetCertificateRequest { name: dice.text(), ..Default::default() };
                let called = timeout(PATIENCE, runs.get_certificate(request)).await;
                tally.call(called.map(|stream| stream.map(drop)));
            }
            9 => {
                // Nothing can be made at these places.
                let places = ["", "/dev/null/x", "/proc/x", "\0", "a\nb/\0", "/"];
                let directory = dice.of(&places).copied().unwrap_or_default().to_string();
                let request = v1::CheckpointRequest { directory };
                tally.call(timeout(PATIENCE, runs.checkpoint(request)).await);
            }
            10 => {
                let request = v1::CancelRequest { run: other };
                tally.call(timeout(PATIENCE, runs.cancel(request)).await);
            }
            _ => {
                let request = v1::PauseRequest { run: other };
                tally.call(timeout(PATIENCE, runs.pause(request)).await);
                let request = v1::ResumeRequest { run: other };
                tally.call(timeout(PATIENCE, runs.resume(request)).await);
            }
        }
    }
}

/// A sweep that must be refused, or does nothing for long.
fn sweep(dice: &mut Dice) -> String {
    let depth = 1 << dice.below(15);
    let text = dice.text().replace(['\'', '\\'], "");
    match dice.below(12) {
        0 => format!("x = {}{}", "[".repeat(depth), "]".repeat(depth)),
        1 => format!("{}\n", "[a.".repeat(depth)),
        2 => "name = 'many'\nproblem = 'synthetic'\n[parameters]\nseed = '0..1000000000000'\n\
              depth = '1..1000000'\n"
            .to_string(),
        3 => format!("name = '{text}'\nproblem = 'chomp'\n[parameters]\nrows = 1\ncolumns = 1\n"),
        4 => {
            "name = 'file'\nproblem = 'mancala'\n[parameters]\ndatabase = '/dev/zero'\n".to_string()
        }
        5 => format!("name = 'file'\nproblem = 'mancala'\n[parameters]\ndatabase = '{text}'\n"),
        6 => "name = 'd'\nproblem = 'mancala-database'\n[parameters]\ndirectory = '/proc/self'\n\
              seeds = 1\nslices = 1\nstage = 0\nslice = 0\n"
            .to_string(),
        7 => format!("name = 'n'\nproblem = '{text}'\n"),
        8 => {
            let list: Vec<String> = (0..depth).map(|n| n.to_string()).collect();
            format!("name = 'l'\nproblem = 'graph'\n[parameters]\nnodes = [{}]\n", list.join(","))
        }
        9 => format!("name = 'b'\nproblem = 'mnk'\n[search]\nbudget = {}\n", dice.number()),
        10 => String::from_utf8_lossy(&dice.bytes(2000)).into_owned(),
        _ => "a".repeat(1 << dice.below(22)),
    }
}
