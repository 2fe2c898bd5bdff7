//! A game whose exact solver is wrong: nothing may be reported then.

use hasami_andor::certificate::{Fault, Source};
use hasami_andor::problem::BadState;
use hasami_andor::{Control, Expansion, Kernel, Key, Moves, Problem, ProblemId, Turn, Verdict};
use hasami_game::race::{
    ASK, Exact, ExactSolver, Inquiry, Player, WITHIN, known_shortest, shortest_stage,
};
use hasami_game::{BuildError, DEFAULT_EVALUATION, Game, KnownStage, Resources};
use hasami_puzzles::{Difficulty, Drawing, Grade, Made, Puzzle};
use hasami_spec::{Param, ParamError, Params, Spec};

use crate::JobError;
use crate::puzzles::certify;
use crate::settle::{Bare, End, Plan, Settled, settle};

/// Both sides take one stone in turn; the player who takes the last one wins.
struct Countdown {
    stones: u16,
    inquiry: Inquiry,
    /// The value from the exact solver.
    told: Exact,
    id: ProblemId,
}

/// Stones, the side to move, and the plies left if they are limited.
type Heap = (u16, Turn, Option<u16>);

static PARAMS: &[Param] = &[
    Param::number("stones", "stones of the heap").or("3"),
    Param::number("told", "the plies that the exact solver tells; 0 for a draw").or("3"),
    Param::switch("two", "asks about one stone and then, by the same name, about two").or("off"),
    ASK,
    WITHIN,
];

/// Two stones after one.
fn further(params: &Params, proven: &Params) -> Result<Option<Params>, ParamError> {
    let on = params.switch("two")? && proven.text("stones")? == "1";
    on.then(|| params.with("stones", "2")).transpose()
}

impl Game for Countdown {
    const SPEC: Spec = Spec::game("countdown", "who takes the last stone?", "countdown", PARAMS)
        .stages(shortest_stage)
        .goes_further(further);

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        let inquiry = Inquiry::from_params(params, Player::First)?;
        let told: u32 = params.number("told", 0..=99)?;
        let told = if told == 0 { Exact::DRAW } else { Exact::win(told) };
        let name =
            if params.switch("two")? { "one or two".to_string() } else { params.canonical() };
        let id = ProblemId::new(Self::NAME, 1, &name);
        Ok(Self { stones: params.number("stones", 1..=99)?, inquiry, told, id })
    }

    const RULES: u32 = 1;

    fn known_stages(
        params: &Params,
        resources: &Resources,
    ) -> Result<Option<Vec<KnownStage>>, BuildError> {
        known_shortest::<Self>(params, resources)
    }
}

impl Puzzle for Countdown {
    fn asked_from(&self, params: &Params, state: &Heap) -> Option<Params> {
        params.with("stones", &state.0.to_string()).ok()
    }
}

impl ExactSolver for Countdown {
    fn solve_exact(&self, _: &Heap, _: u64) -> Option<Exact> {
        Some(self.told)
    }
}

impl Problem for Countdown {
    type State = Heap;
    type Move = ();
    type Reason = ();

    fn id(&self) -> ProblemId {
        self.id
    }

    fn root(&self) -> Heap {
        (self.stones, Turn::Or, self.inquiry.plies())
    }

    fn turn(&self, state: &Heap) -> Turn {
        state.1
    }

    fn expand(&self, &(stones, turn, left): &Heap, moves: &mut Moves<()>) -> Expansion {
        if stones == 0 {
            return Expansion::Settled(turn.wish().opposite());
        }
        if left == Some(0) {
            return Expansion::Settled(self.inquiry.verdict(None));
        }
        moves.push(());
        Expansion::Open
    }

    fn play(&self, &(stones, turn, left): &Heap, (): ()) -> Heap {
        let turn = if turn == Turn::Or { Turn::And } else { Turn::Or };
        (stones - 1, turn, left.map(|left| left - 1))
    }

    fn key(&self, &(stones, turn, left): &Heap) -> Key {
        let left = u128::from(left.map_or(0, |left| left + 1));
        Key::mixed(u128::from(stones) << 32 | left << 1 | u128::from(turn == Turn::Or))
    }

    fn encode(&self, &(stones, ..): &Heap, out: &mut Vec<u8>) {
        out.push(stones as u8);
    }

