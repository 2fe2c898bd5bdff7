//! All facts that are printed about a value.

use std::sync::Arc;

use hasami_cgt::draw::Drawn;
use hasami_cgt::{Convention, Dyadic, Exhausted, Games, Thermograph, Value, Wall};
use serde_json::{Value as Json, json};

/// Longer forms are cut for people.
const LONGEST: usize = 2000;

/// Facts about a value, as text where they are numbers or games.
pub struct Facts {
    title: String,
    /// Its canonical form.
    pub value: String,
    bars: String,
    /// Another name, where powers of up have one.
    also: Option<String>,
    order: &'static str,
    stops: [Dyadic; 2],
    mean: Dyadic,
    temperature: Dyadic,
    below_zero: Dyadic,
    chilled: String,
    atomic_weight: Option<String>,
    birthday: Dyadic,
    /// Whether it is a number.
    pub is_number: bool,
    thermograph: Arc<Thermograph>,
}

impl Facts {
    /// Works them all out.
    pub fn of(games: &mut Games, text: &str, value: Value) -> Result<Self, Exhausted> {
        let zero = games.zero();
        let chilled = games.chill(value)?;
        let atomic_weight = match games.number(value) {
            Some(_) => None,
            None => games.atomic_weight(value)?,
        };
        let (left, right) = games.stops(value);
        let stops = [left.clone(), right.clone()];
        Ok(Self {
            title: text.trim().to_string(),
            value: games.show(value),
            bars: games.show_bars(value),
            also: games.uptimal_name(value)?,
            order: games.compare(value, zero)?.sign(),
            stops,
            mean: games.mean(value)?,
            temperature: games.temperature(value, Convention::Zero)?,
            below_zero: games.temperature(value, Convention::Negative)?,
            chilled: games.show(chilled),
            atomic_weight: atomic_weight.map(|weight| games.show(weight)),
            birthday: games.birthday(value)?,
            is_number: games.is_number(value),
            thermograph: games.thermograph(value)?,
        })
    }

    /// To be drawn.
    pub fn drawn(&self) -> Drawn {
        let title = if self.title == self.value {
            cut(&self.title)
        } else {
            format!("{} = {}", cut(&self.title), cut(&self.value))
        };
        Drawn { title, thermograph: self.thermograph.clone() }
    }

    /// Names and values, in the order of output.
    pub fn rows(&self) -> Vec<(String, String)> {
        let mut rows = vec![("value", self.value.clone())];
        if self.bars != self.value {
            rows.push(("with bars", self.bars.clone()));
        }
        rows.extend(self.also.clone().map(|name| ("also", name)));
        rows.push(("order", format!("{} 0", self.order)));
        rows.push(("stops", format!("left {}, right {}", self.stops[0], self.stops[1])));
        rows.push(("mean", self.mean.to_string()));
        let temperature = if self.is_number {
            format!(
                "{} (a number; {} where those are below zero)",
                self.temperature, self.below_zero
            )
        } else {
            self.temperature.to_string()
        };
        rows.push(("temperature", temperature));
        rows.push(("chilled", self.chilled.clone()));
        if let Some(weight) = &self.atomic_weight {
            rows.push(("atomic weight", weight.clone()));
        }
        rows.push(("birthday", self.birthday.to_string()));
        rows.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.rows() {
            text.push_str(&format!("{name:<13}  {}\n", cut(&value)));
        }
        for (name, wall) in
            [("left wall", &self.thermograph.left), ("right wall", &self.thermograph.right)]
        {
            text.push_str(&format!("{name:<13}  {}\n", cut(&corners(wall))));
        }
        text
    }

    /// For programs: numbers are texts, since they may be longer than what JSON has.
    pub fn json(&self) -> Json {
        json!({
            "expression": self.title, "value": self.value, "bars": self.bars, "also": self.also,
            "order": self.order,
            "left_stop": self.stops[0].to_string(), "right_stop": self.stops[1].to_string(),
            "is_number": self.is_number, "mean": self.mean.to_string(),
            "temperature": self.temperature.to_string(),
            "temperature_below_zero": self.below_zero.to_string(), "chilled": self.chilled,
            "atomic_weight": self.atomic_weight, "birthday": self.birthday.to_string(),
            "left_wall": wall(&self.thermograph.left), "right_wall": wall(&self.thermograph.right),
            "mast": self.thermograph.mast().to_string(),
        })
    }
}

fn wall(wall: &Wall) -> Json {
    let corner = |point: &hasami_cgt::thermograph::Point| json!({"t": point.t.to_string(), "v": point.v.to_string()});
    wall.points().iter().map(corner).collect()
}

fn corners(wall: &Wall) -> String {
    let corner = |point: &hasami_cgt::thermograph::Point| format!("{} at {}", point.v, point.t);
    wall.points().iter().map(corner).collect::<Vec<_>>().join(", ")
}

/// Truncates to the length that a person may want to read.
pub fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let head: String = text.chars().take(LONGEST).collect();
    format!("{head}… ({} letters)", text.chars().count())
}
