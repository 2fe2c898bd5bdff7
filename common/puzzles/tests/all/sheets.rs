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
        puzzles: &puzzles,
        proof: &[],
    };
    let (plain, page, drawn) = (text(&sheet), html(&sheet), svg(&sheet));
    for (at, puzzle) in puzzles.iter().enumerate() {
        let number = at + 1;
        let (heading, solved) =
            (format!("{number}. Win in 3 plies ("), format!("{number}. {}", puzzle.line[0]));
        for form in [&plain, &page, &drawn] {
            let front = form.find(&heading).unwrap();
            let back = form.rfind(&solved).unwrap();
            let between = form.find("Solutions").unwrap();
            assert!(front < between && between < back);
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
    assert_eq!(drawing.lines(), ["4 2 2 4 0 0", "6 5 4 3 2 1"]);
}

#[test]
fn a_game_without_a_drawing_is_printed_as_text() {
    let drawing = Drawing::of_text("ab\nc<d");
    assert_eq!(drawing.lines(), ["ab", "c<d"]);
    assert!(drawing.svg().into_string().contains("c&lt;d") && drawing.size().0 > 16);
}
