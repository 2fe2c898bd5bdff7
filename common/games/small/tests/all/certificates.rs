//! Certificates of games: made from any table, including an empty one, accepted by the verifier
//! unchanged, and refused for another question.

use std::path::Path;

use crate::graphs::graph;
use hasami_andor::certificate::{
    CertificateError, ExtractError, Fault, Source, Verified, extract, read_asked, verify,
};
use hasami_andor::problem::BadState;
use hasami_andor::{
    Control, Expansion, Kernel, Key, Moves, Numbers, Options, Problem, ProblemId, Repetition,
    Table, Turn, Verdict, oracle,
};
use hasami_small::chomp::Chomp;
use hasami_small::graph::{Edge, Graph, Node};
use hasami_small::mnk::Mnk;
use hasami_trials::certified::{asked, certify};
use hasami_trials::{made, settle};

/// A graph whose moves count towards lengths.
struct Counted(Graph);

impl Problem for Counted {
    type State = Node;
    type Move = Edge;
    type Reason = ();
    fn id(&self) -> ProblemId {
        self.0.id()
    }
    fn root(&self) -> Node {
        self.0.root()
    }
    fn turn(&self, state: &Node) -> Turn {
        self.0.turn(state)
    }
    fn expand(&self, state: &Node, moves: &mut Moves<Edge>) -> Expansion {
        self.0.expand(state, moves)
    }
    fn play(&self, state: &Node, mv: Edge) -> Node {
        self.0.play(state, mv)
    }
    fn key(&self, state: &Node) -> Key {
        self.0.key(state)
    }
    fn encode(&self, state: &Node, out: &mut Vec<u8>) {
        self.0.encode(state, out);
    }
    fn decode(&self, bytes: &[u8]) -> Result<Node, BadState> {
        self.0.decode(bytes)
    }
    fn evaluate(&self, state: &Node) -> Numbers {
        self.0.evaluate(state)
    }
    fn repetition(&self) -> Repetition {
        self.0.repetition()
    }
    fn open(&self, state: &Node, mv: Edge, reason: Option<()>, moves: &mut Moves<Edge>) {
        self.0.open(state, mv, reason, moves);
    }
    fn length(&self, _: &Node, _: Edge) -> Option<u32> {
        Some(1)
    }
    fn put_move(&self, state: &Node, mv: Edge, out: &mut Vec<u8>) {
        self.0.put_move(state, mv, out);
    }
    fn take_move(&self, state: &Node, from: &mut Source<'_>) -> Result<Edge, Fault> {
        self.0.take_move(state, from)
    }
    fn show(&self, state: &Node) -> String {
        self.0.show(state)
    }
    fn show_move(&self, state: &Node, mv: Edge) -> String {
        self.0.show_move(state, mv)
    }
}

/// From an empty table, from that of a search, and from one too small for the search.
fn certify_from_all_tables<P: Problem>(problem: &P, kernels: &[Kernel], file: &Path) -> Verified {
    let truth = oracle::solve(problem, 10_000_000).unwrap();
    for &kernel in kernels {
        for share in [100, 10, 0] {
            let table = Table::with_entries(truth.verdicts.len() * share / 100, false);
            let outcome = settle(problem, &table, kernel, Options::default(), problem.root());
            assert_eq!(outcome.numbers.verdict(), Some(truth.root));
            certify(problem, &table, truth.root, file);
        }
    }
    certify(problem, &Table::with_entries(truth.verdicts.len(), false), truth.root, file);
    certify(problem, &Table::with_entries(0, false), truth.root, file)
}

#[test]
fn random_graphs_are_certified_from_tables_of_all_sizes() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("graph.cert");
    let (mut circular, mut founded) = (0, 0);
    for seed in 0..400 {
        let graph = graph(seed, 2..152);
        let kernel = [Kernel::Dfpn, Kernel::Pds, Kernel::Pn][seed as usize % 3];
        let verified = certify_from_all_tables(&graph, &[kernel], &file);
        assert_eq!(verified.length, None, "these moves have no length");
        // The same with lengths: there is one unless lines may be infinite.
        let counted = Counted(graph);
        let table = Table::with_entries(1000, false);
        let again = certify(&counted, &table, verified.header.verdict, &file);
        let rests_on_repetition = counted.repetition().verdict() == Some(verified.header.verdict);
        assert_eq!(again.length.is_none(), rests_on_repetition, "seed {seed}");
        match again.length {
            None => circular += 1,
            // Every line ends, so none repeats a state.
            Some(length) => {
                assert!(u64::from(length) <= again.nodes);
                assert!(length > 0 || again.nodes == 0);
                founded += 1;
            }
        }
    }
    assert!(circular > 50 && founded > 50, "{circular} {founded}");
}

