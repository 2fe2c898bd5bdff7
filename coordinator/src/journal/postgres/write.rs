//! Batches as the arrays of one call, and the session that writes them. A batch has a number, so
//! that one whose reply was lost is recognised: it is neither lost nor written twice.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Duration;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};

use super::database::{Database, Trouble};
use crate::journal::JournalError;
use crate::journal::backend::{Batch, Family, Op};
use crate::journal::keys::FAMILIES;

/// More bytes than this go in several calls of one transaction: a message has less than a gigabyte.
const PART: usize = 64 << 20;
/// How long one attempt may take.
const LIMIT: Duration = Duration::from_secs(20);

/// The number of a family in the table. Families are only ever added at the end.
pub fn number(family: Family) -> i16 {
    let at = FAMILIES.iter().position(|name| *name == family).expect("a family of the journal");
    at as i16
}

/// The arrays of one call.
#[derive(Default)]
pub struct Part {
    range_families: Vec<i16>,
    range_from: Vec<Vec<u8>>,
    range_to: Vec<Vec<u8>>,
    gone_families: Vec<i16>,
    gone: Vec<Vec<u8>>,
    families: Vec<i16>,
    keys: Vec<Vec<u8>>,
    values: Vec<Vec<u8>>,
    bytes: usize,
}

impl Part {
    fn params(&self) -> [&(dyn ToSql + Sync); 8] {
        [
            &self.range_families,
            &self.range_from,
            &self.range_to,
            &self.gone_families,
            &self.gone,
            &self.families,
            &self.keys,
            &self.values,
        ]
    }

