//! The page over HTTP: what readers see, who may change anything, and those who mean no good.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use hasami_tests::http::{Reply, Visitor};
use hasami_tests::{Cluster, DATA, Hasami, until};

const SWEEP: &str = "name = \"bars\"\ntitle = \"Bars of chocolate\"\nproblem = \"chomp\"\n\
    [parameters]\nrows = \"2..=4\"\ncolumns = \"2..=4\"\n";

fn cluster(http: &str) -> Cluster {
    let hasami = Hasami::new();
    std::fs::write(hasami.path("s.toml"), SWEEP).expect("a sweep");
    Cluster::on(hasami, &format!("--http {http}"))
}

/// A token of the access file.
fn token(cluster: &Cluster, name: &str) -> String {
    let text = std::fs::read_to_string(cluster.hasami.path(DATA).join("access.json"));
    let access: serde_json::Value = serde_json::from_str(&text.expect("access")).expect("JSON");
    access[name].as_str().expect("a token").to_string()
}

/// Logs in; the session and the key of its forms.
fn login(cluster: &Cluster) -> (Visitor, String) {
    let guest = Visitor::of(cluster.page());
    let guest = guest.with(&format!("origin: http://{}", guest.host));
    let reply = guest.post("/login", &[("token", &token(cluster, "client_token"))]);
    assert_eq!(reply.code, 303, "{reply:?}");
    let cookie = reply.header("set-cookie").expect("a cookie").to_string();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let value = cookie.split(';').next().expect("a value");
    assert!(!value.contains(&token(cluster, "client_token")), "the cookie is not the token");
    let known = guest.with(&format!("cookie: {value}"));
    let page = known.get("/submit").text();
    let key = page.split("name=\"key\" value=\"").nth(1).expect("a key");
    (known, key.split('"').next().expect("its end").to_string())
}

#[test]
fn a_run_can_be_read_from_the_page_alone() {
    let mut cluster = cluster("127.0.0.1:0");
    let reader = Visitor::of(cluster.page());
    assert!(reader.get("/").text().contains("No run yet"));
    cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.ask(&format!("runs wait {run}")).expect(0);
    // All readers share a snapshot that may be half a second old.
    until("the run on the page", || {
        let text = reader.get("/").text();
        (text.contains("1 bars") && text.contains("9 settled")).then_some(())
    });
    let page = reader.get("/runs/1").text();
    let grid = page.split("id=\"grid\"").nth(1).expect("a matrix");
    assert_eq!(
        grid.split("id=\"items\"").next().expect("it").matches("href=\"/runs/1/items/").count(),
        9
    );
    assert!(page.contains("Bars of chocolate") && page.contains("9 of 9 items"), "{page}");
    // Filter, sort, and what does not fit.
    let some = reader.get("/runs/1?q=rows%3D3+columns%3D4&sort=cost&down=1").text();
    assert!(some.contains("1 of 9 items"), "{some}");
    assert!(reader.get("/runs/1?state=failed").text().contains("0 of 9 items"));
    assert!(reader.get("/runs/1?page=99").text().contains("9 of 9 items"));
    // One item, its line, its certificate.
    let item = reader.get("/runs/1/items/4").text();
    for words in ["proved", "checked by", "worker-1", "A game against the certificate", "Move 0 of"]
    {
        assert!(item.contains(words), "{words}: {item}");
    }
    let first = reader.get("/runs/1/items/4?step=0&part=line").text();
    let second = reader.get("/runs/1/items/4?step=1&part=line").text();
    assert!(first.contains("<svg") && second.contains("Move 1 of") && first != second);
    let name = item.split("/certificates/").nth(1).and_then(|rest| rest.split('"').next());
    let name = name.expect("a certificate");
    let file = reader.get(&format!("/certificates/{name}"));
    assert_eq!(blake3::hash(&file.body).to_hex().as_str(), name.trim_end_matches(".cert"));
    let report = reader.get("/runs/1/report.html").text();
    assert!(report.contains("Provenance") && report.contains(name), "the report");
    assert!(!report.contains("src=") && !report.contains("http://localhost"), "one file");
    assert!(reader.get("/workers").text().contains("worker-1"));
    assert!(reader.get("/log?q=item+settled").text().contains("item settled"));
    for missing in ["/runs/9", "/runs/1/items/99", "/certificates/x.cert", "/nothing", "/runs/x"] {
        assert!([400, 404].contains(&reader.get(missing).code), "{missing}");
    }
    metrics(&reader);
}

