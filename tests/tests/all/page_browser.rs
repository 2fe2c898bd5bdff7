//! The page in a real browser: a sweep is submitted and run, the triangle is read back, a line is
//! stepped through with keys; on a phone, in the dark, and without scripts.

use hasami_tests::browser::{Browser, Setup};
use hasami_tests::{Cluster, DATA, Hasami};

/// Six pairs of four shapes: quick ones.
const PAIRS: &str = "name = \"pairs\"\ntitle = \"Six pairs of losers\"\nproblem = \"pair\"\n\
    [parameters]\nshapes = [\"Square,Z\", \"Square,W\", \"Square,R\", \"Z,W\", \"Z,R\", \"W,R\"]\n\
    [search]\nbudget = \"4M\"\n";
/// Three mates.
const MATES: &str = "name = \"mates\"\ntitle = \"Mates\"\nproblem = \"shogi\"\n[parameters]\n\
    position = [\"8k/9/9/4S3+B/3b3N1/9/9/9/9 b SNP 1\", \"7kl/7p1/9/8P/9/9/9/9/9 b G2r2b3g4s4n3l16p 1\", \
    \"6S2/8k/9/9/6P2/6R2/9/9/9 b RG2b3g3s4n4l17p 1\"]\nwithin = \"shortest\"\n";

const RIGHT: &str = "\u{e014}";
const END: &str = "\u{e010}";

fn token(cluster: &Cluster) -> String {
    let text = std::fs::read_to_string(cluster.hasami.path(DATA).join("access.json"));
    let access: serde_json::Value = serde_json::from_str(&text.expect("access")).expect("JSON");
    access["client_token"].as_str().expect("a token").to_string()
}

#[test]
fn a_sweep_is_submitted_watched_and_read_in_a_browser() {
    let Some(browser) = Browser::open(Setup::default()) else { return };
    let mut cluster = Cluster::on(Hasami::new(), "--http 127.0.0.1:0");
    let page = cluster.page().trim_end_matches('/').to_string();
    browser.go(&format!("{page}/login?next=/submit"));
    browser.press("#token", &token(&cluster));
    browser.picture("login");
    browser.click("main button");
    // The sweep is checked as it is typed.
    browser.press("#sweep", "name = 1");
    browser.reads("#check", "expected");
    browser.picture("submit-wrong");
    let _ = browser.script("document.querySelector('#sweep').value = ''");
    browser.press("#sweep", PAIRS);
    browser.reads("#check", "6 items");
    browser.picture("submit");
    browser.click("#submit button");
    browser.reads("h1", "Run 1: pairs");
    browser.reads("#progress", "waiting");
    browser.click(".buttons button");
    browser.reads("#progress", "paused");
    browser.click(".buttons button");
    browser.reads("#progress", "running");
    cluster.worker();
    // Nobody reloads the page: it changes by itself until the end.
    browser.reads("#progress", "finished");
    let triangle = browser.text("#grid table");
    assert_eq!(browser.count("#grid td a"), 6, "{triangle}");
    for words in ["Square", "◎", "1", "2"] {
        assert!(triangle.contains(words), "{words}: {triangle}");
    }
    browser.picture("run");
    browser.go(&format!("{page}/"));
    browser.picture("runs");
    browser.go(&format!("{page}/workers"));
    browser.picture("workers");
    browser.go(&format!("{page}/log"));
    browser.picture("log");
    line(&browser, &page, &cluster);
}

/// Square and W win: the line is stepped through with keys.
fn line(browser: &Browser, page: &str, cluster: &Cluster) {
    let items = cluster.items(1);
    let winner = items.iter().position(|item| item["answer"]["fields"]["class"] == "winner");
    let winner = winner.expect("a winner");
    browser.go(&format!("{page}/runs/1/items/{winner}"));
    browser.reads("#line .now", "Move 0 of");
    let before = browser.count("#line .board circle");
    browser.press("body", RIGHT);
    browser.reads("#line .now", "Move 1 of");
    assert!(browser.count("#line .board circle") > before, "a stone");
    browser.press("body", RIGHT);
    browser.reads("#line .now", "Move 2 of");
    browser.picture("line");
    browser.press("body", END);
    browser.until("the end of the line", || {
        let now = browser.text("#line .now");
        let numbers: Vec<&str> = now.split([' ', ':']).collect();
        (numbers.get(1) == numbers.get(3)).then_some(())
    });
    browser.click("#line [aria-label='One move back']");
    browser.until("one move back", || (!browser.url().contains("step=0")).then_some(()));
    browser.picture("line-end");
    let loser =
        cluster.items(1).iter().position(|item| item["answer"]["fields"]["class"] == "loser");
    browser.go(&format!("{page}/runs/1/items/{}", loser.expect("a loser")));
    browser.reads("main", "paving");
    browser.picture("paving");
}

#[test]
fn mates_are_diagrams_on_a_phone_in_the_dark_and_without_scripts() {
    let phone = Setup { size: (390, 844), dark: true, ..Setup::default() };
    let Some(small) = Browser::open(phone) else { return };
    let hasami = Hasami::new();
    std::fs::write(hasami.path("s.toml"), MATES).expect("a sweep");
    let mut cluster = Cluster::on(hasami, "--http 127.0.0.1:0");
    cluster.worker();
    let run = cluster.submit("s.toml");
    let _ = cluster.ask(&format!("runs wait {run}"));
    let page = cluster.page().trim_end_matches('/').to_string();
    for (name, path) in [
        ("home", "/"),
        ("run", "/runs/1"),
        ("diagrams", "/runs/1?view=diagrams"),
        ("mate", "/runs/1/items/0?step=1"),
    ] {
        small.go(&format!("{page}{path}"));
        small.picture(&format!("phone-{name}"));
        let wide = small.script("return document.documentElement.scrollWidth - innerWidth");
        assert!(wide.as_i64() <= Some(0), "{path} is {wide} wider than a phone");
    }
    drop(small);
    let plain = Browser::open(Setup { scripts: false, ..Setup::default() }).expect("a browser");
    plain.go(&format!("{page}/runs/1?view=diagrams"));
    assert_eq!(plain.count(".diagrams svg"), 3);
    plain.picture("diagrams");
    plain.go(&format!("{page}/runs/1/items/0"));
    plain.reads("#line .now", "Move 0 of");
    plain.click("#line [aria-label='One move on']");
    plain.reads("#line .now", "Move 1 of");
    plain.picture("mate");
    plain.go(&format!("{page}/runs/1"));
    assert_eq!(plain.count("#item-table tbody tr"), 3);
}
