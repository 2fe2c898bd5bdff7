//! Forged trees: small trees with bytes changed, dropped, added and moved. The checker refuses them, or
//! what every single node claims is true: minimax from the rules alone says so, for whatever stones
//! White may really have.

use std::collections::{HashMap, HashSet};

use crate::polyomino_reference::{Reference, on_two_cores};
use hasami_andor::certificate::{Listener, Source, Strategy};
use hasami_andor::{Kernel, Problem, Table, Turn, Verdict};
use hasami_game::achieve::{Claim, Link, Node, Rules, StoneGame, Tree, bits};
use hasami_game::random::SplitMix;
use hasami_polyomino::polyomino::shape::{Shape, parse_set};
use hasami_polyomino::polyomino::{Polyomino, Position};
use hasami_trials::certified::{asked, certify};
use hasami_trials::{made, settle};

/// A question, and the board on which its claims are tested: the board itself, or one with the window
/// in its middle.
struct Question {
    spelling: String,
    shapes: Vec<Shape>,
    strong: bool,
    window: (u8, u8),
    board: (u8, u8),
    game: Polyomino,
    rules: Rules,
}

impl Question {
    fn new(shapes: &str, place: &str, game: &str, stones: u32, board: (u8, u8)) -> Self {
        let spelling = format!("shapes={shapes} {place} game={game} stones={stones}");
        let question: Polyomino = made(&spelling);
        let rules = Rules::new(&question.field());
        Self {
            spelling,
            shapes: parse_set(shapes).unwrap(),
            strong: game == "strong",
            window: (rules.height, rules.width),
            board,
            game: question,
            rules,
        }
    }

    /// Cells of the window as cells of the board.
    fn on_board(&self, cells: u128) -> u32 {
        let (down, right) =
            ((self.board.0 - self.window.0) / 2, (self.board.1 - self.window.1) / 2);
        bits(cells).fold(0, |all, cell| {
            let (row, column) = (cell / self.window.1 + down, cell % self.window.1 + right);
            all | 1 << (row * self.board.1 + column)
        })
    }

    /// The verdict and the tree of its certificate.
    fn certified(&self) -> (Verdict, Vec<u8>) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("certificate");
        let table = Table::with_entries(1 << 12, false);
        let root = self.game.root();
        let outcome = settle(&self.game, &table, Kernel::Dfpn, Default::default(), root);
        let verdict = outcome.numbers.verdict().unwrap();
        certify(&self.game, &table, verdict, &file);
        let strategy = Strategy::load(&file, &self.game, &asked(&self.game)).unwrap();
        (verdict, strategy.tree().to_vec())
    }

    /// The positions where moves are named or all are answered, if the tree is accepted.
    fn accepted(&self, verdict: Verdict, tree: &[u8]) -> Option<Vec<(u128, u128, Turn)>> {
        let mut source = Source::new(tree);
        let mut states = Vec::new();
        let mut each = |state: &Position, _| states.push((state.black, state.white, state.turn));
        let checked = self.game.check(verdict, &mut source, &mut Listener::new(&mut each));
        (checked.is_ok() && source.is_at_end().unwrap()).then_some(states)
    }
}

/// Tests claims, each once.
struct Judge<'a> {
    question: &'a Question,
    references: HashMap<u32, Reference>,
    seen: HashSet<(u128, u128, bool, u128, u128, u32)>,
    random: SplitMix,
    tested: u64,
}

impl<'a> Judge<'a> {
    fn new(question: &'a Question, seed: u64) -> Self {
        let (references, seen) = (HashMap::new(), HashSet::new());
        Self { question, references, seen, random: SplitMix::new(seed), tested: 0 }
    }

    fn reference(&mut self, stones: u32) -> &mut Reference {
        let Question { shapes, board, strong, .. } = self.question;
        let new = || Reference::new(shapes, *board, *strong, stones).with_budget(60_000);
        self.references.entry(stones).or_insert_with(new)
    }

