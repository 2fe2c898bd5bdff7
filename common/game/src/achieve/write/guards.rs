//! Guards: cells of the zone that keep White from completing something at once with stones that the
//! proof does not see. Two cells of every placement that is near suffice.

use crate::achieve::claim::ToAnswer;
use crate::achieve::rules::{Cells, bits};

/// The open cells of the placements that White might complete at once, those with two in the zone left
/// out. `None` if nothing helps.
fn near(position: &ToAnswer<'_>, slack: u64, zone: Cells) -> Option<Vec<Cells>> {
    let rules = position.rules;
    let (turns, unseen) = (position.turns(), u64::from(position.elsewhere()).saturating_add(slack));
    let may = |size: u32| turns + 2 > size;
    let mut found = Vec::new();
    if rules.weak || !rules.sizes.iter().any(|&size| may(size)) {
        return Some(found);
    }
    let mut helped = true;
    let mut look = |inside: Cells, size: u32| {
        let open = inside & !position.white;
        let seen: u64 = (inside & position.white).count_ones().into();
        if inside & position.black == 0
            && may(size)
            && seen.saturating_add(unseen).saturating_add(2) > size.into()
            && (open & zone).count_ones() < 2
        {
            helped &= open.count_ones() >= 2;
            found.push(open);
        }
    };
    let far = rules.sizes.iter().any(|&size| may(size) && unseen.saturating_add(2) > size.into());
    match (far, rules.infinite) {
        (true, true) => return None,
        (true, false) => rules.placements.iter().for_each(|&p| look(p, p.count_ones())),
        (false, _) => {
            for cell in bits(position.white) {
                rules.through(cell).iter().for_each(|&p| look(p, p.count_ones()));
                rules.hanging(cell).iter().for_each(|one| look(one.inside, one.size));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    helped.then_some(found)
}

/// Cells to add to a zone, few of them, within `within` where that is enough. `None` if White
/// completes something whatever the zone is.
pub fn guards(position: &ToAnswer<'_>, slack: u64, zone: Cells, within: Cells) -> Option<Cells> {
    let mut near = near(position, slack, zone)?;
    let mut guards = 0;
    loop {
        near.retain(|open| (open & (zone | guards)).count_ones() < 2);
        if near.is_empty() {
            return Some(guards);
        }
        // The cell in most of them, in such a way that two cells of each stay possible.
        let mut counts = [0u32; 128];
        for open in &near {
            let open = open & !(zone | guards);
            let preferred = if open & within == 0 { open } else { open & within };
            bits(preferred).for_each(|cell| counts[usize::from(cell)] += 1);
        }
        let best = (0..128u8).max_by_key(|&cell| (counts[usize::from(cell)], u8::MAX - cell))?;
        guards |= 1 << best;
    }
}
