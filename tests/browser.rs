//! A real browser: headless Chromium, driven over WebDriver. Tests that need it say so and skip where
//! it is not installed; `make test-browser` installs it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::Visitor;

/// The name under which WebDriver sends an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// What Chromium needs to run in a container without a network.
const FLAGS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
];
/// For everything that a page does by itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// A window of a browser.
pub struct Browser {
    driver: Child,
    visitor: Visitor,
    session: String,
    _profile: tempfile::TempDir,
}

/// How a browser is set up.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Width and height of the window.
    pub size: (u32, u32),
    /// Whether scripts run.
    pub scripts: bool,
    /// Whether it asks for dark pages.
    pub dark: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self { size: (1280, 900), scripts: true, dark: false }
    }
}

impl Browser {
    /// Opens a window; `None` where there is no browser, which is said.
    ///
    /// # Panics
    /// If there is one and it does not start; or if there is none and `HASAMI_BROWSER` is set.
    #[must_use]
    pub fn open(setup: Setup) -> Option<Self> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = started else {
            assert!(std::env::var_os("HASAMI_BROWSER").is_none(), "no chromedriver");
            eprintln!("skipped: no browser (`make test-browser` installs Chromium)");
            return None;
        };
        let out = BufReader::new(driver.stdout.take().expect("a pipe"));
        let mut lines = out.lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let port = line.split("started successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let visitor = Visitor::of(&format!("http://127.0.0.1:{}/", port.expect("its port")));
        // The rest of what it says is not needed, but must be read.
        std::thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().expect("a profile");
        let mut flags: Vec<String> = FLAGS.iter().map(ToString::to_string).collect();
        flags.push(format!("--user-data-dir={}", profile.path().display()));
        flags.push(format!("--window-size={},{}", setup.size.0, setup.size.1));
        if setup.dark {
            flags.push("--force-dark-mode".to_string());
        }
        let scripts = if setup.scripts { 1 } else { 2 };
        let mut options = json!({
            "args": flags,
            "prefs": { "profile.managed_default_content_settings.javascript": scripts },
        });
        // Narrower windows than 500 are given to phones only.
        if setup.size.0 < 500 {
            options["mobileEmulation"] = json!({
                "deviceMetrics": { "width": setup.size.0, "height": setup.size.1, "pixelRatio": 2.0 },
            });
        }
        let asked = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": options } } });
        let mut browser = Self { driver, visitor, session: String::new(), _profile: profile };
        let begun = browser.call("POST", "/session", &asked);
        browser.session = begun["sessionId"].as_str().expect("a session").to_string();
        Some(browser)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_call(method, path, body).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn try_call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let text = if method == "GET" { String::new() } else { body.to_string() };
        let reply = self.visitor.send(method, path, "application/json", &text);
        let value: Value = serde_json::from_slice(&reply.body).map_err(|e| e.to_string())?;
        match value["value"]["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["value"]["message"])),
            None => Ok(value["value"].clone()),
        }
    }

    fn at(&self, rest: &str) -> String {
        format!("/session/{}{rest}", self.session)
    }

    /// Goes to an address.
    pub fn go(&self, url: &str) {
        self.call("POST", &self.at("/url"), &json!({ "url": url }));
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> String {
        self.call("GET", &self.at("/url"), &Value::Null).as_str().unwrap_or_default().to_string()
    }

    fn find(&self, css: &str) -> Result<String, String> {
        let asked = json!({ "using": "css selector", "value": css });
        let found = self.try_call("POST", &self.at("/element"), &asked)?;
        found[ELEMENT].as_str().map(str::to_string).ok_or_else(|| "no element".to_string())
    }

    /// Waits until something is true of the page.
    ///
    /// # Panics
    /// If it does not become true.
    #[track_caller]
    pub fn until<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(begun.elapsed() < PATIENCE, "{what}: not on {}", self.url());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    #[track_caller]
    fn element(&self, css: &str) -> String {
        self.until(css, || self.find(css).ok())
    }

    /// How many elements there are.
    #[must_use]
    pub fn count(&self, css: &str) -> usize {
        let asked = json!({ "using": "css selector", "value": css });
        self.call("POST", &self.at("/elements"), &asked).as_array().map_or(0, Vec::len)
    }

    /// The text of an element as people see it.
    #[track_caller]
    #[must_use]
    pub fn text(&self, css: &str) -> String {
        self.until(css, || {
            // It may be replaced between two calls.
            let element = self.find(css).ok()?;
            let text =
                self.try_call("GET", &self.at(&format!("/element/{element}/text")), &Value::Null);
            Some(text.ok()?.as_str()?.to_string())
        })
    }

    /// Waits until an element shows these words.
    #[track_caller]
    pub fn reads(&self, css: &str, words: &str) {
        self.until(&format!("{css}: {words}"), || self.text(css).contains(words).then_some(()));
    }

    /// Clicks.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.until(&format!("a click on {css}"), || {
            let element = self.find(css).ok()?;
            let path = self.at(&format!("/element/{element}/click"));
            self.try_call("POST", &path, &json!({})).ok()
        });
    }

    /// Types into an element. Keys without a letter are those of WebDriver.
    #[track_caller]
    pub fn press(&self, css: &str, keys: &str) {
        let element = self.element(css);
        let path = self.at(&format!("/element/{element}/value"));
        self.call("POST", &path, &json!({ "text": keys }));
    }

    /// The value of a script; only where scripts run.
    #[must_use]
    pub fn script(&self, script: &str) -> Value {
        let asked = json!({ "script": script, "args": [] });
        self.call("POST", &self.at("/execute/sync"), &asked)
    }

    /// Writes a picture of the window, as PNG, where `HASAMI_SCREENSHOTS` names a directory.
    pub fn picture(&self, name: &str) {
        let Some(directory) = std::env::var_os("HASAMI_SCREENSHOTS") else { return };
        let picture = self.call("GET", &self.at("/screenshot"), &Value::Null);
        let bytes = decoded(picture.as_str().expect("a picture"));
        std::fs::create_dir_all(&directory).expect("a directory");
        std::fs::write(Path::new(&directory).join(format!("{name}.png")), bytes).expect("a file");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser; the driver would leave it behind.
        let _ = self.try_call("DELETE", &self.at(""), &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The bytes of a base64 text.
fn decoded(text: &str) -> Vec<u8> {
    let value = |sign: u8| match sign {
        b'A'..=b'Z' => Some(sign - b'A'),
        b'a'..=b'z' => Some(sign - b'a' + 26),
        b'0'..=b'9' => Some(sign - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for six in text.bytes().filter_map(value) {
        (bits, count) = (bits << 6 | u32::from(six), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
