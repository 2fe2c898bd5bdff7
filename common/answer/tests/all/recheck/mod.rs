//! Answers of strangers: honest ones are believed, and every lie is refused.

mod bounds;
mod honest;
mod lies;

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use hasami_andor::Control;
use hasami_answer::{AllowedFiles, Checked, Doubt, Limits, Place, answer, check_answer, entry};
use hasami_game::Resources;
use hasami_spec::{Question, SearchSettings};
use hasami_sweep::Answer;

/// Questions of every entry, small, with the budget of their search and how their answers are checked:
/// `=` proved, `~` computed again, `?` taken on trust.
const ASKED: &[&str] = &[
    "= chomp rows=3 columns=4",
    "= chomp rows=2 columns=5",
    "= chomp rows=1 columns=1",
    "= mnk width=3 height=3 line=3",
    "= mnk width=4 height=3 line=3",
    "= mnk width=3 height=2 line=3",
    "? mnk width=4 height=4 line=4 budget=100",
    "= quarto position=23...e10d.b.8.ac,7 within=shortest",
    "= quarto position=...0.fd1...2....,c within=shortest",
    "= quarto position=.c0.d.47...15e9f,2 ask=not-lose within=5",
    "= quarto position=.c0.d.47...15e9f,2 ask=not-lose within=3",
    "= graph nodes=60",
    "= graph nodes=61",
    "= graph nodes=60 shape=cyclic sharing=0.6",
    "= synthetic depth=6 branching=3 width=10 leaves=0.1",
    "= pyonpyon rows=1 columns=5 home=2 within=shortest",
    "= pyonpyon rows=1 columns=7 home=2 within=shortest",
    "= pyonpyon rows=1 columns=5 home=1 no-move=draw ask=not-lose",
    "= pyonpyon rows=1 columns=5 home=1 no-move=loses ask=not-lose",
    "= mancala position=1,0,1,1,1,0/0,1,0,1,0,1:first within=shortest",
    "= mancala position=1,0,1,1,1,0/0,1,0,1,0,1:first within=1",
    "= mancala position=1,0,1,1,1,0/0,1,0,1,0,1:first goal=own within=any",
    "= mancala position=0,1,0,0,0,0/4,4,4,4,4,4 replies=pass within=3",
    "= mancala pits=1 seeds=2 within=shortest",
    "= shogi position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p within=shortest",
    "= shogi position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p within=3",
    "= shogi position=8k/9/9/4S3+B/3b3N1/9/9/9/9_b_SNP",
    "= mate position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p",
    "= mate position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p flaws=same",
    "= mate position=9/9/8k/9/7G1/9/9/9/9_b_r2b3g4s4n4l18p",
    "? mate position=8k/9/9/4S3+B/3b3N1/9/9/9/9_b_SNP budget=100",
    "= paving shapes=I,L board=5x5 pairs=any",
    "= paving shapes=I,L board=4x4 pairs=any",
    "= paving shapes=Square board=3x3 pairs=adjacent",
    "= polyomino shapes=El board=4x4",
    "= polyomino shapes=Tic board=4x4",
    "= polyomino shapes=Tic board=3x3 stones=3",
    "= polyomino shapes=Tic board=3x3 stones=4",
    "= polyomino shapes=Tic board=3x3 stones=4 game=weak",
    "= polyomino shapes=Tic board=smallest",
    "= polyomino shapes=El board=smallest stones=3",
    "= polyomino shapes=Square board=4x4",
    "= polyomino shapes=Square board=smallest",
    "= polyomino shapes=El",
    "= polyomino shapes=Tic window=7x7",
    "= polyomino shapes=Square,W stones=9",
    "? polyomino shapes=I,L stones=5 window=7x7",
    "? polyomino shapes=I,L window=7x7 budget=3000",
    "? polyomino shapes=Tippy board=5x5 budget=2",
    "= pair shapes=Square,W",
    "= pair shapes=X,I",
    "? pair shapes=I,L most-stones=6 budget=20000",
    "= pave shapes=Square,I",
    "= pave shapes=X pairs=any",
    "? pave shapes=Square,I max-area=3",
    "? pave shapes=El",
    "? pavings shapes=Square,I period=4x4 list=yes",
    "? pavings shapes=Square,I period=4x4",
    "? pavings shapes=Square period=2x3 kind=minimal list=yes",
    "? pavings shapes=Square period=2x2 pairs=any kind=all list=yes",
    "= trial game=mnk rules=width=5;height=3;line=3 kernel=multipath base=10 table=8",
    "= trial game=graph rules=nodes=62;shape=cyclic;sharing=0.6 kernel=pds table=8",
    "= trial game=polyomino rules=shapes=El;board=5x4 kernel=multipath adapt=yes base=5 table=8",
    "= trial game=quarto rules=position=.c0.d.47...15e9f,2;ask=not-lose;within=4 kernel=pn table=8",
    "? trial game=mnk rules=width=5;height=5;line=4 kernel=pds budget=100 table=8",
    "= value family=go-corridor position=5",
    "= value family=domineering position=2x3",
    "= value family=clobber position=xoxo",
    "= value family=toads position=TT.FF",
    "= value family=cgt position={2|0}",
    "? value family=go position=#XO#/X.xO/#XO#",
    "~ puzzles game=quarto plies=3 count=3 certificates=yes",
    "~ puzzles game=quarto plies=3 count=2 seed=1",
    "~ puzzles game=mancala plies=3 count=3 certificates=yes attempts=3000",
    "~ puzzles game=pyonpyon plies=3 count=2 certificates=yes attempts=3000",
    "? mancala-database pits=2 seeds=4 directory=HERE slices=2 stage=1 slice=0",
    "~ mancala-database pits=2 seeds=4 directory=HERE slices=2 stage=1 slice=1",
    "? self-play directory=HERE games=1",
    "? learning records=HERE/self-play-0-00000.usi directory=HERE stage=0 slice=0 slices=1 nodes=100",
    "~ learning records=HERE/self-play-0-00000.usi directory=HERE stage=1 slice=1 slices=2",
    "? pyonpyon-database rows=1 columns=5 home=2 directory=HERE slices=1 stage=0 slice=0",
];

