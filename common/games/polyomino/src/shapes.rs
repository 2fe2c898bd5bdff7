//! Sets of polyominoes in canonical spelling: a set has no order, but a key and a table need one.

use hasami_spec::{Param, ParamError};

use crate::polyomino::shape::{Shape, known, parse_set};

/// The name of the parameter for a set of shapes.
pub const PARAM: &str = "shapes";

/// [`Spec::spells`](hasami_spec::Spec::spells) for specs with the parameter `shapes`.
///
/// # Errors
/// If a shape is unknown.
pub fn spell_value(param: &Param, value: String) -> Result<String, ParamError> {
    if param.name == PARAM { spell(&value, false) } else { Ok(value) }
}

/// Named shapes in the order of their names (the losers as in Yakuwa et al.), then pictures. A
/// shape that contains another is redundant, unless each is `wanted` for itself.
///
/// # Errors
/// If a shape is unknown.
pub fn spell(text: &str, wanted: bool) -> Result<String, ParamError> {
    let mut shapes = read(text, wanted)?;
    sort(&mut shapes);
    Ok(shapes.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
}

/// The shapes of a list, in the order given.
///
/// # Errors
/// If one is unknown.
pub fn read(text: &str, wanted: bool) -> Result<Vec<Shape>, ParamError> {
    let shapes = if wanted { text.split(',').map(Shape::parse).collect() } else { parse_set(text) };
    shapes.map_err(|error| {
        ParamError::bad(PARAM, text, format!("shapes with commas between; {error}"))
    })
}

fn sort(shapes: &mut [Shape]) {
    shapes.sort_by_cached_key(|shape| {
        let name = shape.to_string();
        (known().position(|known| known == name).unwrap_or(usize::MAX), name)
    });
}
