//! Servers that die, move keys, fail over, go silent or hold something else.

use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::servers::{Cluster, Server, until};
use crate::common::{PROBLEM, look, many, proven};
use hasami_andor::Key;
use hasami_store::{FORMAT, Record, RedisStore, Store, StoreError};

const SHORT: Duration = Duration::from_millis(500);

/// Whether the store has exactly these records under their keys.
fn holds(store: &dyn Store, records: &[(Key, Record)]) -> bool {
    let keys: Vec<_> = records.iter().map(|&(key, _)| key).collect();
    let mut out = Vec::new();
    store.lookup(PROBLEM, &keys, &mut out).unwrap();
    records.iter().zip(out).all(|(&(_, record), found)| found == Some(record))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().copied().map(str::to_owned).collect()
}

/// The error of a call, which must return within little more than the limit.
fn soon<T>(limit: Duration, call: impl FnOnce() -> Result<T, StoreError>) -> StoreError {
    let start = Instant::now();
    let error = call().err().expect("an error");
    assert!(start.elapsed() < limit + Duration::from_secs(2), "{:?}: {error}", start.elapsed());
    error
}

#[test]
fn a_server_that_crashes_and_comes_back_takes_nothing() {
    let mut cluster = Cluster::start(&["--appendonly", "yes", "--appendfsync", "always"]);
    let store = RedisStore::open_within(&cluster.url(), Duration::from_secs(60)).unwrap();
    let hasty = RedisStore::open_within(&cluster.url(), SHORT).unwrap();
    let records = many(600);
    store.publish(PROBLEM, &records[..300]).unwrap();
    assert!(holds(&hasty, &records[..300]));

    cluster.servers[1].kill();
    let down = Instant::now();
    let error = soon(SHORT, || hasty.publish(PROBLEM, &records));
    let node = cluster.servers[1].node();
    let StoreError::Unreachable { url, detail } = &error else { panic!("{error:?}") };
    assert_eq!(*url, cluster.url());
    assert!(detail.contains(&node) && detail.contains("tried for 500ms"), "{detail}");

    let back = thread::scope(|scope| {
        let publisher = scope.spawn(|| {
            store.publish(PROBLEM, &records[300..]).unwrap();
            down.elapsed()
        });
        thread::sleep(Duration::from_millis(200));
        assert!(!publisher.is_finished());
        let back = down.elapsed();
        cluster.servers[1].restart();
        assert!(publisher.join().unwrap() > back);
        back
    });
    assert!(back > Duration::from_millis(200));
    assert!(holds(&store, &records));
    assert!(holds(&hasty, &records));
}

#[test]
fn a_cluster_that_moves_keys_and_hands_over_is_followed() {
    let mut cluster = Cluster::start(&["--appendonly", "no"]);
    let store = RedisStore::open(&cluster.url()).unwrap();
    let records = many(400);
    store.publish(PROBLEM, &records[..200]).unwrap();

    // Slots of the first server migrate to the second: keys they do not hold are asked for there
    // (ASK), and in the end the slots are there (MOVED).
    let [from, to] = [0, 1].map(|place| &cluster.servers[place]);
    let [from_id, to_id] =
        [from, to].map(|server| server.ask::<String>(&["CLUSTER", "MYID"]).unwrap());
    let all: Vec<u16> = (0..5461).collect();
    let counts = |server: &Server, slots: &[u16]| {
        server.ask_slots(slots, |slot| words(&["COUNTKEYSINSLOT", slot]))
    };
    let empty = counts(from, &all).into_iter().zip(&all).filter(|&(count, _)| count == 0);
    let slots: Vec<u16> = empty.map(|(_, &slot)| slot).collect();
    let set = |server: &Server, state: &str, id: &str| {
        server.ask_slots(&slots, |slot| words(&["SETSLOT", slot, state, id]));
    };
    set(to, "IMPORTING", &from_id);
    set(from, "MIGRATING", &to_id);
    store.publish(PROBLEM, &records[200..]).unwrap();
    assert!(holds(&store, &records));
    let arrived: u32 = counts(to, &slots).iter().sum();
    let stayed: u32 = counts(from, &slots).iter().sum();
    assert!(arrived > 20 && stayed == 0, "{arrived} {stayed}");
    set(to, "NODE", &to_id);
    set(from, "NODE", &to_id);
    assert!(holds(&store, &records));

    // A replica of the third server takes over.
    let replica = Server::start(&["--cluster-enabled", "yes", "--appendonly", "no"]);
    let primary: String = cluster.servers[2].ask(&["CLUSTER", "MYID"]).unwrap();
    cluster.servers.iter().for_each(|server| replica.meet(server));
    until("a replica", || replica.ask::<()>(&["CLUSTER", "REPLICATE", &primary]).is_ok());
    let replica_id: String = replica.ask(&["CLUSTER", "MYID"]).unwrap();
    until("a replica that all know", || {
        let nodes = |server: &Server| server.ask::<String>(&["CLUSTER", "NODES"]).unwrap();
        let line = |line: &str| line.starts_with(&replica_id) && line.contains(&primary);
        cluster.servers.iter().all(|server| nodes(server).lines().any(line))
    });
    let keys = |server: &Server| server.ask::<u32>(&["DBSIZE"]).unwrap();
    until("a replica that has all", || keys(&replica) == keys(&cluster.servers[2]));
    cluster.servers[2].kill();
    replica.ask::<()>(&["CLUSTER", "FAILOVER", "TAKEOVER"]).unwrap();
    assert!(holds(&store, &records));
    store.publish(PROBLEM, &many(500)).unwrap();
    assert!(holds(&store, &many(500)));
}