fn metrics(reader: &Visitor) {
    assert_eq!(reader.get("/healthz").text(), "ok\n");
    assert_eq!(reader.get("/readyz").text(), "ready\n");
    let reply = reader.get("/metrics");
    assert!(reply.header("content-type").is_some_and(|kind| kind.contains("openmetrics-text")));
    let text = reply.text();
    for line in [
        "hasami_runs{state=\"finished\"} 1.0",
        "hasami_run_items{run=\"1\",name=\"bars\",state=\"settled\"} 9.0",
        "hasami_workers 1.0",
        "hasami_unverified_answers 0.0",
        "hasami_store_failed 0.0",
        "# EOF",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    // Times are sampled once a second, and this run takes less: only that they are numbers.
    let busy =
        text.lines().find_map(|line| line.strip_prefix("hasami_threads_busy_seconds_total "));
    assert!(busy.is_some_and(|busy| busy.parse::<f64>().is_ok_and(|busy| busy >= 0.0)), "{busy:?}");
    for name in ["hasami_journal_commit_seconds_count", "hasami_leases_granted_total"] {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).expect(name);
        assert!(line.trim().parse::<f64>().expect("a number") > 0.0, "{name}{line}");
    }
    // Every metric is in the manual, and every metric of the manual is there.
    let manual = include_str!("../../../docs/metrics.md");
    for name in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let name = name.split(' ').next().expect("a name");
        assert!(manual.contains(&format!("`{name}")), "docs/metrics.md lacks {name}");
    }
    for name in manual.lines().filter_map(|line| line.strip_prefix("| `")) {
        if !name.starts_with("hasami_") {
            continue;
        }
        let name = name.split(['`', '{']).next().expect("a name");
        let bare = name.trim_end_matches("_total");
        assert!(text.contains(&format!("# TYPE {bare} ")), "{name} is in docs/metrics.md only");
    }
}

