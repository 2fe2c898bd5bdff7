//! What the crate's own reader finds is what the other exports say.

use hasami_answer::CATALOG;
use std::collections::BTreeMap;

use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::Field;
use bytes::Bytes;

use super::*;
use crate::table::Row;
use crate::table::tests::{pairs, small};
use hasami_sweep::Sweep;
use hasami_sweep::{Answer, Measures, Verdict};

fn open(table: &Table, columns: Columns) -> SerializedFileReader<Bytes> {
    SerializedFileReader::new(Bytes::from(parquet(table, columns).unwrap())).unwrap()
}

/// Cells by row, as the other exports write them.
fn read(file: &SerializedFileReader<Bytes>) -> Vec<Vec<(String, Option<String>)>> {
    let cell = |field: &Field| match field {
        Field::Null => None,
        Field::Bool(true) => Some("yes".to_string()),
        Field::Bool(false) => Some("no".to_string()),
        Field::Long(number) => Some(number.to_string()),
        Field::Double(number) => Some(format!("{number:.3}")),
        Field::Str(text) => Some(text.clone()),
        other => panic!("{other:?}"),
    };
    let rows = file.get_row_iter(None).unwrap().map(Result::unwrap);
    rows.map(|row| row.get_column_iter().map(|(name, field)| (name.clone(), cell(field))).collect())
        .collect()
}

fn says_what_the_table_says(table: &Table, columns: Columns) {
    let found = read(&open(table, columns));
    assert_eq!(found.len(), table.rows().len());
    let head = table.head(columns);
    for (row, found) in table.rows().iter().zip(found) {
        let cells = table.cells(row, columns);
        let expected: Vec<(String, Option<String>)> = head
            .iter()
            .cloned()
            .zip(cells.into_iter().map(|cell| (!cell.is_empty()).then_some(cell)))
            .collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn every_cell_comes_back() {
    for columns in [Columns::Results, Columns::All] {
        says_what_the_table_says(&small(), columns);
        says_what_the_table_says(&pairs(), columns);
    }
}

#[test]
fn columns_have_types_that_do_not_depend_on_luck() {
    let file = open(&small(), Columns::All);
    let schema = file.metadata().file_metadata().schema_descr();
    let found: BTreeMap<&str, Physical> =
        schema.columns().iter().map(|column| (column.name(), column.physical_type())).collect();
    for (name, of) in [
        ("item", Physical::INT64),
        ("rows", Physical::INT64),
        ("verdict", Physical::BYTE_ARRAY),
        ("length", Physical::INT64),
        ("note", Physical::BYTE_ARRAY),
        ("nodes", Physical::INT64),
        ("seconds", Physical::DOUBLE),
        ("reused", Physical::BOOLEAN),
        ("failure", Physical::BYTE_ARRAY),
    ] {
        assert_eq!(found[name], of, "{name}");
    }
    assert_eq!(type_of("mean", &["1".to_string()]), Type::Text);
    assert_eq!(type_of("code", &["07".to_string()]), Type::Text);
    assert_eq!(type_of("code", &["-7".to_string(), String::new()]), Type::Int64);
    assert_eq!(type_of("code", &["9223372036854775808".to_string()]), Type::Text);
    assert_eq!(type_of("nodes", &["9223372036854775808".to_string()]), Type::Text);
    assert_eq!(type_of("nodes", &[]), Type::Int64);
}

/// More rows than one group has, with nulls in between and letters of several bytes.
fn many() -> Table {
    let text = "name='many'\nproblem='synthetic'\n[parameters]\ndepth=3\nseed='0..70000'";
    let sweep = Sweep::parse(CATALOG, text, "many").unwrap();
    let rows = (0..sweep.len()).map(|item| Row {
        item,
        question: sweep.item(item),
        state: "settled".to_string(),
        answer: (item % 7 != 3).then(|| Answer {
            verdict: Verdict::Proven,
            claim: format!("ü{item}"),
            fields: vec![("big".to_string(), (i64::MAX - item as i64).to_string())],
            certificates: Vec::new(),
            measures: Measures { seconds: item as f64 / 8.0, ..Measures::default() },
            check: None,
        }),
        failure: String::new(),
        attempts: 1,
        reused: item % 3 == 0,
    });
    Table::new(&sweep, rows.collect::<Vec<_>>())
}

#[test]
fn large_tables_are_written_in_groups_compressed_with_statistics() {
    let table = many();
    says_what_the_table_says(&table, Columns::All);
    let file = open(&table, Columns::All);
    let groups = file.metadata().row_groups();
    let rows: Vec<i64> = groups.iter().map(|group| group.num_rows()).collect();
    assert_eq!(rows, [1 << 16, 70_000 - (1 << 16)]);
    let item = &groups[1].columns()[0];
    assert!(matches!(item.compression(), Compression::ZSTD(_)));
    assert!(item.compressed_size() < item.uncompressed_size());
    let statistics = item.statistics().unwrap();
    assert_eq!(statistics.min_bytes_opt().unwrap(), 65_536i64.to_le_bytes());
    assert_eq!(statistics.max_bytes_opt().unwrap(), 69_999i64.to_le_bytes());
    let claims = groups[0].columns().iter().find(|one| one.column_descr().name() == "claim");
    // Of 65,536 rows those that leave 3 when divided by 7: 3, 10, ..., 65,530.
    assert_eq!(claims.unwrap().statistics().unwrap().null_count_opt(), Some(9_362));
}

#[test]
fn an_empty_table_is_a_file_too() {
    let text = "name='none'\nproblem='chomp'\n[parameters]\nrows=1\ncolumns=1";
    let table = Table::new(&Sweep::parse(CATALOG, text, "none").unwrap(), Vec::new());
    assert_eq!(read(&open(&table, Columns::Results)), Vec::<Vec<_>>::new());
}