#[test]
fn a_server_that_falls_silent_is_an_error_within_the_limit() {
    let server = Server::start(&[]);
    let url = format!("redis+single://{}", server.node());
    let store = RedisStore::open_within(&url, SHORT).unwrap();
    store.publish(PROBLEM, &many(1000)).unwrap();
    server.signal("STOP");
    let keys: Vec<_> = many(1000).into_iter().map(|(key, _)| key).collect();
    let mut out = Vec::new();
    let errors = [
        soon(SHORT, || store.lookup(PROBLEM, &keys, &mut out)),
        soon(SHORT, || store.publish(PROBLEM, &many(2000))),
        soon(SHORT, || store.sync()),
    ];
    let detail = format!("{}: no answer (tried for 500ms)", server.node());
    assert_eq!(
        errors,
        [(); 3].map(|()| StoreError::Unreachable { url: url.clone(), detail: detail.clone() })
    );
    server.signal("CONT");
    assert!(holds(&store, &many(1000)));
    // A late answer to an abandoned request must not be taken for the answer to another.
    assert_eq!(look(&store, Key(5)), Ok(None));
    assert_eq!(look(&store, keys[7]), Ok(Some(proven(7))));
}

#[test]
fn a_server_that_accepts_and_never_answers_is_an_error_within_the_limit() {
    let limit = Duration::from_millis(200);
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for scheme in ["redis", "redis+single"] {
        let url = format!("{scheme}://{}", silent.local_addr().unwrap());
        let error = soon(limit, || RedisStore::open_within(&url, limit));
        assert!(error.to_string().contains("no answer (tried for 200ms)"), "{error}");
        let error = soon(limit, || RedisStore::open_within(&format!("{scheme}://{gone}"), limit));
        assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
        assert!(error.to_string().contains("refused"), "{error}");
    }
}

#[test]
fn another_format_is_refused_and_left_as_it_is() {
    let server = Server::start(&[]);
    let url = format!("redis+single://{}", server.node());
    drop(RedisStore::open(&url).unwrap());
    assert_eq!(server.ask::<String>(&["GET", "hasami:format"]).unwrap(), FORMAT.to_string());
    server.ask::<()>(&["SET", "hasami:format", "7"]).unwrap();
    let error = RedisStore::open(&url).err().unwrap();
    assert_eq!(
        error.to_string(),
        format!("{url} has store format \"7\", this program reads format {FORMAT}")
    );
    assert_eq!(server.ask::<String>(&["GET", "hasami:format"]).unwrap(), "7");
}

#[test]
fn what_is_no_record_is_damage_and_stays_damage() {
    let server = Server::start(&[]);
    let store = || RedisStore::open(&format!("redis+single://{}", server.node())).unwrap();
    store().publish(PROBLEM, &[(Key(1), proven(1))]).unwrap();
    let name: Vec<Vec<u8>> = server.ask(&["KEYS", "hasami:{}p:*"]).unwrap();
    let mut connection = server.connection().unwrap();
    for broken in [&b""[..], b"\x99"] {
        redis::cmd("SET").arg(&name[0]).arg(broken).exec(&mut connection).unwrap();
        let damaged = |result| matches!(result, Err(StoreError::Damaged { .. }));
        assert!(damaged(look(&store(), Key(1)).map(drop)));
        assert!(damaged(store().publish(PROBLEM, &[(Key(1), proven(2))])));
        assert!(damaged(look(&store(), Key(1)).map(drop)));
    }
}

#[test]
fn a_server_that_takes_no_more_says_so_at_once() {
    let server = Server::start(&[]);
    let store = RedisStore::open(&format!("redis+single://{}", server.node())).unwrap();
    server.ask::<()>(&["CONFIG", "SET", "maxmemory", "1"]).unwrap();
    let error = soon(Duration::ZERO, || store.publish(PROBLEM, &many(10)));
    assert!(matches!(&error, StoreError::Io { detail, .. } if detail.contains("OOM")), "{error}");
}

#[test]
fn scripts_that_a_server_has_forgotten_are_told_again() {
    let server = Server::start(&[]);
    let store = RedisStore::open(&format!("redis+single://{}", server.node())).unwrap();
    for n in 1..4 {
        server.ask::<()>(&["SCRIPT", "FLUSH"]).unwrap();
        store.publish(PROBLEM, &many(n)).unwrap();
    }
    assert!(holds(&store, &many(3)));
}
