use std::os::unix::fs::PermissionsExt as _;

use super::*;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn a_restart_finds_the_same_certificate_and_nobody_else_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("tls");
    let host = names(&["host", "10.0.0.1", "::1"]);
    let first = Tls::prepare(&folder, &host).unwrap();
    let again = Tls::prepare(&folder, &host[1..]).unwrap();
    assert_eq!(
        (&first.authority, &first.certificate, &first.key),
        (&again.authority, &again.certificate, &again.key)
    );
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    for file in std::fs::read_dir(&folder).unwrap() {
        assert_eq!(file.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn another_name_needs_another_certificate_of_the_same_authority() {
    let folder = tempfile::tempdir().unwrap();
    let first = Tls::prepare(folder.path(), &names(&["host"])).unwrap();
    let moved = Tls::prepare(folder.path(), &names(&["host", "10.0.0.2"])).unwrap();
    assert_eq!(first.authority, moved.authority);
    assert_ne!(first.certificate, moved.certificate);
    assert!(Inspected::read(&moved.certificate).unwrap().covers(&names(&["10.0.0.2", "host"])));
}

#[test]
fn what_has_expired_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let host = names(&["host"]);
    let now = OffsetDateTime::now_utc();
    let old = Tls::prepare_at(folder.path(), &host, now - Duration::days(900)).unwrap();
    let renewed = Tls::prepare_at(folder.path(), &host, now).unwrap();
    assert_eq!(old.authority, renewed.authority, "the authority is still good");
    assert_ne!(old.certificate, renewed.certificate);
    let later = Tls::prepare_at(folder.path(), &host, now + Duration::days(4000)).unwrap();
    assert_ne!(renewed.authority, later.authority);
    assert_ne!(renewed.certificate, later.certificate);
}

#[test]
fn damage_is_named_and_nothing_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let host = names(&["host"]);
    let good = Tls::prepare(folder.path(), &host).unwrap();
    for name in ["ca.pem", "ca.key", "server.pem", "server.key"] {
        let path = folder.path().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, "rubbish").unwrap();
        let error = Tls::prepare(folder.path(), &host).err().expect(name).to_string();
        assert!(error.contains(name), "{error}");
        std::fs::write(&path, text).unwrap();
    }
    assert_eq!(Tls::prepare(folder.path(), &host).unwrap().certificate, good.certificate);
}

#[test]
fn a_name_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = Tls::prepare(folder.path(), &names(&["hö st"])).err().unwrap();
    assert!(matches!(error, TlsError::Names { .. }), "{error}");
}
