//! The engine on servers, against a cluster of three shared by many tests.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::common::servers::{Cluster, Server};
use crate::common::tellings::{Model, agree, any_record, apply};
use crate::common::{disproven, many, proven, unsolved};
use hasami_andor::{Key, ProblemId};
use hasami_store::{Record, RedisStore, Store, StoreError, connect};
use proptest::prelude::*;

/// A problem that no other test uses.
fn fresh() -> ProblemId {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    ProblemId(NEXT.fetch_add(1, Ordering::Relaxed).into())
}

fn look(store: &dyn Store, problem: ProblemId, key: Key) -> Result<Option<Record>, StoreError> {
    let mut out = Vec::new();
    store.lookup(problem, &[key], &mut out)?;
    Ok(out[0])
}

#[test]
fn records_come_back_from_every_server() {
    let cluster = Cluster::shared();
    let (store, problem) = (RedisStore::open(&cluster.url()).unwrap(), fresh());
    // More than are in flight at once, with one key twice.
    let records = many(2500);
    store.publish(problem, &records).unwrap();
    let mut keys: Vec<_> = records.iter().rev().map(|&(key, _)| key).collect();
    keys.extend([Key(9), keys[7]]);
    let mut out = vec![None; 3];
    // A second process sees them; one server is enough to find the others.
    let other = connect(&format!("redis://{}/", cluster.servers[1].node())).unwrap().store();
    for store in [&store as &dyn Store, &*other] {
        store.lookup(problem, &keys, &mut out).unwrap();
        let mut expected: Vec<_> = records.iter().rev().map(|&(_, record)| Some(record)).collect();
        expected.extend([None, expected[7]]);
        assert_eq!(out, expected);
    }
    store.lookup(fresh(), &keys, &mut out).unwrap();
    assert_eq!(out, vec![None; keys.len()]);
    store.lookup(problem, &[], &mut out).unwrap();
    assert_eq!(out, []);
    store.sync().unwrap();
    for server in &cluster.servers {
        assert!(server.ask::<u64>(&["DBSIZE"]).unwrap() > 500);
    }
}

#[test]
fn a_problem_with_braces_in_its_id_is_spread_too() {
    let cluster = Cluster::shared();
    let store = RedisStore::open(&cluster.url()).unwrap();
    let problem = ProblemId(u128::from_be_bytes(*b"-{a}------------"));
    let before: Vec<u64> = cluster.servers.iter().map(|s| s.ask(&["DBSIZE"]).unwrap()).collect();
    store.publish(problem, &many(600)).unwrap();
    for (server, before) in cluster.servers.iter().zip(before) {
        assert!(server.ask::<u64>(&["DBSIZE"]).unwrap() > before + 100);
    }
    assert_eq!(look(&store, problem, many(1)[0].0), Ok(Some(proven(0))));
}

#[test]
fn publishers_at_the_same_time_leave_what_one_after_the_other_would() {
    let cluster = Cluster::shared();
    let store = RedisStore::open(&cluster.url()).unwrap();
    let batches = prop::collection::vec(prop::collection::vec(any_record(), 0..8), 0..12);
    let config = ProptestConfig::with_cases(60);
    proptest!(config, |(threads in prop::collection::vec(batches, 4))| {
        let problem = fresh();
        thread::scope(|scope| {
            for batches in &threads {
                scope.spawn(|| {
                    batches.iter().for_each(|batch| store.publish(problem, batch).unwrap());
                });
            }
        });
        let mut model = Model::new();
        threads.iter().flatten().for_each(|batch| apply(&mut model, problem, batch));
        agree(&store, problem, &model);
    });
}

#[test]
fn of_many_publishers_of_one_state_the_one_with_most_work_is_kept() {
    let cluster = Cluster::shared();
    let (store, problem) = (RedisStore::open(&cluster.url()).unwrap(), fresh());
    thread::scope(|scope| {
        for start in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for work in (start..400).step_by(4) {
                    store
                        .publish(problem, &[(Key(1), unsolved(work)), (Key(2), proven(work))])
                        .unwrap();
                }
            });
        }
    });
    assert_eq!(look(&store, problem, Key(1)), Ok(Some(unsolved(399))));
    assert_eq!(look(&store, problem, Key(2)), Ok(Some(proven(399))));
}

#[test]
fn a_contradiction_is_refused_and_remembered() {
    let cluster = Cluster::shared();
    let open = || RedisStore::open(&cluster.url()).unwrap();
    let (problem, key, other) = (fresh(), Key(77), Key(78));
    let contradiction = StoreError::Contradiction { problem, key };
    let store = open();
    store.publish(problem, &[(key, proven(5)), (other, proven(5))]).unwrap();
    let result = store.publish(problem, &[(key, disproven(9)), (other, proven(6))]);
    assert_eq!(result, Err(contradiction.clone()));
    // From now on every call of this process returns the contradiction.
    assert_eq!(look(&store, problem, other), Err(contradiction.clone()));
    assert_eq!(store.publish(problem, &[(Key(1), proven(1))]), Err(contradiction.clone()));
    // Others get it for that state only, whatever is published later.
    assert_eq!(look(&open(), problem, other), Ok(Some(proven(6))));
    assert_eq!(look(&open(), problem, key), Err(contradiction.clone()));
    assert_eq!(open().publish(problem, &[(key, proven(100))]), Err(contradiction.clone()));
    assert_eq!(look(&open(), problem, key), Err(contradiction));
}

#[test]
fn a_batch_that_contradicts_itself_is_a_contradiction() {
    let cluster = Cluster::shared();
    let (store, problem) = (RedisStore::open(&cluster.url()).unwrap(), fresh());
    let result = store.publish(problem, &[(Key(1), disproven(1)), (Key(1), proven(1))]);
    assert_eq!(result, Err(StoreError::Contradiction { problem, key: Key(1) }));
}

#[test]
fn a_batch_with_a_record_that_cannot_be_is_not_sent_at_all() {
    let cluster = Cluster::shared();
    let (store, problem) = (RedisStore::open(&cluster.url()).unwrap(), fresh());
    let mut wrong = proven(1);
    wrong.numbers.disproof = 17;
    let result = store.publish(problem, &[(Key(1), proven(1)), (Key(2), wrong)]);
    assert!(matches!(result, Err(StoreError::Record { key: Key(2), .. })), "{result:?}");
    assert_eq!(look(&store, problem, Key(1)), Ok(None));
}

#[test]
fn one_server_that_is_no_cluster_will_do() {
    let server = Server::start(&["--requirepass", "a@b"]);
    let url = format!("redis+single://:a%40b@{}", server.node());
    let store = connect(&url).unwrap().store();
    store.publish(ProblemId(1), &many(10)).unwrap();
    store.sync().unwrap();
    assert_eq!(look(&*store, ProblemId(1), many(10)[9].0), Ok(Some(proven(9))));
    // The other kind of url, and a wrong password, are reported at once.
    let error = connect(&url.replace("+single", "")).err().unwrap().to_string();
    assert!(error.contains("cluster support disabled"), "{error}");
    assert!(error.contains(&format!("redis+single://{}", server.node())), "{error}");
    let error = connect(&url.replace("%40", "")).err().unwrap();
    assert!(matches!(error, StoreError::Io { .. }), "{error:?}");
    assert!(!error.to_string().contains("ab"), "{error}");
}
