//! Shares: how much one caller, and all of them together, may have under way. Whoever wants more is
//! asked to come back later; nobody can take what others need.

use std::sync::Arc;
use std::time::Duration;

use hasami_proto::{busy, limits};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::Status;

/// Messages up to this size are not counted: the number of calls bounds them.
const SMALL: usize = 64 << 10;
/// Memory is counted in pieces of this size.
const KIB: usize = 1 << 10;

/// What a call needs beside its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One message each way.
    Plain,
    /// A reply of many messages.
    Stream,
    /// A request of many messages, which holds a thread.
    Upload,
    /// A reply that holds a thread.
    Load,
}

/// The share of a caller, or of all.
#[derive(Debug)]
pub(super) struct Share {
    calls: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    loads: Arc<Semaphore>,
    memory: Arc<Semaphore>,
}

impl Share {
    /// The share of one caller.
    pub fn of_one() -> Self {
        Self::new(
            [
                limits::CALLER_CALLS,
                limits::CALLER_STREAMS,
                limits::CALLER_UPLOADS,
                limits::CALLER_LOADS,
            ],
            limits::CALLER_MIB,
        )
    }

    /// What all callers have together.
    pub fn of_all() -> Self {
        Self::new(
            [limits::ALL_CALLS, limits::ALL_STREAMS, limits::ALL_UPLOADS, limits::ALL_LOADS],
            limits::ALL_MIB,
        )
    }

    fn new(places: [usize; 4], mib: usize) -> Self {
        let [calls, streams, uploads, loads] = places.map(|most| Arc::new(Semaphore::new(most)));
        Self { calls, streams, uploads, loads, memory: Arc::new(Semaphore::new(mib * KIB)) }
    }

    /// The places beside that of the call itself, and whether it is worth waiting for one.
    fn of(&self, kind: Kind) -> Option<(&Arc<Semaphore>, bool)> {
        match kind {
            Kind::Plain => None,
            Kind::Stream => Some((&self.streams, false)),
            Kind::Upload => Some((&self.uploads, true)),
            Kind::Load => Some((&self.loads, true)),
        }
    }
}

/// The place of a call; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    _permits: Vec<OwnedSemaphorePermit>,
}

/// Takes a place for a call in the share of its caller and in that of all.
pub(super) async fn enter(one: &Share, all: &Share, kind: Kind) -> Result<Place, Status> {
    enter_within(one, all, kind, Duration::from_secs(limits::WAIT_SECONDS)).await
}

async fn enter_within(
    one: &Share,
    all: &Share,
    kind: Kind,
    most: Duration,
) -> Result<Place, Status> {
    let mut permits = Vec::with_capacity(4);
    for (share, whose) in [(one, "this token"), (all, "all callers")] {
        let call = Arc::clone(&share.calls).try_acquire_owned();
        permits.push(call.map_err(|_| busy(format!("{whose}: too many calls at once")))?);
    }
    for (share, whose) in [(one, "this token"), (all, "all callers")] {
        let Some((places, wait)) = share.of(kind) else { break };
        let place = match Arc::clone(places).try_acquire_owned() {
            Ok(place) => Some(place),
            Err(_) if wait => {
                let turn = Arc::clone(places).acquire_owned();
                tokio::time::timeout(most, turn).await.ok().and_then(Result::ok)
            }
            Err(_) => None,
        };
        permits.push(place.ok_or_else(|| busy(format!("{whose}: too many of this call at once")))?);
    }
    Ok(Place { _permits: permits })
}

/// The memory that the request of a call takes, of both shares.
#[derive(Debug)]
pub(super) struct Charge {
    from: [Arc<Semaphore>; 2],
    bytes: usize,
    held: Vec<OwnedSemaphorePermit>,
}

impl Charge {
    pub fn new(one: &Share, all: &Share) -> Self {
        let from = [Arc::clone(&one.memory), Arc::clone(&all.memory)];
        Self { from, bytes: 0, held: Vec::new() }
    }

    /// Counts further bytes.
    pub fn add(&mut self, bytes: usize) -> Result<(), Status> {
        let counted = |bytes: usize| bytes.saturating_sub(SMALL).div_ceil(KIB);
        let before = counted(self.bytes);
        self.bytes = self.bytes.saturating_add(bytes);
        let more = u32::try_from(counted(self.bytes) - before).unwrap_or(u32::MAX);
        if more == 0 {
            return Ok(());
        }
        for (memory, whose) in self.from.iter().zip(["this token", "all callers"]) {
            let taken = Arc::clone(memory).try_acquire_many_owned(more);
            self.held.push(taken.map_err(|_| {
                busy(format!("{whose}: too many bytes are being received or worked on"))
            })?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use hasami_proto::Trouble;

    use super::*;

    #[tokio::test]
    async fn one_caller_takes_its_share_and_leaves_that_of_others() {
        let (one, other, all) = (Share::of_one(), Share::of_one(), Share::of_all());
        let mut places = Vec::new();
        for _ in 0..limits::CALLER_STREAMS {
            places.push(enter(&one, &all, Kind::Stream).await.unwrap());
        }
        let refused = enter(&one, &all, Kind::Stream).await.unwrap_err();
        assert!(matches!(Trouble::from(&refused), Trouble::Busy { .. }), "{refused}");
        enter(&one, &all, Kind::Plain).await.unwrap();
        enter(&other, &all, Kind::Stream).await.unwrap();
        places.pop();
        enter(&one, &all, Kind::Stream).await.unwrap();
    }

    #[tokio::test]
    async fn a_load_waits_for_its_turn_but_not_for_ever() {
        let (one, all) = (Share::of_one(), Share::of_all());
        let mut places = Vec::new();
        for _ in 0..limits::CALLER_LOADS {
            places.push(enter(&one, &all, Kind::Load).await.unwrap());
        }
        enter_within(&one, &all, Kind::Load, Duration::from_millis(20)).await.unwrap_err();
        let free = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            places.pop();
        };
        let (entered, ()) = tokio::join!(enter(&one, &all, Kind::Load), free);
        entered.unwrap();
    }

    #[test]
    fn memory_is_counted_above_what_is_small_and_comes_back() {
        let (one, all) = (Share::of_one(), Share::of_all());
        let (mut first, mut second) = (Charge::new(&one, &all), Charge::new(&one, &all));
        first.add(SMALL).unwrap();
        assert!(first.held.is_empty());
        first.add(limits::CALLER_MIB << 20).unwrap();
        second.add(SMALL).unwrap();
        let refused = second.add(1).unwrap_err();
        assert!(matches!(Trouble::from(&refused), Trouble::Busy { .. }), "{refused}");
        Charge::new(&Share::of_one(), &all).add(1 << 20).unwrap();
        drop(first);
        second.add(1 << 20).unwrap();
    }
}
