//! Certificates as the tests make them: extracted, and verified at once.

use std::path::Path;

use hasami_andor::certificate::{Header, Verified, extract, verify};
use hasami_andor::{Control, Problem, Table, Verdict};

/// What a certificate of a test is about.
pub fn header<P: Problem>(problem: &P, verdict: Verdict) -> Header {
    let mut root = Vec::new();
    problem.encode(&problem.root(), &mut root);
    Header { question: "a test".to_string(), problem: problem.id(), verdict, root }
}

/// Extracts and verifies; what the verifier says must fit what was asked for.
pub fn certify<P: Problem>(
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