    /// Whether Black does not win a position of a disproof.
    fn holds(&mut self, (black, white, turn): (u128, u128, Turn)) {
        if !self.seen.insert((black, white, turn == Turn::Or, 0, 0, 0)) {
            return;
        }
        let stones = self.question.game.stones();
        let (on_black, on_white) = (self.question.on_board(black), self.question.on_board(white));
        let wins = self.reference(stones).black_wins(on_black, on_white, turn);
        let shown = self.question.rules.show(black, white);
        assert_ne!(wins, Some(true), "{}\n{shown}", self.question.spelling);
        self.tested += u64::from(wins.is_some());
    }

    /// Tests the claims of a tree of a proof, from a node down.
    fn node(&mut self, tree: &Tree, at: Link, black: u128, white: u128) {
        let rules = &self.question.rules;
        let turned = |cell: u8| rules.turned_cell(cell, at.symmetry);
        let below = |link: &Link| Link {
            node: link.node,
            symmetry: rules.composed(at.symmetry, link.symmetry),
        };
        let claim = tree.claim(at.node).turned(rules, at.symmetry);
        match tree.node(at.node) {
            Node::Leaf { .. } => {}
            Node::One(cell, link) => {
                if self.claim(black, white, Turn::Or, claim) {
                    self.node(tree, below(link), black | 1 << turned(cell.unwrap()), white);
                }
            }
            Node::All(answers, _) => {
                if self.claim(black, white, Turn::And, claim) {
                    for (cell, link) in answers {
                        let stone = cell.map_or(0, |cell| 1 << turned(cell));
                        self.node(tree, below(link), black, white | stone);
                    }
                }
            }
        }
    }

    /// Tests a claim for the stones that White may have; returns whether it is new.
    fn claim(&mut self, black: u128, white: u128, turn: Turn, claim: Claim) -> bool {
        let Claim { zone, slack, stones } = claim;
        if !self.seen.insert((black, white, turn == Turn::Or, zone, slack, stones)) {
            return false;
        }
        let question = self.question;
        let turns = black.count_ones() - u32::from(turn == Turn::And);
        let (on_black, on_white, on_zone) =
            (question.on_board(black), question.on_board(white), question.on_board(zone));
        let cells = u32::from(question.board.0) * u32::from(question.board.1);
        let all = ((1u64 << cells) - 1) as u32;
        for _ in 0..40 {
            let missing = self.random.below(on_white.count_ones() + 1);
            let may = |slack: u128| !question.strong || u128::from(missing) <= slack;
            let gone = self.pick(on_white, missing);
            let kept = on_white & !gone;
            let outside = all & !(on_black | on_white | on_zone);
            let more = turns - kept.count_ones();
            let really = kept | self.pick(outside, more);
            if !may(slack) || really.count_ones() != turns {
                continue;
            }
            let reference = self.reference(on_black.count_ones() + stones);
            if reference.completes(on_black) || question.strong && reference.completes(really) {
                continue;
            }
            let wins = reference.black_wins(on_black, really, turn);
            let shown = question.rules.show(black, white);
            assert_ne!(
                wins,
                Some(false),
                "{}: {turn:?}\n{shown}\nzone {zone:b}, slack {slack}, {stones} stones; White's {really:b}",
                question.spelling
            );
            self.tested += u64::from(wins.is_some());
        }
        true
    }

    fn pick(&mut self, cells: u32, count: u32) -> u32 {
        let mut left: Vec<u8> = bits(cells.into()).collect();
        let mut set = 0;
        for _ in 0..count.min(left.len() as u32) {
            set |= 1 << left.swap_remove(self.random.below(left.len() as u32) as usize);
        }
        set
    }
}

/// Every byte with other values, left out, twice, exchanged with the next, and with another before it.
fn mutants(tree: &[u8], random: &mut SplitMix) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for at in 0..tree.len() {
        let mut with = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut mutant = tree.to_vec();
            change(&mut mutant);
            all.push(mutant);
        };
        let few = tree.len() > 300;
        for value in 0..=32u8 {
            if !few || random.below(8) == 0 {
                with(&|bytes| bytes[at] = value);
                with(&|bytes| bytes.insert(at, value));
            }
        }
        with(&|bytes| bytes[at] = bytes[at].wrapping_add(1));
        with(&|bytes| bytes[at] = bytes[at].wrapping_sub(1));
        with(&|bytes| {
            bytes.remove(at);
        });
        with(&|bytes| bytes.insert(at, bytes[at]));
        if at + 1 < tree.len() {
            with(&|bytes| bytes.swap(at, at + 1));
            let until = at + 1 + random.below((tree.len() - at) as u32) as usize;
            with(&|bytes| drop(bytes.drain(at..until)));
        }
    }
    all
}

