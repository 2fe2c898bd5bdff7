//! The log of one lease.

/// An event of the log about one lease, with its numbers as fields.
macro_rules! lease_event {
    ($level:ident, $lease:expr, $($rest:tt)+) => {{
        let hasami_unit::Lease { run, item, unit, attempt } = $lease;
        let (run, item, unit, attempt) = (run.0, item.0, unit.0, attempt.0);
        tracing::$level!(run, item, unit, attempt, $($rest)+)
    }};
}
pub(crate) use lease_event;