    fn decode(&self, bytes: &[u8]) -> Result<Heap, BadState> {
        let &[stones] = bytes else { return Err(BadState("one byte".to_string())) };
        let mut state = self.root();
        while state.0 > stones.into() {
            state = self.play(&state, ());
        }
        Ok(state)
    }

    fn put_move(&self, _: &Heap, (): (), _: &mut Vec<u8>) {}

    fn take_move(&self, _: &Heap, _: &mut Source<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn show(&self, state: &Heap) -> String {
        format!("{state:?}")
    }

    fn show_move(&self, _: &Heap, (): ()) -> String {
        "take".to_string()
    }
}

fn params(words: &str) -> Params {
    Params::parse(PARAMS, words).unwrap()
}

/// Settles a question; returns how it ended, and the number of files left.
fn settled(words: &str) -> (Result<Settled, JobError>, usize) {
    let directory = tempfile::tempdir().unwrap();
    let plan = Plan {
        kernel: Kernel::Dfpn,
        options: &|advice| advice,
        table_mib: 1,
        place: &|name, _| directory.path().join(name),
        details: false,
        resources: &Resources::default(),
        evaluation: DEFAULT_EVALUATION,
    };
    let settled = settle::<Countdown>(&params(words), &plan, &Control::unlimited(), &mut Bare);
    (settled, std::fs::read_dir(directory.path()).unwrap().count())
}

#[test]
fn an_exact_solver_that_is_right_is_confirmed_by_two_certificates() {
    let (ended, files) = settled("stones=5 told=5 within=shortest");
    let End::Claim(claim) = ended.unwrap().end else { panic!("no claim") };
    assert_eq!(claim.certified.verified.header.verdict, Verdict::Proven);
    assert_eq!(files, 2);
}

#[test]
fn an_exact_solver_that_lies_ends_without_an_answer_and_without_a_certificate() {
    for (words, stage, found, known) in [
        // Too few plies, at once and after a stage with a certificate.
        ("stones=3 told=1", "within=1", "disproven", "proven"),
        ("stones=9 told=7", "within=7", "disproven", "proven"),
        // Too many.
        ("stones=3 told=5", "within=3", "proven", "disproven"),
        // No win, and there is one.
        ("stones=3 told=0", "within=any", "proven", "disproven"),
        // A win, and there is none.
        ("stones=4 told=3", "within=3", "disproven", "proven"),
    ] {
        let (ended, files) = settled(&format!("{words} within=shortest"));
        let Err(JobError::Contradiction(what)) = ended else { panic!("{words}: an answer") };
        let expected = format!("the search says {found}, and the exact solver {known}; no answer");
        assert!(what.ends_with(&expected), "{words}: {what}");
        assert!(stage == "within=any" || what.contains(stage), "{words}: {what}");
        assert_eq!(files, 0, "{words}");
    }
}

#[test]
fn one_question_with_two_verdicts_has_no_answer() {
    let (ended, files) = settled("stones=1 two=on");
    let Err(JobError::Contradiction(what)) = ended else { panic!("an answer") };
    assert!(
        what.ends_with("the search says disproven, and an earlier stage proven; no answer"),
        "{what}"
    );
    assert_eq!(files, 0);
}

#[test]
fn a_puzzle_that_is_none_has_no_certificate() {
    let directory = tempfile::tempdir().unwrap();
    let made = |stones: u32, within: u32| Made {
        game: Countdown::NAME,
        params: params(&format!("stones={stones} within={within}")),
        position: stones.to_string(),
        plies: within,
        key: Key(0),
        winning: Vec::new(),
        line: Vec::new(),
        turns: Vec::new(),
        difficulty: Difficulty { choices: 1, traps: 0, replies: 1 },
        grade: Grade::Easy,
        rule_proof: None,
        label: None,
        drawing: Drawing::default(),
        attempt: 0,
        origin: None,
    };
    let certified = |made: &Made| {
        let place = |name: &str| directory.path().join(name);
        certify::<Countdown>(made, &place, &Control::unlimited())
    };
    let wrong = certified(&made(5, 3));
    assert!(matches!(wrong, Err(JobError::Contradiction(_))), "{wrong:?}");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    assert!(certified(&made(5, 5)).unwrap().exists());
}
