//! Stages: a parameter whose order items must respect.

use super::Reader;
use super::axes::Axes;
use crate::product::Product;

/// Checks that every value of the parameter can be a stage number.
pub(super) fn check(reader: &mut Reader<'_>, name: &str, product: &Product, axes: &Axes) {
    for item in product.one_of_each(name) {
        let value = product.value(item, name).unwrap_or_default();
        if value.parse::<i64>().is_err() {
            let (place, field) = axes.place(product, item, name);
            let most = i64::MAX;
            reader.error(place, &field, format!("stage {value}: expected a number up to {most}"));
        }
    }
}
