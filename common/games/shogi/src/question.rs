//! What can be asked, and how answers are worded.

use hasami_andor::certificate::{Least, Strategy};
use hasami_andor::{Control, ProblemId, Verdict};
use hasami_game::race::refuting_shortest;
use hasami_game::{BuildError, Closing, Game, Meaning, Resources, Step};
use hasami_spec::{Evaluation, Param, ParamError, Params, Spec};

use crate::bound::Bound;
use crate::evaluation::FirstNumbers;
use crate::hand::Rank;
use crate::position::Position;
use crate::problem::Shogi;
use crate::side::Side;
use crate::solution::{Solution, Wanted, caption, length_of_certificate, solution, steps};
use crate::{kif_tree, legality, record, sfen, svg};

/// The largest limit of plies: with room above for lengths of proofs, and beyond the longest mates
/// that are known (1,525 plies).
pub const MAX_PLIES: u16 = 2000;

/// The column of the length without futile interpositions.
pub const WITHOUT_FUTILE: &str = "moves_without_futile";
/// Most variations in a record.
pub const MOST_VARIATIONS: usize = 400;

const POSITION: &str = "position";

static PARAMS: &[Param] = &[
    Param::text(POSITION, "SFEN, or startpos moves …, in quotes or with _ for spaces")
        .or("8k/9/9/4S3+B/3b3N1/9/9/9/9 b SNP 1"),
    Param::text("within", "plies it may take: a number, any, or shortest for the fewest").or("any"),
    Param::choice(
        "attacker",
        "who wants to mate: the side to move, or the other",
        &["mover", "other"],
    )
    .or("mover"),
    Param::choice("fill-hand", "give the defender all pieces that are nowhere", &["no", "yes"])
        .or("no"),
];

/// Where first numbers may come from.
pub const EVALUATIONS: &[Evaluation] = &[
    Evaluation::None,
    Evaluation::Thumb,
    Evaluation::Size(1),
    Evaluation::Size(2),
    Evaluation::Size(3),
    Evaluation::Size(4),
    Evaluation::Value(1),
    Evaluation::Value(2),
    Evaluation::Value(3),
    Evaluation::Value(4),
    Evaluation::Learned,
];

impl Game for Shogi {
    const SPEC: Spec = Spec::game(
        "shogi",
        "Shogi mates: can the attacker, giving check with every move, force mate?",
        "shogi position=6S2/8k/9/9/6P2/6R2/9/9/9_b_RG2b3g3s4n4l17p_1",
        PARAMS,
    )
    .checks(|params| Asked::read(params).map(drop))
    .spells(spell)
    .stages(stage)
    // The shortest mate is closed in on by one search after the other, in one table.
    .splits_if(|params| params.text("within").is_ok_and(|within| within != "shortest"))
    .evaluates(EVALUATIONS);

    const RULES: u32 = 1;

    fn build(params: &Params, _: &Resources) -> Result<Self, BuildError> {
        let Asked { position, attacker } = Asked::read(params)?;
        let within = within_word(position.left());
        let spelled = format!("{} {} {within}", sfen::write(&position), attacker.word());
        Ok(Self::about(position, attacker, ProblemId::new(Self::NAME, Self::RULES, &spelled)))
    }

    fn with_evaluation(self, evaluation: Evaluation) -> Self {
        self.with_first_numbers(FirstNumbers::shipped(evaluation))
    }

    /// The position in full.
    fn stated(&self, params: &Params) -> Vec<(String, String)> {
        let value = |key: &str| params.text(key).unwrap_or_default().to_string();
        let lines = [
            (POSITION, sfen::write(&self.root)),
            ("within", within_word(self.root.left())),
            ("attacker", value("attacker")),
        ];
        lines.map(|(key, value)| (key.to_string(), value)).to_vec()
    }

    /// The attacker mates with his own move: after an odd number of plies if he begins.
    fn least(&self, key: &str) -> Option<Least> {
        let from = if self.root.turn() == self.attacker { 1 } else { 0 };
        (key == "within" && from == 1).then_some(Least { from, step: 2 })
    }

    /// Plies left are part of the rank, so all limits share one table.
    fn closing(params: &Params) -> Result<Option<Closing>, ParamError> {
        let from = if params.text("attacker")? == "mover" { 1 } else { 2 };
        let asked = params.text("within")? == "shortest";
        Ok(asked.then_some(Closing { key: "within", endless: "any", from, step: 2 }))
    }

    fn needed(&self, Bound(rank): Bound) -> Option<u32> {
        (rank.left != Rank::ENDLESS).then_some(rank.left.into())
    }

    /// If there is no mate at all, there is none within any number of plies.
    fn refuting_stage(params: &Params, _: &Resources) -> Result<Option<Params>, BuildError> {
        refuting_shortest(params)
    }