fn questions() -> Vec<Question> {
    let mut all = Vec::new();
    for (shapes, stones) in [
        ("Domino", 2),
        ("El", 3),
        ("Tic", 3),
        ("El,Tic", 4),
        ("Tippy", 5),
        ("Knobby", 5),
        ("Elly", 4),
    ] {
        for game in ["strong", "weak"] {
            for (place, board) in [
                ("board=2x3", (2, 3)),
                ("board=3x3", (3, 3)),
                ("board=3x4", (3, 4)),
                ("board=4x4", (4, 4)),
                ("window=3x3", (5, 5)),
                ("window=4x3", (6, 5)),
                ("window=4x4", (5, 6)),
            ] {
                for stones in [stones, stones + 1, stones - 1] {
                    all.push(Question::new(shapes, place, game, stones, board));
                }
            }
        }
    }
    all
}

#[test]
fn a_forged_tree_is_refused_or_all_its_claims_are_true() {
    let count = questions().len() as u64;
    let [mutants, accepted, tested, trees] = on_two_cores(count, |number| {
        let question = &questions()[number as usize];
        let random = &mut SplitMix::new(number ^ 0x666f_7267);
        let root = question.game.root();
        let table = Table::with_entries(1 << 12, false);
        let outcome = settle(&question.game, &table, Kernel::Dfpn, Default::default(), root);
        // A disproof in a window proves nothing.
        if question.rules.infinite && outcome.numbers.verdict() == Some(Verdict::Disproven) {
            return [0; 4];
        }
        let (verdict, tree) = question.certified();
        if tree.len() > 1200 {
            return [0; 4];
        }
        let mut judge = Judge::new(question, number);
        let (mut all, mut accepted) = (0, 0);
        for mutant in [tree.clone()].into_iter().chain(mutants(&tree, random)) {
            all += 1;
            let Some(states) = question.accepted(verdict, &mutant) else { continue };
            accepted += 1;
            match verdict {
                Verdict::Disproven => states.into_iter().for_each(|state| judge.holds(state)),
                Verdict::Proven => {
                    let read = Tree::read(&question.rules, verdict, &mutant).unwrap();
                    judge.node(&read, read.root, 0, 0);
                }
            }
            // The other verdict is false, whatever the tree says.
            assert!(question.accepted(verdict.opposite(), &mutant).is_none());
        }
        assert!(accepted > 0, "{}", question.spelling);
        [all, accepted, judge.tested, 1]
    });
    println!("{mutants} mutants of {trees} trees, {accepted} accepted, {tested} Whites");
    assert!(trees > 100 && mutants > 100_000 && accepted > 500 && tested > 10_000);
}

/// The tree of a question that is won is no proof of a harder one that is not.
#[test]
fn a_tree_of_an_easier_question_proves_nothing_harder() {
    let mut all = questions();
    all.retain(|question| !question.rules.infinite);
    let trees: Vec<(Verdict, Vec<u8>)> = all.iter().map(Question::certified).collect();
    let mut refused = 0;
    for (question, (verdict, tree)) in all.iter().zip(&trees) {
        for (other, (truth, _)) in all.iter().zip(&trees) {
            if question.board == other.board && truth != verdict {
                assert!(other.accepted(*verdict, tree).is_none(), "{}", other.spelling);
                refused += 1;
            }
        }
    }
    assert!(refused > 200, "{refused}");
}

/// White could complete a placement, but Black completes one first.
#[test]
fn a_move_that_completes_a_placement_is_not_harmless() {
    let game: Polyomino = made("shapes=## board=2x2 game=strong stones=2");
    let mut tree = vec![2, 4];
    for cell in 0..4 {
        // White answers in the opposite corner, and then nothing is left to answer, it says.
        tree.extend([cell, 1, 1 + (3 - cell), 2, 0]);
    }
    let refused =
        game.check(Verdict::Disproven, &mut Source::new(&tree[..]), &mut Listener::nobody());
    assert!(refused.is_err(), "{refused:?}");
}
