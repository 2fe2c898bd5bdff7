//! Answers about games: the verdict of the last stage, and the disproofs of those before.

use hasami_andor::Verdict;
use hasami_andor::certificate::{Claim, Header};
use hasami_game::{Game, Meaning, Resources};
use hasami_spec::Params;
use hasami_sweep::Verdict as Said;

use super::certified::{Asking, Stated, verify};
use super::{Checked, Claimed, Doubt, open, refused};
use crate::settle::measured;
use crate::solve::{moves_field, not_with_less_field};

/// Checks an answer about a game.
pub(crate) fn check<G: Game>(claimed: &Claimed<'_>) -> Result<Checked, Doubt> {
    claimed.may_open()?;
    let params = G::SPEC.read(&claimed.question.params)?;
    let certificates = claimed
        .files
        .iter()
        .map(|file| Stated::read(file, claimed.limits))
        .collect::<Result<Vec<_>, _>>()?;
    match claimed.answer.verdict {
        Said::Proven => settled::<G>(claimed, &params, &certificates, Verdict::Proven),
        Said::Disproven => settled::<G>(claimed, &params, &certificates, Verdict::Disproven),
        Said::Open => open::check::<G>(claimed, &params, &certificates),
        Said::Answered => Err(refused("a game is proven, disproven or open, not answered")),
    }
}

/// One of the questions that the parameters leave open.
pub(super) struct Stage<G> {
    pub(super) params: Params,
    pub(super) asking: Asking<G>,
    place: Place,
}

/// Where a stage comes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The stages before it were asked first.
    Listed(u32),
    /// It refutes all others.
    Refutes,
}

impl<G: Game> Stage<G> {
    fn new(params: Params, place: Place, resources: &Resources) -> Result<Self, Doubt> {
        let asking = Asking::new(G::build(&params, resources)?, &params);
        Ok(Self { params, asking, place })
    }

    /// The stage of `wanted` with this number.
    fn listed(wanted: &Params, number: u32, resources: &Resources) -> Result<Option<Self>, Doubt> {
        let params = G::SPEC.stage(wanted, number)?;
        params.map(|params| Self::new(params, Place::Listed(number), resources)).transpose()
    }

    /// The last stage of `wanted`.
    pub(super) fn last(wanted: &Params, resources: &Resources) -> Result<Self, Doubt> {
        let (mut number, mut last) = (0, None);
        while let Some(params) = G::SPEC.stage(wanted, number)? {
            (number, last) = (number + 1, Some(params));
        }
        let last = last.ok_or_else(|| refused("the parameters ask nothing"))?;
        Self::new(last, Place::Listed(number - 1), resources)
    }

    /// The stage of `wanted` that a part is about.
    pub(super) fn of_part(
        wanted: &Params,
        part: &Header,
        resources: &Resources,
    ) -> Result<Option<Self>, Doubt> {
        if part.verdict == Verdict::Disproven
            && let Some(params) = G::refuting_stage(wanted, resources)?
        {
            let refuting = Self::new(params, Place::Refutes, resources)?;
            if refuting.asking.asked == part.asked {
                return Ok(Some(refuting));
            }
        }
        for number in 0.. {
            let Some(params) = G::SPEC.stage(wanted, number)? else { break };
            if !may_be(wanted, &params, part) {
                continue;
            }
            let stage = Self::new(params, Place::Listed(number), resources)?;
            if stage.asking.asked == part.asked {
                return Ok(Some(stage));
            }
        }
        Ok(None)
    }

    /// The stage before this one, if its disproof claims something.
    fn before(&self, wanted: &Params, resources: &Resources) -> Result<Option<Self>, Doubt> {
        let Place::Listed(number @ 1..) = self.place else { return Ok(None) };
        let before = Self::listed(wanted, number - 1, resources)?;
        Ok(before.filter(|stage| stage.claim(Verdict::Disproven).is_some()))
    }

    /// What a verdict on it claims, if anything.
    pub(super) fn claim(&self, verdict: Verdict) -> Option<String> {
        match self.asking.game.meaning(verdict) {
            Meaning::Claim(words) => Some(words),
            Meaning::Nothing(_) => None,
        }
    }