    /// The diagram of the position, with the line of a mate.
    fn picture(&self, strategy: &Strategy) -> Option<String> {
        let caption = match strategy.verdict() {
            Verdict::Disproven => vec!["不詰".to_string()],
            Verdict::Proven => {
                let solution = self.certified(strategy, 0)?;
                caption(&self.root, &solution.line)
            }
        };
        Some(svg::diagram(&self.root, None, &caption))
    }

    fn board(&self, state: &Position) -> Option<String> {
        Some(svg::diagram(state, None, &[]))
    }

    /// The mate, with the longest defence.
    fn line(&self, strategy: &Strategy) -> Option<Vec<Step>> {
        let proven = strategy.verdict() == Verdict::Proven;
        let solution = proven.then(|| self.certified(strategy, 0)).flatten()?;
        Some(steps(&self.root, &solution.line))
    }

    fn record(&self, strategy: &Strategy) -> Option<String> {
        let proven = strategy.verdict() == Verdict::Proven;
        let solution = proven.then(|| self.certified(strategy, MOST_VARIATIONS)).flatten()?;
        Some(kif_tree::write(&self.root, &solution))
    }

    const MEASURES: bool = true;

    fn measured(&self, strategy: &Strategy) -> Vec<(&'static str, String)> {
        let length = length_of_certificate(self, strategy);
        length.map(|plies| (WITHOUT_FUTILE, plies.to_string())).into_iter().collect()
    }

    fn meaning(&self, verdict: Verdict) -> Meaning {
        let attacker = self.attacker.word();
        let within = match self.root.left() {
            Rank::ENDLESS => String::new(),
            1 => " within 1 ply".to_string(),
            plies => format!(" within {plies} plies"),
        };
        let begins = if self.root.turn() == self.attacker { "" } else { ", the defender to move," };
        Meaning::Claim(match verdict {
            Verdict::Proven => format!("{attacker}{begins} mates{within}"),
            Verdict::Disproven => format!("{attacker}{begins} does not mate{within}"),
        })
    }
}

impl Shogi {
    /// The solution as a certificate has it.
    fn certified(&self, strategy: &Strategy, variations: usize) -> Option<Solution> {
        let wanted = Wanted { nodes: 0, variations };
        solution(self, strategy, &Control::unlimited(), wanted)
    }
}

fn within_word(left: u16) -> String {
    if left == Rank::ENDLESS { "any".to_string() } else { left.to_string() }
}

/// A question from its parameters.
struct Asked {
    /// With the limit as plies left.
    position: Position,
    attacker: Side,
}

impl Asked {
    fn read(params: &Params) -> Result<Self, ParamError> {
        let text = params.text(POSITION)?;
        let refuse = |fault: crate::Fault| {
            ParamError::bad(POSITION, text, format!("a legal position: {fault}"))
        };
        let mut position = record::read_usi(text).map_err(refuse)?.last();
        let by_mover = params.choice("attacker", &[("mover", true), ("other", false)])?;
        let attacker = if by_mover { position.turn() } else { position.turn().other() };
        if params.choice("fill-hand", &[("no", false), ("yes", true)])? {
            sfen::fill_hand(&mut position, attacker.other()).map_err(refuse)?;
        }
        legality::check(&position, attacker).map_err(refuse)?;
        position.set_left(read_within(params.text("within")?)?);
        Ok(Self { position, attacker })
    }
}

/// The plies of `within`; `shortest` counts as no limit, [`stage`] handles it.
fn read_within(text: &str) -> Result<u16, ParamError> {
    match text.parse::<u16>() {
        Ok(plies) if (1..=MAX_PLIES).contains(&plies) => Ok(plies),
        _ if ["any", "none", "shortest"].contains(&text) => Ok(Rank::ENDLESS),
        _ => {
            let expected = format!("any, shortest, or a whole number from 1 to {MAX_PLIES}");
            Err(ParamError::bad("within", text, expected))
        }
    }
}

/// The canonical SFEN has spaces and the move number 1.
fn spell(param: &Param, value: String) -> Result<String, ParamError> {
    match param.name {
        POSITION => match record::read_usi(&value) {
            Ok(game) => Ok(sfen::write(&game.last())),
            Err(fault) => Err(ParamError::bad(POSITION, value, format!("an SFEN: {fault}"))),
        },
        "within" if value == "none" => Ok("any".to_string()),
        _ => Ok(value),
    }
}

/// The shortest mate as a sequence of questions: within 1, 3, 5 … plies if the attacker begins, else
/// within 2, 4, 6 ….
fn stage(params: &Params, stage: u32) -> Result<Option<Params>, ParamError> {
    if params.text("within")? != "shortest" {
        return Ok((stage == 0).then(|| params.clone()));
    }
    let first = if params.text("attacker")? == "mover" { 1 } else { 2 };
    let plies = 2 * u64::from(stage) + first;
    if plies > u64::from(MAX_PLIES) {
        return Ok(None);
    }
    params.with("within", &plies.to_string()).map(Some)
}
