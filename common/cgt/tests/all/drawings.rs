//! Drawings have temperature upwards and values growing to the left.

use hasami_cgt::Games;
use hasami_cgt::draw::{Drawn, page, svg, text};

fn drawn(games: &mut Games, game: &str) -> Drawn {
    let value = games.parse(game).unwrap();
    Drawn { title: game.to_string(), thermograph: games.thermograph(value).unwrap() }
}

#[test]
fn a_switch_is_a_tent_with_a_mast() {
    let mut games = Games::new();
    let picture = text(&[drawn(&mut games, "{1|0}")]);
    let lines: Vec<&str> = picture.lines().collect();
    let mast = format!("    │{}|", " ".repeat(17));
    assert!(lines[..4].iter().all(|line| *line == mast), "{picture}");
    assert_eq!(lines[4], mast.replacen("   ", "1/2", 1));
    // 16 steps of 1/32 from the mast down to the stops, which are 32 apart.
    for (step, line) in lines[5..=20].iter().enumerate() {
        let (before, between) = (" ".repeat(16 - step), " ".repeat(2 * step + 1));
        assert!(line.ends_with(&format!("│{before}/{between}\\")), "{picture}");
    }
    assert!(lines[20].starts_with("  0 │"));
    // The greater value is at the left.
    assert_eq!(lines[22].split_whitespace().collect::<Vec<_>>(), ["1", "1/2", "0"]);
}

/// The coordinates of all corners of all lines.
fn places(picture: &str) -> Vec<Vec<(f64, f64)>> {
    let lines = picture.split("<polyline points=\"").skip(1);
    let place = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    lines.map(|line| line.split('"').next().unwrap().split(' ').map(place).collect()).collect()
}

#[test]
fn in_svg_left_walls_are_left_and_masts_go_up() {
    let mut games = Games::new();
    let all = ["3||2|0", "±2", "*", "{5|1||0}"].map(|game| drawn(&mut games, game));
    let picture = svg(&all);
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    let lines = places(&picture);
    assert_eq!(lines.len(), 2 * all.len());
    for walls in lines.chunks(2) {
        let (left, right) = (&walls[0], &walls[1]);
        assert!(left[0].0 <= right[0].0, "{left:?} {right:?}");
        assert_eq!(left.last(), right.last());
        for wall in walls {
            // On a screen, smaller y is higher.
            assert!(wall.windows(2).all(|two| two[1].1 <= two[0].1), "{wall:?}");
        }
    }
}

#[test]
fn names_in_documents_are_escaped_and_every_number_has_a_picture_or_a_word() {
    let mut games = Games::new();
    let mut game = drawn(&mut games, "1");
    game.title = "a<b & \"c\"".to_string();
    let document = page(&[game], &[vec![("order".to_string(), "> 0".to_string())]]);
    assert!(document.contains("a&lt;b &amp; &quot;c&quot;") && !document.contains("a<b"));
    assert!(document.contains("<th>order</th><td>&gt; 0</td>"));
    let huge = format!("1{}", "0".repeat(400));
    for game in ["0", "-7", "1/1024", "{1/4611686018427387904|0}", &huge, &format!("{{{huge}|0}}")]
    {
        let one = [drawn(&mut games, game)];
        assert!(!text(&one).is_empty() && svg(&one).ends_with("</svg>\n"), "{game}");
        assert!(!svg(&one).contains("NaN") && !svg(&one).contains("inf"), "{game}");
    }
    assert!(text(&[]).contains("no drawing") && svg(&[]).ends_with("</svg>\n"));
}
