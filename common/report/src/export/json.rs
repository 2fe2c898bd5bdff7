//! JSON: one object per item, on separate lines or in one list.

use serde_json::{Map, Value, json};

use crate::table::{Columns, Row, Table};
use hasami_sweep::{Answer, Check};

/// All items in one list.
#[must_use]
pub fn json(table: &Table, columns: Columns) -> Value {
    table.rows().iter().map(|row| row_json(row, columns)).collect()
}

/// One item per line.
#[must_use]
pub fn json_lines(table: &Table, columns: Columns) -> String {
    table.rows().iter().map(|row| format!("{}\n", row_json(row, columns))).collect()
}

/// One item.
#[must_use]
pub fn row_json(row: &Row, columns: Columns) -> Value {
    let answer = row.answer.as_ref();
    let check = answer.and_then(|answer| answer.check.as_ref());
    let mut object = json!({
        "item": row.item, "problem": row.question.problem, "params": pairs(&row.question.params),
        "key": row.question.settled_key().to_string(), "state": row.state,
        "verdict": answer.map(|answer| answer.verdict.word()),
        "claim": answer.map(|answer| &answer.claim),
        "fields": answer.map_or_else(|| json!({}), |answer| pairs(&answer.fields)),
        "certificates": answer.map_or_else(|| json!([]), certificates),
        "basis": check.map(|check| check.basis.word()),
    });
    if columns == Columns::All {
        let measures = answer.map(|answer| answer.measures).unwrap_or_default();
        object["reused"] = json!(row.reused);
        object["attempts"] = json!(row.attempts);
        object["failure"] = json!((!row.failure.is_empty()).then_some(&row.failure));
        object["nodes"] = json!(measures.nodes);
        object["seconds"] = json!(measures.seconds);
        object["store_hits"] = json!(measures.store_hits);
        object["check"] = json!(check.map(|Check { sender, by, unproved, note, .. }| {
            json!({ "sender": sender, "by": by, "unproved": unproved, "note": note })
        }));
    }
    object
}

fn pairs(pairs: &[(String, String)]) -> Value {
    let entries = pairs.iter().map(|(name, value)| (name.clone(), json!(value)));
    Value::Object(entries.collect::<Map<_, _>>())
}

fn certificates(answer: &Answer) -> Value {
    let files = answer.certificates.iter().map(|file| {
        let digest: String = file.digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let path = file.file_name();
        json!({ "name": file.name, "file": path, "blake3": digest, "bytes": file.bytes })
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::small;

    #[test]
    fn lines_and_list_say_the_same() {
        let table = small();
        for columns in [Columns::Results, Columns::All] {
            let lines = json_lines(&table, columns);
            let lines: Vec<Value> =
                lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(Value::Array(lines), json(&table, columns));
        }
    }

    #[test]
    fn costs_come_on_request_only() {
        let table = small();
        let plain = row_json(&table.rows()[1], Columns::Results);
        assert_eq!(plain["params"], json!({ "rows": "1", "columns": "2" }));
        assert_eq!(plain["certificates"][0]["name"], "chomp-01.cert");
        assert_eq!(plain["certificates"][0]["blake3"].as_str().unwrap().len(), 64);
        assert!(plain.get("seconds").is_none() && plain.get("attempts").is_none());
        let all = row_json(&table.rows()[1], Columns::All);
        assert_eq!(all["nodes"], 7);
        assert_eq!(row_json(&table.rows()[2], Columns::All)["failure"], "the worker died");
    }
}