    /// Whether no stage comes after it.
    fn is_last(&self, wanted: &Params) -> Result<bool, Doubt> {
        Ok(match self.place {
            Place::Refutes => true,
            Place::Listed(number) => G::SPEC.stage(wanted, number + 1)?.is_none(),
        })
    }

    /// Whether it is shown that the stages before this one are disproven, if the last of them is
    /// (`below`), or if this one is itself.
    fn is_first(&self, changed: &[&str], verdict: Verdict, below: bool) -> bool {
        let Place::Listed(number) = self.place else { return true };
        let ordered = matches!(changed, [key] if self.asking.game.least(key).is_some());
        number == 0 || below && number == 1 || ordered && (below || verdict == Verdict::Disproven)
    }
}

/// Whether a part may be about a stage: the values that the stage fixes are there, unless the game
/// spells them otherwise in a certificate. Building a game may be expensive.
fn may_be(wanted: &Params, stage: &Params, part: &Header) -> bool {
    changed(wanted, stage).all(|(key, value)| {
        let is_number = value.starts_with(|sign: char| sign.is_ascii_digit());
        !is_number || part.asked.value(key).is_none_or(|found| found == value)
    })
}

/// The parameters of `stage` that differ from those of `wanted`.
fn changed<'a>(
    wanted: &'a Params,
    stage: &'a Params,
) -> impl Iterator<Item = (&'static str, &'a str)> {
    wanted.iter().zip(stage.iter()).filter(|(a, b)| a.1 != b.1).map(|(_, stage)| stage)
}

/// The certificates of an answer that are not used yet.
struct Supply<'a> {
    main: &'a Stated<'a>,
    /// The second part of the first certificate, a disproof.
    joined: Option<&'a Header>,
    rest: &'a [Stated<'a>],
}

/// A question about what is left open, and the stage that ended it.
struct Round<G> {
    wanted: Params,
    last: Stage<G>,
}

