//! Certificates on games: made from any table, an empty one included; accepted by the verifier as
//! they are, and refused with anything about them changed.

#![allow(clippy::unwrap_used)]

mod setups;

use std::path::Path;

use hasami_andor::certificate::{
    CertificateError, ExtractError, Header, Reader, Verified, extract, verify,
};
use hasami_andor::problem::BadState;
use hasami_andor::{
    Control, Expansion, Kernel, Key, Moves, Numbers, Options, Problem, ProblemId, Repetition,
    Table, Turn, Verdict, oracle,
};
use hasami_games::chomp::Chomp;
use hasami_games::graph::{Edge, Graph, GraphConfig, Node, Shape, Turns};
use hasami_games::mnk::Mnk;
use hasami_games::random::SplitMix;
use proptest::prelude::*;
use setups::{made, settle};

/// A graph whose moves count.
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
    fn show(&self, state: &Node) -> String {
        self.0.show(state)
    }
    fn show_move(&self, state: &Node, mv: Edge) -> String {
        self.0.show_move(state, mv)
    }
}

fn header<P: Problem>(problem: &P, verdict: Verdict) -> Header {
    let mut root = Vec::new();
    problem.encode(&problem.root(), &mut root);
    Header { question: "a test".to_string(), problem: problem.id(), verdict, root }
}

/// Extracts and verifies; what the verifier says must fit what was asked for.
fn certify<P: Problem>(
    problem: &P,
    table: &Table<P::Reason>,
    verdict: Verdict,
    file: &Path,
) -> Verified {
    let header = header(problem, verdict);
    let (records, bytes) = extract(problem, table, &Control::unlimited(), &header, file)
        .unwrap_or_else(|error| panic!("no certificate of {verdict:?}: {error}"));
    assert_eq!(std::fs::metadata(file).unwrap().len(), bytes);
    let verified = verify(file, problem).unwrap_or_else(|error| panic!("refused: {error}"));
    assert_eq!(verified.header, header);
    assert_eq!(verified.nodes, records);
    assert!(verified.choices <= verified.nodes);
    verified
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

fn graph(seed: u64) -> Graph {
    let mut random = SplitMix::new(seed);
    let mut pick = |from: u32| random.below(from);
    Graph::new(GraphConfig {
        nodes: 2 + pick(150),
        shape: [Shape::Tree, Shape::Dag, Shape::Cyclic, Shape::Cyclic][pick(4) as usize],
        branching: 2 + pick(3) as u16,
        sharing: [0.1, 0.3, 0.6][pick(3) as usize],
        leaves: [0.1, 0.3][pick(2) as usize],
        bias: [0.2, 0.5, 0.8][pick(3) as usize],
        repetition: [Repetition::Disproven, Repetition::Proven][pick(2) as usize],
        turns: [Turns::Alternate, Turns::Random][pick(2) as usize],
        chain: pick(4) == 0,
        evaluate: pick(3) == 0,
        seed,
    })
    .unwrap()
}

#[test]
fn random_graphs_are_certified_from_tables_of_all_sizes() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("graph.cert");
    let (mut circular, mut founded) = (0, 0);
    for seed in 0..400 {
        let graph = graph(seed);
        let kernel = [Kernel::Dfpn, Kernel::Pds, Kernel::Pn][seed as usize % 3];
        let verified = certify_from_all_tables(&graph, &[kernel], &file);
        assert_eq!(verified.length, None, "these moves have no length");
        // The same with lengths: there is one unless lines may go on for ever.
        let counted = Counted(graph);
        let again = verify(&file, &counted).unwrap();
        let rests_on_repetition = counted.repetition().verdict() == Some(verified.header.verdict);
        assert_eq!(again.length.is_none(), rests_on_repetition, "seed {seed}");
        match again.length {
            None => circular += 1,
            // Every line ends, so none has a state twice.
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
            assert!(verified.length.is_some(), "{width}x{height} line {line} {switches}");
        }
    }
}

#[test]
fn larger_boards_are_certified_with_zones_and_symmetry() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mnk.cert");
    // Proven ones with many replies left out, and the disproven one of four in a row (Beck 2008).
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
        let verified = certify_from_all_tables(&game, &setups::KERNELS, &file);
        let length = verified.length.unwrap();
        assert!(length % 2 == 1 && length < rows * columns, "{length}");
    }
}

