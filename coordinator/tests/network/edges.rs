//! Hostile callers with valid tokens: what they say is refused by name, what they take is limited,
//! and their tokens can be taken back.

use std::time::Duration;

use hasami_proto::v1::access_service_client::AccessServiceClient;
use hasami_proto::v1::outcome::Kind;
use hasami_proto::v1::run_service_client::RunServiceClient;
use hasami_proto::v1::{
    AddTokenRequest, Answer, CheckpointRequest, Failure, FailureKind, GetCertificateRequest,
    ItemsRequest, Lease, ListRequest, ListTokensRequest, Measures, Outcome, Param, ProtocolRange,
    ReceiptStatus, RegisterRequest, RevokeTokenRequest, RotateTokenRequest, SubmitRequest,
    TakeRequest, TokenRole, Verdict, WatchRequest, WorkersRequest,
};
use hasami_proto::{Access, Authorized, Refusal, Trouble, Who, connect, limits};
use tonic::Code;

use crate::cluster::{LIMIT, narrow};
use crate::whole::{Scripted, answered, client, start, submit};

fn operator(access: &Access) -> AccessServiceClient<Authorized> {
    connect(access, Who::Client).unwrap().access()
}

/// Makes a token; gives the access file of its owner.
async fn token(access: &Access, name: &str, role: TokenRole) -> Access {
    let request = AddTokenRequest { name: name.into(), role: role.into() };
    let reply = operator(access).add_token(request).await.unwrap().into_inner();
    let secret = Some(reply.secret);
    match role {
        TokenRole::Worker => Access { worker_token: secret, client_token: None, ..access.clone() },
        _ => Access { client_token: secret, worker_token: None, ..access.clone() },
    }
}

fn refused(status: &tonic::Status) -> Option<Refusal> {
    match Trouble::from(status) {
        Trouble::Refused { why, .. } => Some(why),
        _ => None,
    }
}

