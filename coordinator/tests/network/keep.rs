//! What a whole coordinator keeps and tells: contradictions, deletion, and pages of items.

use std::time::Duration;

use hasami_andor::{Key, Numbers, ProblemId};
use hasami_proto::pack::{pack_problem, unpack_problem};
use hasami_proto::v1::run_service_client::RunServiceClient;
use hasami_proto::v1::{
    Caller, ClearFaultRequest, DeleteRequest, ItemState, ItemsRequest, Lease, Param, Records,
    ResumeRequest, RunState, ShowRequest, StatusRequest, SyncRequest, WorkersRequest,
};
use hasami_proto::{Authorized, Trouble, Who, connect};
use hasami_store::Record;
use tonic::{Code, Status};

use crate::cluster::pack;
use crate::whole::{Scripted, answered, client, start, submit};

const PROBLEM: ProblemId = ProblemId(77);

/// A verdict on one state, from a worker, for a lease.
async fn tell(
    coordinator: &hasami_coordinator::Coordinator,
    caller: Caller,
    problem: ProblemId,
    numbers: Numbers,
) -> Result<(), Status> {
    let records: Records = pack([(Key(1), Record::new(numbers, 5, 0))]);
    let mut store = connect(coordinator.access(), Who::Worker).unwrap().positions();
    let request = SyncRequest {
        problem: pack_problem(problem),
        records: Some(records),
        caller: Some(caller),
        ..SyncRequest::default()
    };
    store.sync(request).await.map(drop)
}

fn caller(worker: &Scripted, lease: Lease) -> Caller {
    Caller { worker: worker.worker, session: worker.session, leases: vec![lease] }
}

async fn state(client: &mut RunServiceClient<Authorized>, run: u64) -> (RunState, String) {
    let shown = client.show(ShowRequest { run }).await.unwrap().into_inner().run.unwrap();
    (shown.state(), shown.note)
}

