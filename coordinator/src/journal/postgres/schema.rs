//! The tables of a journal, in a schema of its own, and the one function that writes them.

/// The format, with its version; another is refused.
pub const FORMAT: &str = "hasami-postgres 1";

/// Everything that a journal needs. `leader` has one row: who may write (`epoch`), how often it has
/// written (`batch`), and when it was last seen, by the clock of the database.
pub fn create(schema: &str) -> String {
    format!(
        r#"
CREATE SCHEMA IF NOT EXISTS "{schema}";
CREATE TABLE IF NOT EXISTS "{schema}".leader (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    format text NOT NULL,
    epoch bigint NOT NULL,
    batch bigint NOT NULL,
    holder text NOT NULL,
    seen timestamptz NOT NULL
) WITH (fillfactor = 10);
CREATE TABLE IF NOT EXISTS "{schema}".entries (
    family smallint NOT NULL,
    key bytea NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (family, key)
);
INSERT INTO "{schema}".leader (format, epoch, batch, holder, seen)
    VALUES ('{FORMAT}', 0, 0, '', clock_timestamp()) ON CONFLICT DO NOTHING;
"#
    )
}

/// The functions. `commit_batch` writes only if the caller still leads: the row of `leader` is
/// changed first, which also makes writers wait for each other. It returns 0 if it has written, 1 if
/// this batch is there already (the reply to an earlier attempt was lost), 2 if another leads, 3 if
/// the table is not what this leader has left.
pub fn functions(schema: &str) -> String {
    format!(
        r#"
CREATE OR REPLACE FUNCTION "{schema}".apply_batch(
    range_families smallint[], range_from bytea[], range_to bytea[],
    gone_families smallint[], gone bytea[],
    new_families smallint[], new_keys bytea[], new_values bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(range_families) > 0 THEN
        DELETE FROM "{schema}".entries e
            USING unnest(range_families, range_from, range_to) AS r(family, lo, hi)
            WHERE e.family = r.family AND e.key >= r.lo AND e.key < r.hi;
    END IF;
    IF cardinality(gone_families) > 0 THEN
        DELETE FROM "{schema}".entries e
            USING unnest(gone_families, gone) AS g(family, key)
            WHERE e.family = g.family AND e.key = g.key;
    END IF;
    IF cardinality(new_families) > 0 THEN
        INSERT INTO "{schema}".entries AS e (family, key, value)
            SELECT * FROM unnest(new_families, new_keys, new_values)
            ON CONFLICT (family, key) DO UPDATE SET value = excluded.value;
    END IF;
END $$;
CREATE OR REPLACE FUNCTION "{schema}".commit_batch(
    mine bigint, number bigint,
    range_families smallint[], range_from bytea[], range_to bytea[],
    gone_families smallint[], gone bytea[],
    new_families smallint[], new_keys bytea[], new_values bytea[]
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    found_epoch bigint;
    found_batch bigint;
BEGIN
    UPDATE "{schema}".leader SET batch = number WHERE epoch = mine AND batch = number - 1;
    IF NOT FOUND THEN
        SELECT epoch, batch INTO found_epoch, found_batch FROM "{schema}".leader;
        IF found_epoch = mine AND found_batch = number THEN RETURN 1; END IF;
        IF found_epoch = mine THEN RETURN 3; END IF;
        RETURN 2;
    END IF;
    PERFORM "{schema}".apply_batch(range_families, range_from, range_to, gone_families, gone,
        new_families, new_keys, new_values);
    RETURN 0;
END $$;
"#
    )
}
