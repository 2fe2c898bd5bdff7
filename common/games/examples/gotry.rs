use hasami_cgt::*;
use hasami_games::go::*;
fn main() {
    let d: serde_json::Value =
        serde_json::from_str(include_str!("../tests/data/go-positions.json")).unwrap();
    let mut e = Endgames::new(Suicide::Forbidden, 1_000_000, u64::MAX);
    let mut bad = 0;
    for p in d.as_array().unwrap() {
        let rows: Vec<&str> =
            p["board"].as_array().unwrap().iter().map(|r| r.as_str().unwrap()).collect();
        let b = Board::parse(&rows.join("\n")).unwrap();
        match e.value(&b) {
            Ok(v) => {
                let s = e.games.show(v);
                let c = e.games.chill(v).unwrap();
                let c = e.games.show(c);
                let t = e.games.temperature(v, Convention::Zero).unwrap().to_string();
                let m = e.games.mean(v).unwrap().to_string();
                if t != p["temperature"].as_str().unwrap()
                    || m != p["mean"].as_str().unwrap()
                    || s != p["raw_canonical"].as_str().unwrap()
                    || c != p["chilled"].as_str().unwrap()
                {
                    bad += 1;
                    println!(
                        "{} got {s} ch {c} t {t} m {m} expected {} {} {} {}",
                        p["name"], p["raw_canonical"], p["chilled"], p["temperature"], p["mean"]
                    );
                }
            }
            Err(x) => {
                bad += 1;
                println!("{} {x}", p["name"])
            }
        }
    }
    println!("bad {bad} positions {}", e.positions());
    let t0 = std::time::Instant::now();
    for n in [10, 20, 40, 64] {
        let v = e.value(&corridor(Corridor::Blocked, n)).unwrap();
        let c = e.games.chill(v).unwrap();
        println!("{n} {} {} {:?}", e.games.show(c), e.positions(), t0.elapsed());
    }
    for k in 1..=7 {
        let r = rooms(k);
        let mut loopy = 0;
        let mut big = 0;
        let mut vals = std::collections::HashSet::new();
        let e0 = e.positions();
        let t0 = std::time::Instant::now();
        for b in &r {
            match e.value(b) {
                Ok(v) => {
                    vals.insert(v);
                }
                Err(Unvalued::Loopy) => {
                    loopy += 1;
                    if loopy < 3 {
                        println!("{b}")
                    }
                }
                Err(_) => big += 1,
            }
        }
        println!(
            "rooms<= {k}: {} distinct {} loopy {loopy} big {big} pos {} {:?}",
            r.len(),
            vals.len(),
            e.positions() - e0,
            t0.elapsed()
        );
    }
}