/// Waits until so many items are settled: answers are verified first.
async fn settled(client: &mut RunServiceClient<Authorized>, run: u64, items: u64) {
    loop {
        let shown = client.show(ShowRequest { run }).await.unwrap().into_inner().run.unwrap();
        if shown.counts.unwrap().settled == items {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_liar_stops_the_run_it_works_on_is_named_and_can_be_cleared() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let mut client = client(&coordinator);
    let run = submit(&mut client, 2).await.run;
    let (mut honest, mut liar) =
        (Scripted::register(&coordinator).await, Scripted::register(&coordinator).await);
    let (one, two) = (honest.take(1).await[0], liar.take(1).await[0]);
    let other = submit(&mut client, 5).await.run;

    // Nobody speaks without a lease, with another's, or about two problems for one.
    let stranger = Caller { worker: 99, session: 1, leases: vec![one] };
    let refused = tell(&coordinator, stranger, PROBLEM, Numbers::PROVEN).await.unwrap_err();
    assert!(matches!(Trouble::from(&refused), Trouble::UnknownWorker(_)), "{refused}");
    let stolen = tell(&coordinator, caller(&liar, one), PROBLEM, Numbers::PROVEN).await;
    assert_eq!(stolen.unwrap_err().code(), Code::FailedPrecondition);
    tell(&coordinator, caller(&honest, one), PROBLEM, Numbers::PROVEN).await.unwrap();
    let second = tell(&coordinator, caller(&honest, one), ProblemId(5), Numbers::PROVEN).await;
    assert!(second.unwrap_err().message().contains("is about problem"));

    let said = tell(&coordinator, caller(&liar, two), PROBLEM, Numbers::DISPROVEN).await;
    assert_eq!(said.unwrap_err().code(), Code::FailedPrecondition);
    let note = loop {
        let (state, note) = state(&mut client, run).await;
        if state == RunState::Paused {
            break note;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    for worker in [&honest, &liar] {
        assert!(note.contains(&format!("worker {} (", worker.worker)), "{note}");
    }
    assert_eq!(state(&mut client, other).await.0, RunState::Running);
    let status = client.status(StatusRequest {}).await.unwrap().into_inner();
    assert_eq!((status.faults.len(), &status.faults[0].runs), (1, &vec![run]));
    assert_eq!(unpack_problem(&status.faults[0].problem), Ok(PROBLEM));
    assert_eq!(status.faults[0].text, note);
    assert!(client.resume(ResumeRequest { run }).await.is_err());

    let problem = pack_problem(PROBLEM);
    let cleared = client.clear_fault(ClearFaultRequest { problem: problem.clone() }).await;
    assert_eq!(cleared.unwrap().into_inner().resumed, [run]);
    assert_eq!(state(&mut client, run).await, (RunState::Running, String::new()));
    let again = client.clear_fault(ClearFaultRequest { problem }).await.unwrap_err();
    assert_eq!(again.code(), Code::NotFound);
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn deleted_runs_are_gone_and_answers_that_others_have_stay() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let mut runs = client(&coordinator);
    let first = submit(&mut runs, 3).await.run;
    let delete = |run: u64, answers, dry_run| DeleteRequest {
        runs: vec![run],
        answers,
        dry_run,
        ended_before_ms: 0,
    };
    let refused = runs.delete(delete(first, true, false)).await.unwrap_err();
    assert!(refused.message().contains("is running"), "{refused}");
    let mut worker = Scripted::register(&coordinator).await;
    for lease in worker.take(3).await {
        worker.hand_in(answered(lease, 1)).await;
    }
    settled(&mut runs, first, 3).await;
    let second = submit(&mut runs, 2).await;
    assert_eq!(second.counts.unwrap().reused, 2);
    let trial = runs.delete(delete(first, true, true)).await.unwrap().into_inner();
    assert_eq!((trial.runs.len(), trial.answers, trial.answers_kept), (1, 1, 2));
    assert_eq!(state(&mut runs, first).await.0, RunState::Finished, "a trial changes nothing");
    let gone = runs.delete(delete(first, true, false)).await.unwrap().into_inner();
    assert_eq!((gone.answers, gone.answers_kept), (1, 2));
    assert_eq!(runs.show(ShowRequest { run: first }).await.unwrap_err().code(), Code::NotFound);
    drop(runs);
    coordinator.stop().await.unwrap();

    let coordinator = start(&data).await;
    let mut runs = client(&coordinator);
    let items = list(&mut runs, ItemsRequest { run: second.run, ..Default::default() }).await;
    assert_eq!(items.len(), 2, "the second run has its answers");
    let third = submit(&mut runs, 3).await;
    assert_eq!(third.counts.unwrap().reused, 2, "one answer is gone");
    coordinator.stop().await.unwrap();
}

/// The numbers of items; all that have ended have their answers.
async fn list(client: &mut RunServiceClient<Authorized>, request: ItemsRequest) -> Vec<u32> {
    let mut stream = client.items(request).await.unwrap().into_inner();
    let mut found = Vec::new();
    while let Some(next) = stream.message().await.unwrap() {
        let item = next.item.unwrap();
        assert_eq!(item.state() == ItemState::Settled, item.answer.is_some(), "{item:?}");
        found.push(item.item);
    }
    found
}

#[tokio::test]
async fn items_come_by_state_by_parameter_and_in_pages() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let mut runs = client(&coordinator);
    let run = submit(&mut runs, 3000).await.run;
    let mut worker = Scripted::register(&coordinator).await;
    let given = worker.take(6).await;
    for lease in &given[..4] {
        worker.hand_in(answered(*lease, 1)).await;
    }
    settled(&mut runs, run, 4).await;
    let all = ItemsRequest { run, ..Default::default() };
    assert_eq!(list(&mut runs, all.clone()).await, (0..3000).collect::<Vec<_>>());
    let settled = ItemsRequest {
        states: vec![ItemState::Settled.into()],
        offset: 1,
        limit: 2,
        ..all.clone()
    };
    assert_eq!(list(&mut runs, settled).await, [1, 2]);
    let running = ItemsRequest { states: vec![ItemState::Running.into()], ..all.clone() };
    assert_eq!(list(&mut runs, running).await, [4, 5]);
    let page = ItemsRequest { offset: 2990, limit: 100, ..all.clone() };
    assert_eq!(list(&mut runs, page).await, (2990..3000).collect::<Vec<_>>());
    let param = |name: &str, value: &str| Param { name: name.into(), value: value.into() };
    let one = ItemsRequest { params: vec![param("seed", "2345")], ..all.clone() };
    assert_eq!(list(&mut runs, one).await, [2345]);
    let wrong = ItemsRequest { params: vec![param("sead", "1")], ..all };
    assert_eq!(runs.items(wrong).await.unwrap_err().code(), Code::InvalidArgument);

    // The worker is shown with what it holds.
    let workers = runs.workers(WorkersRequest {}).await.unwrap().into_inner().workers;
    let held: Vec<_> = workers[0]
        .held
        .iter()
        .map(|held| (held.lease.unwrap().item, held.kind.as_str(), held.begun))
        .collect();
    assert_eq!(held, [(4, "answer", true), (5, "answer", false)]);
    assert!(workers[0].held[0].question.contains("seed=4"), "{:?}", workers[0].held[0]);
    coordinator.stop().await.unwrap();
}
