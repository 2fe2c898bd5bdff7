//! The report on a board: a line for each region, the sum, and the best moves.

use std::fmt::Write as _;

use hasami_cgt::{Convention, Dyadic, Value};
use hasami_values::go::{
    Advice, Board, Choice, Colour, Drawn, Endgames, KoChoice, KoThermograph, Komaster, Region,
    SgfPosition, Unvalued,
};
use num_rational::BigRational;
use serde_json::{Value as Json, json};

use crate::failure::Failure;
use crate::output::{self, Output};

/// Forms longer than this are cut in tables; JSON has them whole.
const WIDEST: usize = 44;

/// The whole report.
pub struct Report {
    board: Board,
    /// Row and column of the first point of the board.
    origin: (usize, usize),
    assumed: Vec<String>,
    regions: Vec<Told>,
    total: Result<Total, Unvalued>,
    moves: Vec<(Colour, Result<Advice, Unvalued>)>,
    /// The record that the board comes from.
    pub record: Option<SgfPosition>,
}

struct Told {
    /// The first point, row and column from 1.
    place: (usize, usize),
    points: usize,
    worth: Worth,
}

enum Worth {
    Value(Valued),
    Ko(Vec<Result<KoThermograph, String>>),
    Unknown(Unvalued),
}

struct Valued {
    canonical: String,
    chilled: String,
    mean: Dyadic,
    temperature: Dyadic,
    /// The greatest gain of a move, for Black and for White.
    gains: [Option<Dyadic>; 2],
    walls: [Vec<(Dyadic, Dyadic)>; 2],
}

struct Total {
    canonical: String,
    chilled: String,
    /// Scores when Black begins, and when White does.
    scores: [Dyadic; 2],
}

impl Report {
    /// Values a board.
    pub fn new(
        endgames: &mut Endgames,
        board: &Board,
        origin: (usize, usize),
        assumed: Vec<String>,
        colours: &[Colour],
        komaster: Komaster,
    ) -> Self {
        let whole = endgames.whole(board);
        let regions =
            whole.regions.iter().map(|one| Told::new(endgames, board, origin, one)).collect();
        let total = whole.total.and_then(|value| Total::new(endgames, value));
        let moves = colours
            .iter()
            .map(|&colour| (colour, endgames.advice_with(&whole, colour, komaster)))
            .collect();
        Self { board: board.clone(), origin, assumed, regions, total, moves, record: None }
    }

    /// The thermographs, for a picture.
    pub fn drawn(&self) -> Vec<Drawn> {
        let exact = |corners: &[(Dyadic, Dyadic)]| {
            corners.iter().map(|(t, v)| (t.to_f64(), v.to_f64())).collect()
        };
        let rational = |corners: &[(BigRational, BigRational)]| {
            corners.iter().map(|(t, v)| (near(t), near(v))).collect()
        };
        let mut drawn = Vec::new();
        for (at, told) in self.regions.iter().enumerate() {
            match &told.worth {
                Worth::Value(valued) => drawn.push(Drawn {
                    label: format!("region {}: {}", at + 1, cut(&valued.canonical)),
                    left: exact(&valued.walls[0]),
                    right: exact(&valued.walls[1]),
                }),
                Worth::Ko(graphs) => drawn.extend(graphs.iter().flatten().map(|graph| Drawn {
                    label: format!("region {}: ko, {}", at + 1, graph.komaster.words()),
                    left: rational(&graph.left),
                    right: rational(&graph.right),
                })),
                Worth::Unknown(_) => {}
            }
        }
        drawn
    }

    /// Prints it.
    pub fn print(&self, output: Output) -> Result<(), Failure> {
        let quiet = match &self.total {
            Ok(total) => total.canonical.clone(),
            Err(error) => error.to_string(),
        };
        output::print(output, &self.human(), &self.json(), &quiet)
    }

