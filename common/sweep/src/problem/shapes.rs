//! Sets of polyominoes in one spelling: a set has no order, but a key and a table need one.

use hasami_games::ParamError;
use hasami_games::polyomino::shape::{Shape, known, parse_set};

/// The parameter that is a set of shapes, wherever it occurs.
pub(super) const PARAM: &str = "shapes";

/// Named shapes in the order of their names (the losers as in Yakuwa et al.), then pictures. A shape
/// that holds another says nothing new, unless each is `wanted` for itself.
pub(super) fn spell(text: &str, wanted: bool) -> Result<String, ParamError> {
    let mut shapes = read(text, wanted)?;
    sort(&mut shapes);
    Ok(shapes.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
}

/// The shapes of a list, in the order given.
pub(super) fn read(text: &str, wanted: bool) -> Result<Vec<Shape>, ParamError> {
    let shapes = match wanted {
        true => text.split(',').map(Shape::parse).collect(),
        false => parse_set(text),
    };
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
