//! The declaration of a parameter, and the canonical spelling of its values.

use super::ParamError;

/// The kind of values that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Number,
    /// A number from 0 to 1.
    Fraction,
    /// One of [`Param::values`].
    Choice,
    /// Any text.
    Text,
    /// Files or directories on the machine that answers, with `;` between.
    Path,
}

/// Declaration of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key, as in `key=value`.
    pub name: &'static str,
    /// One line for the user.
    pub help: &'static str,
    /// The default value; without it the parameter is required.
    pub default: Option<&'static str>,
    /// All possible values, or empty if the list is open.
    pub values: &'static [&'static str],
    /// The placeholder of the value in a usage line.
    pub placeholder: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether each value is also an option on the command line: `--weak`.
    pub flags: bool,
}

impl Param {
    const fn new(
        name: &'static str,
        help: &'static str,
        kind: Kind,
        placeholder: &'static str,
    ) -> Self {
        Self { name, help, default: None, values: &[], placeholder, kind, flags: false }
    }

    /// A whole number.
    #[must_use]
    pub const fn number(name: &'static str, help: &'static str) -> Self {
        Self::new(name, help, Kind::Number, "N")
    }

    /// A number from 0 to 1.
    #[must_use]
    pub const fn fraction(name: &'static str, help: &'static str) -> Self {
        Self::new(name, help, Kind::Fraction, "0..1")
    }

    /// One of a list of words.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        help: &'static str,
        values: &'static [&'static str],
    ) -> Self {
        let mut param = Self::new(name, help, Kind::Choice, "WORD");
        param.values = values;
        param
    }

    /// `on` or `off`.
    #[must_use]
    pub const fn switch(name: &'static str, help: &'static str) -> Self {
        Self::choice(name, help, &["on", "off"])
    }

    /// Any text.
    #[must_use]
    pub const fn text(name: &'static str, help: &'static str) -> Self {
        Self::new(name, help, Kind::Text, "TEXT")
    }

    /// Files or directories on the machine that answers, with `;` between. A worker opens only what
    /// its owner allows; the default stands for none.
    #[must_use]
    pub const fn path(name: &'static str, help: &'static str) -> Self {
        Self::new(name, help, Kind::Path, "TEXT")
    }

    /// The same parameter with a default.
    #[must_use]
    pub const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// The same parameter, with each value as an option too.
    #[must_use]
    pub const fn with_flags(mut self) -> Self {
        self.flags = true;
        self
    }

    /// The canonical spelling of a value.
    ///
    /// # Errors
    /// If the value is of another kind.
    pub fn normal(&self, value: &str) -> Result<String, ParamError> {
        let bad = |expected: &str| ParamError::bad(self.name, value, expected);
        match self.kind {
            Kind::Number => match value.parse::<i128>() {
                Ok(number) => Ok(number.to_string()),
                Err(_) => Err(bad("a whole number")),
            },
            Kind::Fraction => match value.parse::<f64>() {
                // Adding 0 turns -0 into 0.
                Ok(number) if (0.0..=1.0).contains(&number) => Ok((number + 0.0).to_string()),
                _ => Err(bad("a number from 0 to 1")),
            },
            Kind::Choice if self.values.contains(&value) => Ok(value.to_string()),
            Kind::Choice => Err(bad(&format!("one of {}", self.values.join(", ")))),
            Kind::Text | Kind::Path => Ok(value.to_string()),
        }
    }
}
