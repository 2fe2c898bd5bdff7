//! A reader of its own, from the definition of the format: what it finds is what the other exports say.

use hasami_answer::CATALOG;
use std::collections::BTreeMap;

use super::*;
use crate::answer::{Answer, Measures, Verdict};
use crate::sweep::Sweep;
use crate::table::Row;
use crate::table::tests::{pairs, small};

/// Any value of Thrift's compact protocol.
#[derive(Clone, Debug, PartialEq)]
enum Any {
    Number(i64),
    Binary(Vec<u8>),
    List(Vec<Any>),
    Struct(BTreeMap<u8, Any>),
}

impl Any {
    fn at(&self, field: u8) -> &Any {
        let Any::Struct(fields) = self else { panic!("{self:?}") };
        fields.get(&field).unwrap_or_else(|| panic!("no field {field} in {self:?}"))
    }
    fn number(&self, field: u8) -> i64 {
        let Any::Number(number) = self.at(field) else { panic!("{self:?}") };
        *number
    }
    fn text(&self, field: u8) -> String {
        let Any::Binary(bytes) = self.at(field) else { panic!("{self:?}") };
        String::from_utf8(bytes.clone()).unwrap()
    }
    fn list(&self, field: u8) -> &[Any] {
        let Any::List(list) = self.at(field) else { panic!("{self:?}") };
        list
    }
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let (&byte, rest) = self.0.split_first().expect("a byte");
        self.0 = rest;
        byte
    }
    fn take(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken.to_vec()
    }
    fn word(&mut self) -> usize {
        u32::from_le_bytes(self.take(4).try_into().unwrap()) as usize
    }
    fn varint(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }
    fn any(&mut self, of: u8) -> Any {
        match of {
            5 | 6 => {
                let raw = self.varint();
                Any::Number((raw >> 1) as i64 ^ -((raw & 1) as i64))
            }
            8 => {
                let length = self.varint() as usize;
                Any::Binary(self.take(length))
            }
            9 => {
                let head = self.byte();
                let count = if head >> 4 == 15 { self.varint() } else { u64::from(head >> 4) };
                Any::List((0..count).map(|_| self.any(head & 15)).collect())
            }
            12 => {
                let (mut fields, mut last) = (BTreeMap::new(), 0);
                loop {
                    match self.byte() {
                        0 => return Any::Struct(fields),
                        head => {
                            assert!(head >> 4 > 0, "a long field");
                            last += head >> 4;
                            let value = self.any(head & 15);
                            assert_eq!(fields.insert(last, value), None);
                        }
                    }
                }
            }
            other => panic!("type {other}"),
        }
    }
}

type Cells = Vec<Option<String>>;