    /// The value that this part has set.
    fn get(&self, family: i16, key: &[u8]) -> Option<&[u8]> {
        // Sorted, as they come from a map.
        let (mut low, mut high) = (0, self.keys.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match (self.families[middle], self.keys[middle].as_slice()).cmp(&(family, key)) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(&self.values[middle]),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// What a batch comes to: ranges are removed first, then each key is set or removed once.
pub fn parts(batch: Batch) -> Vec<Part> {
    let mut first = Part::default();
    let mut last: BTreeMap<(i16, Vec<u8>), Option<Vec<u8>>> = BTreeMap::new();
    for op in batch.0 {
        match op {
            Op::Put(family, key, value) => drop(last.insert((number(family), key), Some(value))),
            Op::Delete(family, key) => drop(last.insert((number(family), key), None)),
            Op::DeleteRange(family, from, to) => {
                let family = number(family);
                if from < to {
                    let covered: Vec<_> = last
                        .range((family, from.clone())..(family, to.clone()))
                        .map(|(key, _)| key.clone())
                        .collect();
                    covered.iter().for_each(|key| drop(last.remove(key)));
                    first.range_families.push(family);
                    first.range_from.push(from);
                    first.range_to.push(to);
                }
            }
        }
    }
    let mut parts = vec![first];
    for ((family, key), value) in last {
        let size = key.len() + value.as_ref().map_or(0, Vec::len);
        let full = |part: &Part| part.bytes > 0 && part.bytes + size > PART;
        if parts.last().is_some_and(full) {
            parts.push(Part::default());
        }
        let part = parts.last_mut().expect("a first part");
        part.bytes += size;
        match value {
            Some(value) => {
                part.families.push(family);
                part.keys.push(key);
                part.values.push(value);
            }
            None => {
                part.gone_families.push(family);
                part.gone.push(key);
            }
        }
    }
    parts
}

/// A session with its statements.
struct Session {
    client: Client,
    commit: Statement,
    apply: Statement,
}

/// The one who writes.
pub struct Writer {
    epoch: u64,
    state: Mutex<State>,
    /// The last batch: what was written is often read at once, for the log.
    latest: RwLock<Vec<Part>>,
}

#[derive(Default)]
struct State {
    session: Option<Session>,
    /// The last batch that is known to be written.
    batch: i64,
}

impl Writer {
    /// A writer of this epoch, which has written nothing yet.
    pub fn new(epoch: u64) -> Self {
        Self { epoch, state: Mutex::default(), latest: RwLock::default() }
    }

    /// The value of a key, if the last batch has set it.
    pub fn latest(&self, family: Family, key: &[u8]) -> Option<Vec<u8>> {
        let latest = self.latest.read().unwrap_or_else(PoisonError::into_inner);
        latest.iter().find_map(|part| part.get(number(family), key)).map(<[u8]>::to_vec)
    }

    /// Writes a batch if this epoch still leads. A lost connection is made again, and the same
    /// batch tried again.
    pub fn commit(&self, database: &Database, batch: Batch) -> Result<(), JournalError> {
        let parts = parts(batch);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let number = state.batch + 1;
        let code = database.patiently("writing", || {
            // Gone unless the attempt succeeds.
            let session = state.session.take().filter(|session| !session.client.is_closed());
            let (session, code) = database.run(LIMIT, async {
                let mut session = match session {
                    Some(session) => session,
                    None => Session::open(database).await?,
                };
                let code = session.write(self.epoch as i64, number, &parts).await?;
                Ok((session, code))
            })?;
            state.session = Some(session);
            Ok(code)
        })?;
        match code {
            0 | 1 => {
                if code == 1 {
                    tracing::info!(batch = number, "a commit whose reply was lost is there");
                }
                state.batch = number;
                *self.latest.write().unwrap_or_else(PoisonError::into_inner) = parts;
                Ok(())
            }
            2 => Err(JournalError::Deposed { path: database.place(), epoch: self.epoch }),
            _ => Err(database.io(format!(
                "batch {number} of start {} does not follow what is there: the database was set \
                 back, or changed by another program",
                self.epoch
            ))),
        }
    }
}

impl Session {
    async fn open(database: &Database) -> Result<Self, Trouble> {
        let (client, name) = (database.connect().await?, &database.address.name);
        let types = "$3::smallint[], $4::bytea[], $5::bytea[], $6::smallint[], $7::bytea[], \
                     $8::smallint[], $9::bytea[], $10::bytea[]";
        let commit = format!("SELECT \"{name}\".commit_batch($1::bigint, $2::bigint, {types})");
        let commit = client.prepare(&commit).await?;
        let types = "$1::smallint[], $2::bytea[], $3::bytea[], $4::smallint[], $5::bytea[], \
                     $6::smallint[], $7::bytea[], $8::bytea[]";
        let apply = client.prepare(&format!("SELECT \"{name}\".apply_batch({types})")).await?;
        Ok(Self { client, commit, apply })
    }

    async fn write(&mut self, epoch: i64, number: i64, parts: &[Part]) -> Result<i32, Trouble> {
        let (first, more) = parts.split_first().expect("a first part");
        let mut params: Vec<&(dyn ToSql + Sync)> = vec![&epoch, &number];
        params.extend(first.params());
        if more.is_empty() {
            return Ok(self.client.query_one(&self.commit, &params).await?.get(0));
        }
        let transaction = self.client.transaction().await?;
        let code: i32 = transaction.query_one(&self.commit, &params).await?.get(0);
        if code == 0 {
            for part in more {
                transaction.query_one(&self.apply, &part.params()).await?;
            }
            transaction.commit().await?;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::keys::{ITEMS, UNITS};

    #[test]
    fn later_changes_of_a_batch_win() {
        let mut batch = Batch::default();
        batch.put(UNITS, [1], [10]);
        batch.put(UNITS, [2], [20]);
        batch.put(ITEMS, [1], [30]);
        batch.delete_range(UNITS, [1], [2]);
        batch.put(UNITS, [2], [21]);
        batch.delete(UNITS, [3]);
        batch.put(UNITS, [1, 1], [11]);
        let parts = parts(batch);
        let [part] = parts.as_slice() else { panic!("one part") };
        let (items, units) = (number(ITEMS), number(UNITS));
        assert_eq!((&*part.range_families, &*part.range_from), (&[units][..], &[vec![1]][..]));
        assert_eq!((&*part.gone_families, &*part.gone), (&[units][..], &[vec![3]][..]));
        assert_eq!(part.families, [items, units, units]);
        assert_eq!(part.keys, [vec![1], vec![1, 1], vec![2]]);
        assert_eq!(part.values, [vec![30], vec![11], vec![21]]);
        assert_eq!((part.get(units, &[2]), part.get(units, &[3])), (Some(&[21][..]), None));
        assert_eq!((part.get(items, &[1]), part.get(items, &[1, 1])), (Some(&[30][..]), None));
    }

    #[test]
    fn a_batch_beyond_the_size_of_a_message_has_several_parts() {
        let mut batch = Batch::default();
        for key in 0..3 {
            batch.put(ITEMS, [key], vec![0; PART / 2 + 1]);
        }
        let parts = parts(batch);
        assert_eq!(parts.iter().map(|part| part.keys.len()).collect::<Vec<_>>(), [1, 1, 1]);
    }
}