#[test]
fn only_a_client_who_sends_a_form_of_this_page_changes_anything() {
    let mut cluster = cluster("127.0.0.1:0");
    let (known, key) = login(&cluster);
    let guest = Visitor::of(cluster.page()).with(&format!("origin: http://{}", known.host));
    let cookie = known.headers.last().expect("a cookie").clone();
    let evil = Visitor::of(cluster.page()).with("origin: http://evil.example").with(&cookie);
    let sweep = [("sweep", SWEEP), ("key", key.as_str())];
    // Typed, checked, and wrong.
    let checked = known.post("/submit/check?part=check", &sweep);
    assert!(checked.text().contains("9 items"), "{}", checked.text());
    let wrong = known.post("/submit/check?part=check", &[("sweep", "name = 1"), sweep[1]]);
    assert!(wrong.text().contains("alert"), "{}", wrong.text());
    for (who, form) in [
        (&guest, &sweep[..]),
        (&evil, &sweep[..]),
        (&known, &[sweep[0], ("key", "guessed")][..]),
        (&known, &sweep[..1]),
        (&Visitor::of(cluster.page()).with(&cookie), &sweep[..]),
        (&known.with("sec-fetch-site: cross-site"), &sweep[..]),
    ] {
        assert_eq!(who.post("/submit", form).code, 403, "{who:?}");
    }
    assert_eq!(known.post("/submit", &[("sweep", "name = 1"), sweep[1]]).code, 422);
    assert_eq!(cluster.json("runs list").as_array().map(Vec::len), Some(0));
    let submitted = known.post("/submit", &sweep);
    assert_eq!((submitted.code, submitted.header("location")), (303, Some("/runs/1")));
    let state =
        |cluster: &Cluster| cluster.json("runs show 1")["state"].as_str().map(str::to_string);
    assert!(known.get("/runs/1").text().contains(">Pause</button>"));
    assert!(!guest.get("/runs/1").text().contains("<button class=\"danger\""), "no buttons");
    assert_eq!(evil.post("/runs/1/cancel", &sweep[1..]).code, 403);
    assert_eq!(known.post("/runs/1/pause", &sweep[1..]).code, 303);
    assert_eq!(state(&cluster).as_deref(), Some("paused"));
    assert!(known.get("/runs/1").text().contains(">Resume</button>"));
    // A program shows its token and needs neither session nor origin.
    let bearer = format!("authorization: Bearer {}", token(&cluster, "client_token"));
    let program = Visitor::of(cluster.page()).with(&bearer);
    assert_eq!(program.post("/runs/1/resume", &[]).code, 303);
    assert_eq!(state(&cluster).as_deref(), Some("running"));
    assert_eq!(known.post("/runs/1/cancel", &sweep[1..]).code, 303);
    assert_eq!(state(&cluster).as_deref(), Some("cancelled"));
    assert_eq!(known.post("/runs/1/resume", &sweep[1..]).code, 400);
    // A worker's token opens nothing, and a session ends with its token.
    let worker = token(&cluster, "worker_token");
    assert_eq!(guest.post("/login", &[("token", &worker)]).code, 403);
    cluster.ask("access rotate operator -o operator.json").expect(0);
    assert_eq!(known.post("/submit", &sweep).code, 403, "the token was rotated");
    cluster.worker();
}

#[test]
fn beyond_the_loopback_reading_needs_a_token() {
    let cluster = cluster("0.0.0.0:0 --insecure");
    let guest = Visitor::of(&cluster.page().replace("localhost", "127.0.0.1"));
    for path in ["/", "/runs/1", "/metrics", "/workers", "/log", "/live/runs", "/submit"] {
        let reply = guest.get(path);
        assert_eq!(reply.code, 401, "{path}");
        assert!(!reply.text().contains("run "), "{path}");
    }
    assert_eq!(guest.with("accept: text/html").get("/").header("location"), Some("/login"));
    assert_eq!(guest.get("/healthz").code, 200);
    let with = |token: &str| guest.with(&format!("authorization: Bearer {token}"));
    assert_eq!(with(&token(&cluster, "client_token")).get("/metrics").code, 200);
    assert_eq!(with(&token(&cluster, "worker_token")).get("/metrics").code, 401);
    assert_eq!(with("guessed").get("/metrics").code, 401);
    let (known, _) = login(&cluster);
    assert_eq!(known.get("/").code, 200);
}