/// Names, types and cells of all columns.
fn read(file: &[u8]) -> Vec<(String, i64, Cells)> {
    assert_eq!((&file[..4], &file[file.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    let end = file.len() - 8;
    let length = Bytes(&file[end..]).word();
    let mut footer = Bytes(&file[end - length..end]);
    let meta = footer.any(12);
    assert!(footer.0.is_empty());
    let (root, leaves) = meta.list(2).split_first().unwrap();
    assert_eq!(root.number(5) as usize, leaves.len());
    let mut columns: Vec<(String, i64, Cells)> =
        leaves.iter().map(|leaf| (leaf.text(4), leaf.number(1), Vec::new())).collect();
    let mut rows = 0;
    for group in meta.list(4) {
        rows += group.number(3);
        assert_eq!(group.list(1).len(), columns.len());
        let mut total = 0;
        for (column, chunk) in columns.iter_mut().zip(group.list(1)) {
            let about = chunk.at(3);
            assert_eq!((about.number(1), about.number(4)), (column.1, 0));
            assert_eq!(about.list(3), [Any::Binary(column.0.clone().into_bytes())]);
            let (start, length) = (about.number(9) as usize, about.number(7) as usize);
            total += length as i64;
            let mut page = Bytes(&file[start..start + length]);
            let header = page.any(12);
            assert_eq!(header.number(2) as usize, page.0.len());
            let count = header.at(5).number(1) as usize;
            assert_eq!(count as i64, about.number(5));
            let length = page.word();
            let levels = page.take(length);
            let mut levels = Bytes(&levels);
            let mut there = Vec::new();
            while !levels.0.is_empty() {
                let run = levels.varint();
                assert_eq!(run & 1, 0, "a run");
                let level = levels.byte();
                there.extend(std::iter::repeat_n(level == 1, (run >> 1) as usize));
            }
            assert_eq!(there.len(), count);
            let told = there.iter().filter(|there| **there).count();
            let bits = if column.1 == 0 { page.take(told.div_ceil(8)) } else { Vec::new() };
            let mut at = 0;
            for there in there {
                column.2.push(there.then(|| match column.1 {
                    0 => {
                        at += 1;
                        (bits[(at - 1) / 8] >> ((at - 1) % 8) & 1 == 1).to_string()
                    }
                    2 => i64::from_le_bytes(page.take(8).try_into().unwrap()).to_string(),
                    5 => format!("{:.3}", f64::from_le_bytes(page.take(8).try_into().unwrap())),
                    6 => {
                        let length = page.word();
                        String::from_utf8(page.take(length)).unwrap()
                    }
                    other => panic!("type {other}"),
                }));
            }
            assert!(page.0.is_empty());
        }
        assert_eq!(total, group.number(2));
    }
    assert_eq!(rows, meta.number(3));
    columns
}

fn says_what_the_table_says(table: &Table, columns: Columns) {
    let read = read(&parquet(table, columns));
    let names: Vec<&String> = read.iter().map(|(name, ..)| name).collect();
    assert!(names.into_iter().eq(&table.head(columns)));
    for (at, row) in table.rows().iter().enumerate() {
        for ((name, _, cells), expected) in read.iter().zip(table.cells(row, columns)) {
            let found = cells[at].clone().unwrap_or_default();
            let expected = match (name.as_str(), expected.as_str()) {
                ("reused", "yes") => "true".to_string(),
                ("reused", _) => "false".to_string(),
                _ => expected,
            };
            assert_eq!(found, expected, "{name}, row {at}");
            assert_eq!(cells[at].is_none(), expected.is_empty());
        }
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
    let types = |table: &Table| -> BTreeMap<String, i64> {
        read(&parquet(table, Columns::All)).into_iter().map(|(name, of, _)| (name, of)).collect()
    };
    let found = types(&small());
    for (name, of) in [
        ("item", 2),
        ("rows", 2),
        ("verdict", 6),
        ("length", 2),
        ("note", 6),
        ("nodes", 2),
        ("seconds", 5),
        ("reused", 0),
        ("failure", 6),
    ] {
        assert_eq!(found[name], of, "{name}");
    }
    assert_eq!(type_of("mean", &["1".to_string()]), Type::Text);
    assert_eq!(type_of("code", &["07".to_string()]), Type::Text);
    assert_eq!(type_of("code", &["-7".to_string(), String::new()]), Type::Int64);
    assert_eq!(type_of("code", &["9223372036854775808".to_string()]), Type::Text);
}

/// More rows than one group has, with nulls in between and letters of several bytes.
#[test]
fn large_tables_are_written_in_groups() {
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
        }),
        failure: String::new(),
        attempts: 1,
        reused: item % 3 == 0,
    });
    let table = Table::new(&sweep, rows.collect::<Vec<_>>());
    says_what_the_table_says(&table, Columns::All);
}

#[test]
fn an_empty_table_is_a_file_too() {
    let text = "name='none'\nproblem='chomp'\n[parameters]\nrows=1\ncolumns=1";
    let table = Table::new(&Sweep::parse(CATALOG, text, "none").unwrap(), Vec::new());
    assert!(read(&parquet(&table, Columns::Results)).iter().all(|(_, _, cells)| cells.is_empty()));
}