#[test]
fn a_certificate_of_another_problem_is_refused_and_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("chomp.cert");
    let chomp: Chomp = made("rows=3 columns=4");
    certify(&chomp, &Table::with_entries(0, false), Verdict::Proven, &file);
    let other: Chomp = made("rows=3 columns=5");
    let board: Mnk = made("");
    for (refused, id) in [(verify(&file, &other), other.id()), (verify(&file, &board), board.id())]
    {
        match refused {
            Err(CertificateError::OtherProblem { found, expected, question }) => {
                assert_eq!((found, expected), (chomp.id(), id));
                assert_eq!(question, "a test");
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(Reader::open(&file).unwrap().header().problem, chomp.id());
}

#[test]
fn a_certificate_of_another_state_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("chomp.cert");
    let chomp: Chomp = made("rows=2 columns=2");
    let header = Header { root: vec![1, 2, 1], ..header(&chomp, Verdict::Proven) };
    extract(&chomp, &Table::with_entries(0, false), &Control::unlimited(), &header, &file).unwrap();
    let refused = verify(&file, &chomp).unwrap_err();
    assert!(matches!(refused, CertificateError::Refused { node: 0, .. }), "{refused}");
}

#[test]
fn the_wrong_verdict_has_no_certificate_and_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("wrong.cert");
    for seed in 0..200 {
        let graph = graph(seed);
        let truth = oracle::solve(&graph, 1000).unwrap();
        let header = header(&graph, truth.root.opposite());
        let table = Table::with_entries(1000, false);
        let control = Control::unlimited();
        let error = extract(&graph, &table, &control, &header, &file).unwrap_err();
        assert!(matches!(error, ExtractError::Contradiction { .. }), "seed {seed}: {error}");
    }
    let chomp: Chomp = made("");
    let control = Control::unlimited();
    control.cancel();
    let (table, header) = (Table::with_entries(1000, false), header(&chomp, Verdict::Proven));
    let error = extract(&chomp, &table, &control, &header, &file).unwrap_err();
    assert!(matches!(error, ExtractError::Stopped), "{error}");
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
}

/// Magic and version before the stream, the hash behind it.
const START: usize = 8;
const HASH: usize = 32;

/// What is in the file, unpacked: header and records.
fn unpacked(file: &[u8]) -> Vec<u8> {
    zstd::decode_all(&file[START..file.len() - HASH]).unwrap()
}

/// A file with these contents, its hash right: only the rules can find fault with it.
fn packed(start: &[u8], contents: &[u8]) -> Vec<u8> {
    let mut file = start[..START].to_vec();
    file.extend(zstd::encode_all(contents, 1).unwrap());
    let hash = blake3::hash(&file);
    file.extend(hash.as_bytes());
    file
}

/// The contents taken apart: the header, and each record.
struct Parts {
    header: Vec<u8>,
    records: Vec<Vec<u8>>,
}

impl Parts {
    fn of(contents: &[u8]) -> Self {
        let mut at = 0;
        let number = |at: &mut usize| {
            let (mut number, mut shift) = (0usize, 0);
            loop {
                let byte = contents[*at];
                *at += 1;
                number |= usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    return number;
                }
            }
        };
        at += number(&mut at);
        at += 17;
        at += number(&mut at);
        let header = contents[..at].to_vec();
        let mut records = Vec::new();
        while contents[at] != 0 {
            let start = at;
            at += 1;
            if contents[start] == 2 {
                number(&mut at);
            }
            at += number(&mut at);
            records.push(contents[start..at].to_vec());
        }
        Self { header, records }
    }

    fn joined(&self) -> Vec<u8> {
        let mut contents = self.header.clone();
        self.records.iter().for_each(|record| contents.extend(record));
        contents.push(0);
        let mut count = self.records.len();
        while count >= 0x80 {
            contents.push(count as u8 | 0x80);
            count >>= 7;
        }
        contents.push(count as u8);
        contents
    }
}

/// The certificate of a problem, as a file's bytes.
fn certificate<P: Problem>(problem: &P, verdict: Verdict) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("certificate");
    certify(problem, &Table::with_entries(1 << 10, false), verdict, &file);
    std::fs::read(file).unwrap()
}

fn verify_bytes<P: Problem>(bytes: &[u8], problem: &P) -> Result<Verified, CertificateError> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("certificate");
    std::fs::write(&file, bytes).unwrap();
    verify(&file, problem)
}

/// A problem with its certificate in pieces.
struct Sample<P> {
    problem: P,
    verdict: Verdict,
    bytes: Vec<u8>,
}

impl<P: Problem> Sample<P> {
    fn new(problem: P) -> Self {
        let verdict = oracle::solve(&problem, 1_000_000).unwrap().root;
        let bytes = certificate(&problem, verdict);
        Self { problem, verdict, bytes }
    }

    /// What the verifier says of other contents under a right hash.
    fn verify_contents(&self, contents: &[u8]) -> Result<Verified, CertificateError> {
        verify_bytes(&packed(&self.bytes, contents), &self.problem)
    }
}

