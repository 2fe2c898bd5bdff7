//! The items of a run as a table: a page at a time, filtered and in an order.

use hasami_report::Row;
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::bar::counts;
use crate::run::Shown;
use crate::words::{duration, grouped, short};
use hasami_proto::v1::RunInfo;

/// The order of items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// By number.
    #[default]
    Item,
    /// By state.
    State,
    /// By how often its parts were handed out.
    Attempts,
    /// By what it cost, as far as the scheduler remembers it: to a factor of two.
    Cost,
}

impl Sort {
    /// All orders with their names in addresses.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("item", Self::Item),
        ("state", Self::State),
        ("attempts", Self::Attempts),
        ("cost", Self::Cost),
    ];

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, sort)| *sort == self).map_or("item", |(name, _)| name)
    }
}

/// Which items are shown, as an address has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Only items in this state; empty: all.
    pub state: String,
    /// Only items whose question contains all these words.
    pub words: String,
    /// The order.
    pub sort: Sort,
    /// From the last to the first.
    pub down: bool,
    /// The page, from 0.
    pub page: usize,
    /// How they are shown.
    pub shown: Shown,
}

/// The address of a run's page with this order.
#[must_use]
pub fn address(run: u64, order: &Order) -> String {
    let mut parts = Vec::new();
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            parts.push(format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
        }
    };
    add("state", &order.state);
    add("q", &order.words);
    let sort = if order.sort == Sort::Item { "" } else { order.sort.name() };
    add("sort", sort);
    add("down", if order.down { "1" } else { "" });
    let page = if order.page > 0 { (order.page + 1).to_string() } else { String::new() };
    add("page", &page);
    add("view", order.shown.name());
    match parts.is_empty() {
        true => format!("/runs/{run}#items"),
        false => format!("/runs/{run}?{}#items", parts.join("&")),
    }
}

/// One page of items.
#[derive(Clone, Debug)]
pub struct Items<'a> {
    /// What was asked for.
    pub order: &'a Order,
    /// The items of this page.
    pub rows: &'a [Row],
    /// All items that fit.
    pub fit: usize,
    /// Items on a page.
    pub per_page: usize,
    /// The parameters that differ between items.
    pub varying: &'a [String],
}

/// The form that filters, the table, and the way to other pages.
#[must_use]
pub fn table(run: &RunInfo, items: &Items<'_>) -> Markup {
    let order = items.order;
    html! {
        (filter(run, order))
        p.soft role="status" {
            (grouped(items.fit as u64)) " of " (grouped(run.items)) " items"
            @if items.fit > items.per_page { ", page " (order.page + 1) " of " (pages(items)) }
        }
        div.scroll {
            table.wide.cards id="item-table" {
                thead { (head(run.run, items)) }
                tbody { @for row in items.rows { (line(run.run, row, items.varying)) } }
            }
        }
        (pager(run.run, items))
    }
}

fn pages(items: &Items<'_>) -> usize {
    items.fit.div_ceil(items.per_page.max(1)).max(1)
}

/// State and words; the other choices stay as they are.
pub(crate) fn filter(run: &RunInfo, order: &Order) -> Markup {
    let counts = counts(run);
    let states = [
        ("settled", counts.settled),
        ("open", counts.open),
        ("failed", counts.failed),
        ("cancelled", counts.cancelled),
        ("running", counts.running),
        ("waiting", counts.waiting),
    ];
    html! {
        form.filter role="search" action={ "/runs/" (run.run) "#items" } {
            label for="q" { "Words" }
            input id="q" name="q" type="search" value=(order.words) placeholder="of the question";
            label for="state" { "State" }
            select id="state" name="state" {
                option value="" { "all (" (grouped(run.items)) ")" }
                @for (state, count) in states {
                    @if count > 0 || state == order.state {
                        option value=(state) selected[state == order.state] { (state) " (" (grouped(count)) ")" }
                    }
                }
            }
            @if order.sort != Sort::Item { input type="hidden" name="sort" value=(order.sort.name()); }
            @if order.down { input type="hidden" name="down" value="1"; }
            @if !order.shown.name().is_empty() { input type="hidden" name="view" value=(order.shown.name()); }
            button type="submit" { "Filter" }
        }
    }
}

fn head(run: u64, items: &Items<'_>) -> Markup {
    let sortable = |sort: Sort, name: &str, class: &str| {
        let order = items.order;
        let chosen = order.sort == sort;
        let down = if chosen { !order.down } else { sort != Sort::Item };
        let next = Order { sort, down, page: 0, ..order.clone() };
        let direction = if order.down { "descending" } else { "ascending" };
        html! {
            th class=(class) scope="col" aria-sort=[chosen.then_some(direction)] {
                a href=(address(run, &next)) { (name) }
            }
        }
    };
    html! {
        tr {
            (sortable(Sort::Item, "Item", "num"))
            @for name in items.varying { th scope="col" { (name) } }
            (sortable(Sort::State, "State", ""))
            th scope="col" { "Result" }
            th scope="col" { "Checked" }
            (sortable(Sort::Attempts, "Tries", "num"))
            (sortable(Sort::Cost, "Cost", "num"))
        }
    }
}

fn line(run: u64, row: &Row, varying: &[String]) -> Markup {
    let measures = row.answer.as_ref().map(|answer| answer.measures).unwrap_or_default();
    let known = measures.nodes > 0 || measures.seconds > 0.0;
    html! {
        tr {
            th.num scope="row" { a href={ "/runs/" (run) "/items/" (row.item) } { (row.item) } }
            @for name in varying { td data-label=(name) { (row.param(name)) } }
            td data-label="State" { (state(row)) }
            td data-label="Result" { (result(row)) }
            td data-label="Checked" { (basis(row)) }
            td.num data-label="Tries" { (row.attempts) }
            td.num data-label="Cost" {
                @if row.reused { "known" }
                @else if known { (short(measures.nodes as f64)) " nodes, " (duration(measures.seconds)) }
            }
        }
    }
}

/// The state or the verdict in its colour.
pub(crate) fn state(row: &Row) -> Markup {
    let word = row.field("class").unwrap_or_else(|| row.verdict());
    html! { span class={ "chip " (row.tone()) } { (word) } }
}

/// The answer in words, or why it failed.
pub(crate) fn result(row: &Row) -> Markup {
    match &row.answer {
        Some(answer) => html! { (answer.claim) },
        None => html! { span.bad { (row.failure.lines().next().unwrap_or_default()) } },
    }
}

/// What an answer rests on, in a word.
pub(crate) fn basis(row: &Row) -> &'static str {
    let check = row.answer.as_ref().and_then(|answer| answer.check.as_ref());
    check.map_or("", |check| check.basis.word())
}

/// Links to the other pages.
pub(crate) fn pager(run: u64, items: &Items<'_>) -> Markup {
    let (order, pages) = (items.order, pages(items));
    let to = |page: usize| address(run, &Order { page, ..order.clone() });
    html! {
        @if pages > 1 {
            nav.pages aria-label="Pages" {
                @if order.page > 0 {
                    a href=(to(0)) { "first" }
                    a rel="prev" href=(to(order.page - 1)) { "← previous" }
                }
                span { "page " (order.page + 1) " of " (grouped(pages as u64)) }
                @if order.page + 1 < pages {
                    a rel="next" href=(to(order.page + 1)) { "next →" }
                    a href=(to(pages - 1)) { "last" }
                }
            }
        }
    }
}
