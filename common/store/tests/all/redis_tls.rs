//! The engine on servers that encrypt (`rediss://`), real ones with certificates made here.

use std::path::Path;
use std::time::{Duration, Instant};

use hasami_store::{RedisStore, Store, StoreError};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use tempfile::TempDir;

use crate::common::servers::{Cluster, Server};
use crate::common::{PROBLEM, look, many};

/// An authority and its certificates for a server and for the client, in files.
struct Certificates(TempDir);

impl Certificates {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let authority_key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, "authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = params.self_signed(&authority_key).unwrap();
        std::fs::write(dir.path().join("ca.pem"), authority.pem()).unwrap();
        let issuer = Issuer::new(params, authority_key);
        for (name, host) in [("server", "127.0.0.1"), ("client", "us"), ("elsewhere", "10.9.8.7")] {
            let key = KeyPair::generate().unwrap();
            let mut params = CertificateParams::new([host.to_owned()]).unwrap();
            // A name other than the authority's: otherwise the certificate would look self-signed.
            params.distinguished_name.push(DnType::CommonName, name);
            let signed = params.signed_by(&key, &issuer).unwrap();
            std::fs::write(dir.path().join(format!("{name}.pem")), signed.pem()).unwrap();
            std::fs::write(dir.path().join(format!("{name}.key")), key.serialize_pem()).unwrap();
        }
        Self(dir)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// The arguments of a server with this certificate; `ask`: whether it asks for ours.
    fn arguments(&self, name: &str, ask: bool) -> Vec<String> {
        let ask = if ask { "yes" } else { "no" };
        [
            ("--tls-cert-file", self.path(&format!("{name}.pem"))),
            ("--tls-key-file", self.path(&format!("{name}.key"))),
            ("--tls-ca-cert-file", self.path("ca.pem")),
            ("--tls-auth-clients", ask.to_owned()),
        ]
        .into_iter()
        .flat_map(|(name, value)| [name.to_owned(), value])
        .collect()
    }
}

fn server(certificates: &Certificates, name: &str, ask: bool) -> Server {
    let arguments = certificates.arguments(name, ask);
    Server::start_with_tls(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn keeps_records(store: &dyn Store) {
    let records = many(200);
    store.publish(PROBLEM, &records).unwrap();
    store.sync().unwrap();
    for (key, record) in records {
        assert_eq!(look(store, key).unwrap(), Some(record));
    }
}

/// The url is refused with these words, without retries.
fn refused(url: &str, words: &str) {
    let start = Instant::now();
    let limit = Duration::from_secs(60);
    let error = RedisStore::open_within(url, limit).expect_err(words);
    assert!(start.elapsed() < limit / 2, "it was tried again and again: {error}");
    assert!(error.to_string().contains(words), "{error}");
    assert!(!matches!(error, StoreError::Unreachable { .. }), "{error:?}");
}

#[test]
fn a_server_that_encrypts_and_wants_to_know_us_keeps_records() {
    let certificates = Certificates::new();
    let server = server(&certificates, "server", true);
    let place = format!("rediss+single://127.0.0.1:{}", server.tls_port);
    let ca = format!("{place}?ca={}", certificates.path("ca.pem"));
    let client = (certificates.path("client.pem"), certificates.path("client.key"));
    let url = format!("{ca}&cert={}&key={}", client.0, client.1);
    let store = RedisStore::open(&url).unwrap();
    assert_eq!(store.place(), Path::new(&place), "no files in messages");
    keeps_records(&store);
    keeps_records(&*hasami_store::connect(&url).unwrap().store());
    refused(&ca, "ertificate");
    refused(&place, "UnknownIssuer");
}

#[test]
fn a_cluster_that_encrypts_keeps_records_on_every_server() {
    let certificates = Certificates::new();
    let arguments = certificates.arguments("server", false);
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let cluster = Cluster::start_with_tls(&arguments);
    let one = cluster.servers[0].tls_port;
    let ca = certificates.path("ca.pem");
    let store = RedisStore::open(&format!("rediss://127.0.0.1:{one}?ca={ca}")).unwrap();
    keeps_records(&store);
    for server in &cluster.servers {
        assert!(server.ask::<u64>(&["DBSIZE"]).unwrap() > 30, "a third of them");
    }
}

#[test]
fn a_server_that_is_not_who_it_should_be_is_refused_at_once() {
    let certificates = Certificates::new();
    let elsewhere = server(&certificates, "elsewhere", false);
    let place = format!("rediss+single://127.0.0.1:{}", elsewhere.tls_port);
    let ca = format!("?ca={}", certificates.path("ca.pem"));
    refused(&format!("{place}{ca}"), "certificate not valid for name");
    let other = Certificates::new();
    refused(&format!("{place}?ca={}", other.path("ca.pem")), "certificate");
    // The client never sends plain text to a server that does not encrypt.
    let plain = format!("rediss+single://127.0.0.1:{}{ca}", elsewhere.port);
    let error = RedisStore::open_within(&plain, Duration::from_secs(2)).err().unwrap();
    assert!(matches!(error, StoreError::Unreachable { .. } | StoreError::Io { .. }), "{error:?}");
}
