//! Sheets have every puzzle on the front and every solution on the back.

use crate::{first, order, parsed};
use hasami_puzzles::sheet::{Sheet, html, svg, text};
use hasami_puzzles::{Drawing, Method, Puzzle};
use hasami_race::mancala::Mancala;
use hasami_small::quarto::Quarto;

/// Every opening tag is closed, in order.
fn well_formed(page: &str) {
    let mut open: Vec<String> = Vec::new();
    for tag in page.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name = tag.split([' ', '/']).next().unwrap_or_default().to_string();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed), "{tag}");
        } else if !tag.ends_with('/') && !tag.starts_with('!') && name != "meta" {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<String>::new());
}

#[test]
fn all_forms_hold_all_puzzles_and_their_solutions() {
    let puzzles = first::<Quarto>("", order::<Quarto>(3, Method::Guided, 5), 7);
    let sheet = Sheet {
        title: "Seven <easy> ones & more",
        rules: Quarto::IN_WORDS,
        legend: &Quarto::legend(),
        puzzles: &puzzles,
        proof: &[],
    };
    let (plain, page, drawn) = (text(&sheet), html(&sheet), svg(&sheet));
    for (at, puzzle) in puzzles.iter().enumerate() {
        let number = at + 1;
        let cell = puzzle.turns[0].marks[0].text.clone();
        let heading = format!("{number}. Win in 2 moves (");
        for form in [&plain, &page, &drawn] {
            let front = form.find(&heading).unwrap();
            let between = form.find("Solutions").unwrap();
            let back = between + form[between..].find(&format!("{number})")).unwrap();
            let turn = back + form[back..].find(&cell).unwrap();
            assert!(front < between && turn - back < 60, "{cell}: {}", &form[back..back + 60]);
        }
    }
    well_formed(&page);
    well_formed(&drawn);
    assert!(page.contains("Seven &lt;easy&gt; ones &amp; more"));
    assert!(!page.contains("http") && !page.contains("<script"));
}

#[test]
fn a_position_is_drawn_in_text_as_it_is() {
    let params = parsed::<Mancala>("position=4,2,2,4,0,0/1,2,3,4,5,6");
    let game = <Mancala as hasami_game::Game>::from_params(&params).unwrap();
    let drawing = game.drawing(&hasami_andor::Problem::root(&game));
    assert_eq!(
        drawing.lines(),
        ["  A B C D E F", "○ 4 2 2 4 0 0 ○", "↳ 6 5 4 3 2 1 ↑"],
        "goals at both ends, and which way the seeds go"
    );
    let line = ["5", "4", "8", "pass", "0"].map(String::from);
    let turns: Vec<(bool, String)> =
        game.turns(&line).iter().map(|turn| (turn.wins, turn.text())).collect();
    let expected = [(true, "F E"), (false, "e"), (true, "pass"), (false, "A")];
    assert_eq!(
        turns[..2],
        expected[..2].iter().map(|(w, t)| (*w, t.to_string())).collect::<Vec<_>>()
    );
    assert_eq!(turns.len(), 3, "{turns:?}");
}

#[test]
fn a_move_is_a_cell_and_a_drawn_piece() {
    let game = <Quarto as hasami_game::Game>::from_params(&parsed::<Quarto>("")).unwrap();
    let turns = game.turns(&["14 gives 1000".to_string(), "0".to_string()]);
    assert_eq!((turns[0].text().as_str(), turns[1].text().as_str()), ("c4 gives 1000", "a1"));
    assert!(turns[0].marks[2].svg.contains("<circle"), "the piece is drawn");
    assert!(turns[0].wins && !turns[1].wins);
}

#[test]
fn a_game_without_a_drawing_is_printed_as_text() {
    let drawing = Drawing::of_text("ab\nc<d");
    assert_eq!(drawing.lines(), ["ab", "c<d"]);
    assert!(drawing.svg().into_string().contains("c&lt;d") && drawing.size().0 > 16);
}
