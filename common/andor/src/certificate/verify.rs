//! Checks a certificate with the rules alone.

use std::path::Path;

use super::join::Claim;
use super::tree::Tag;
use super::{Asked, CertificateError, Header, Limits, Listener, Parts, Source};
use crate::problem::Problem;

/// A certificate that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// What it claims: a verdict, or more than that.
    pub claim: Claim,
    /// Header of its first part, or of the only one.
    pub header: Header,
    /// ONE and ALL nodes of all parts.
    pub nodes: u64,
    /// How many of them name the one move that is enough.
    pub choices: u64,
    /// How often a rule of the game settled a state.
    pub leaves: u64,
    /// The longest line against a side that follows the certificate, if the game has lengths and no
    /// line can be infinite. 0 if the rules settle the root itself.
    pub length: Option<u32>,
}

impl Verified {
    /// A claim that holds, by parts with these counts.
    #[must_use]
    pub fn new(claim: Claim, header: Header, checked: &Checked) -> Self {
        let &Checked { nodes, choices, leaves, length, .. } = checked;
        Self { claim, header, nodes, choices, leaves, length }
    }
}

/// What a checker counts in a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Nodes of all kinds read so far.
    pub read: u64,
    /// ONE and ALL nodes.
    pub nodes: u64,
    /// ONE nodes.
    pub choices: u64,
    /// Leaves.
    pub leaves: u64,
    /// Whether all moves and leaves met so far have a length.
    pub lengths: bool,
    /// The longest line, if there is one.
    pub length: Option<u32>,
}

/// A node that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node {node}: {detail}")]
pub struct Refusal {
    /// Number of the node, from 1 in the order of the tree.
    pub node: u64,
    /// What does not hold.
    pub detail: String,
    /// The state, drawn as text.
    pub state: String,
}

impl Refusal {
    /// A refusal without a state.
    pub fn new(node: u64, detail: impl Into<String>) -> Self {
        Self { node, detail: detail.into(), state: String::new() }
    }
}

impl From<Refusal> for CertificateError {
    fn from(Refusal { node, detail, state }: Refusal) -> Self {
        Self::Refused { node, detail, state }
    }
}

