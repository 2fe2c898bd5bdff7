//! Notes over a real socket: kept as they are, with limits to their number and length.

use hasami_andor::{Key, ProblemId};
use hasami_coordinator::server::Security;
use hasami_proto::pack::{MAX_NOTE, MAX_NOTES, Packer, pack_keys, pack_problem, unpack};
use hasami_proto::v1::{GetNotesRequest, PutNotesRequest, Records};
use tonic::Code;

use crate::cluster::{Cluster, PROBLEM, caller};

fn keep(notes: &[(u128, Vec<u8>)]) -> PutNotesRequest {
    let mut packer = Packer::new();
    for (key, note) in notes {
        packer.push(Key(*key), note).unwrap();
    }
    PutNotesRequest {
        problem: pack_problem(PROBLEM),
        notes: Some(packer.take()),
        caller: caller(1),
    }
}

fn ask(problem: ProblemId, keys: impl IntoIterator<Item = u128>) -> GetNotesRequest {
    let keys: Vec<Key> = keys.into_iter().map(Key).collect();
    GetNotesRequest { problem: pack_problem(problem), keys: pack_keys(&keys), caller: caller(1) }
}

#[tokio::test]
async fn one_worker_finds_what_another_has_left() {
    let cluster = Cluster::start(Security::Tokens).await;
    let (mut one, mut two) = (cluster.worker(), cluster.worker());
    let notes = [(1, b"one".to_vec()), (2, vec![7; MAX_NOTE]), (3, Vec::new())];
    one.put_notes(keep(&notes)).await.unwrap();
    one.put_notes(keep(&[(1, b"another".to_vec())])).await.unwrap();
    let found = two.get_notes(ask(PROBLEM, 0..5)).await.unwrap().into_inner().notes.unwrap();
    let found = unpack(&found).unwrap();
    let expected = [(Key(1), b"another".to_vec()), (Key(2), vec![7; MAX_NOTE]), (Key(3), vec![])];
    assert!(found.iter().map(|(key, note)| (*key, note.to_vec())).eq(expected));
    assert_eq!(
        two.get_notes(ask(ProblemId(9), 0..5)).await.unwrap().into_inner().notes.unwrap().count,
        0
    );
    cluster.stop().await;
}

#[tokio::test]
async fn a_reply_is_never_longer_than_a_message_may_be() {
    let cluster = Cluster::start(Security::Tokens).await;
    let mut worker = cluster.worker();
    for first in (0..MAX_NOTES as u128).step_by(256) {
        let notes: Vec<_> = (first..first + 256).map(|key| (key, vec![1; MAX_NOTE])).collect();
        worker.put_notes(keep(&notes)).await.unwrap();
    }
    let found = worker.get_notes(ask(PROBLEM, 0..MAX_NOTES as u128)).await.unwrap();
    let found = found.into_inner().notes.unwrap();
    assert!((400..MAX_NOTES as u32).contains(&found.count), "{}", found.count);
    cluster.stop().await;
}

#[tokio::test]
async fn hostile_notes_are_refused_and_leave_nothing() {
    let cluster = Cluster::start(Security::Tokens).await;
    let mut worker = cluster.worker();
    let many: Vec<_> = (0..=MAX_NOTES as u128).map(|key| (key, Vec::new())).collect();
    let good = keep(&[(1, b"x".to_vec())]);
    let liar = Records { count: 2, ..good.notes.clone().unwrap() };
    for (what, request) in [
        ("long", keep(&[(1, b"x".to_vec()), (2, vec![0; MAX_NOTE + 1])])),
        ("many", keep(&many)),
        ("problem", PutNotesRequest { problem: vec![1; 3], ..good.clone() }),
        ("liar", PutNotesRequest { notes: Some(liar), ..good }),
    ] {
        let status = worker.put_notes(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{what}: {status}");
    }
    let status = worker.get_notes(ask(PROBLEM, 0..=MAX_NOTES as u128)).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument, "{status}");
    assert_eq!(
        worker.get_notes(ask(PROBLEM, 0..9)).await.unwrap().into_inner().notes.unwrap().count,
        0
    );
    cluster.stop().await;
}