/// A question with the answer of an honest worker.
struct Case {
    words: &'static str,
    sign: char,
    question: Question,
    answer: Answer,
    files: Vec<PathBuf>,
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    // Nothing drops a static, so this is a directory that the next run of the tests clears.
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recheck");
    if directory.exists() {
        std::fs::remove_dir_all(&directory).unwrap();
    }
    ASKED.iter().enumerate().map(|(at, words)| case(words, at, &directory)).collect()
});

static RESOURCES: LazyLock<Resources> = LazyLock::new(Resources::default);

fn question(words: &str, here: &Path) -> Question {
    let mut search = SearchSettings::default();
    let mut given = Vec::new();
    let mut words = words.split(' ');
    let name = words.next().unwrap();
    let spec = entry(name).unwrap().spec;
    for word in words {
        let (key, value) = word.split_once('=').unwrap();
        match key {
            "budget" if !spec.trials => search.budget = Some(value.parse().unwrap()),
            _ => given.push((
                key.to_string(),
                value.replace("HERE", &here.join("databases").display().to_string()),
            )),
        }
    }
    spec.question(&given, search).unwrap()
}

fn case(words: &'static str, at: usize, directory: &Path) -> Case {
    let (sign, asked) = words.split_at(2);
    let question = question(asked, directory);
    let place = Place::alone(directory.join(at.to_string()), 16);
    let answered = answer(&question, &place, &Arc::new(Control::unlimited()));
    let answered = answered.unwrap_or_else(|error| panic!("{words}: {error}"));
    let (answer, files) = (answered.answer, answered.files);
    Case { words: asked, sign: sign.chars().next().unwrap(), question, answer, files }
}

/// Everything may be opened.
static ALLOWED: LazyLock<AllowedFiles> =
    LazyLock::new(|| AllowedFiles::under(&[PathBuf::from("/")]).unwrap());

fn checked(question: &Question, answer: &Answer, files: &[PathBuf]) -> Result<Checked, Doubt> {
    let limits = Limits::new(1 << 20, &|| false);
    check_answer(question, answer, files, &RESOURCES, &ALLOWED, &limits)
}
