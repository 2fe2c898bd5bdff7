//! Stored sweeps as records.

use hasami_proto::journal::v1 as disk;
use hasami_proto::v1;
use hasami_spec::{Kind, Partitioner, SearchSettings};
use hasami_sweep::{Stored, StoredAxis, StoredValues};

pub(super) fn write(stored: Stored) -> disk::SweepRecord {
    let param = |(name, value)| v1::Param { name, value };
    let axis = |StoredAxis { name, group, values }| {
        let group = group.map(|group| group as u32);
        match values {
            StoredValues::List(list) => disk::AxisRecord { name, group, list, range: None },
            StoredValues::Range { first, step, len } => {
                let range = disk::RangeRecord { first, step, len: len as u64 };
                disk::AxisRecord { name, group, list: Vec::new(), range: Some(range) }
            }
        }
    };
    disk::SweepRecord {
        name: stored.name,
        title: stored.title,
        problem: stored.problem,
        kind: stored.kind.to_string(),
        priority: stored.priority,
        share: Some(stored.share),
        time_limit_ms: stored.time_limit.map(|limit| limit.as_millis() as u64),
        crash_limit: stored.crash_limit,
        ordered_by: stored.ordered_by,
        labels: stored.labels.into_iter().map(param).collect(),
        partitioner: stored.partitioner.to_string(),
        search: Some(stored.search.into()),
        params: stored.params.into_iter().map(axis).collect(),
        groups: stored.groups.into_iter().map(|len| len as u64).collect(),
    }
}

pub(super) fn read(record: disk::SweepRecord) -> Result<Stored, String> {
    let unknown = |what: &str, found: &str| format!("{what} \"{found}\" is not known");
    let kind = named(&Kind::NAMES, &record.kind).ok_or_else(|| unknown("kind", &record.kind))?;
    let partitioner = named(&Partitioner::NAMES, &record.partitioner)
        .ok_or_else(|| unknown("partitioner", &record.partitioner))?;
    let search = SearchSettings::try_from(record.search.unwrap_or_default());
    let search = search.map_err(|error| error.to_string())?;
    let length = |len: u64| usize::try_from(len).map_err(|error| error.to_string());
    let axis = |disk::AxisRecord { name, group, list, range }| {
        let values = match range {
            None => StoredValues::List(list),
            Some(disk::RangeRecord { first, step, len }) => {
                StoredValues::Range { first, step, len: length(len)? }
            }
        };
        Ok::<_, String>(StoredAxis { name, group: group.map(|group| group as usize), values })
    };
    Ok(Stored {
        name: record.name,
        title: record.title,
        problem: record.problem,
        kind,
        priority: record.priority,
        share: record.share.unwrap_or(1),
        time_limit: record.time_limit_ms.map(std::time::Duration::from_millis),
        crash_limit: record.crash_limit,
        ordered_by: record.ordered_by,
        labels: record.labels.into_iter().map(|param| (param.name, param.value)).collect(),
        partitioner,
        search,
        params: record.params.into_iter().map(axis).collect::<Result<_, _>>()?,
        groups: record.groups.into_iter().map(length).collect::<Result<_, _>>()?,
    })
}

fn named<T: Copy>(names: &[(&str, T)], word: &str) -> Option<T> {
    names.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}
