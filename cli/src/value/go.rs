//! `hasami value go`: what every region of a Go board is worth, and where to play.

mod report;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use hasami_values::go::{
    Board, Colour, Endgames, Komaster, Rectangle, SgfPosition, Suicide, read_sgf, svg, with_life,
};

use crate::amounts::count;
use crate::failure::Failure;
use crate::files::{self, Form, prepare_place};
use crate::output::OutputArgs;
use crate::tree::Verb;
use report::Report;

const HELP: &str = "\
A board is a picture: X and O are immortal stones (Black and White), x and o stones that can be captured,
. an empty point, # no point at all. Points that immortal stones divide are regions of their own.
Spaces between points do not matter. A file that starts with ( is read as SGF: its main line is played
up to --move; chains with two certain eyes are taken to be immortal, no others. Counting is by territory
and prisoners.

Examples:
  printf 'XXXXXX\\nO....X\\nXXX.XX\\n###O##\\n' | hasami value go -
  hasami value go examples/board.txt --to-move black -o board.svg
  hasami value go examples/game.sgf --move 0 --region 1,1:5,6";

/// Value a Go endgame: every region, the sum, and where to play
#[derive(Clone, Debug, Parser)]
#[command(name = "go", after_help = HELP)]
pub struct Go {
    /// The board, as a picture or SGF; - is standard input
    pub file: PathBuf,
    /// Only these rows and columns, from the top left, like 1,1:4,6; stones next to them are taken
    /// to be immortal
    #[arg(long, value_name = "TOP,LEFT:BOTTOM,RIGHT")]
    pub region: Option<Rectangle>,
    /// Position of an SGF record after this node of its main line; 0 is the root, and in most records
    /// node N is move N [default: the last node]
    #[arg(long = "move", value_name = "N")]
    pub node: Option<usize>,
    /// Who moves [default: in a record whose turn it is; of a picture both are told]
    #[arg(long, value_enum, value_name = "COLOUR")]
    pub to_move: Option<ColourArg>,
    /// Who has ko threats, for the advice on boards with a ko: this player may always take back at
    /// once, but must then resolve the ko [default: nobody has any]
    #[arg(long, value_enum, value_name = "COLOUR")]
    pub komaster: Option<ColourArg>,
    /// Allow suicide of two stones or more
    #[arg(long)]
    pub suicide: bool,
    /// Look at no more than this many positions for each region; large ones count more
    #[arg(long, default_value = "1M", value_name = "POSITIONS", value_parser = count, help_heading = "Limits")]
    pub limit: u64,
    /// Spend no more than this many steps on sums and comparisons
    #[arg(long, default_value = "200M", value_name = "STEPS", value_parser = count, help_heading = "Limits")]
    pub steps: u64,
    /// Draw the board and the thermographs to this file, which ends in .svg
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub answer: OutputArgs,
}

/// A colour on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColourArg {
    /// Black, who is Left.
    Black,
    /// White, who is Right.
    White,
}

impl From<ColourArg> for Colour {
    fn from(colour: ColourArg) -> Self {
        match colour {
            ColourArg::Black => Self::Black,
            ColourArg::White => Self::White,
        }
    }
}

impl Verb for Go {
    fn run(self) -> Result<(), Failure> {
        value(&self)
    }
}

/// Reads a board, values it, and says where to play.
fn value(options: &Go) -> Result<(), Failure> {
    if let Some(file) = &options.out {
        if !files::is_stdout(file) {
            files::form(file, &[Form::Svg])?;
        }
        prepare_place("-o", file)?;
    }
    let suicide = if options.suicide { Suicide::Allowed } else { Suicide::Forbidden };
    let Given { board, record, assumed } = read(options, suicide)?;
    let limit = usize::try_from(options.limit).unwrap_or(usize::MAX);
    let mut endgames = Endgames::new(suicide, limit, options.steps);
    let turn = options.to_move.map(Colour::from).or(record.as_ref().map(|record| record.to_move));
    let colours = turn.map_or(Colour::BOTH.to_vec(), |colour| vec![colour]);
    // A region is cut out with a line around it.
    let origin = options.region.map_or((1, 1), |cut| (cut.from.0 - 1, cut.from.1 - 1));
    let komaster = match options.komaster {
        None => Komaster::Neither,
        Some(ColourArg::Black) => Komaster::Black,
        Some(ColourArg::White) => Komaster::White,
    };
    let mut report = Report::new(&mut endgames, &board, origin, assumed, &colours, komaster);
    report.record = record;
    if let Some(file) = &options.out {
        files::save(file, svg(&board, &report.drawn()).as_bytes())?;
        if files::is_stdout(file) {
            return Ok(());
        }
    }
    report.print(options.answer.output)
}

/// What was read.
struct Given {
    board: Board,
    /// Where the board comes from, if it is a record.
    record: Option<SgfPosition>,
    /// What was assumed in reading it.
    assumed: Vec<String>,
}

fn read(options: &Go, suicide: Suicide) -> Result<Given, Failure> {
    let name = options.file.display().to_string();
    let text = text_of(&options.file)?;
    let text = text.trim_start_matches('\u{feff}');
    let mut assumed = Vec::new();
    let mut record = None;
    let mut board = if text.trim_start().starts_with('(') {
        let position = read_sgf(text, options.node, suicide)
            .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        let living = with_life(&position.board);
        let before = position.board.cells();
        let stones = living.cells().iter().zip(before).filter(|(a, b)| a != b).count();
        assumed.push(format!(
            "SGF: {stones} stones have two certain eyes and are immortal; all others can be captured"
        ));
        record = Some(position);
        living
    } else if options.node.is_some() {
        let words = format!("--move: {name} is a picture; only SGF records have moves");
        return Err(Failure::Usage(words));
    } else {
        Board::parse(text).map_err(|error| Failure::Usage(format!("{name}: {error}")))?
    };
    if let Some(rectangle) = options.region {
        board = board
            .within(rectangle)
            .map_err(|error| Failure::Usage(format!("--region: {error}")))?;
        assumed.push(
            "--region: stones next to it are immortal, empty points next to it do not count"
                .to_string(),
        );
    }
    Ok(Given { board, record, assumed })
}

/// No board is longer.
const MAX_BYTES: u64 = 1 << 20;

fn text_of(file: &Path) -> Result<String, Failure> {
    let refused = |error: std::io::Error| Failure::Usage(format!("{}: {error}", file.display()));
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(refused)?;
    } else {
        let open = std::fs::File::open(file).map_err(refused)?;
        open.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(refused)?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        let limit = format!("{}: expected at most {MAX_BYTES} bytes", file.display());
        return Err(Failure::Usage(limit));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|byte| **byte != b'\n').count();
        Failure::Usage(format!(
            "{}: line {line}, column {column}: found a byte that is no text; expected UTF-8",
            file.display()
        ))
    })
}
