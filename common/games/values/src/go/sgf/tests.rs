//! Hand-written records, as programs save them; positions derived on paper.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> SgfPosition {
    at(text, None)
}

fn at(text: &str, node: Option<usize>) -> SgfPosition {
    read_sgf(text, node, Suicide::Forbidden).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn rows(position: &SgfPosition) -> Vec<String> {
    position.board.to_string().lines().map(str::to_string).collect()
}

#[test]
fn stones_of_the_root_are_set_up() {
    let text = "(;GM[1]FF[4]SZ[4:3]C[a \\] ( ; b]AB[aa:ba][ca]AW[bc] [dc])";
    let position = read(text);
    assert_eq!(rows(&position), ["xxx.", "....", ".o.o"]);
    assert_eq!((position.node, position.last, position.to_move), (0, 0, Colour::Black));
    assert_eq!((position.komi, position.handicap, position.ko), (None, 0, None));
    assert_eq!(read("(;)").board.columns(), 19);
}

/// A record as servers save it: Black captures a stone in the corner with the fifth move.
const GAME: &str = "(;FF[4]GM[1]CA[UTF-8]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[5]HA[0]KM[6.50]TM[600]\n\
    PW[White \\[1d\\]]PB[Black]\n;B[ba]BL[598.2]\n;W[aa]WL[597.7]\n;B[dd]C[elsewhere]\n;W[de]\n;B[ab])\n";

#[test]
fn the_moves_of_the_main_line_are_played_with_captures() {
    let end = read(GAME);
    assert_eq!(rows(&end), [".x...", "x....", ".....", "...x.", "...o."]);
    assert_eq!((end.node, end.last), (5, 5));
    assert_eq!((end.to_move, end.prisoners, end.ko), (Colour::White, [1, 0], None));
    assert_eq!((end.komi, end.handicap), (Some(6.5), 0));
    let before = at(GAME, Some(4));
    assert_eq!(rows(&before), ["ox...", ".....", ".....", "...x.", "...o."]);
    assert_eq!((before.to_move, before.prisoners), (Colour::Black, [0, 0]));
    assert_eq!(rows(&at(GAME, Some(0))), ["....."; 5]);
    let beyond = read_sgf(GAME, Some(6), Suicide::Forbidden).unwrap_err();
    assert_eq!(beyond, SgfError::NoSuchNode { asked: 6, last: 5 });
}

#[test]
fn several_chains_are_captured_at_once_by_white_too() {
    let position = read("(;SZ[4]AB[ab][cb]AW[aa][ba][ca][ac][cc][db];W[bb])");
    assert_eq!(rows(&position), ["ooo.", ".o.o", "o.o.", "...."]);
    assert_eq!(position.prisoners, [0, 2]);
}

/// The shape of every ko: Black takes at cb, and White may not retake at once.
const KO: &str = "SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb]";

#[test]
fn a_ko_is_not_retaken_at_once() {
    let taken = read(&format!("(;{KO};B[cb])"));
    assert_eq!(rows(&taken), [".xo..", "x.xo.", ".xo..", ".....", "....."]);
    assert_eq!((taken.ko, taken.prisoners), (Some(6), [1, 0]));
    let retaken = format!("(;{KO};B[cb];W[bb])");
    let error = read_sgf(&retaken, None, Suicide::Forbidden).unwrap_err();
    assert!(
        matches!(&error, SgfError::Node { node: 2, fault: NodeFault::Illegal { reason, .. }, .. }
            if reason.contains("ko")),
        "{error}"
    );
    // A threat and its answer come between, or two passes, or the record allows it.
    for between in [";W[ee];B[ed];W[bb]", ";W[];B[tt];W[bb]", ";W[bb]KO[]"] {
        let fought = read(&format!("(;{KO};B[cb]{between})"));
        assert_eq!((fought.prisoners, fought.ko), ([1, 1], Some(7)), "{between}");
    }
}

#[test]
fn one_stone_that_has_taken_two_may_be_taken_at_once() {
    let text = "(;SZ[4]AB[aa][ba][da][cb]AW[ab][bb];W[ca];B[ba])";
    assert_eq!(rows(&at(text, Some(1))), ["..ox", "oox.", "....", "...."]);
    let taken = read(text);
    assert_eq!(rows(&taken), [".x.x", "oox.", "....", "...."]);
    assert_eq!((taken.prisoners, taken.ko), ([1, 2], None));
}

#[test]
fn stones_are_set_up_at_any_node() {
    let text = "(;SZ[3];B[bb];AE[bb]AW[aa]PL[W];W[cc])";
    let changed = at(text, Some(2));
    assert_eq!(rows(&changed), ["o..", "...", "..."]);
    assert_eq!(changed.to_move, Colour::White);
    assert_eq!(rows(&read(text)), ["o..", "...", "..o"]);
}

#[test]
fn the_first_variation_is_the_main_line() {
    let text = "(;SZ[3];B[aa](;W[ba](;B[ca])(;B[cc]))(;W[bb];B[bc];W[ab]))(;SZ[9];B[ii])";
    let position = read(text);
    assert_eq!((rows(&position).concat(), position.last), ("xox......".to_string(), 3));
}

#[test]
fn whose_turn_it_is() {
    for (text, node, to_move) in [
        ("(;SZ[9])", 0, Colour::Black),
        ("(;SZ[9]HA[2]AB[gc][cg])", 0, Colour::White),
        // Free handicap: the next move has precedence over the last one.
        ("(;SZ[9]HA[2];B[gc];B[cg];W[cc])", 1, Colour::Black),
        ("(;SZ[9]HA[2];B[gc];B[cg];W[cc])", 2, Colour::White),
        ("(;SZ[9];B[gc];C[a remark])", 2, Colour::White),
        ("(;SZ[9]PL[W];B[gc])", 0, Colour::White),
        ("(;SZ[9];B[gc];W[])", 2, Colour::Black),
    ] {
        assert_eq!(at(text, Some(node)).to_move, to_move, "{text} {node}");
    }
}

#[test]
fn suicide_is_legal_where_the_rules_say_so() {
    let stones = "SZ[3]AB[ab]AW[ba][bb][ac]";
    let text = format!("(;{stones};B[aa])");
    assert!(read_sgf(&text, None, Suicide::Forbidden).is_err());
    for (text, suicide) in
        [(text, Suicide::Allowed), (format!("(;RU[NZ]{stones};B[aa])"), Suicide::Forbidden)]
    {
        let position = read_sgf(&text, None, suicide).unwrap();
        assert_eq!((rows(&position).concat().as_str(), position.prisoners), (".o..o.o..", [0, 2]));
    }
}

#[test]
fn errors_have_a_place() {
    for (text, words) in [
        ("", "line 1, column 1: found the end of the file; expected \"(\""),
        ("(", "line 1, column 2: found the end of the file; expected \";\""),
        ("()", "line 1, column 2: found ')'; expected \";\""),
        ("(;AB", "line 1, column 5: found the end of the file; expected \"[\""),
        ("(;\nAB[aa", "line 2, column 6: found the end of the file; expected \"]\""),
        ("(;SZ[9];B;W[aa])", "line 1, column 10: found ';'; expected \"[\""),
        ("(;SZ[9]);", "line 1, column 9: found ';'; expected \"(\""),
        ("(;SZ[9](;B[aa]);W[bb])", "line 1, column 16: found ';'; expected another variation"),
        ("(;SZ[9]\n;B[aa]\n;W[aa])", "line 3, column 1, node 2: White cannot play on aa: there is"),
        ("(;\nSZ[9]AB[zz])", "line 1, column 2, node 0: found AB[zz]; expected points"),
        ("(;SZ[9];B[jj])", "node 1: found B[jj]; expected points like cd on a board of 9 columns"),
        ("(;SZ[9];B[a])", "node 1: found B[a]; expected points"),
        ("(;SZ[0])", "node 0: found SZ[0:0]; expected SZ[N]"),
        ("(;SZ[53])", "node 0: found SZ[53:53]; expected SZ[N]"),
        ("(;KM[much])", "node 0: found KM[much]; expected a number"),
        ("(;HA[-1])", "node 0: found HA[-1]; expected a number"),
        ("(;GM[2])", "node 0: found another game; expected GM[1]"),
        ("(;SZ[9];B[aa]W[bb])", "node 1: found two moves; expected one"),
        ("(;SZ[9]AB[aa]AW[aa])", "node 0: found the point aa twice"),
        ("(;SZ[2]AB[aa][ba][ab][bb])", "node 0: the stone on aa has no liberty"),
    ] {
        let error = read_sgf(text, None, Suicide::Forbidden).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn an_error_behind_the_chosen_node_does_not_matter() {
    let text = "(;SZ[9];B[aa];W[aa])";
    assert!(read_sgf(text, None, Suicide::Forbidden).is_err());
    assert_eq!(at(text, Some(1)).to_move, Colour::White);
}

#[test]
fn trees_that_would_use_up_the_stack_are_refused() {
    let deep = |nodes: usize| format!("(;SZ[9]{})", ";".repeat(nodes - 1));
    assert_eq!(read(&deep(5_000)).last, 4_999);
    let error = read_sgf(&deep(5_001), None, Suicide::Forbidden).unwrap_err().to_string();
    assert!(error.contains("at most 5000 nodes"), "{error}");
    let nested = "(;".repeat(400_000);
    assert!(read_sgf(&nested, None, Suicide::Forbidden).is_err());
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(text in "[(;)\\[\\]A-Za-cé:0-9\\\\ \n]{0,60}") {
        let _ = read_sgf(&text, None, Suicide::Forbidden);
        let _ = read_sgf(&format!("(;SZ[5]{text})"), None, Suicide::Allowed);
    }

    /// Random moves: the outline and the parser agree, and no stone stays without a liberty.
    #[test]
    fn every_position_of_a_record_has_liberties(moves in "(;[BW]\\[[a-d][a-d]\\]){0,40}") {
        let text = format!("(;SZ[4]{moves})");
        for node in 0..=moves.matches(';').count() {
            if let Ok(position) = read_sgf(&text, Some(node), Suicide::Allowed) {
                prop_assert_eq!(position.board.choked(), None);
            }
        }
    }
}
