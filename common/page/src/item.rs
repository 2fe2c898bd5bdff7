//! One item: its verdict, what proves it and who checked that, the line to step through, and what
//! has happened to it.

use hasami_proto::v1::HistoryEntry;
use hasami_report::Row;
use hasami_sweep::{Answer, Certificate};
use maud::{Markup, PreEscaped, html};

use crate::frame::{Frame, page};
use crate::items::{result, state};
use crate::view::{Picture, Viewer};
use crate::words::{bytes, duration, grouped, utc};

/// Everything on the page of an item.
pub struct ItemPage<'a> {
    /// The run.
    pub run: u64,
    /// The name of its sweep.
    pub name: &'a str,
    /// How many items the run has.
    pub items: u64,
    /// The item.
    pub row: &'a Row,
    /// What it waits for, or how it ended.
    pub now: &'a str,
    /// What has happened to it.
    pub history: &'a [HistoryEntry],
    /// What can be drawn of it.
    pub picture: &'a Picture,
    /// The step of the line that is shown, from 0.
    pub step: usize,
    /// The beginnings of the parameters that differ: the title of the page.
    pub title: &'a str,
}

/// The page of an item.
#[must_use]
pub fn item(viewer: &Viewer, shown: &ItemPage<'_>) -> String {
    let ItemPage { run, row, .. } = *shown;
    let title = format!("Item {}: {}", row.item, shown.title);
    let body = html! {
        nav.crumbs aria-label="Place" {
            a href={ "/runs/" (run) } { "Run " (run) ": " (shown.name) }
            @if row.item > 0 { a rel="prev" href=(at(run, row.item - 1)) { "← item " (row.item - 1) } }
            @if (row.item as u64) + 1 < shown.items {
                a rel="next" href=(at(run, row.item + 1)) { "item " (row.item + 1) " →" }
            }
        }
        h1 { (title) }
        p.verdict { (state(row)) " " (result(row)) }
        @if !row.failure.is_empty() { pre.alert { (row.failure) } }
        p.soft { (shown.now) }
        (line(run, row.item, shown.picture, shown.step))
        @if let Some(svg) = &shown.picture.still {
            section aria-label="Picture" {
                h2 { "Picture" }
                div.paper.wide { (PreEscaped(svg)) }
            }
        }
        @if !shown.picture.note.is_empty() { p.soft { (shown.picture.note) } }
        @if let Some(answer) = &row.answer { (proof(answer)) (fields(answer)) }
        (question(row))
        (history(row, shown.history))
    };
    page(viewer, &Frame { title: &title, place: "/", live: None }, body)
}

fn at(run: u64, item: usize) -> String {
    format!("/runs/{run}/items/{item}")
}

/// The board at one step of the line, with the moves before and after it. It is also sent alone,
/// when somebody steps on.
#[must_use]
pub fn line(run: u64, item: usize, picture: &Picture, step: usize) -> Markup {
    let frames = &picture.frames;
    let Some(last) = frames.len().checked_sub(1) else {
        return html! {};
    };
    let step = step.min(last);
    let to = |step: usize| format!("{}?step={step}#line", at(run, item));
    html! {
        section id="line" aria-label="Line" {
            h2 { (picture.title) }
            @if !picture.about.is_empty() { p.soft { code { (picture.about) } } }
            div.line {
                div.paper.board role="img" aria-label={ "Position after " (step) " moves" } {
                    (PreEscaped(&frames[step].svg))
                }
                div.moves {
                    p.now aria-live="polite" {
                        "Move " (step) " of " (last)
                        @if !frames[step].text.is_empty() { ": " b { (frames[step].text) } }
                    }
                    nav.steps aria-label="Steps" {
                        a.button data-step="0" href=(to(0)) aria-label="First position" { "|◀" }
                        a.button data-step=(step.saturating_sub(1)) href=(to(step.saturating_sub(1)))
                            aria-label="One move back" { "◀ back" }
                        a.button data-step=((step + 1).min(last)) href=(to((step + 1).min(last)))
                            aria-label="One move on" { "next ▶" }
                        a.button data-step=(last) href=(to(last)) aria-label="Last position" { "▶|" }
                    }
                    p.soft.keys { "Keys: ← → Home End" }
                    ol.moves {
                        @for (at, frame) in frames.iter().enumerate().skip(1) {
                            li {
                                a data-step=(at) href=(to(at)) aria-current=[(at == step).then_some("step")] {
                                    (frame.text)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What proves the answer, and who has checked that.
fn proof(answer: &Answer) -> Markup {
    html! {
        section aria-label="Proof" {
            h2 { "Proof" }
            @match &answer.check {
                Some(check) => {
                    p {
                        "Computed by " b { (check.sender) } ", checked by " b { (check.by) } ": "
                        span class={ "chip b-" (check.basis.word()) } { (check.basis.word()) } "."
                    }
                    @if !check.unproved.is_empty() {
                        p.soft { "Not proved by a certificate: " (check.unproved.join(", ")) }
                    }
                    @if !check.note.is_empty() { p.soft { (check.note) } }
                }
                None => { p { "Nobody but its sender has checked this answer." } }
            }
            @if answer.certificates.is_empty() { p.soft { "It has no certificate." } }
            @else {
                ul.files { @for file in &answer.certificates { (certificate(file)) } }
                p.soft { "Check one yourself, with the rules alone: " code { "hasami verify FILE" } }
            }
        }
    }
}

fn certificate(file: &Certificate) -> Markup {
    html! {
        li {
            a href={ "/certificates/" (file.file_name()) } download=(file.name) { (file.name) }
            " " span.soft { (bytes(file.bytes)) }
            br; code.digest { "blake3 " (file.file_name().trim_end_matches(".cert")) }
        }
    }
}

fn fields(answer: &Answer) -> Markup {
    let measures = answer.measures;
    html! {
        section aria-label="Answer" {
            h2 { "Answer" }
            dl.facts {
                div { dt { "verdict" } dd { (answer.verdict.word()) } }
                @for (name, value) in &answer.fields { div { dt { (name) } dd { (value) } } }
                @if measures.nodes > 0 || measures.seconds > 0.0 {
                    div { dt { "nodes" } dd { (grouped(measures.nodes)) } }
                    div { dt { "computing time" } dd { (duration(measures.seconds)) } }
                }
            }
        }
    }
}

fn question(row: &Row) -> Markup {
    html! {
        section aria-label="Question" {
            h2 { "Question" }
            dl.facts {
                div { dt { "problem" } dd { (row.question.problem) } }
                @for (name, value) in &row.question.params { div { dt { (name) } dd { (value) } } }
            }
        }
    }
}

fn history(row: &Row, history: &[HistoryEntry]) -> Markup {
    html! {
        section aria-label="History" {
            h2 { "History" }
            p.soft {
                (row.attempts) " attempts" @if row.reused { ", and an answer that was known before" }
            }
            @if !history.is_empty() {
                ol.log {
                    @for entry in history {
                        li {
                            time datetime=(utc(entry.time_ms)) { (utc(entry.time_ms)) }
                            span { (entry.text) }
                        }
                    }
                }
            }
        }
    }
}