#[test]
fn boards_are_certified_with_zones_and_symmetry() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mnk.cert");
    for (width, height, line) in [
        (1, 1, 1),
        (2, 2, 2),
        (3, 1, 2),
        (3, 2, 3),
        (3, 3, 3),
        (4, 2, 2),
        (4, 2, 3),
        (4, 2, 4),
        (8, 1, 3),
        (4, 3, 3),
    ] {
        for switches in ["zones=on sym=on", "zones=on sym=off", "zones=off sym=on"] {
            let game: Mnk = made(&format!("width={width} height={height} line={line} {switches}"));
            let verified = certify_from_all_tables(&game, &[Kernel::Dfpn], &file);
            // If Maker gets no line there is no length.
            let won = verified.header.verdict == Verdict::Proven;
            assert_eq!(verified.length.is_some(), won, "{width}x{height} line {line} {switches}");
        }
    }
}

#[test]
fn larger_boards_are_certified_with_zones_and_symmetry() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mnk.cert");
    // Proven ones with many replies left out, and the disproven four in a row (Beck 2008).
    for (width, height, line) in [(4, 4, 3), (5, 4, 3), (5, 5, 3), (7, 7, 3), (4, 4, 4)] {
        let game: Mnk = made(&format!("width={width} height={height} line={line}"));
        let verdict = if line == 3 { Verdict::Proven } else { Verdict::Disproven };
        for kernel in [Kernel::Dfpn, Kernel::Pds] {
            let table = Table::with_entries(1 << 18, false);
            let outcome = settle(&game, &table, kernel, Options::default(), game.root());
            assert_eq!(outcome.numbers.verdict(), Some(verdict));
            certify(&game, &table, verdict, &file);
        }
        certify(&game, &Table::with_entries(1 << 18, false), verdict, &file);
    }
}

#[test]
fn chomp_is_certified_with_the_length_that_the_rules_force() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("chomp.cert");
    // One bite leaves the last square of a row; of two by two and of an L every move is forced
    // up to order. (1 × 1 is lost before it begins.)
    for (rows, columns, length) in [(1, 1, 0), (1, 2, 1), (1, 9, 1), (5, 1, 1), (2, 2, 3)] {
        let game: Chomp = made(&format!("rows={rows} columns={columns}"));
        let verified = certify_from_all_tables(&game, &[Kernel::Dfpn, Kernel::Pds], &file);
        assert_eq!(verified.length, Some(length), "{rows}x{columns}");
    }
    for (rows, columns) in [(3, 4), (4, 4), (4, 5)] {
        let game: Chomp = made(&format!("rows={rows} columns={columns}"));
        let verified = certify_from_all_tables(&game, &hasami_trials::KERNELS, &file);
        let length = verified.length.unwrap();
        assert!(length % 2 == 1 && length < rows * columns, "{length}");
    }
}

#[test]
fn a_certificate_of_another_question_is_refused_and_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("chomp.cert");
    let chomp: Chomp = made("rows=3 columns=4");
    certify(&chomp, &Table::with_entries(0, false), Verdict::Proven, &file);
    let other: Chomp = made("rows=3 columns=5");
    match verify(&file, &other, &asked(&other)) {
        Err(CertificateError::OtherQuestion { found, expected }) => {
            assert_eq!(found, asked(&chomp).to_string());
            assert_eq!(expected, asked(&other).to_string());
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(read_asked(&file).unwrap().1[0].asked, asked(&chomp));
}

#[test]
fn the_wrong_verdict_has_no_certificate_and_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("wrong.cert");
    for seed in 0..200 {
        let graph = graph(seed, 2..152);
        let truth = oracle::solve(&graph, 1000).unwrap();
        let (asked, wrong) = (asked(&graph), truth.root.opposite());
        let table = Table::with_entries(1000, false);
        let control = Control::unlimited();
        let error = extract(&graph, &table, &control, &asked, wrong, &file).unwrap_err();
        assert!(matches!(error, ExtractError::Contradiction { .. }), "seed {seed}: {error}");
    }
    let chomp: Chomp = made("");
    let control = Control::unlimited();
    control.cancel();
    let (table, asked) = (Table::with_entries(1000, false), asked(&chomp));
    let error = extract(&chomp, &table, &control, &asked, Verdict::Proven, &file).unwrap_err();
    assert!(matches!(error, ExtractError::Stopped), "{error}");
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
}
