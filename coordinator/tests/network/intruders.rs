//! Those who connect and show no token, do not read, or do not finish what they say.

use std::net::SocketAddr;
use std::time::Duration;

use hasami_coordinator::server::{Patience, Security};
use hasami_proto::pack::pack_problem;
use hasami_proto::v1::LoadRequest;
use hasami_proto::v1::position_service_client::PositionServiceClient;
use hasami_proto::{Access, Who, connect, limits};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::Code;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;

use crate::cluster::{Cluster, LIMIT, PROBLEM, caller, narrow, records, sync};

fn address(access: &Access) -> SocketAddr {
    access.url.split("://").nth(1).unwrap().parse().unwrap()
}

/// Waits until the other side has closed a connection.
async fn closed(mut stream: TcpStream) {
    let mut bytes = [0; 256];
    let end = async { while stream.read(&mut bytes).await.is_ok_and(|read| read > 0) {} };
    tokio::time::timeout(LIMIT, end).await.expect("it is closed in the end");
}

#[tokio::test]
async fn a_crowd_without_tokens_keeps_nobody_out_and_is_sent_away() {
    for security in [Security::Tokens, Security::TokensAndTls] {
        let patience = Patience { guest: Duration::from_secs(2), ..Patience::default() };
        let cluster = Cluster::with_patience(security, patience).await;
        let mut early = cluster.worker();
        sync(&mut early, 1, records([1]), 0).await.unwrap();
        let mut crowd = Vec::new();
        for number in 0..3 * limits::GUESTS_OF_ADDRESS {
            let mut stream = TcpStream::connect(address(&cluster.access)).await.unwrap();
            // Some say nothing, some begin a handshake or a preface, some talk nonsense.
            let words: [&[u8]; 4] =
                [b"", b"\x16\x03\x01", b"PRI * HTTP/2.0\r\n", b"GET / HTTP/1.1\r\n"];
            let _ = stream.write_all(words[number % 4]).await;
            crowd.push(stream);
        }
        // Those who were there, and those who come.
        sync(&mut early, 1, records([2]), 0).await.unwrap();
        for worker in 2..10 {
            let mut late = cluster.worker();
            sync(&mut late, worker, records([worker]), 0).await.unwrap();
        }
        for stream in crowd {
            closed(stream).await;
        }
        // Silence is no reason to close what is known.
        sync(&mut early, 1, records([3]), 0).await.unwrap();
        cluster.stop().await;
    }
}

#[tokio::test]
async fn guesses_open_nothing_and_stop_nobody() {
    let cluster = Cluster::start(Security::Tokens).await;
    let wrong = Access { worker_token: Some("guess".into()), ..cluster.access.clone() };
    let mut guesser = connect(&wrong, Who::Worker).unwrap().positions();
    for _ in 0..3 * limits::REFUSALS {
        // Refused, or cut off in the middle and connected anew.
        let code = sync(&mut guesser, 1, records([]), 0).await.unwrap_err().code();
        assert_ne!(code, Code::PermissionDenied);
    }
    sync(&mut cluster.worker(), 1, records([1]), 0).await.unwrap();
    cluster.stop().await;
}

#[tokio::test]
async fn a_reply_that_nobody_reads_is_cut_off() {
    let patience = Patience { unread: Duration::from_millis(1500), ..Patience::default() };
    let cluster = Cluster::with_patience(Security::Tokens, patience).await;
    let mut worker = cluster.worker();
    for batch in 0..8 {
        let first = batch * 60_000;
        sync(&mut worker, 1, records(first..first + 60_000), 0).await.unwrap();
    }
    let load = || LoadRequest { problem: pack_problem(PROBLEM), min_work: 0, caller: caller(1) };
    // Somebody who reads gets everything, whatever the others do.
    let mut stuck = Vec::new();
    for _ in 0..limits::CALLER_LOADS {
        let channel = narrow(&cluster.access, cluster.access.worker_token.as_deref());
        let mut client = PositionServiceClient::new(channel);
        stuck.push(client.load(load()).await.unwrap().into_inner());
    }
    let mut all = 0;
    let mut reading = tokio::time::timeout(LIMIT, cluster.worker().load(load()))
        .await
        .expect("its turn comes when the others are cut off")
        .unwrap()
        .into_inner();
    while let Some(piece) = reading.message().await.unwrap() {
        all += piece.records.unwrap().count;
    }
    assert_eq!(all, 480_000);
    // The first that is cut off makes room for the reader; the others have their own time.
    tokio::time::sleep(Duration::from_secs(6)).await;
    for mut stream in stuck {
        let mut read = 0;
        let cut = loop {
            match tokio::time::timeout(LIMIT, stream.message()).await.expect("an end") {
                Ok(Some(piece)) => read += piece.records.unwrap().count,
                Ok(None) => break false,
                Err(_) => break true,
            }
        };
        assert!(cut && read < all, "{read} of {all} were read");
    }
    cluster.stop().await;
}

#[tokio::test]
async fn a_request_that_does_not_go_on_ends() {
    let patience = Patience { upload: Duration::from_millis(300), ..Patience::default() };
    let cluster = Cluster::with_patience(Security::Tokens, patience).await;
    let connection = connect(&cluster.access, Who::Client).unwrap();
    let mut client = ServerReflectionClient::new(connection.authorized());
    let never = tokio_stream::pending::<ServerReflectionRequest>();
    let call = async {
        let mut replies = client.server_reflection_info(never).await?.into_inner();
        replies.message().await
    };
    let ended = tokio::time::timeout(LIMIT, call).await.expect("an end");
    assert!(ended.as_ref().is_ok_and(Option::is_none) || ended.is_err(), "{ended:?}");
    cluster.stop().await;
}
