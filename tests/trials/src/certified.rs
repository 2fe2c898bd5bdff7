//! Certificates as the tests make them: extracted, and verified at once.

use std::path::Path;

use hasami_andor::certificate::{Asked, Claim, Verified, extract, verify};
use hasami_andor::{Control, Problem, Table, Verdict};

/// What a certificate of a test is about.
pub fn asked<P: Problem>(problem: &P) -> Asked {
    let lines = vec![("id".to_string(), problem.id().to_string())];
    Asked { game: "test".to_string(), rules: 1, lines, except: None }
}

/// Extracts and verifies; what the verifier says must fit what was asked for.
pub fn certify<P: Problem>(
    problem: &P,
    table: &Table<P::Reason>,
    verdict: Verdict,
    file: &Path,
) -> Verified {
    let asked = asked(problem);
    let bytes = extract(problem, table, &Control::unlimited(), &asked, verdict, file)
        .unwrap_or_else(|error| panic!("no certificate of {verdict:?}: {error}"));
    assert_eq!(std::fs::metadata(file).unwrap().len(), bytes);
    let verified = verify(file, problem, &asked).unwrap_or_else(|error| panic!("refused: {error}"));
    assert_eq!((&verified.header.asked, verified.header.verdict), (&asked, verdict));
    assert_eq!((&verified.claim, verified.header.length), (&Claim::Verdict, verified.length));
    assert!(verified.choices <= verified.nodes);
    verified
}