#[test]
fn whoever_means_no_good_gets_nothing_and_holds_nobody_up() {
    let mut cluster = cluster("127.0.0.1:0");
    let guest = Visitor::of(cluster.page());
    for host in ["evil.example", "localhost.evil.example:80", "", "a b"] {
        let reply = guest.with(&format!("host: {host}")).get("/");
        assert!([400, 421].contains(&reply.code), "{host}: {}", reply.code);
    }
    let reply = guest.get("/");
    for (name, value) in [
        ("content-security-policy", "default-src 'none'"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("cache-control", "no-store"),
    ] {
        assert!(reply.header(name).is_some_and(|found| found.contains(value)), "{name}");
    }
    assert!(
        !reply.text().contains("<style") && !reply.text().contains("style="),
        "no inline style"
    );
    // Too much, too long, nonsense.
    let long = format!("x-long: {}", "a".repeat(1 << 20));
    assert!([0, 400, 431].contains(&guest.with(&long).get("/").code));
    let many = (0..2000).fold(guest.clone(), |guest, at| guest.with(&format!("x-{at}: 1")));
    assert!([0, 400, 431].contains(&many.get("/").code));
    assert!([0, 400].contains(&guest.raw(b"\x16\x03\x01\x02\x00nonsense\r\n\r\n").code));
    let huge = b"POST /login HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost\r\n\
        content-type: application/x-www-form-urlencoded\r\ncontent-length: 99999999\r\n\r\n";
    assert!([400, 403, 413].contains(&guest.raw(huge).code));
    // Somebody who never ends the head of a request is cut off; nothing is asserted about when.
    let mut slow = guest.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nhost: loc").expect("a beginning");
    // Two hundred who follow a run and do not read hold nobody up.
    let run = cluster.submit("s.toml");
    let readers: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = guest.connect();
            let host = &guest.host;
            write!(stream, "GET /live/runs/{run} HTTP/1.1\r\nhost: {host}\r\n\r\n").expect("sent");
            stream
        })
        .collect();
    let open = || {
        let text = guest.get("/metrics").text();
        let line = text.lines().find_map(|line| line.strip_prefix("hasami_http_streams "));
        line.and_then(|count| count.parse::<f64>().ok()).unwrap_or_default()
    };
    until("all readers", || (open() >= 200.0).then_some(()));
    let mut news = BufReader::new(guest.connect());
    let head = format!("GET /live/runs HTTP/1.1\r\nhost: {}\r\n\r\n", guest.host);
    news.get_mut().write_all(head.as_bytes()).expect("sent");
    cluster.worker();
    cluster.ask(&format!("runs wait {run}")).expect(0);
    let lines = news.lines().map_while(Result::ok);
    let told =
        lines.filter(|line| line.starts_with("data: ")).find(|line| line.contains("9 settled"));
    assert!(told.is_some(), "the news of the end");
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
    // It also ends while they are there.
    let coordinator = cluster.take_coordinator();
    coordinator.signal("TERM");
    coordinator.end().expect(0);
    drop(readers);
}

#[test]
fn a_report_is_one_file_with_everything_in_it() {
    let hasami = Hasami::new();
    std::fs::write(hasami.path("s.toml"), SWEEP).expect("a sweep");
    let mut cluster = Cluster::on(hasami, "");
    cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.ask(&format!("runs wait {run}")).expect(0);
    let told = cluster.json(&format!("report {run} -o out.html"));
    assert_eq!((told["items"].as_u64(), told["complete"].as_bool()), (Some(9), Some(true)));
    assert_eq!(told["pictures"].as_u64(), Some(9));
    let text = std::fs::read_to_string(cluster.hasami.path("out.html")).expect("the report");
    for words in
        ["Bars of chocolate", "Provenance", "worker-1", "the coordinator", "proved", "<svg"]
    {
        assert!(text.contains(words), "{words}");
    }
    assert!(text.contains("rows = &quot;2..=4&quot;"), "the sweep");
    assert!(!text.contains("<script") && !text.contains("<link"), "it needs nothing else");
    cluster.ask("report 99 -o out.html").expect(2);
    let same = std::fs::read_to_string(cluster.hasami.path("out.html")).expect("the report");
    assert_eq!(same, text, "an error leaves the file as it is");
}

/// A reply that was closed without a word counts as one.
#[test]
fn the_client_of_these_tests_reads_what_is_sent() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").expect("a socket");
    let address = server.local_addr().expect("an address");
    let serving = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().expect("a caller");
        let reply = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        stream.write_all(reply).expect("sent");
        let mut asked = [0; 16];
        let _ = stream.read(&mut asked);
    });
    let Reply { code, body, .. } = Visitor::of(&format!("http://{address}/")).get("/");
    serving.join().expect("a server");
    assert_eq!((code, body.as_slice()), (200, &b"abc"[..]));
}
