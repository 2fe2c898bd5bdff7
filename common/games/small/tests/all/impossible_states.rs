//! Bytes that are well formed but not a state of the game. (mnk has its own tests of this.)

use hasami_andor::Problem;
use hasami_game::Game;
use hasami_small::chomp::Chomp;
use hasami_small::graph::Graph;
use hasami_small::synthetic::Synthetic;
use hasami_spec::Params;

fn made<G: Game>(spelling: &str) -> G {
    let params = Params::parse(G::params(), spelling).expect("a valid spelling");
    G::from_params(&params).expect("valid parameters")
}

#[test]
fn a_bar_that_no_bites_can_leave_is_refused() {
    let chomp: Chomp = made("rows=3 columns=4");
    for possible in [[0, 4, 4, 4], [1, 4, 4, 3], [0, 4, 4, 2], [1, 1, 0, 0]] {
        assert!(chomp.decode(&possible).is_ok(), "{possible:?}");
    }
    for impossible in [
        [2, 4, 4, 4],
        [0, 5, 4, 4],
        [0, 3, 4, 4],
        [0, 3, 0, 1],
        [1, 0, 0, 0],
        [1, 4, 4, 4],
        [0, 4, 4, 3],
    ] {
        assert!(chomp.decode(&impossible).is_err(), "{impossible:?}");
    }
}

#[test]
fn a_place_outside_the_layers_is_refused() {
    let bytes = |depth: u16, knotted: bool, index: u64| {
        let mut bytes = (depth << 1 | u16::from(knotted)).to_le_bytes().to_vec();
        bytes.extend(index.to_le_bytes());
        bytes
    };
    let dag: Synthetic = made("depth=5 width=10 knot=4");
    let tree: Synthetic = made("depth=5 width=0 knot=4");
    assert!(dag.decode(&bytes(5, false, 9)).is_ok());
    assert!(tree.decode(&bytes(5, false, u64::MAX)).is_ok());
    for game in [&dag, &tree] {
        assert!(game.decode(&bytes(6, false, 0)).is_err());
        assert!(game.decode(&bytes(0, false, 1)).is_err());
        assert!(game.decode(&bytes(0, true, 0)).is_err());
        assert!(game.decode(&bytes(5, true, 3)).is_ok());
        assert!(game.decode(&bytes(5, true, 4)).is_err());
    }
    assert!(dag.decode(&bytes(5, false, 10)).is_err());
}

#[test]
fn a_node_outside_the_graph_is_refused() {
    let graph: Graph = made("nodes=300");
    assert!(graph.decode(&299u32.to_le_bytes()).is_ok());
    assert!(graph.decode(&300u32.to_le_bytes()).is_err());
}