/// Checks all parts of a certificate; `check` is given the header of each and the bytes of its tree.
/// Whether the parts prove the claim is left to [`Claim::follows`]. Returns the claim, the headers, and
/// the counts of all parts; the length is that of the first.
///
/// # Errors
/// If the file is damaged, or a part does not hold.
pub fn verify_parts(
    path: &Path,
    limits: &Limits<'_>,
    check: &mut dyn FnMut(&Header, &mut Source<'_>) -> Result<Checked, CertificateError>,
) -> Result<(Claim, Vec<Header>, Checked), CertificateError> {
    let mut sum = Checked::default();
    let (claim, headers) = read_parts(path, limits, &mut |at, header, from| {
        let checked = check(header, from)?;
        sum.nodes += checked.nodes;
        sum.choices += checked.choices;
        sum.leaves += checked.leaves;
        if at == 0 {
            sum.length = checked.length;
        }
        Ok(())
    })?;
    Ok((claim, headers, sum))
}

/// The bytes of the first move of a proof, if its tree begins with one.
///
/// # Errors
/// If the file is damaged.
pub fn first_move<P: Problem>(
    path: &Path,
    problem: &P,
) -> Result<Option<Vec<u8>>, CertificateError> {
    first_move_within(path, problem, &Limits::none())
}

/// Like [`first_move`], of a stranger's file.
///
/// # Errors
/// If the file is damaged, or a limit is passed.
pub fn first_move_within<P: Problem>(
    path: &Path,
    problem: &P,
    limits: &Limits<'_>,
) -> Result<Option<Vec<u8>>, CertificateError> {
    let mut parts = Parts::open(path, limits)?;
    if read_asked_within(path, limits)?.0 != Claim::Verdict {
        parts.next(|_| Ok(()))?;
    }
    parts.next(|from| {
        read_header(path, from)?;
        let root = problem.root();
        let Ok(Tag::One(_)) = Tag::take(from) else { return Ok(None) };
        Ok(problem.take_move(&root, from).ok().map(|mv| {
            let mut bytes = Vec::new();
            problem.put_move(&root, mv, &mut bytes);
            bytes
        }))
    })
}

/// Checks the certificate at `path`, of one part, against the rules of `problem`, which `asked`
/// describes.
///
/// # Errors
/// If the file is damaged, is about another question, or a node does not hold.
pub fn verify<P: Problem>(
    path: &Path,
    problem: &P,
    asked: &Asked,
) -> Result<Verified, CertificateError> {
    let limits = Limits::none();
    let (claim, mut headers, checked) = verify_parts(path, &limits, &mut |header, from| {
        if header.asked != *asked {
            return Err(CertificateError::OtherQuestion {
                found: header.asked.to_string(),
                expected: asked.to_string(),
            });
        }
        Ok(check_part(problem, header, from, &mut Listener::nobody())?)
    })?;
    match headers.pop() {
        Some(header) if claim == Claim::Verdict => Ok(Verified::new(claim, header, &checked)),
        _ => Err(CertificateError::refused("a claim of several parts; expected one verdict")),
    }
}

/// Checks the tree of a part, after its header.
///
/// # Errors
/// The first node that does not hold.
pub fn check_part<P: Problem>(
    problem: &P,
    header: &Header,
    from: &mut Source<'_>,
    listener: &mut Listener<'_, P::State>,
) -> Result<Checked, Refusal> {
    let checked = problem.check(header.verdict, from, listener)?;
    if !from.is_at_end().map_err(|fault| Refusal::new(checked.read, fault))? {
        return Err(Refusal::new(checked.read, "bytes after the end of the tree"));
    }
    match (header.length, checked.length) {
        (Some(claimed), Some(found)) if found > claimed => {
            Err(Refusal::new(0, format!("a line has length {found}, the header says {claimed}")))
        }
        (Some(claimed), None) => {
            let detail = format!("the header says length {claimed}; some line has none");
            Err(Refusal::new(0, detail))
        }
        _ => Ok(checked),
    }
}

/// Reads the header of a part that proves a verdict.
pub(super) fn read_header(path: &Path, from: &mut Source<'_>) -> Result<Header, CertificateError> {
    let damaged = |detail| CertificateError::Damaged { path: path.display().to_string(), detail };
    let text = from.header().map_err(damaged)?;
    Header::parse(&text).map_err(damaged)
}

/// What a certificate claims and asks: the questions of its parts, none of them checked.
///
/// # Errors
/// If the file is damaged.
pub fn read_asked(path: &Path) -> Result<(Claim, Vec<Header>), CertificateError> {
    read_asked_within(path, &Limits::none())
}

/// Like [`read_asked`], of a stranger's file.
///
/// # Errors
/// If the file is damaged, or a limit is passed.
pub fn read_asked_within(
    path: &Path,
    limits: &Limits<'_>,
) -> Result<(Claim, Vec<Header>), CertificateError> {
    read_parts(path, limits, &mut |_, _, _| Ok(()))
}

/// Is given the number of a part that proves a verdict, its header, and the bytes of its tree.
type Visit<'a> = &'a mut dyn FnMut(usize, &Header, &mut Source<'_>) -> Result<(), CertificateError>;

/// Reads a certificate once, from the first part to the last.
fn read_parts(
    path: &Path,
    limits: &Limits<'_>,
    visit: Visit<'_>,
) -> Result<(Claim, Vec<Header>), CertificateError> {
    let mut parts = Parts::open(path, limits)?;
    let damaged = |detail| CertificateError::Damaged { path: path.display().to_string(), detail };
    let mut headers = Vec::new();
    let claim = parts.next(|from| {
        let text = from.header().map_err(damaged)?;
        match Claim::parse(&text).map_err(damaged)? {
            Claim::Verdict => {
                let header = Header::parse(&text).map_err(damaged)?;
                visit(0, &header, from)?;
                headers.push(header);
                Ok(Claim::Verdict)
            }
            claim if from.is_at_end().map_err(damaged)? => Ok(claim),
            _ => Err(damaged("the first part has a tree; expected none".to_string())),
        }
    })?;
    while parts.more()? {
        if headers.len() == claim.most_parts() {
            return Err(damaged("more parts than the claim needs".to_string()));
        }
        headers.push(parts.next(|from| {
            let header = read_header(path, from)?;
            visit(headers.len(), &header, from)?;
            Ok(header)
        })?);
    }
    Ok((claim, headers))
}
