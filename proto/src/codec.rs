//! How messages are packed and unpacked. Two bytes on the wire can become hundreds in memory, so
//! the lists of a worker's message are counted before it is unpacked.

use std::any::TypeId;
use std::marker::PhantomData;

use prost::Message;
use prost::bytes::Buf;
use tonic::Status;
use tonic::codec::{BufferSettings, Codec as TonicCodec, DecodeBuf, Decoder};
use tonic_prost::{ProstDecoder, ProstEncoder};

use crate::limits;
use crate::v1::{HandInRequest, HeartbeatRequest, RegisterRequest};

/// The codec of all services.
#[derive(Clone, Debug)]
pub struct Codec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for Codec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> TonicCodec for Codec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = ProstEncoder<T>;
    type Decoder = Counted<U>;

    fn encoder(&mut self) -> ProstEncoder<T> {
        ProstEncoder::default()
    }

    fn decoder(&mut self) -> Counted<U> {
        Counted(ProstDecoder::default())
    }
}

/// Unpacks messages that are not too large for it.
#[derive(Clone, Debug)]
pub struct Counted<U>(ProstDecoder<U>);

impl<U: Message + Default + 'static> Decoder for Counted<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        if let Some(shape) = shape::<U>() {
            // The bytes of a message lie in one piece.
            count(buffer.chunk(), shape, &mut 0)?;
        }
        self.0.decode(buffer)
    }

    fn buffer_settings(&self) -> BufferSettings {
        self.0.buffer_settings()
    }
}

/// The fields of a message that are messages themselves.
struct Shape {
    inner: &'static [(u64, &'static Shape)],
    /// How often a field may occur, if there is a limit for it.
    most: Option<(u64, usize)>,
}

impl Shape {
    const fn of(inner: &'static [(u64, &'static Self)]) -> Self {
        Self { inner, most: None }
    }
}

static LEAF: Shape = Shape::of(&[]);
static STATE: Shape = Shape::of(&[(4, &LEAF)]);
static ANSWER: Shape = Shape::of(&[(3, &LEAF), (4, &LEAF), (5, &LEAF)]);
static SEARCH: Shape = Shape::of(&[(1, &LEAF), (6, &STATE)]);
static OUTCOME: Shape =
    Shape::of(&[(1, &LEAF), (2, &ANSWER), (3, &SEARCH), (4, &LEAF), (5, &LEAF), (6, &LEAF)]);
static PROGRESS: Shape = Shape::of(&[(1, &LEAF), (3, &LEAF), (4, &STATE)]);
static HAND_IN: Shape = Shape { inner: &[(3, &OUTCOME)], most: Some((3, limits::OUTCOMES)) };
static HEARTBEAT: Shape = Shape { inner: &[(3, &PROGRESS)], most: Some((3, limits::LEASES)) };
static REGISTER: Shape = Shape::of(&[(1, &LEAF), (8, &LEAF), (11, &LEAF)]);

/// The shape of a message with lists.
fn shape<U: 'static>() -> Option<&'static Shape> {
    let shapes = [
        (TypeId::of::<HandInRequest>(), &HAND_IN),
        (TypeId::of::<HeartbeatRequest>(), &HEARTBEAT),
        (TypeId::of::<RegisterRequest>(), &REGISTER),
    ];
    shapes.into_iter().find(|(id, _)| *id == TypeId::of::<U>()).map(|(_, shape)| shape)
}

/// Counts the fields of a message and of those in it. What is malformed is left to the unpacking.
fn count(mut bytes: &[u8], shape: &Shape, fields: &mut usize) -> Result<(), Status> {
    let mut listed = 0;
    while let Some(key) = varint(&mut bytes) {
        *fields += 1;
        if *fields > limits::FIELDS {
            return Err(Status::invalid_argument(format!(
                "a message of more than {} fields",
                limits::FIELDS
            )));
        }
        let field = key >> 3;
        let length = match key & 7 {
            0 => {
                if varint(&mut bytes).is_none() {
                    return Ok(());
                }
                0
            }
            1 => 8,
            2 => varint(&mut bytes).unwrap_or(u64::MAX),
            5 => 4,
            _ => return Ok(()),
        };
        let split = usize::try_from(length).ok().and_then(|length| bytes.split_at_checked(length));
        let Some((value, rest)) = split else { return Ok(()) };
        bytes = rest;
        if let Some((list, most)) = shape.most
            && list == field
        {
            listed += 1;
            if listed > most {
                let text = format!("a list of more than {most} entries in one message");
                return Err(Status::invalid_argument(text));
            }
        }
        if let Some((_, inner)) = shape.inner.iter().find(|(inner, _)| *inner == field) {
            count(value, inner, fields)?;
        }
    }
    Ok(())
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7F).checked_shl(shift).unwrap_or(0);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::v1::{self, outcome};

    fn counted<U: Message + 'static>(bytes: &[u8]) -> (usize, Result<(), Status>) {
        let mut fields = 0;
        let result = count(bytes, shape::<U>().unwrap(), &mut fields);
        (fields, result)
    }

    #[test]
    fn fields_of_messages_within_messages_are_counted() {
        let param = v1::Param { name: "a".into(), value: "b".into() };
        let answer = v1::Answer { fields: vec![param; 3], ..Default::default() };
        let outcome = v1::Outcome {
            lease: Some(v1::Lease { run: 1, ..Default::default() }),
            kind: Some(outcome::Kind::Answer(answer)),
        };
        let request = HandInRequest { worker: 1, session: 2, outcomes: vec![outcome.clone(); 2] };
        // Two numbers, and twice: outcome, lease, run, answer, three pairs of name and value.
        let (fields, result) = counted::<HandInRequest>(&request.encode_to_vec());
        result.unwrap();
        assert_eq!(fields, 2 + 2 * (1 + 2 + 1 + 3 * 3));
        let child = v1::Child { work: 1, numbers: Some(Default::default()), ..Default::default() };
        let search = v1::SearchReport { children: vec![child; 5], ..Default::default() };
        let outcome = v1::Outcome { kind: Some(outcome::Kind::Search(search)), ..outcome };
        let request = HandInRequest { outcomes: vec![outcome], ..Default::default() };
        let (fields, _) = counted::<HandInRequest>(&request.encode_to_vec());
        assert_eq!(fields, 1 + 2 + 1 + 5 * 3);
    }

    #[test]
    fn small_bytes_that_would_become_much_are_refused_unread() {
        // Empty outcomes, empty children, empty names: two bytes each.
        let outcomes = [0x1A, 0].repeat(limits::OUTCOMES + 1);
        assert!(counted::<HandInRequest>(&outcomes).1.is_err());
        counted::<HandInRequest>(&outcomes[2..]).1.unwrap();
        let within = |field: u8, bytes: Vec<u8>| {
            let mut message = vec![field << 3 | 2];
            prost::encoding::encode_varint(bytes.len() as u64, &mut message);
            [message, bytes].concat()
        };
        let children = [6u8 << 3 | 2, 0].repeat(limits::FIELDS);
        let hidden = within(3, within(3, children));
        assert!(counted::<HandInRequest>(&hidden).1.is_err());
        let labels = [8u8 << 3 | 2, 0].repeat(limits::FIELDS + 1);
        assert!(counted::<RegisterRequest>(&labels).1.is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_counted_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let (fields, _) = counted::<HandInRequest>(&bytes);
            prop_assert!(fields <= bytes.len());
        }
    }
}
