//! Answers for people, programs and scripts.

use hasami_cgt::notation::Answer;
use hasami_cgt::{Games, draw};
use serde_json::json;

use super::Report;
use super::facts::{Facts, cut};

/// All answers, and one drawing of all values below them.
pub fn human(reports: &[Report], drawn: &[&Facts]) -> String {
    let mut text =
        reports.iter().map(|report| report.human.as_str()).collect::<Vec<_>>().join("\n");
    // The thermograph of a number is a mast and says nothing that the number does not.
    if drawn.iter().any(|facts| !facts.is_number) {
        text.push('\n');
        text.push_str(&draw::text(&super::drawings(drawn)));
    }
    text
}

/// An answer that is no single value.
pub fn short(games: &Games, expression: &str, answer: &Answer) -> Report {
    let expression = expression.trim();
    match answer {
        Answer::Compared { a, asked, b, order } => {
            let holds = asked.holds(*order);
            let (a, b) = (games.show(*a), games.show(*b));
            let is = format!("{} {} {}", cut(&a), order.sign(), cut(&b));
            Report {
                human: if holds { format!("true: {is}\n") } else { format!("false: {is}\n") },
                json: json!({
                    "expression": expression, "left": a, "right": b,
                    "asked": asked.sign(), "order": order.sign(), "holds": holds,
                }),
                quiet: holds.to_string(),
                facts: None,
            }
        }
        Answer::List(values) => {
            let values: Vec<String> = values.iter().map(|&value| games.show(value)).collect();
            let list = values.iter().map(|value| cut(value)).collect::<Vec<_>>().join(", ");
            Report {
                human: if values.is_empty() { "none\n".to_string() } else { format!("{list}\n") },
                json: json!({"expression": expression, "list": values}),
                quiet: values.join(","),
                facts: None,
            }
        }
        Answer::Named(name, value) => {
            let value = games.show(*value);
            Report {
                human: format!("{name} := {}\n", cut(&value)),
                json: json!({"expression": expression, "name": name, "value": value}),
                quiet: value,
                facts: None,
            }
        }
        Answer::Value(value) => {
            let value = games.show(*value);
            Report {
                human: format!("{}\n", cut(&value)),
                json: json!({"expression": expression, "value": value}),
                quiet: value,
                facts: None,
            }
        }
    }
}
