//! Messages, packed records, the journal's records and access files.

use hasami_proto::{Access, journal::v1 as disk, pack, v1};
use hasami_record::Record;
use prost::Message;

/// Reads bytes as every message that is converted, and converts it.
pub fn message(data: &[u8]) {
    fn read<M: Message + Default>(data: &[u8]) -> Option<M> {
        M::decode(data).ok()
    }
    fn convert<M: Message + Default, T: TryFrom<M>>(data: &[u8]) {
        if let Some(message) = read::<M>(data) {
            let _ = T::try_from(message);
        }
    }
    convert::<v1::Answer, hasami_sweep::Answer>(data);
    convert::<v1::Question, hasami_spec::Question>(data);
    convert::<v1::Assignment, hasami_unit::Assignment>(data);
    convert::<v1::Outcome, (hasami_unit::Lease, hasami_unit::Outcome)>(data);
    convert::<v1::Progress, hasami_unit::Progress>(data);
    convert::<v1::OtherWorkers, (hasami_unit::Lease, hasami_unit::OtherWorkers)>(data);
    convert::<v1::SearchReport, hasami_andor::SearchReport>(data);
    convert::<v1::SearchTask, hasami_andor::SearchTask>(data);
    let _ = read::<v1::RegisterRequest>(data).map(|found| hasami_proto::agree(found.protocol));
    let _ = read::<v1::HandInRequest>(data);
    let _ = read::<v1::HeartbeatRequest>(data);
    let _ = read::<v1::PutCertificateRequest>(data);
    let _ = read::<v1::SyncRequest>(data);
    let _ = read::<v1::SubmitRequest>(data);
}

/// Packed records, keys and ids. What is read is written the same.
pub fn packed(data: &[u8]) {
    let count = data.first().copied().unwrap_or_default();
    let records =
        v1::Records { packed: data.get(1..).unwrap_or_default().to_vec(), count: count.into() };
    if let Ok(found) = pack::unpack(&records) {
        let mut packer = pack::Packer::new();
        for (key, bytes) in found {
            packer.push(key, bytes).expect("it was packed before");
        }
        assert_eq!(packer.take(), records);
    }
    let _ = pack::unpack_problem(data);
    if let Ok(keys) = pack::unpack_keys(data) {
        assert_eq!(pack::pack_keys(&keys), data);
    }
    if let Ok(record) = Record::decode(data) {
        let mut again = Vec::new();
        record.encode(&mut again).expect("a record that was read");
        assert_eq!(again, data, "one spelling of a record");
    }
}

/// Records of the journal, as far as they are messages.
pub fn journal(data: &[u8]) {
    let _ = disk::RunRecord::decode(data);
    let _ = disk::ItemRecord::decode(data);
    let _ = disk::UnitRecord::decode(data);
    let _ = disk::WorkerRecord::decode(data);
    let _ = disk::HistoryRecord::decode(data);
}

/// The text of an access file.
pub fn access(data: &[u8]) {
    if let Ok(access) = serde_json::from_slice::<Access>(data) {
        let shown = format!("{access:?}");
        for token in [&access.client_token, &access.worker_token].into_iter().flatten() {
            assert!(token.len() < 16 || !shown.contains(token.as_str()), "a token is shown");
        }
        let text = serde_json::to_string(&access).expect("text");
        assert!(serde_json::from_str::<Access>(&text).expect("own text") == access);
    }
}
