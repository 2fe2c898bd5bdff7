//! The feeds of all problems, within one memory limit. Sequence numbers are shared by all problems
//! and start higher after every restart: a number from before a restart, or from before a feed was
//! dropped, is older than every record held.

use std::collections::HashMap;
use std::time::Duration;

use hasami_andor::ProblemId;

use super::batch::{Origin, Published};
use super::feed::{Feed, News};
use super::pace::Pace;

/// How many records are held for other workers.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Records of one problem.
    pub records: usize,
    /// Bytes of all problems together.
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { records: 1 << 18, bytes: 256 << 20 }
    }
}

struct Topic {
    feed: Feed,
    pace: Pace,
    /// When a worker last published or asked.
    used: u64,
    readers: Readers,
}

/// A worker that has not asked for this long does not count as a reader.
const AWAY: Duration = Duration::from_secs(5);

/// The workers that ask about a problem.
#[derive(Default)]
struct Readers {
    /// When each worker last asked.
    asked: HashMap<Origin, Duration>,
    /// When absent workers were last removed.
    counted: Duration,
}

impl Readers {
    /// Registers a worker's request; returns the number of readers.
    fn count(&mut self, reader: Origin, now: Duration) -> usize {
        self.asked.insert(reader, now);
        if now.saturating_sub(self.counted) >= AWAY {
            self.counted = now;
            self.asked.retain(|_, asked| now.saturating_sub(*asked) < AWAY);
        }
        self.asked.len()
    }
}

/// All feeds.
pub(super) struct Feeds {
    topics: HashMap<ProblemId, Topic>,
    bounds: Bounds,
    bytes: usize,
    head: u64,
    uses: u64,
}

impl Feeds {
    /// No feeds; numbers start after `head`, which must be larger than any number assigned before.
    pub fn new(bounds: Bounds, head: u64) -> Self {
        Self { topics: HashMap::new(), bounds, bytes: 0, head, uses: 0 }
    }

    /// Adds records for other workers to fetch.
    pub fn push(&mut self, published: &Published, now: Duration) {
        let (before, limit) = (self.head, self.bounds.records);
        self.head += published.count as u64;
        let topic = self.topic(published.problem, now);
        let had = topic.feed.bytes();
        topic.feed.push(before, published, limit);
        topic.pace.published(published.count, now);
        let has = topic.feed.bytes();
        self.bytes = self.bytes - had + has;
        self.shrink(published.problem);
    }

    /// News for `reader`, the work a record must now have cost, and the number of other readers.
    pub fn since(
        &mut self,
        problem: ProblemId,
        after: u64,
        reader: Origin,
        limit: usize,
        bytes: usize,
        now: Duration,
    ) -> (News, u32, usize) {
        let head = self.head;
        // A number not yet assigned comes from an unknown earlier run of the coordinator.
        let after_known = if after > head { 0 } else { after };
        let topic = self.topic(problem, now);
        let readers = topic.readers.count(reader, now);
        let (min_work, others) = (topic.pace.min_work(readers, now), readers - 1);
        if limit == 0 {
            return (News { sequence: after, ..News::default() }, min_work, others);
        }
        (topic.feed.since(after_known, reader, limit, bytes, head), min_work, others)
    }

    /// Drops the feed of a problem.
    pub fn forget(&mut self, problem: ProblemId) {
        if let Some(topic) = self.topics.remove(&problem) {
            self.bytes -= topic.feed.bytes();
        }
    }

    fn topic(&mut self, problem: ProblemId, now: Duration) -> &mut Topic {
        self.uses += 1;
        if self.topics.len() >= MOST_TOPICS && !self.topics.contains_key(&problem) {
            self.forget_least_used(problem);
        }
        let topic = self.topics.entry(problem).or_insert_with(|| Topic {
            feed: Feed::new(),
            pace: Pace::new(now),
            used: 0,
            readers: Readers::default(),
        });
        topic.used = self.uses;
        topic
    }

    /// Returns to the memory limit: drops the feeds of other problems first, then the oldest pieces
    /// of `present`.
    fn shrink(&mut self, present: ProblemId) {
        while self.bytes > self.bounds.bytes {
            if self.forget_least_used(present) {
                continue;
            }
            let Some(topic) = self.topics.get_mut(&present) else { return };
            let had = topic.feed.bytes();
            if !topic.feed.drop_oldest() {
                return;
            }
            self.bytes = self.bytes - had + topic.feed.bytes();
        }
    }

