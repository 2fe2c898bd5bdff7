use hasami_andor::{Key, ProblemId};
use hasami_proto::pack::unpack;
use proptest::prelude::*;

use super::*;

const ALL: usize = usize::MAX;

fn published(origin: u64, keys: impl IntoIterator<Item = u128>) -> Published {
    let mut packer = Packer::new();
    for key in keys {
        packer.push(Key(key), &[7; 3]).unwrap();
    }
    let packed = packer.take().packed;
    Published { problem: ProblemId(1), origin: Origin(origin), count: 0, packed }
}

fn keys(news: &News) -> Vec<u128> {
    unpack(&news.records).unwrap().iter().map(|(key, _)| key.0).collect()
}

#[test]
fn others_hear_it_once_and_the_author_never() {
    let mut feed = Feed::new();
    feed.push(100, &published(1, [10, 11]), ALL);
    feed.push(102, &published(2, [20]), ALL);
    let one = feed.since(0, Origin(1), ALL, ALL, 103);
    assert_eq!((keys(&one), one.sequence, one.more), (vec![20], 103, false));
    let two = feed.since(0, Origin(2), ALL, ALL, 103);
    assert_eq!((keys(&two), two.sequence, two.more), (vec![10, 11], 103, false));
    let again = feed.since(103, Origin(3), ALL, ALL, 103);
    assert_eq!((keys(&again), again.sequence, again.more), (vec![], 103, false));
}

#[test]
fn a_limit_cuts_within_a_batch_and_the_rest_follows() {
    let mut feed = Feed::new();
    feed.push(0, &published(1, 0..5000), ALL);
    feed.push(5000, &published(2, 5000..5010), ALL);
    let mut heard = Vec::new();
    let (mut after, mut replies) = (0, 0);
    loop {
        let news = feed.since(after, Origin(3), 700, ALL, 5010);
        heard.extend(keys(&news));
        (after, replies) = (news.sequence, replies + 1);
        if !news.more {
            break;
        }
        assert_eq!(news.records.count, 700);
    }
    assert_eq!(heard, (0..5010).collect::<Vec<_>>());
    assert_eq!((after, replies), (5010, 8));
}

#[test]
fn what_overflows_is_forgotten_from_the_old_end() {
    let mut feed = Feed::new();
    for round in 0..100u64 {
        let first = u128::from(round) * 1000;
        feed.push(round * 1000, &published(1, first..first + 1000), 10_000);
    }
    let news = feed.since(0, Origin(2), ALL, ALL, 100_000);
    let heard = keys(&news);
    assert_eq!(heard, (90_000..100_000).collect::<Vec<_>>());
    // A batch larger than the ring leaves its newest part.
    feed.push(100_000, &published(1, 0..30_000), 10_000);
    let heard = keys(&feed.since(0, Origin(2), ALL, ALL, 130_000));
    assert!(heard.len() <= 10_000 && heard.len() > 10_000 - PIECE, "{}", heard.len());
    assert_eq!(heard.last(), Some(&29_999));
    while feed.drop_oldest() {}
    assert_eq!((feed.bytes(), feed.records), (0, 0));
}

#[test]
fn a_reply_keeps_within_its_bytes() {
    let mut feed = Feed::new();
    feed.push(0, &published(1, 0..100), ALL);
    let news = feed.since(0, Origin(2), ALL, 21 * 10 + 5, 100);
    assert_eq!((news.records.count, news.sequence, news.more), (10, 10, true));
}

proptest! {
    /// Against a plain list of (number, origin, key).
    #[test]
    fn a_reader_hears_what_a_list_would_tell(
        batches in prop::collection::vec((1u64..4, 1usize..2500), 1..12),
        limits in prop::collection::vec(1usize..3000, 1..40),
    ) {
        let (mut feed, mut list, mut head) = (Feed::new(), Vec::new(), 0u64);
        let (mut after, mut heard) = (0, Vec::new());
        let mut limits = limits.into_iter().cycle();
        for (origin, count) in batches {
            let first = u128::from(head);
            feed.push(head, &published(origin, first..first + count as u128), ALL);
            list.extend((first..first + count as u128).filter(|_| origin != 1));
            head += count as u64;
            let limit = limits.next().unwrap();
            let news = feed.since(after, Origin(1), limit, ALL, head);
            prop_assert!(news.records.count as usize <= limit);
            heard.extend(keys(&news));
            after = news.sequence;
            prop_assert_eq!(news.more, heard.len() < list.len());
            prop_assert_eq!(&heard[..], &list[..heard.len()]);
        }
    }
}
