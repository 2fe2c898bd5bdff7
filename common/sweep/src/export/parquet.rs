//! Apache Parquet: the table as a file of typed columns, for data frames. Plain and uncompressed; tables
//! of a sweep are small, and every reader understands this.
//!
//! Layout and numbers are those of the format's Thrift definition (parquet.apache.org): `PAR1`, the pages of
//! each column, a footer in Thrift's compact protocol, its length, `PAR1`. Every column is optional: an empty
//! cell is a null.

#[cfg(test)]
mod tests;
mod thrift;

use crate::table::{Columns, Table};
use thrift::Thrift;

/// Rows that are written together: a page stays far below what readers take.
const GROUP: usize = 1 << 16;
const MAGIC: &[u8] = b"PAR1";
/// Columns that begin so have values of games: exact fractions in some rows, and whole numbers in others. They are
/// always text, so that no sweep changes the type.
const VALUES: [&str; 6] = ["value", "chilled", "mean", "temperature", "left_stop", "right_stop"];

/// What a column holds; the numbers are Parquet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Boolean = 0,
    Int64 = 2,
    Double = 5,
    Text = 6,
}

struct Column {
    name: String,
    of: Type,
    cells: Vec<String>,
}

/// Where a column of a group of rows is.
struct Chunk {
    offset: usize,
    bytes: usize,
    rows: usize,
}

/// The table as a Parquet file.
#[must_use]
pub fn parquet(table: &Table, columns: Columns) -> Vec<u8> {
    let columns = columns_of(table, columns);
    let rows = table.rows().len();
    let mut file = MAGIC.to_vec();
    let mut groups = Vec::new();
    for first in (0..rows).step_by(GROUP) {
        let last = rows.min(first + GROUP);
        let chunks: Vec<Chunk> =
            columns.iter().map(|column| write(&mut file, column, first, last)).collect();
        groups.push(chunks);
    }
    let footer = footer(&columns, &groups, rows);
    file.extend_from_slice(&footer);
    file.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    file.extend_from_slice(MAGIC);
    file
}

fn columns_of(table: &Table, columns: Columns) -> Vec<Column> {
    let empty = |name: String| Column { name, of: Type::Text, cells: Vec::new() };
    let mut all: Vec<Column> = table.head(columns).into_iter().map(empty).collect();
    for row in table.rows() {
        for (column, cell) in all.iter_mut().zip(table.cells(row, columns)) {
            column.cells.push(cell);
        }
    }
    for column in &mut all {
        column.of = type_of(&column.name, &column.cells);
    }
    // Written as words in other exports.
    for column in all.iter_mut().filter(|column| column.of == Type::Boolean) {
        column.cells.iter_mut().for_each(|cell| *cell = (cell == "yes").to_string());
    }
    all
}

fn type_of(name: &str, cells: &[String]) -> Type {
    let whole = |cell: &String| cell.parse::<i64>().is_ok_and(|number| number.to_string() == *cell);
    let mut told = cells.iter().filter(|cell| !cell.is_empty()).peekable();
    match name {
        "reused" => Type::Boolean,
        "seconds" => Type::Double,
        "item" | "attempts" | "nodes" | "store_hits" => Type::Int64,
        _ if VALUES.iter().any(|start| name.starts_with(start)) => Type::Text,
        _ if told.peek().is_none() => Type::Text,
        _ if told.all(whole) => Type::Int64,
        _ => Type::Text,
    }
}

/// One page: which rows have a cell, then the cells.
fn write(file: &mut Vec<u8>, column: &Column, first: usize, last: usize) -> Chunk {
    let cells = &column.cells[first..last];
    let there = levels(cells);
    let mut page = (there.len() as u32).to_le_bytes().to_vec();
    page.extend_from_slice(&there);
    let told = cells.iter().filter(|cell| !cell.is_empty());
    match column.of {
        Type::Int64 => {
            let number = |cell: &String| cell.parse::<i64>().unwrap_or_default().to_le_bytes();
            page.extend(told.flat_map(number));
        }
        Type::Double => {
            let number = |cell: &String| cell.parse::<f64>().unwrap_or_default().to_le_bytes();
            page.extend(told.flat_map(number));
        }
        Type::Boolean => {
            let bits: Vec<bool> = told.map(|cell| cell == "true").collect();
            let byte = |bits: &[bool]| {
                bits.iter().rev().fold(0_u8, |byte, &bit| byte << 1 | u8::from(bit))
            };
            page.extend(bits.chunks(8).map(byte));
        }
        Type::Text => {
            for cell in told {
                page.extend_from_slice(&(cell.len() as u32).to_le_bytes());
                page.extend_from_slice(cell.as_bytes());
            }
        }
    }
    let offset = file.len();
    file.extend_from_slice(&page_header(page.len(), cells.len()));
    file.extend_from_slice(&page);
    Chunk { offset, bytes: file.len() - offset, rows: cells.len() }
}

/// For each row 1 or 0, as runs: twice the length, then the level.
fn levels(cells: &[String]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for run in cells.chunk_by(|a, b| a.is_empty() == b.is_empty()) {
        thrift::varint(&mut bytes, (run.len() as u64) << 1);
        bytes.push(u8::from(!run[0].is_empty()));
    }
    bytes
}

const PLAIN: i32 = 0;
const RLE: i32 = 3;

fn page_header(bytes: usize, rows: usize) -> Vec<u8> {
    let mut header = Thrift::default();
    header.i32(1, 0);
    header.i32(2, bytes as i32);
    header.i32(3, bytes as i32);
    header.begin(5);
    header.i32(1, rows as i32);
    header.i32(2, PLAIN);
    header.i32(3, RLE);
    header.i32(4, RLE);
    header.end();
    header.finish()
}

fn footer(columns: &[Column], groups: &[Vec<Chunk>], rows: usize) -> Vec<u8> {
    let mut meta = Thrift::default();
    meta.i32(1, 1);
    meta.structs(2, columns.len() + 1);
    meta.enter();
    meta.text(4, "schema");
    meta.i32(5, columns.len() as i32);
    meta.end();
    for column in columns {
        meta.enter();
        meta.i32(1, column.of as i32);
        meta.i32(3, 1);
        meta.text(4, &column.name);
        if column.of == Type::Text {
            meta.i32(6, 0);
            meta.begin(10);
            meta.begin(1);
            meta.end();
            meta.end();
        }
        meta.end();
    }
    meta.i64(3, rows as i64);
    meta.structs(4, groups.len());
    for chunks in groups {
        meta.enter();
        meta.structs(1, chunks.len());
        for (column, chunk) in columns.iter().zip(chunks) {
            meta.enter();
            meta.i64(2, chunk.offset as i64);
            meta.begin(3);
            meta.i32(1, column.of as i32);
            meta.i32s(2, &[PLAIN, RLE]);
            meta.texts(3, &[&column.name]);
            meta.i32(4, 0);
            meta.i64(5, chunk.rows as i64);
            meta.i64(6, chunk.bytes as i64);
            meta.i64(7, chunk.bytes as i64);
            meta.i64(9, chunk.offset as i64);
            meta.end();
            meta.end();
        }
        meta.i64(2, chunks.iter().map(|chunk| chunk.bytes as i64).sum());
        meta.i64(3, chunks.first().map_or(0, |chunk| chunk.rows as i64));
        meta.end();
    }
    meta.text(6, concat!("hasami ", env!("CARGO_PKG_VERSION")));
    meta.finish()
}
