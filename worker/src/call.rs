//! Calls with a deadline: a peer that is frozen or unreachable must not block a task forever.

use std::time::Duration;

use hasami_proto::Trouble;
use tonic::{Request, Response, Status};

/// A request that carries its deadline, so that the other side can give up as well.
pub fn timed<T>(message: T, limit: Duration) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(limit);
    request
}

/// The reply or the error, within `limit`.
pub async fn within<T>(
    limit: Duration,
    call: impl Future<Output = Result<Response<T>, Status>>,
) -> Result<T, Trouble> {
    match tokio::time::timeout(limit, call).await {
        Ok(Ok(response)) => Ok(response.into_inner()),
        Ok(Err(status)) => Err(Trouble::from(&status)),
        Err(_) => Err(Trouble::Unreachable(format!("no reply within {limit:?}"))),
    }
}
