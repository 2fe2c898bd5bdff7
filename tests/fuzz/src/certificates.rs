//! Certificates, answers, states and databases.

use std::path::PathBuf;
use std::sync::LazyLock;

use hasami_andor::certificate::{Header, Limits, read_asked_within};
use hasami_answer::registry::{Visitor, visit};
use hasami_answer::{AllowedFiles, Checked, Doubt, check_answer, entry};
use hasami_game::text_certificate::TextCertificate;
use hasami_game::{Game, Resources};
use hasami_polyomino::paving::certificate as paving;
use hasami_spec::{Params, Question};
use hasami_sweep::{Answer, Certificate, Measures, Verdict};
use hasami_values::value::certificate as value;

use crate::{QUESTIONS, question};

/// A file for the readers that want one; memory, where the system has such a directory.
fn written(data: &[u8]) -> PathBuf {
    static DIRECTORY: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a directory")
    });
    let path = DIRECTORY.path().join("input");
    std::fs::write(&path, data).expect("a file");
    path
}

static RESOURCES: LazyLock<Resources> = LazyLock::new(Resources::default);

fn limits() -> Limits<'static> {
    Limits::new(1 << 16, &|| false)
}

/// The bytes of a file, whatever they are, and with a hash that fits.
pub fn certificate_file(data: &[u8]) {
    let _ = read_asked_within(&written(data), &limits());
    let parts: Vec<Vec<u8>> = data.split(|byte| *byte == 0xff).map(<[u8]>::to_vec).collect();
    let _ = read_asked_within(&written(&hasami_forge::file(&parts)), &limits());
}

/// A tree of a known question.
pub fn certificate_tree(data: &[u8]) {
    static ASKED: LazyLock<Vec<(Question, Header)>> = LazyLock::new(|| {
        let both = QUESTIONS.iter().flat_map(|words| {
            let question = question(words);
            [hasami_andor::Verdict::Proven, hasami_andor::Verdict::Disproven].map(|verdict| {
                let asked = visit(&question.problem, &question.params, Asked).expect("a game");
                (question.clone(), Header { asked, verdict, length: None })
            })
        });
        both.collect()
    });
    let Some((&which, tree)) = data.split_first() else { return };
    let (question, header) = &ASKED[usize::from(which) % ASKED.len()];
    let rules = entry(&question.problem).ok().and_then(|entry| entry.rules).expect("a game");
    let _ = rules.check_trees(header, &mut std::iter::once(tree), &RESOURCES);
}

struct Asked;

impl Visitor for Asked {
    type Output = hasami_andor::certificate::Asked;
    fn visit<G: Game>(self, game: G, params: &Params) -> Self::Output {
        game.asked(params)
    }
}

/// The lines of a paving.
pub fn paving_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = paving::Claim::read(&written(data));
    if let Ok(claim) = paving::Claim::from_lines(text) {
        let _ = paving::check(&claim);
    }
}

/// The lines of a value. Long ones may take as long as they are worth.
pub fn value_text(data: &[u8]) {
    const LETTERS: usize = 300;
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = value::Claim::read(&written(data));
    if let Ok(claim) = value::Claim::from_lines(text)
        && text.len() <= LETTERS
        && claim.proof.word() != "none"
    {
        let _ =
            hasami_values::value::check(claim.game, &claim.position, &claim.value, &claim.proof);
    }
}

/// A whole answer to a known question: its words, its columns, and a file.
pub fn answer(data: &[u8]) {
    let Some((&[which, verdict], rest)) = data
        .split_at_checked(2)
        .and_then(|(head, rest)| <&[u8; 2]>::try_from(head).ok().map(|head| (head, rest)))
    else {
        return;
    };
    let more = [
        "pair shapes=X,I",
        "pave shapes=Square,I",
        "value family=go-corridor position=3",
        "pavings shapes=Square,I period=4x4 list=yes",
        "mate position=9/9/8k/7R1/7G1/9/9/9/9_b_r2b3g4s4n4l18p",
    ];
    let words: Vec<&str> = QUESTIONS.iter().chain(&more).copied().collect();
    let question = question(words[usize::from(which) % words.len()]);
    let mut pieces = rest.split(|byte| *byte == 0xff);
    let mut text = || String::from_utf8_lossy(pieces.next().unwrap_or_default()).into_owned();
    let claim = text();
    let fields = (0..verdict % 4).map(|_| (text(), text())).collect();
    let parts: Vec<Vec<u8>> = pieces.map(<[u8]>::to_vec).collect();
    let files =
        if parts.is_empty() { Vec::new() } else { vec![written(&hasami_forge::file(&parts))] };
    let certificate = Certificate { name: String::new(), digest: [0; 32], bytes: 0 };
    let verdicts = [Verdict::Proven, Verdict::Disproven, Verdict::Answered, Verdict::Open];
    let answer = Answer {
        verdict: verdicts[usize::from(verdict / 4) % 4],
        claim,
        fields,
        certificates: vec![certificate; files.len()],
        measures: Measures::default(),
        check: None,
    };
    let found: Result<Checked, Doubt> =
        check_answer(&question, &answer, &files, &RESOURCES, &AllowedFiles::default(), &limits());
    if let Err(Doubt::Refused(why)) = found {
        assert!(!why.starts_with("panicked"), "{why}");
    }
}

/// The bytes of a state.
pub fn state(data: &[u8]) {
    struct Decode<'a>(&'a [u8]);
    impl Visitor for Decode<'_> {
        type Output = ();
        fn visit<G: Game>(self, game: G, _: &Params) {
            if let Ok(state) = game.decode(self.0) {
                let mut again = Vec::new();
                game.encode(&state, &mut again);
                assert_eq!(again, self.0, "one spelling of a state");
                let _ = game.show(&state);
                let _ = game.expand(&state, &mut hasami_andor::Moves::new());
            }
        }
    }
    let Some((&which, bytes)) = data.split_first() else { return };
    let question = question(QUESTIONS[usize::from(which) % QUESTIONS.len()]);
    visit(&question.problem, &question.params, Decode(bytes)).expect("a game");
}

/// The bytes of a database.
pub fn database(data: &[u8]) {
    if let Ok(reader) = hasami_database::Reader::open(&written(data)) {
        let _ = reader.value(0);
        let _ = reader.value(reader.header().values.saturating_sub(1));
        let _ = reader.value(u64::MAX);
        let _ = reader.checksum();
    }
}