/// Checks a verdict.
fn settled<G: Game>(
    claimed: &Claimed<'_>,
    params: &Params,
    certificates: &[Stated<'_>],
    verdict: Verdict,
) -> Result<Checked, Doubt> {
    let resources = claimed.resources;
    let Some((main, rest)) = certificates.split_first() else {
        return Err(refused("a verdict without a certificate"));
    };
    if main.first().verdict != verdict || main.claim == Claim::OnlyMove {
        return Err(refused("the first certificate does not claim the verdict"));
    }
    let Some((before, round)) = find_round::<G>(params, main.first(), resources)? else {
        let asked = &main.first().asked;
        return Err(refused(format!("a certificate of another question: {asked}")));
    };
    let Round { wanted, last } = &round;
    if verdict == Verdict::Disproven && !last.is_last(wanted)? {
        return Err(refused("only an earlier stage is disproven"));
    }
    let words = last.claim(verdict).ok_or_else(|| refused("the verdict settles nothing"))?;

    let mut supply = Supply { main, joined: main.headers.get(1), rest };
    let mut unproved = Vec::new();
    let mut below = Vec::new();
    let mut joined: Option<Stage<G>> = None;
    for Round { wanted, last: stage } in before.iter().chain([&round]) {
        let needed = stage.before(wanted, resources)?;
        let is_below = needed.is_some();
        if let Some(needed) = needed {
            below.extend(needed.claim(Verdict::Disproven));
            if supply.joined.is_some_and(|part| part.asked == needed.asking.asked) {
                supply.joined = None;
                joined = Some(needed);
            } else {
                supply.disproof(&needed, claimed)?;
            }
        }
        let verdict = if std::ptr::eq(stage, last) { verdict } else { Verdict::Proven };
        // What the next question asks again is its matter.
        let until = if std::ptr::eq(stage, last) { &stage.params } else { &round.wanted };
        let keys: Vec<&str> = changed(wanted, until).map(|(key, _)| key).collect();
        if !stage.is_first(&keys, verdict, is_below) {
            unproved.extend(keys.iter().map(|key| {
                let (_, value) = wanted.iter().find(|(name, _)| name == key).unwrap_or_default();
                format!("{key}={value}")
            }));
        }
    }
    unproved.extend(gone_further::<G>(claimed, params, &round, &mut supply, &mut below)?);
    if !supply.rest.is_empty() || supply.joined.is_some() {
        return Err(refused("a certificate more than the answer needs"));
    }

    let mut parts = vec![(&last.asking, verdict)];
    parts.extend(joined.as_ref().map(|stage| (&stage.asking, Verdict::Disproven)));
    let checked = verify(main, &parts, claimed.limits)?;
    let measured = measured(&last.asking.game, &last.asking.asked, main.file)
        .map_err(|error| refused(error.to_string()))?;
    let measured = measured.into_iter().map(|(name, value)| (name.to_string(), value));
    let fields: Vec<_> = moves_field(checked.length)
        .into_iter()
        .chain(measured)
        .chain(not_with_less_field(&below))
        .collect();
    let said = match verdict {
        Verdict::Proven => Said::Proven,
        Verdict::Disproven => Said::Disproven,
    };
    claimed.says(said, &words, &fields)?;
    unproved.dedup();
    Ok(Checked::proved(unproved))
}

/// A round, and the one before it where the question goes further.
type Rounds<G> = (Option<Round<G>>, Round<G>);

/// The rounds that ended with a part: the last one, and the one before it where the question goes
/// further.
fn find_round<G: Game>(
    params: &Params,
    part: &Header,
    resources: &Resources,
) -> Result<Option<Rounds<G>>, Doubt> {
    if let Some(last) = Stage::of_part(params, part, resources)? {
        return Ok(Some((None, Round { wanted: params.clone(), last })));
    }
    for number in 0.. {
        let Some(proven) = G::SPEC.stage(params, number)? else { break };
        let Some(wanted) = G::SPEC.further(params, &proven)? else { continue };
        if !may_be(params, &wanted, part) {
            continue;
        }
        if let Some(last) = Stage::of_part(&wanted, part, resources)? {
            let first = Stage::new(proven, Place::Listed(number), resources)?;
            let before = Round { wanted: params.clone(), last: first };
            return Ok(Some((Some(before), Round { wanted, last })));
        }
    }
    Ok(None)
}

/// Where the question goes further and was left there: what was disproven of it before.
fn gone_further<G: Game>(
    claimed: &Claimed<'_>,
    params: &Params,
    round: &Round<G>,
    supply: &mut Supply<'_>,
    below: &mut Vec<String>,
) -> Result<Vec<String>, Doubt> {
    let proven = supply.main.first().verdict == Verdict::Proven;
    let further = G::SPEC.further(params, &round.last.params)?.filter(|_| proven);
    let Some(further) = further else { return Ok(Vec::new()) };
    if let [next, ..] = supply.rest {
        let stage = Stage::<G>::of_part(&further, next.first(), claimed.resources)?;
        let stage = stage.ok_or_else(|| refused("a disproof that nothing asks for"))?;
        supply.disproof(&stage, claimed)?;
        let words = stage.claim(Verdict::Disproven);
        below.push(words.ok_or_else(|| refused("a disproof that settles nothing"))?);
    }
    let open = changed(&round.last.params, &further);
    Ok(open.map(|(key, value)| format!("{key}={value}")).collect())
}

impl Supply<'_> {
    /// Takes the next certificate, which must disprove this stage.
    fn disproof<G: Game>(&mut self, stage: &Stage<G>, claimed: &Claimed<'_>) -> Result<(), Doubt> {
        let Some((next, rest)) = self.rest.split_first() else {
            return Err(refused(format!("no certificate disproves {}", stage.asking.asked)));
        };
        self.rest = rest;
        disproven(next, stage, claimed)
    }
}

/// Checks a certificate that must disprove a stage.
pub(super) fn disproven<G: Game>(
    stated: &Stated<'_>,
    stage: &Stage<G>,
    claimed: &Claimed<'_>,
) -> Result<(), Doubt> {
    if stated.claim != Claim::Verdict {
        return Err(refused("a disproof that claims something else"));
    }
    verify(stated, &[(&stage.asking, Verdict::Disproven)], claimed.limits).map(drop)
}