    fn human(&self) -> String {
        let mut text = format!("{}\n\n", self.board);
        if let Some(record) = &self.record {
            let _ = writeln!(text, "record: {}", record_words(record));
        }
        for assumed in &self.assumed {
            let _ = writeln!(text, "assumed: {assumed}");
        }
        let head = [
            "region",
            "row,column",
            "points",
            "value",
            "chilled",
            "mean",
            "temperature",
            "gain B",
            "gain W",
        ];
        let mut lines = vec![head.map(str::to_string).to_vec()];
        let mut notes = String::new();
        for (at, told) in self.regions.iter().enumerate() {
            let mut line = vec![
                (at + 1).to_string(),
                format!("{},{}", told.place.0, told.place.1),
                told.points.to_string(),
            ];
            match &told.worth {
                Worth::Value(valued) => {
                    let gain = |at: usize| {
                        valued.gains[at].as_ref().map_or("-".to_string(), Dyadic::to_string)
                    };
                    line.extend([
                        cut(&valued.canonical),
                        cut(&valued.chilled),
                        valued.mean.to_string(),
                        valued.temperature.to_string(),
                        gain(0),
                        gain(1),
                    ]);
                }
                Worth::Ko(graphs) => {
                    line.push("ko: play can repeat".to_string());
                    for graph in graphs {
                        match graph {
                            Ok(graph) => writeln!(
                                notes,
                                "  region {}, {}: mean {}, temperature {}",
                                at + 1,
                                graph.komaster.words(),
                                graph.mean,
                                graph.temperature
                            ),
                            Err(error) => writeln!(notes, "  region {}: {error}", at + 1),
                        }
                        .expect("writing to a text");
                    }
                }
                Worth::Unknown(error) => line.push(format!("not valued: {error}")),
            }
            lines.push(line);
        }
        text.push_str(&hasami_report::export::aligned(&lines));
        if !notes.is_empty() {
            let _ = write!(text, "ko, by the assumption about threats:\n{notes}");
        }
        match &self.total {
            Ok(total) => {
                let _ = writeln!(
                    text,
                    "sum: {} (chilled {})\nscore: {} if Black begins, {} if White begins",
                    cut(&total.canonical),
                    cut(&total.chilled),
                    total.scores[0],
                    total.scores[1]
                );
            }
            Err(error) => {
                let _ = writeln!(text, "no exact sum: {error}");
            }
        }
        for (colour, advice) in &self.moves {
            let _ = writeln!(text, "{}: {}", colour.word(), self.words(*colour, advice));
        }
        text
    }

    fn words(&self, colour: Colour, advice: &Result<Advice, Unvalued>) -> String {
        match advice {
            Err(error) => format!("no advice: {error}"),
            Ok(Advice::Unknown) => "no advice: no region with a value and a move".to_string(),
            Ok(Advice::Pass(score)) => {
                format!("no move gains anything; the score is {score}")
            }
            Ok(Advice::Play(choice)) => {
                let score = choice.score.as_ref().map_or(String::new(), Dyadic::to_string);
                format!(
                    "play {}: gains {} in region {}{}; leads to the score {score}, and no move of {} leads \
                     to a better one",
                    self.spot(choice.point),
                    choice.gain,
                    choice.region + 1,
                    self.heat(choice),
                    colour.word()
                )
            }
            Ok(Advice::Hottest(choice)) => format!(
                "play {}: gains {} in region {}{}, the most of all regions that could be weighed (a rule \
                 of thumb: the sum is not known exactly)",
                self.spot(choice.point),
                choice.gain,
                choice.region + 1,
                self.heat(choice)
            ),
            Ok(Advice::Ko(choice)) => format!(
                "play {}: gains {} in region {}, {} ({}), the most of all regions that could be \
                 weighed (a rule of thumb: a ko has no exact sum)",
                self.spot(choice.point),
                choice.gain,
                choice.region + 1,
                ko_words(choice),
                choice.komaster.words()
            ),
        }
    }

    fn heat(&self, choice: &Choice) -> String {
        match &self.regions[choice.region].worth {
            Worth::Value(valued) => {
                format!(" (temperature {}, chilled {})", valued.temperature, cut(&valued.chilled))
            }
            _ => String::new(),
        }
    }

