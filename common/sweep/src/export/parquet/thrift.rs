//! Thrift's compact protocol, as much of it as a Parquet file needs: structures are fields with
//! the distance to the number before, and whole numbers are zigzag, seven bits a byte.

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure that is being written.
#[derive(Default)]
pub(super) struct Thrift {
    bytes: Vec<u8>,
    /// The last field of this structure, and of those around it.
    last: u8,
    around: Vec<u8>,
}

pub(super) fn varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

impl Thrift {
    pub fn i32(&mut self, field: u8, number: i32) {
        self.field(field, I32);
        self.number(number.into());
    }

    pub fn i64(&mut self, field: u8, number: i64) {
        self.field(field, I64);
        self.number(number);
    }

    pub fn text(&mut self, field: u8, text: &str) {
        self.field(field, BINARY);
        self.binary(text);
    }

    pub fn i32s(&mut self, field: u8, numbers: &[i32]) {
        self.list(field, I32, numbers.len());
        for &number in numbers {
            self.number(number.into());
        }
    }

    pub fn texts(&mut self, field: u8, texts: &[&str]) {
        self.list(field, BINARY, texts.len());
        for text in texts {
            self.binary(text);
        }
    }

    /// A list of structures, each with [`Thrift::enter`] and [`Thrift::end`].
    pub fn structs(&mut self, field: u8, count: usize) {
        self.list(field, STRUCT, count);
    }

    /// A structure in a field.
    pub fn begin(&mut self, field: u8) {
        self.field(field, STRUCT);
        self.enter();
    }

    /// A structure in a list.
    pub fn enter(&mut self) {
        self.around.push(self.last);
        self.last = 0;
    }

    pub fn end(&mut self) {
        self.bytes.push(0);
        self.last = self.around.pop().unwrap_or(0);
    }

    /// The outermost structure.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }

    fn field(&mut self, field: u8, of: u8) {
        // No structure of Parquet that is written here skips more than fifteen numbers.
        self.bytes.push((field - self.last) << 4 | of);
        self.last = field;
    }

    fn list(&mut self, field: u8, of: u8, count: usize) {
        self.field(field, LIST);
        match count {
            0..15 => self.bytes.push((count as u8) << 4 | of),
            _ => {
                self.bytes.push(0xf0 | of);
                varint(&mut self.bytes, count as u64);
            }
        }
    }

    fn number(&mut self, number: i64) {
        varint(&mut self.bytes, (number << 1 ^ number >> 63) as u64);
    }

    fn binary(&mut self, text: &str) {
        varint(&mut self.bytes, text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }
}