#[tokio::test]
async fn a_revoked_worker_loses_its_calls_and_its_units_at_once() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let access = coordinator.access().clone();
    submit(&mut client(&coordinator), 2).await;
    let lab = token(&access, "lab-7", TokenRole::Worker).await;
    let mut worker = Scripted::with(&lab).await;
    let held = worker.take(2).await;
    assert_eq!(held.len(), 2);
    // A call that would wait for half a minute.
    let wait =
        TakeRequest { worker: worker.worker, session: worker.session, want: 1, wait_ms: 30_000 };
    let mut waiting = worker.client.clone();
    let waiting = tokio::spawn(async move { waiting.take(wait).await });
    // Those of earlier calls are closed, which the coordinator notices in its own time.
    let mut operators = operator(&access);
    let listed = async {
        loop {
            let tokens = operators.list_tokens(ListTokensRequest {}).await.unwrap().into_inner();
            let connections = tokens.tokens.iter().map(|t| (t.name.as_str(), t.connections));
            if connections.eq([("lab-7", 1), ("operator", 1), ("worker", 0)]) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LIMIT, listed).await.expect("one connection each");

    let revoke = RevokeTokenRequest { name: "lab-7".into() };
    let reply = operator(&access).revoke_token(revoke).await.unwrap().into_inner();
    assert_eq!(reply.workers, 1);
    // If it had waited, it would end with nothing to do, and not with an error.
    let ended = tokio::time::timeout(LIMIT, waiting).await.expect("an end");
    ended.unwrap().unwrap_err();
    let again = worker.client.hand_in(worker.outcomes(vec![answered(held[0], 1)])).await;
    assert_eq!(refused(&again.unwrap_err()), Some(Refusal::Token));
    // Others get the work, without waiting for the lease to expire.
    let mut other = Scripted::register(&coordinator).await;
    let given = tokio::time::timeout(LIMIT, other.take(2)).await.unwrap();
    assert_eq!(given.iter().map(|lease| lease.attempt).collect::<Vec<_>>(), [2, 2]);
    let workers = client(&coordinator).workers(WorkersRequest {}).await.unwrap().into_inner();
    assert_eq!(workers.workers.len(), 1);
    coordinator.stop().await.unwrap();
    // It does not come back with a restart.
    let coordinator = start(&data).await;
    let lab = Access { url: coordinator.access().url.clone(), ..lab };
    let request = RegisterRequest { protocol: Some(ProtocolRange::OURS), ..Default::default() };
    let register = connect(&lab, Who::Worker).unwrap().work().register(request).await;
    assert_eq!(refused(&register.unwrap_err()), Some(Refusal::Token));
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn whoever_rotates_its_own_token_hears_the_new_one() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let access = coordinator.access().clone();
    let mut old = operator(&access);
    let rotate = RotateTokenRequest { name: "operator".into() };
    let secret = old.rotate_token(rotate).await.unwrap().into_inner().secret;
    let gone = operator(&access).list_tokens(ListTokensRequest {}).await.unwrap_err();
    assert_eq!(refused(&gone), Some(Refusal::Token));
    let new = Access { client_token: Some(secret), ..access };
    assert_eq!(Access::read(coordinator.access_file()).unwrap(), new);
    operator(&new).list_tokens(ListTokensRequest {}).await.unwrap();
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn a_client_neither_gives_out_tokens_nor_makes_checkpoints() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let reader = token(coordinator.access(), "reader", TokenRole::Client).await;
    let mut runs = connect(&reader, Who::Client).unwrap().runs();
    runs.list(ListRequest {}).await.unwrap();
    let checkpoint = runs.checkpoint(CheckpointRequest { directory: "x".into() }).await;
    assert_eq!(checkpoint.unwrap_err().code(), Code::PermissionDenied);
    let request = AddTokenRequest { name: "more".into(), role: TokenRole::Operator.into() };
    let more = operator(&reader).add_token(request).await;
    assert_eq!(more.unwrap_err().code(), Code::PermissionDenied);
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn one_malformed_outcome_is_refused_by_name_and_the_others_count() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    submit(&mut client(&coordinator), 6).await;
    let mut worker = Scripted::register(&coordinator).await;
    let leases = worker.take(6).await;
    let answer = |change: fn(&mut Answer)| {
        let mut answer = Answer { verdict: Verdict::Proven.into(), ..Answer::default() };
        change(&mut answer);
        Some(Kind::Answer(answer))
    };
    let bad: [(Option<Kind>, &str); 4] = [
        (answer(|a| a.claim = "\x1b]0;mine\x07".into()), "answer.claim"),
        (
            answer(|a| {
                a.measures = Some(Measures { seconds: f64::INFINITY, ..Default::default() })
            }),
            "measures.seconds",
        ),
        (
            answer(|a| {
                let value = "x".repeat(limits::ANSWER / 2 - 100);
                let column = |name: &str| Param { name: name.into(), value: value.clone() };
                a.fields = vec![
                    column("a"),
                    column("b"),
                    Param { name: "c".into(), value: "x".repeat(300) },
                ];
            }),
            "answer",
        ),
        (None, "outcome"),
    ];
    let mut outcomes = vec![answered(leases[0], 1)];
    for ((kind, _), lease) in bad.iter().zip(&leases[1..]) {
        outcomes.push(Outcome { lease: Some(*lease), kind: kind.clone() });
    }
    outcomes.push(answered(leases[5], 1));
    let request = worker.outcomes(outcomes);
    let receipts = worker.client.hand_in(request).await.unwrap().into_inner().receipts;
    let found: Vec<Option<Lease>> = receipts.iter().map(|receipt| receipt.lease).collect();
    assert_eq!(found, leases.iter().copied().map(Some).collect::<Vec<_>>(), "in order");
    assert_eq!(receipts[0].status(), ReceiptStatus::Accepted);
    assert_eq!(receipts[5].status(), ReceiptStatus::Accepted);
    for (receipt, (_, field)) in receipts[1..5].iter().zip(&bad) {
        assert_eq!(receipt.status(), ReceiptStatus::Malformed, "{receipt:?}");
        assert!(receipt.message.starts_with(&format!("{field}: found ")), "{}", receipt.message);
        assert!(!receipt.message.contains('\x1b') && receipt.message.len() <= limits::ERROR);
    }
    // A failure may quote anything: it is kept, made fit.
    let message = format!("\x1b[2J{}", "x".repeat(1 << 20));
    let failure = Failure { kind: FailureKind::Question.into(), message };
    let outcome = Outcome { lease: Some(leases[1]), kind: Some(Kind::Failure(failure)) };
    worker.client.hand_in(worker.outcomes(vec![outcome])).await.unwrap();
    let mut items = client(&coordinator).items(ItemsRequest::default()).await.unwrap().into_inner();
    let mut failures = Vec::new();
    while let Some(item) = items.message().await.unwrap() {
        failures.extend(Some(item.item.unwrap().failure).filter(|text| !text.is_empty()));
    }
    assert_eq!(failures.len(), 1);
    assert!(failures[0].contains("\u{FFFD}[2Jxxx") && failures[0].len() < 2 * limits::FAILURE);
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn names_and_sweeps_that_cannot_be_shown_are_refused() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let mut worker = connect(coordinator.access(), Who::Worker).unwrap().work();
    let protocol = Some(ProtocolRange::OURS);
    for name in ["\x1b[31m".to_string(), "two\nlines".to_string(), "x".repeat(1 << 20)] {
        let request = RegisterRequest { protocol, name, ..Default::default() };
        let refused = worker.register(request).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert!(refused.message().starts_with("name: found "), "{refused}");
    }
    let mut client = client(&coordinator);
    let sweep = |head: &str| {
        format!(
            "name = 't'\n{head}\nproblem = 'synthetic'\nkind = 'map'\n[parameters]\nseed = '1'\n"
        )
    };
    for head in ["title = \"\\u001b[2J\"", "title = '\x1b'", "title = \"\\u202E\""] {
        let request = SubmitRequest { sweep: sweep(head), force: false, protocol };
        let refused = client.submit(request).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{head:?}");
        assert!(refused.message().contains("U+"), "{refused}");
    }
    // However much there is to complain about, the reply is short.
    let text = format!("title = '{}'", "将".repeat(200_000));
    let request =
        SubmitRequest { sweep: sweep(&text).replace("'map'", "'?'"), force: false, protocol };
    let refused = client.submit(request).await.unwrap_err();
    assert!(refused.message().len() <= limits::ERROR, "{}", refused.message().len());
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn one_caller_has_its_share_and_the_others_have_theirs() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let run = submit(&mut client(&coordinator), 20_000).await.run;
    let greedy = token(coordinator.access(), "greedy", TokenRole::Client).await;
    // As many streams as it may have, none of them read. Those that are full block the connection
    // they came by, so it has another for the rest.
    let hoard = narrow(&greedy, greedy.client_token.as_deref());
    let mut hoard = RunServiceClient::new(hoard);
    let greedy = connect(&greedy, Who::Client).unwrap().runs();
    let (mut unread, mut open) = (Vec::new(), Vec::new());
    for _ in 0..limits::CALLER_STREAMS / 2 {
        let request = ItemsRequest { run, ..Default::default() };
        unread.push(hoard.items(request).await.unwrap());
    }
    let busy = loop {
        match greedy.clone().watch(WatchRequest { run }).await {
            Ok(stream) => open.push(stream),
            Err(status) => break status,
        }
    };
    assert_eq!(unread.len() + open.len(), limits::CALLER_STREAMS);
    let Trouble::Busy { after, .. } = Trouble::from(&busy) else { panic!("{busy:?}") };
    assert_eq!(after, Duration::from_millis(limits::RETRY_MS));
    greedy.clone().list(ListRequest {}).await.unwrap();
    // Work goes on, and so do others.
    let mut worker = Scripted::register(&coordinator).await;
    let lease = tokio::time::timeout(LIMIT, worker.take(1)).await.expect("work is given")[0];
    let receipts = worker.client.hand_in(worker.outcomes(vec![answered(lease, 1)])).await;
    assert_eq!(receipts.unwrap().into_inner().receipts[0].status(), ReceiptStatus::Accepted);
    let mut items = client(&coordinator)
        .items(ItemsRequest { run, ..Default::default() })
        .await
        .unwrap()
        .into_inner();
    let mut count = 0;
    while let Some(item) = items.message().await.unwrap() {
        assert_eq!(item.item.unwrap().item, count);
        count += 1;
    }
    assert_eq!(count, 20_000);
    // What it gives back it may have again.
    open.pop();
    tokio::time::timeout(LIMIT, async {
        while greedy.clone().watch(WatchRequest { run }).await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("a place is free again");
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn checkpoints_stay_where_the_owner_wants_them() {
    let data = tempfile::tempdir().unwrap();
    let coordinator = start(&data).await;
    let mut client = client(&coordinator);
    submit(&mut client, 3).await;
    let mut ask = async |name: &str| {
        let request = CheckpointRequest { directory: name.into() };
        client.checkpoint(request).await.map(|reply| reply.into_inner().directory)
    };
    let made = ask("monday").await.unwrap();
    let home = data.path().canonicalize().unwrap();
    assert_eq!(made, home.join("checkpoints/monday").display().to_string());
    assert!(home.join("checkpoints/monday/COMPLETE").is_file());
    let outside = tempfile::tempdir().unwrap();
    let outside = outside.path().join("x").display().to_string();
    for wrong in ["monday", "../out", &outside, "a/../../b", "/etc/hasami", "", "\x1b"] {
        let refused = ask(wrong).await.unwrap_err();
        assert_eq!(refused.code(), Code::FailedPrecondition, "{wrong}");
    }
    assert!(!home.join("out").exists() && !std::path::Path::new(&outside).exists());
    // Everything in it is for its owner only.
    use std::os::unix::fs::PermissionsExt;
    for place in [data.path().to_owned(), home.join("checkpoints"), home.join("checkpoints/monday")]
    {
        let mode = std::fs::metadata(&place).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{}", place.display());
    }
    let missing = GetCertificateRequest { name: "../tokens.json".into(), ..Default::default() };
    assert_eq!(client.get_certificate(missing).await.unwrap_err().code(), Code::InvalidArgument);
    coordinator.stop().await.unwrap();
}

#[tokio::test]
async fn a_data_directory_that_others_can_read_is_closed() {
    use std::os::unix::fs::PermissionsExt;
    let data = tempfile::tempdir().unwrap();
    std::fs::set_permissions(data.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    start(&data).await.stop().await.unwrap();
    let mode = std::fs::metadata(data.path()).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700);
}
