//! Bytes that are no message, to every method, with every kind of token.

use bytes::{Buf as _, BufMut as _};
use hasami_proto::{Access, Who, connect};
use http::uri::PathAndQuery;
use tokio::time::timeout;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::MetadataValue;
use tonic::transport::Channel;
use tonic::{Request, Status};

use crate::dice::Dice;
use crate::{PATIENCE, Tally, Trouble};

const METHODS: &[&str] = &[
    "/hasami.v1.WorkService/Register",
    "/hasami.v1.WorkService/Take",
    "/hasami.v1.WorkService/HandIn",
    "/hasami.v1.WorkService/Heartbeat",
    "/hasami.v1.WorkService/PutCertificate",
    "/hasami.v1.WorkService/Leave",
    "/hasami.v1.PositionService/Sync",
    "/hasami.v1.PositionService/Load",
    "/hasami.v1.PositionService/Lookup",
    "/hasami.v1.PositionService/GetNotes",
    "/hasami.v1.PositionService/PutNotes",
    "/hasami.v1.RunService/Submit",
    "/hasami.v1.RunService/List",
    "/hasami.v1.RunService/Show",
    "/hasami.v1.RunService/Items",
    "/hasami.v1.RunService/Watch",
    "/hasami.v1.RunService/Explain",
    "/hasami.v1.RunService/Workers",
    "/hasami.v1.RunService/GetCertificate",
    "/hasami.v1.RunService/Status",
    "/hasami.v1.RunService/NoSuchMethod",
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
    "/no/such",
];

pub(crate) struct Raw {
    dice: Dice,
    channel: Channel,
    tokens: Vec<String>,
}

impl Raw {
    pub(crate) fn new(access: &Access, dice: Dice) -> Result<Self, Trouble> {
        let connection = connect(access, Who::Worker);
        let channel = connection.map_err(|error| Trouble::Access(error.to_string()))?.channel();
        let own = [&access.client_token, &access.worker_token].into_iter().flatten().cloned();
        let wrong = ["", "x", "Bearer", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"];
        let tokens = own.chain(wrong.map(str::to_string)).collect();
        Ok(Self { dice, channel, tokens })
    }

    /// Sends one message.
    pub(crate) async fn act(&mut self, tally: &mut Tally) {
        let dice = &mut self.dice;
        let method = dice.of(METHODS).copied().unwrap_or_default();
        let mut request = Request::new(message(dice, 3));
        let token = dice.of(&self.tokens).filter(|_| !dice.clone().one_in(5));
        let bearer =
            token.and_then(|token| MetadataValue::try_from(format!("Bearer {token}")).ok());
        if let Some(bearer) = bearer {
            request.metadata_mut().insert("authorization", bearer);
        }
        let mut grpc = tonic::client::Grpc::new(self.channel.clone());
        let call = async {
            grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
            let path = PathAndQuery::from_static(method);
            // The first piece of the answer is enough.
            let mut stream = grpc.server_streaming(request, path, Bytes).await?.into_inner();
            stream.message().await
        };
        tally.call(timeout(PATIENCE, call).await);
    }
}

/// A message of random fields, some of them messages themselves; at times no message at all.
fn message(dice: &mut Dice, depth: u32) -> Vec<u8> {
    if dice.one_in(5) {
        return dice.bytes(100);
    }
    let mut out = Vec::new();
    for _ in 0..dice.below(8) {
        let field = dice.below(20) << 3;
        match dice.below(5) {
            0 => {
                varint(&mut out, field);
                let number = dice.number();
                varint(&mut out, number);
            }
            1 => {
                varint(&mut out, field | 1);
                out.extend(dice.float().to_le_bytes());
            }
            2 if depth > 0 => {
                varint(&mut out, field | 2);
                let inner = message(dice, depth - 1);
                varint(&mut out, inner.len() as u64);
                out.extend(inner);
            }
            3 => {
                varint(&mut out, field | 2);
                let text = dice.text();
                // A length that is not the length, at times.
                let length = if dice.one_in(10) { dice.number() } else { text.len() as u64 };
                varint(&mut out, length);
                out.extend(text.as_bytes());
            }
            _ => {
                varint(&mut out, field | dice.below(8));
                out.extend(dice.bytes(8));
            }
        }
    }
    out
}

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Bytes as they are.
#[derive(Clone, Copy)]
struct Bytes;

impl Codec for Bytes {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Bytes {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, item: Vec<u8>, out: &mut EncodeBuf<'_>) -> Result<(), Status> {
        out.put_slice(&item);
        Ok(())
    }
}

impl Decoder for Bytes {
    type Item = Vec<u8>;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        let mut bytes = vec![0; from.remaining()];
        from.copy_to_slice(&mut bytes);
        Ok(Some(bytes))
    }
}
