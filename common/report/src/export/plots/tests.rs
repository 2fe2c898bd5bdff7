use super::*;
use crate::table::Row;
use hasami_answer::CATALOG;
use hasami_sweep::Sweep;
use hasami_sweep::{Answer, Measures, Verdict};

/// Domineering boards with made-up values: `value` of item n is n mod 3, its temperature a fraction.
fn table(temperature: fn(usize) -> String) -> Table {
    let text = "name='d'\nproblem='value'\n[parameters]\nfamily='domineering'\n\
                position=['1x4','2x2','4x1','1x2','2x1','1x6','6x1','2x3','3x2']";
    let sweep = Sweep::parse(CATALOG, text, "d").unwrap();
    let rows = (0..sweep.len()).map(|item| Row {
        item,
        question: sweep.item(item),
        state: "settled".to_string(),
        answer: Some(Answer {
            verdict: Verdict::Answered,
            claim: String::new(),
            fields: vec![
                ("value".to_string(), (item % 3).to_string()),
                ("temperature".to_string(), temperature(item)),
            ],
            certificates: Vec::new(),
            measures: Measures::default(),
            check: None,
        }),
        failure: String::new(),
        attempts: 1,
        reused: false,
    });
    Table::new(&sweep, rows.collect::<Vec<_>>())
}

#[test]
fn a_few_temperatures_have_a_bar_each_in_their_order() {
    let table = table(|item| ["3/2", "0", "-1/4"][item % 3].to_string());
    let bars = histogram(&table, "temperature").unwrap();
    let tooltips: Vec<&str> = bars.iter().map(|bar| bar.tooltip.as_str()).collect();
    assert_eq!(tooltips, ["-1/4: 3", "0: 3", "3/2: 3"]);
    let drawn = plots(&table).into_string();
    assert!(drawn.contains("temperature: items") && !drawn.contains("mean"), "{drawn}");
    assert_eq!(drawn.matches("<svg").count(), drawn.matches("</svg>").count());
}

#[test]
fn many_temperatures_are_put_into_bins_and_none_is_lost() {
    let sweep = Sweep::parse(
        CATALOG,
        "name='m'\nproblem='value'\n[parameters]\nfamily='cgt'\nposition='0..100'",
        "m",
    );
    let sweep = sweep.unwrap_or_else(|errors| panic!("{errors}"));
    let rows = (0..sweep.len()).map(|item| Row {
        item,
        question: sweep.item(item),
        state: "settled".to_string(),
        answer: Some(Answer {
            verdict: Verdict::Answered,
            claim: String::new(),
            fields: vec![("temperature".to_string(), format!("{}/8", item as i64 - 20))],
            certificates: Vec::new(),
            measures: Measures::default(),
            check: None,
        }),
        failure: String::new(),
        attempts: 1,
        reused: false,
    });
    let table = Table::new(&sweep, rows.collect::<Vec<_>>());
    let bars = histogram(&table, "temperature").unwrap();
    assert!((MOST_BINS / 2..=MOST_BINS + 1).contains(&bars.len()), "{}", bars.len());
    assert_eq!(bars.iter().map(|bar| bar.dark).sum::<usize>(), 100);
    // -20/8 is in the first bin of width 1, and the bins of one width hold equally many of an even spread.
    assert!(bars[0].tooltip.starts_with("-3 to below -2"), "{}", bars[0].tooltip);
    assert!(bars[1..bars.len() - 1].iter().all(|bar| bar.dark == bars[1].dark));
}

#[test]
fn parts_are_counted_by_size_with_their_different_values() {
    let table = table(|_| "0".to_string());
    let parts = by_part(&table);
    let (name, bars) = &parts[0];
    assert_eq!((parts.len(), name.as_str()), (1, "size"), "a bar for each item says nothing");
    let parts: Vec<(&str, usize, usize)> =
        bars.iter().map(|bar| (bar.label.as_str(), bar.dark, bar.light)).collect();
    // 1x2, 2x1 are items 3, 4; 1x4, 2x2, 4x1 are 0, 1, 2; the others 5 to 8.
    assert_eq!(parts, [("2", 2, 0), ("4", 3, 0), ("6", 3, 1)]);
}

#[test]
fn borders_of_bins_are_powers_of_two_and_ticks_are_few() {
    for (width, round) in [(0.3, 0.5), (0.5, 0.5), (3.0, 4.0), (0.01, 1.0 / 64.0)] {
        assert_eq!(round_width(width), round);
    }
    for tallest in [1, 5, 6, 7, 99, 100, 1269, 123_456] {
        let ticks: Vec<usize> = ticks(tallest).collect();
        assert!((2..=7).contains(&ticks.len()), "{tallest}: {ticks:?}");
    }
}

#[test]
fn other_tables_have_no_pictures() {
    assert_eq!(plots(&crate::table::tests::small()).into_string(), "");
}
