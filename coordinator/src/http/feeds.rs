//! Streams of changes. Everybody who looks at the same page shares one feed: its parts are rendered
//! once a second, and only while somebody listens. A slow reader gets the latest state when it reads
//! again; nothing is kept for it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::json;
use tokio::sync::watch;
use tokio_stream::Stream;
use tokio_stream::wrappers::WatchStream;

use super::Web;
use super::calls::{Trouble, refusal};

/// Between two looks.
const EVERY: Duration = Duration::from_secs(1);
/// A line for whoever is silent, so that it is seen whether they are still there.
const ALIVE: Duration = Duration::from_secs(15);
/// Streams at a time.
const MOST: u64 = 1536;
/// Log lines on the page.
pub(super) const LINES: usize = 300;

/// What is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    Runs,
    Workers,
    Log,
    Run(u64),
}

/// The latest state of a feed.
#[derive(Clone, Debug, PartialEq)]
enum News {
    /// Nothing was rendered yet.
    None,
    /// Parts of the page by their ids, as JSON.
    Parts(Arc<str>),
    /// The page does not change any more: it should be loaded once again.
    End,
}

/// All feeds that somebody listens to.
#[derive(Default)]
pub(super) struct Feeds(Mutex<HashMap<Topic, watch::Sender<News>>>);

/// Follows a topic.
pub(super) fn follow(web: &Arc<Web>, topic: Topic) -> Response {
    if web.traffic.streams.fetch_add(1, Relaxed) >= MOST {
        web.traffic.streams.fetch_sub(1, Relaxed);
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "too many pages are open");
    }
    let counted = Counted(Arc::clone(web));
    let news = {
        let mut feeds = web.feeds.0.lock().unwrap_or_else(PoisonError::into_inner);
        // What is in the list has a task, also if nobody listens at this moment.
        match feeds.get(&topic) {
            Some(feed) => feed.subscribe(),
            None => {
                let (send, receive) = watch::channel(News::None);
                feeds.insert(topic, send);
                tokio::spawn(feed(Arc::clone(web), topic));
                receive
            }
        }
    };
    let events = Events { news: WatchStream::new(news), _counted: counted };
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

/// A stream counts as open until it is dropped.
struct Counted(Arc<Web>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.traffic.streams.fetch_sub(1, Relaxed);
    }
}

struct Events {
    news: WatchStream<News>,
    _counted: Counted,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let news = match Pin::new(&mut self.news).poll_next(context) {
                Poll::Ready(news) => news,
                Poll::Pending => return Poll::Pending,
            };
            return Poll::Ready(match news {
                None => None,
                Some(News::None) => continue,
                Some(News::Parts(parts)) => Some(Ok(Event::default().data(&*parts))),
                Some(News::End) => Some(Ok(Event::default().event("end").data("end"))),
            });
        }
    }
}

/// Renders a topic until nobody listens.
async fn feed(web: Arc<Web>, topic: Topic) {
    loop {
        let news = match render(&web, topic).await {
            Ok(news) => news,
            Err(trouble) => {
                tracing::debug!(?topic, ?trouble, "a page cannot be followed");
                News::End
            }
        };
        {
            let mut feeds = web.feeds.0.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(feed) = feeds.get(&topic).filter(|feed| feed.receiver_count() > 0) else {
                feeds.remove(&topic);
                return;
            };
            // Sent every time: whoever reads sees that it is alive. Browsers change what differs.
            feed.send_replace(news.clone());
            if news == News::End {
                feeds.remove(&topic);
                return;
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}

async fn render(web: &Web, topic: Topic) -> Result<News, Trouble> {
    let parts = match topic {
        Topic::Runs => {
            let snapshot = web.snapshot().await?;
            json!({ "runs": hasami_page::runs_table(&snapshot.runs, 0).into_string() })
        }
        Topic::Workers => {
            let snapshot = web.snapshot().await?;
            json!({ "workers": hasami_page::worker_table(&snapshot.workers).into_string() })
        }
        Topic::Log => {
            let (lines, _) = web.lines.latest("", "", LINES);
            json!({ "lines": hasami_page::log_lines(&lines).into_string() })
        }
        Topic::Run(run) => {
            let snapshot = web.snapshot().await?;
            let Some(info) = snapshot.runs.iter().find(|known| known.run == run) else {
                // The snapshot may be older than the run.
                let newer = web.known(run).await?.is_some();
                return Ok(if newer { News::None } else { News::End });
            };
            if info.finished_ms > 0 {
                return Ok(News::End);
            }
            let searches = snapshot.searches.get(&run).map_or(&[][..], Vec::as_slice);
            let mut parts =
                json!({ "progress": hasami_page::progress(info, searches).into_string() });
            if let Some(known) = web.known(run).await?
                && let Some(table) = web.matrix(&known).await?
            {
                parts["grid"] = hasami_page::matrices(run, &table).into_string().into();
            }
            parts
        }
    };
    Ok(News::Parts(parts.to_string().into()))
}