fn samples_of_graphs(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Sample<Graph>> {
    seeds.map(|seed| Sample::new(graph(seed)))
}

/// Every single piece matters: without any one record, with any one verdict turned round, nothing
/// is left of the claim.
fn check_pieces<P: Problem>(sample: &Sample<P>) {
    let contents = unpacked(&sample.bytes);
    let parts = Parts::of(&contents);
    assert_eq!(parts.joined(), contents, "the test understands the format");
    assert!(sample.verify_contents(&contents).is_ok());
    for missing in 0..parts.records.len() {
        let mut records = parts.records.clone();
        records.remove(missing);
        let without = Parts { header: parts.header.clone(), records };
        let refused = sample.verify_contents(&without.joined());
        assert!(
            matches!(refused, Err(CertificateError::Refused { .. })),
            "without record {missing}: {refused:?}"
        );
    }
    // The verdict is the byte behind the question and the id.
    let mut turned = contents.clone();
    let place = 1 + "a test".len() + 16;
    turned[place] ^= 1;
    let refused = sample.verify_contents(&turned);
    assert!(matches!(refused, Err(CertificateError::Refused { .. })), "{refused:?}");
}

#[test]
fn one_missing_record_or_the_other_verdict_is_refused() {
    samples_of_graphs(0..80).for_each(|sample| check_pieces(&sample));
    check_pieces(&Sample::new(made::<Chomp>("rows=3 columns=3")));
    check_pieces(&Sample::new(made::<Mnk>("width=3 height=3 line=3")));
    check_pieces(&Sample::new(made::<Mnk>("width=4 height=2 line=3")));
}

#[test]
fn records_behind_those_that_need_them_are_refused_unless_lines_may_circle() {
    let mut refused = 0;
    for sample in samples_of_graphs(0..80) {
        let mut parts = Parts::of(&unpacked(&sample.bytes));
        parts.records.reverse();
        let circular = sample.problem.repetition().verdict() == Some(sample.verdict);
        let result = sample.verify_contents(&parts.joined());
        assert_eq!(result.is_ok(), circular || parts.records.len() < 2, "{result:?}");
        refused += usize::from(result.is_err());
    }
    assert!(refused > 10, "{refused}");
}

/// A change of bytes.
#[derive(Clone, Debug)]
enum Edit {
    Set(prop::sample::Index, u8),
    Insert(prop::sample::Index, u8),
    Remove(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    Cut(prop::sample::Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let index = any::<prop::sample::Index>;
    let byte = || prop_oneof![any::<u8>(), 0..4u8];
    let edit = prop_oneof![
        8 => (index(), byte()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        2 => (index(), byte()).prop_map(|(at, byte)| Edit::Insert(at, byte)),
        2 => index().prop_map(Edit::Remove),
        2 => (index(), index()).prop_map(|(a, b)| Edit::Swap(a, b)),
        1 => index().prop_map(Edit::Cut),
    ];
    prop::collection::vec(edit, 1..4)
}

fn edited(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for edit in edits {
        if bytes.is_empty() {
            break;
        }
        let length = bytes.len();
        match edit {
            Edit::Set(at, byte) => bytes[at.index(length)] = *byte,
            Edit::Insert(at, byte) => bytes.insert(at.index(length), *byte),
            Edit::Remove(at) => drop(bytes.remove(at.index(length))),
            Edit::Swap(a, b) => bytes.swap(a.index(length), b.index(length)),
            Edit::Cut(at) => bytes.truncate(at.index(length)),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// The hash covers all of the file.
    #[test]
    fn a_file_with_any_byte_changed_is_refused(seed in 0..40u64, edits in edits()) {
        let sample = Sample::new(graph(seed));
        let wrong = edited(&sample.bytes, &edits);
        prop_assume!(wrong != sample.bytes);
        prop_assert!(verify_bytes(&wrong, &sample.problem).is_err());
    }

    /// And if somebody makes the hash fit, the rules are still there.
    #[test]
    fn no_change_of_the_contents_makes_a_wrong_verdict_hold(seed in 0..60u64, edits in edits()) {
        let sample = Sample::new(graph(seed));
        if let Ok(verified) = sample.verify_contents(&edited(&unpacked(&sample.bytes), &edits)) {
            prop_assert_eq!(verified.header.verdict, sample.verdict);
        }
    }

    #[test]
    fn nor_on_a_board_with_zones(edits in edits(), disproven in any::<bool>()) {
        let line = if disproven { 4 } else { 3 };
        let sample = Sample::new(made::<Mnk>(&format!("width=4 height=2 line={line}")));
        if let Ok(verified) = sample.verify_contents(&edited(&unpacked(&sample.bytes), &edits)) {
            prop_assert_eq!(verified.header.verdict, sample.verdict);
        }
    }

    /// Records shuffled, doubled, or taken from each other's place, with the verdict turned round.
    #[test]
    fn no_choice_of_records_makes_a_wrong_verdict_hold(
        seed in 0..100u64,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        turned in any::<bool>(),
    ) {
        let sample = Sample::new(graph(seed));
        let mut parts = Parts::of(&unpacked(&sample.bytes));
        prop_assume!(!parts.records.is_empty());
        let mut records: Vec<Vec<u8>> =
            picks.iter().map(|pick| parts.records[pick.index(parts.records.len())].clone()).collect();
        if turned {
            let place = 1 + "a test".len() + 16;
            parts.header[place] ^= 1;
            // Where one move was named, all count now, and the other way round.
            for record in &mut records {
                match record[0] {
                    1 => drop(record.splice(0..1, [2, 0])),
                    _ => drop(record.splice(0..2, [1])),
                }
            }
        }
        parts.records.extend(records);
        if let Ok(verified) = sample.verify_contents(&parts.joined()) {
            prop_assert_eq!(verified.header.verdict, sample.verdict);
        }
    }
}
