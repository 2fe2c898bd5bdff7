//! Who gets in: the right token over the right certificate, and everybody else is told why not.

use std::sync::Arc;
use std::time::Duration;

use hasami_coordinator::server::{Listener, Security, Server, Tls};
use hasami_proto::v1::ListRequest;
use hasami_proto::{Access, Connection, Refusal, Trouble, Who, connect};
use rcgen::{BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
use tokio::net::{TcpListener, TcpSocket};
use tonic::Code;

use crate::cluster::{Cluster, Everyone, LIMIT, records, sync};

/// What a call of a worker comes to.
async fn trouble(access: &Access) -> Option<Trouble> {
    let mut client = connect(access, Who::Worker).unwrap().positions();
    sync(&mut client, 1, records([]), 0).await.err().map(|status| Trouble::from(&status))
}

fn refused(trouble: Option<Trouble>) -> Option<Refusal> {
    match trouble {
        Some(Trouble::Refused { why, .. }) => Some(why),
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn the_generated_authority_is_enough_and_another_is_not() {
    let cluster = Cluster::start(Security::TokensAndTls).await;
    assert!(cluster.access.url.starts_with("https://127.0.0.1:"), "{}", cluster.access.url);
    assert_eq!(trouble(&cluster.access.only(Who::Worker)).await, None);
    // The certificate is good for the other names of this machine too.
    let local = Access {
        url: cluster.access.url.replace("127.0.0.1", "localhost"),
        ..cluster.access.clone()
    };
    assert_eq!(trouble(&local).await, None);

    let elsewhere = tempfile::tempdir().unwrap();
    let other = Tls::prepare(elsewhere.path(), &["127.0.0.1".into()]).unwrap();
    let stranger = Access { ca_pem: Some(other.authority), ..cluster.access.clone() };
    assert_eq!(refused(trouble(&stranger).await), Some(Refusal::Authority));
    cluster.stop().await;
}

#[tokio::test]
async fn an_expired_certificate_is_refused_at_once() {
    let (tls, _) = certificate("127.0.0.1", (2020, 2021));
    assert_eq!(refused(against(tls).await), Some(Refusal::Expired));
    let (tls, _) = certificate("127.0.0.1", (2090, 2091));
    assert_eq!(refused(against(tls).await), Some(Refusal::Expired));
    let (tls, _) = certificate("another.host", (2020, 2090));
    assert_eq!(refused(against(tls).await), Some(Refusal::Name));
    let (tls, _) = certificate("127.0.0.1", (2020, 2090));
    assert_eq!(against(tls).await.map(|t| t.passes()), Some(false), "no such service there");
}

/// A certificate for `name`, of an authority that is good for long.
fn certificate(name: &str, (from, to): (i32, i32)) -> (Tls, KeyPair) {
    let key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_pem = authority.self_signed(&key).unwrap().pem();
    let issuer = Issuer::from_ca_cert_pem(&authority_pem, &key).unwrap();
    let server_key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.not_before = rcgen::date_time_ymd(from, 1, 1);
    params.not_after = rcgen::date_time_ymd(to, 1, 1);
    let certificate = params.signed_by(&server_key, &issuer).unwrap().pem();
    (Tls { authority: authority_pem, certificate, key: server_key.serialize_pem() }, key)
}

/// What a worker meets at a server with this certificate.
async fn against(tls: Tls) -> Option<Trouble> {
    let listener = Listener::bind("127.0.0.1:0").await.unwrap();
    let access = Access {
        url: listener.address().to_string(),
        ca_pem: Some(tls.authority.clone()),
        ..Access::default()
    };
    let server = Server::new(listener, (&access).into(), Some(tls)).await;
    let serving = tokio::spawn(server.serve(std::future::pending()));
    let met = trouble(&access).await;
    serving.abort();
    met
}

#[tokio::test]
async fn tokens_open_their_own_services_only() {
    let cluster = Cluster::start(Security::Tokens).await;
    let wrong = Access { worker_token: Some("guess".into()), ..cluster.access.clone() };
    let met = trouble(&wrong).await;
    assert!(!met.as_ref().unwrap().to_string().contains("guess"), "a token is repeated: {met:?}");
    assert_eq!(refused(met), Some(Refusal::Token));
    let none = Access { worker_token: None, client_token: None, ..cluster.access.clone() };
    assert_eq!(refused(trouble(&none).await), Some(Refusal::Token));

    // The worker's token, shown to the service for clients, and the other way round.
    let swapped = Access {
        client_token: cluster.access.worker_token.clone(),
        worker_token: cluster.access.client_token.clone(),
        ..cluster.access.clone()
    };
    let connection: Connection = connect(&swapped, Who::Client).unwrap();
    let status = connection.runs().list(ListRequest {}).await.unwrap_err();
    assert_eq!(status.code(), Code::PermissionDenied, "{status}");
    assert_eq!(refused(trouble(&swapped).await), Some(Refusal::Token));
    assert_eq!(trouble(&cluster.access).await, None);
    cluster.stop().await;
}

#[tokio::test]
async fn nobody_there_is_worth_another_try_and_told_apart() {
    // A port that nobody listens on, and that nobody else can get meanwhile.
    let bound = TcpSocket::new_v4().unwrap();
    bound.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let url = bound.local_addr().unwrap().to_string();
    let access = Access { url, ..Access::default() };
    let met = trouble(&access).await.unwrap();
    assert!(met.passes(), "{met:?}");
    assert!(met.to_string().contains("refused"), "{met}");

    // Somebody who accepts and never says a word.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (tls, _) = certificate("127.0.0.1", (2020, 2090));
    let access = Access {
        url: silent.local_addr().unwrap().to_string(),
        ca_pem: Some(tls.authority),
        ..Access::default()
    };
    let met = tokio::time::timeout(LIMIT, trouble(&access)).await.expect("an end").unwrap();
    assert!(met.passes(), "{met:?}");
}

#[tokio::test]
async fn one_side_without_tls_is_no_agreement() {
    let cluster = Cluster::start(Security::Tokens).await;
    let (tls, _) = certificate("127.0.0.1", (2020, 2090));
    let encrypted = Access {
        url: cluster.access.url.replace("http:", "https:"),
        ca_pem: Some(tls.authority),
        ..cluster.access.clone()
    };
    assert_eq!(refused(trouble(&encrypted).await), Some(Refusal::Tls));
    cluster.stop().await;

    let cluster = Cluster::start(Security::TokensAndTls).await;
    let plain = Access {
        url: cluster.access.url.replace("https:", "http:"),
        ca_pem: None,
        ..cluster.access.clone()
    };
    assert!(trouble(&plain).await.is_some(), "a token was taken in the clear");
    cluster.stop().await;
}

#[tokio::test]
async fn a_connection_outlives_a_restart() {
    let cluster = Cluster::start(Security::TokensAndTls).await;
    let address = cluster.access.url.trim_start_matches("https://").to_owned();
    let access = cluster.access.clone();
    let mut worker = cluster.worker();
    sync(&mut worker, 1, records([3]), 0).await.unwrap();
    let data = cluster.stop().await;
    let cut = sync(&mut worker, 1, records([4]), 0).await.unwrap_err();
    assert!(Trouble::from(&cut).passes(), "{cut:?}");

    let listener = Listener::bind(&address).await.expect("the port is free at once");
    let keys = hasami_coordinator::server::Keys::prepare(
        data.path(),
        Security::TokensAndTls,
        listener.address(),
        &[],
    )
    .unwrap();
    assert_eq!(keys.access, access);
    let positions = hasami_coordinator::positions::Positions::start(
        crate::cluster::open(data.path()),
        Default::default(),
    )
    .unwrap();
    let server = Server::new(listener, keys.tokens(), keys.tls.clone()).await;
    let serving = tokio::spawn(
        server.with(positions.service(Arc::new(Everyone::default()))).serve(std::future::pending()),
    );
    let again = async {
        while let Err(status) = sync(&mut worker, 1, records([4]), 0).await {
            assert!(Trouble::from(&status).passes(), "{status:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(LIMIT, again).await.expect("it connects anew");
    serving.abort();
}
