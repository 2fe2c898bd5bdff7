//! Apache Parquet: the table as a file of typed columns, for data frames. Pages are compressed with zstd and
//! have statistics. Every column is optional: an empty cell is a null.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::{Type as Schema, TypePtr};

use super::ExportError;
use crate::table::{Columns, Table};

/// Rows per row group.
const GROUP: usize = 1 << 16;
/// Columns with these prefixes hold values of games: exact fractions in some rows and whole numbers
/// in others. They are always text, so the type does not depend on the sweep.
const VALUES: [&str; 6] = ["value", "chilled", "mean", "temperature", "left_stop", "right_stop"];

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Boolean,
    Int64,
    Double,
    Text,
}

struct Column {
    name: String,
    of: Type,
    cells: Vec<String>,
}

/// The table as a Parquet file.
///
/// # Errors
/// If a column is larger than the format allows.
pub fn parquet(table: &Table, columns: Columns) -> Result<Vec<u8>, ExportError> {
    let columns = columns_of(table, columns);
    write(&columns, table.rows().len()).map_err(|error| ExportError::Parquet(error.to_string()))
}

fn write(columns: &[Column], rows: usize) -> Result<Vec<u8>, ParquetError> {
    let fields: Vec<TypePtr> = columns.iter().map(field).collect::<Result<_, _>>()?;
    let schema = Schema::group_type_builder("schema").with_fields(fields).build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("hasami ", env!("CARGO_PKG_VERSION")).to_string())
        .build();
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, Arc::new(schema), Arc::new(properties))?;
    for first in (0..rows).step_by(GROUP) {
        let last = rows.min(first + GROUP);
        let mut group = writer.next_row_group()?;
        for column in columns {
            let mut chunk = group.next_column()?.expect("a chunk for each column of the schema");
            put(&mut chunk, column.of, &column.cells[first..last])?;
            chunk.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(file)
}

fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match column.of {
        Type::Boolean => (Physical::BOOLEAN, None),
        Type::Int64 => (Physical::INT64, None),
        Type::Double => (Physical::DOUBLE, None),
        Type::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let field = Schema::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical);
    field.build().map(Arc::new)
}

fn put(
    chunk: &mut SerializedColumnWriter<'_>,
    of: Type,
    cells: &[String],
) -> Result<(), ParquetError> {
    match of {
        Type::Boolean => typed::<BoolType>(chunk, cells, |cell| cell == "true"),
        Type::Int64 => typed::<Int64Type>(chunk, cells, |cell| {
            cell.parse().expect("a whole number in a column of whole numbers")
        }),
        Type::Double => typed::<DoubleType>(chunk, cells, |cell| {
            cell.parse().expect("a number in a column of numbers")
        }),
        Type::Text => typed::<ByteArrayType>(chunk, cells, |cell| ByteArray::from(cell)),
    }
}

fn typed<T: DataType>(
    chunk: &mut SerializedColumnWriter<'_>,
    cells: &[String],
    value: impl Fn(&str) -> T::T,
) -> Result<(), ParquetError> {
    let values: Vec<T::T> =
        cells.iter().filter(|cell| !cell.is_empty()).map(|cell| value(cell)).collect();
    let present: Vec<i16> = cells.iter().map(|cell| i16::from(!cell.is_empty())).collect();
    chunk.typed::<T>().write_batch(&values, Some(&present), None)?;
    Ok(())
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
    // The other exports write words here.
    for column in all.iter_mut().filter(|column| column.of == Type::Boolean) {
        column.cells.iter_mut().for_each(|cell| *cell = (cell == "yes").to_string());
    }
    all
}

fn type_of(name: &str, cells: &[String]) -> Type {
    let whole = |cell: &String| cell.parse::<i64>().is_ok_and(|number| number.to_string() == *cell);
    let fits = |cell: &String| cell.is_empty() || cell.parse::<i64>().is_ok();
    let mut present = cells.iter().filter(|cell| !cell.is_empty()).peekable();
    match name {
        "reused" => Type::Boolean,
        "seconds" => Type::Double,
        // Counters beyond 63 bits do not fit: change the type rather than the number.
        "item" | "attempts" | "nodes" | "store_hits" if cells.iter().all(fits) => Type::Int64,
        _ if VALUES.iter().any(|start| name.starts_with(start)) => Type::Text,
        _ if present.peek().is_none() => Type::Text,
        _ if present.all(whole) => Type::Int64,
        _ => Type::Text,
    }
}