    /// Drops the least recently used problem other than `present`.
    fn forget_least_used(&mut self, present: ProblemId) -> bool {
        let others = self.topics.iter().filter(|&(&problem, _)| problem != present);
        let Some(&problem) = others.min_by_key(|(_, topic)| topic.used).map(|(id, _)| id) else {
            return false;
        };
        self.forget(problem);
        true
    }
}

/// A sweep may ask about any number of problems, and an empty feed takes memory too.
const MOST_TOPICS: usize = 4096;

#[cfg(test)]
mod tests {
    use hasami_andor::{Key, Numbers};
    use hasami_proto::pack::Packer;
    use hasami_store::Record;

    use super::*;

    const NOW: Duration = Duration::ZERO;
    const ALL: usize = usize::MAX;

    fn published(problem: u128, count: u128) -> Published {
        let mut packer = Packer::new();
        let record = Record::new(Numbers::PROVEN, 1, 0);
        let mut bytes = Vec::new();
        record.encode(&mut bytes).unwrap();
        (0..count).for_each(|key| packer.push(Key(key), &bytes).unwrap());
        let packed = packer.take().packed;
        Published { problem: ProblemId(problem), origin: Origin(1), count: count as usize, packed }
    }

    fn heard(feeds: &mut Feeds, problem: u128, after: u64) -> (u32, u64) {
        let (news, ..) = feeds.since(ProblemId(problem), after, Origin(2), ALL, ALL, NOW);
        (news.records.count, news.sequence)
    }

    #[test]
    fn problems_do_not_hear_of_each_other() {
        let mut feeds = Feeds::new(Bounds::default(), 1000);
        feeds.push(&published(1, 5), NOW);
        feeds.push(&published(2, 7), NOW);
        assert_eq!(heard(&mut feeds, 1, 0), (5, 1012));
        assert_eq!(heard(&mut feeds, 2, 0), (7, 1012));
        assert_eq!(heard(&mut feeds, 3, 0), (0, 1012));
        assert_eq!(heard(&mut feeds, 1, 1012), (0, 1012));
    }

    #[test]
    fn workers_that_ask_no_more_do_not_count() {
        let mut readers = Readers::default();
        let seconds = Duration::from_secs;
        let counts = [(1, 0), (2, 0), (2, 1), (3, 6), (3, 7), (3, 12)];
        let counts = counts.map(|(reader, now)| readers.count(Origin(reader), seconds(now)));
        assert_eq!(counts, [1, 2, 2, 1, 1, 1]);
    }

    #[test]
    fn numbers_of_another_life_hear_everything() {
        let mut feeds = Feeds::new(Bounds::default(), 1000);
        feeds.push(&published(1, 5), NOW);
        assert_eq!(heard(&mut feeds, 1, 900), (5, 1005), "of an earlier one");
        assert_eq!(heard(&mut feeds, 1, 9_999_999), (5, 1005), "of a later one");
    }

    #[test]
    fn memory_is_bounded_and_the_idle_problem_goes_first() {
        let bounds = Bounds { records: 1 << 18, bytes: 100_000 };
        let mut feeds = Feeds::new(bounds, 0);
        feeds.push(&published(1, 1000), NOW);
        feeds.push(&published(2, 1000), NOW);
        heard(&mut feeds, 1, 0);
        for _ in 0..3 {
            feeds.push(&published(3, 1000), NOW);
        }
        assert!(feeds.bytes <= bounds.bytes);
        assert_eq!(heard(&mut feeds, 2, 0).0, 0, "the idle one is gone");
        assert_eq!(heard(&mut feeds, 1, 0).0, 1000);
        for _ in 0..100 {
            feeds.push(&published(3, 1000), NOW);
        }
        assert!(feeds.bytes <= bounds.bytes);
        assert_eq!(feeds.bytes, feeds.topics.values().map(|t| t.feed.bytes()).sum::<usize>());
        assert!(heard(&mut feeds, 3, 0).0 >= 2000, "one problem may use all of it");
    }

    #[test]
    fn asking_about_many_problems_is_bounded_too() {
        let mut feeds = Feeds::new(Bounds::default(), 0);
        for problem in 0..2 * MOST_TOPICS as u128 {
            heard(&mut feeds, problem, 0);
        }
        assert_eq!(feeds.topics.len(), MOST_TOPICS);
    }
}
