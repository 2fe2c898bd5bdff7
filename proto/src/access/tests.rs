use std::fs;

use super::*;

fn access() -> Access {
    Access {
        url: "https://host:7070".into(),
        client_token: Some("for-clients".into()),
        worker_token: Some("for-workers".into()),
        ca_pem: Some("-----BEGIN CERTIFICATE-----".into()),
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_file_comes_back_as_it_was_written_and_belongs_to_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access.json");
    access().write(&path).unwrap();
    assert_eq!(mode(&path), 0o400);
    assert_eq!(Access::read(&path).unwrap(), access());
    // A second write replaces the first, although the file is read-only.
    let other = Access { url: "http://elsewhere:1".into(), ..access() };
    other.write(&path).unwrap();
    assert_eq!(Access::read(&path).unwrap(), other);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left behind");
}

#[test]
fn a_file_that_others_can_read_is_refused_with_the_cure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access.json");
    access().write(&path).unwrap();
    for open in [0o440, 0o404, 0o644, 0o620, 0o601] {
        fs::set_permissions(&path, fs::Permissions::from_mode(open)).unwrap();
        let error = Access::read(&path).unwrap_err();
        assert!(matches!(error, AccessError::TooOpen { mode, .. } if mode == open));
        let text = error.to_string();
        assert!(text.contains(&format!("mode {open:04o}")), "{text}");
        assert!(text.contains(&format!("chmod 0400 {}", path.display())), "{text}");
    }
    for closed in [0o400, 0o600] {
        fs::set_permissions(&path, fs::Permissions::from_mode(closed)).unwrap();
        assert_eq!(Access::read(&path).unwrap(), access());
    }
}

#[test]
fn what_is_malformed_is_told_without_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access.json");
    for text in ["", "{}", "{\"url\": 3}", "{\"url\": \"u\", \"client_token\": for-clients}"] {
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let error = Access::read(&path).unwrap_err();
        assert!(matches!(error, AccessError::Malformed { .. }), "{error}");
        assert!(!error.to_string().contains("for-clients"), "{error}");
    }
    assert!(matches!(
        Access::read(folder.path().join("missing")).unwrap_err(),
        AccessError::Io { doing: "read", .. }
    ));
    assert!(matches!(
        access().write(folder.path().join("no/such/folder")).unwrap_err(),
        AccessError::Io { doing: "written", .. }
    ));
}

#[test]
fn each_gets_a_copy_without_the_token_of_the_other() {
    assert_eq!(access().only(Who::Worker).token(Who::Client), None);
    assert_eq!(access().only(Who::Worker).token(Who::Worker), Some("for-workers"));
    assert_eq!(access().only(Who::Client).token(Who::Worker), None);
    let shown = format!("{:?}", access());
    assert!(!shown.contains("for-") && shown.contains("https://host:7070"), "{shown}");
}