    fn spot(&self, point: usize) -> String {
        let (row, column) = place(&self.board, self.origin, point);
        format!("{row},{column}")
    }

    fn json(&self) -> Json {
        let moves = self.moves.iter().map(|(colour, advice)| {
            let told = match advice {
                Err(error) => json!({ "error": error.to_string() }),
                Ok(Advice::Unknown) => json!({ "error": "no region with a value and a move" }),
                Ok(Advice::Pass(score)) => json!({ "pass": true, "score": score.to_string() }),
                Ok(Advice::Play(choice)) | Ok(Advice::Hottest(choice)) => {
                    let (row, column) = place(&self.board, self.origin, choice.point);
                    json!({
                        "row": row, "column": column, "region": choice.region + 1,
                        "gain": choice.gain.to_string(),
                        "score": choice.score.as_ref().map(Dyadic::to_string),
                        "exact": choice.score.is_some(),
                    })
                }
                Ok(Advice::Ko(choice)) => {
                    let (row, column) = place(&self.board, self.origin, choice.point);
                    json!({
                        "row": row, "column": column, "region": choice.region + 1,
                        "gain": choice.gain.to_string(), "score": null, "exact": false,
                        "ko": ko_words(choice), "assumption": choice.komaster.words(),
                    })
                }
            };
            (colour.word().to_lowercase(), told)
        });
        let total = match &self.total {
            Ok(total) => json!({
                "value": total.canonical, "chilled": total.chilled,
                "black_first": total.scores[0].to_string(), "white_first": total.scores[1].to_string(),
            }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        let rows: Vec<String> = self.board.to_string().lines().map(str::to_string).collect();
        json!({
            "board": rows,
            "record": self.record.as_ref().map(record_json),
            "assumed": self.assumed,
            "regions": self.regions.iter().map(Told::json).collect::<Vec<_>>(),
            "sum": total,
            "moves": moves.collect::<serde_json::Map<String, Json>>(),
        })
    }
}

impl Told {
    fn new(
        endgames: &mut Endgames,
        board: &Board,
        origin: (usize, usize),
        region: &Region,
    ) -> Self {
        let mut points = region.points().peekable();
        let first = points.peek().copied().unwrap_or(0);
        let count = points.count();
        let worth = match region.value {
            Ok(value) => match Valued::new(endgames, region, value) {
                Ok(valued) => Worth::Value(valued),
                Err(error) => Worth::Unknown(error),
            },
            Err(Unvalued::Loopy) => Worth::Ko(
                Komaster::ALL
                    .iter()
                    .map(|&komaster| {
                        let graph = endgames.ko_thermograph(&region.part.board, komaster);
                        graph.map_err(|error| error.to_string())
                    })
                    .collect(),
            ),
            Err(error) => Worth::Unknown(error),
        };
        Self { place: place(board, origin, first), points: count, worth }
    }

    fn json(&self) -> Json {
        let mut told = json!({
            "row": self.place.0, "column": self.place.1, "points": self.points,
        });
        let more = match &self.worth {
            Worth::Value(valued) => {
                let wall = |corners: &[(Dyadic, Dyadic)]| -> Vec<[String; 2]> {
                    corners.iter().map(|(t, v)| [t.to_string(), v.to_string()]).collect()
                };
                json!({
                    "value": valued.canonical,
                    "chilled": valued.chilled,
                    "mean": valued.mean.to_string(),
                    "temperature": valued.temperature.to_string(),
                    "gain_black": valued.gains[0].as_ref().map(Dyadic::to_string),
                    "gain_white": valued.gains[1].as_ref().map(Dyadic::to_string),
                    "left_wall": wall(&valued.walls[0]),
                    "right_wall": wall(&valued.walls[1]),
                })
            }
            Worth::Ko(graphs) => {
                let wall = |corners: &[(BigRational, BigRational)]| -> Vec<[String; 2]> {
                    corners.iter().map(|(t, v)| [t.to_string(), v.to_string()]).collect()
                };
                let graphs: Vec<Json> = graphs
                    .iter()
                    .map(|graph| match graph {
                        Ok(graph) => json!({
                            "assumption": graph.komaster.words(),
                            "mean": graph.mean.to_string(),
                            "temperature": graph.temperature.to_string(),
                            "left_wall": wall(&graph.left),
                            "right_wall": wall(&graph.right),
                        }),
                        Err(error) => json!({ "error": error }),
                    })
                    .collect();
                json!({ "ko": graphs })
            }
            Worth::Unknown(error) => json!({ "error": error.to_string() }),
        };
        if let (Some(told), Json::Object(more)) = (told.as_object_mut(), more) {
            told.extend(more);
        }
        told
    }
}

impl Valued {
    fn new(endgames: &mut Endgames, region: &Region, value: Value) -> Result<Self, Unvalued> {
        let mut gains = [None, None];
        for (side, colour) in Colour::BOTH.into_iter().enumerate() {
            let choices = endgames.choices(region, 0, colour)?;
            gains[side] = choices.into_iter().map(|choice| choice.gain).max();
        }
        let games = &mut endgames.games;
        let chilled = games.chill(value)?;
        let graph = games.thermograph(value)?;
        let wall = |wall: &hasami_cgt::Wall| {
            wall.points().iter().map(|point| (point.t.clone(), point.v.clone())).collect()
        };
        Ok(Self {
            canonical: games.show(value),
            chilled: games.show(chilled),
            mean: games.mean(value)?,
            temperature: games.temperature(value, Convention::Zero)?,
            gains,
            walls: [wall(&graph.left), wall(&graph.right)],
        })
    }
}

impl Total {
    fn new(endgames: &mut Endgames, value: Value) -> Result<Self, Unvalued> {
        let games = &mut endgames.games;
        let chilled = games.chill(value)?;
        let (left, right) = games.stops(value);
        let scores = [left.clone(), right.clone()];
        Ok(Self { canonical: games.show(value), chilled: games.show(chilled), scores })
    }
}

fn record_words(record: &SgfPosition) -> String {
    let SgfPosition { node, last, prisoners: [black, white], .. } = record;
    let mut words = format!(
        "node {node} of {last}, {} to move; Black has taken {black} stones, White {white}",
        record.to_move.word()
    );
    if record.handicap > 0 {
        let _ = write!(words, "; handicap {}", record.handicap);
    }
    if let Some(komi) = record.komi {
        let _ = write!(words, "; komi {komi}");
    }
    if let Some(ko) = record.ko {
        let (row, column) = place(&record.board, (1, 1), ko);
        let _ = write!(words, "; the ko at row {row}, column {column} may not be retaken at once");
    }
    words + " (earlier prisoners and komi are not in the score)"
}

fn record_json(record: &SgfPosition) -> Json {
    let ko = record.ko.map(|ko| {
        let (row, column) = place(&record.board, (1, 1), ko);
        json!({ "row": row, "column": column })
    });
    json!({
        "node": record.node, "last_node": record.last,
        "to_move": record.to_move.word().to_lowercase(),
        "komi": record.komi, "handicap": record.handicap,
        "taken_by_black": record.prisoners[0], "taken_by_white": record.prisoners[1],
        "ko": ko,
    })
}

fn ko_words(choice: &KoChoice) -> &'static str {
    if choice.resolves { "ends the ko" } else { "fights the ko" }
}

/// Row and column from 1, on the board that the user gave.
fn place(board: &Board, origin: (usize, usize), point: usize) -> (usize, usize) {
    (point / board.columns() + origin.0, point % board.columns() + origin.1)
}

fn near(fraction: &BigRational) -> f64 {
    num_traits::ToPrimitive::to_f64(fraction).unwrap_or(0.0)
}

fn cut(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_string();
    }
    text.chars().take(WIDEST - 1).collect::<String>() + "…"
}
