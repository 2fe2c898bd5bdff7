use super::axis::{Ruler, written};
use super::*;

fn chart(x: Axis, y: Axis, series: Vec<Series>) -> Chart {
    Chart { title: "Speed-up <by> threads".to_string(), x, y, series }
}

/// The numbers of an attribute, in order.
fn numbers(svg: &str, element: &str, name: &str) -> Vec<f64> {
    let opening = format!("<{element} ");
    let tags = svg.split(&opening).skip(1);
    let value = |tag: &str| {
        let tag = &tag[..tag.find('>')?];
        tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?.parse().ok()
    };
    tags.filter_map(value).collect()
}

#[test]
fn points_are_where_their_numbers_say() {
    let points = vec![(1.0, 10.0), (10.0, 100.0), (100.0, 1000.0)];
    let series = vec![Series::new("a", Shape::Points, points)];
    let svg = chart(Axis::log("x"), Axis::log("y"), series).svg();
    let (x, y) = (numbers(&svg, "circle", "cx"), numbers(&svg, "circle", "cy"));
    // The first mark is that of the legend.
    assert_eq!((x.len(), y.len()), (4, 4));
    assert!((x[2] - x[1] - (x[3] - x[2])).abs() < 0.2, "{x:?}");
    assert!((y[1] - y[2] - (y[2] - y[3])).abs() < 0.2, "{y:?}");
    assert!(y[1] > y[2] && x[1] < x[2]);
}

#[test]
fn bars_stand_side_by_side_on_the_ground() {
    let series = vec![
        Series::new("optimized", Shape::Bars, vec![(2.0, 1.0), (3.0, 2.0), (4.0, 1.5)]),
        Series::new("normal", Shape::Bars, vec![(2.0, 1.0), (3.0, 2.0), (4.0, 0.5)]),
    ];
    for scale in [Axis::linear("y"), Axis::log("y")] {
        let svg = chart(Axis::linear("threads"), scale, series.clone()).svg();
        let [x, y, wide, high] =
            ["x", "y", "width", "height"].map(|name| numbers(&svg, "rect", name));
        // The last six; before them are the ground and the legend.
        let last = |all: &[f64]| all[all.len() - 6..].to_vec();
        let (x, y, wide, high) = (last(&x), last(&y), last(&wide), last(&high));
        for at in 0..6 {
            assert!(high[at] > 0.0, "{high:?}");
            assert!((y[at] + high[at] - y[0] - high[0]).abs() < 0.2, "one ground");
        }
        for at in 0..3 {
            assert!(x[at] + wide[at] <= x[at + 3] + 0.1, "side by side");
        }
        assert!(x[3] + wide[3] < x[1], "groups apart");
    }
}

#[test]
fn what_cannot_be_drawn_is_left_out() {
    let points = vec![(0.0, 1.0), (1.0, f64::NAN), (1.0, f64::INFINITY), (2.0, 0.0), (3.0, 4.0)];
    let series = vec![Series::new("a", Shape::Points, points)];
    let svg = chart(Axis::log("x"), Axis::log("y"), series).svg();
    assert_eq!(svg.matches("<circle").count(), 2, "one, and the legend");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    let empty = chart(Axis::linear("x"), Axis::log("y"), Vec::new()).svg();
    assert!(!empty.contains("NaN") && empty.ends_with("</svg>"));
}

#[test]
fn a_chart_says_what_it_is_and_no_name_is_markup() {
    let series = vec![Series::new("<b>", Shape::Line, vec![(1.0, 1.0), (2.0, 4.0)])];
    let svg = chart(Axis::linear("threads"), Axis::linear("times"), series).svg();
    assert!(svg.contains("<title>Speed-up &lt;by&gt; threads</title>"));
    assert!(svg.contains(
        "<desc>Across: threads, 1 to 2. Up: times, 1 to 4. Series: &lt;b&gt; (2 points).</desc>"
    ));
    assert!(svg.contains("role=\"img\"") && svg.contains("prefers-color-scheme:dark"));
    assert!(!svg.contains("<b>"));
    // Nothing is fetched: the only address is the name of the format.
    assert_eq!(svg.matches("//").count(), 1);
}

#[test]
fn ticks_are_round_and_few() {
    let linear = |from: f64, to: f64| Ruler::round(Scale::Linear, [from, to].into_iter(), false);
    assert_eq!(
        linear(0.0, 1.1).ticks().iter().map(|t| written(*t)).collect::<Vec<_>>().join(" "),
        "0 0.2 0.4 0.6 0.8 1 1.2"
    );
    assert_eq!(linear(100.0, 103.0).ends(), (100.0, 103.0));
    let log = Ruler::round(Scale::Log, [3.0, 4000.0].into_iter(), false);
    assert_eq!(log.ends(), (2.0, 5000.0));
    let wide = Ruler::round(Scale::Log, [1.0, 1e9].into_iter(), false).ticks();
    assert!(wide.len() <= 7 && wide.contains(&1.0), "{wide:?}");
    for (from, to) in [(1e-7, 1e-6), (-3.0, 8.0), (5.0, 5.0), (0.97, 1.03), (1.0, 1e12)] {
        for scale in [Scale::Linear, Scale::Log] {
            if scale == Scale::Log && from <= 0.0 {
                continue;
            }
            for bars in [false, true] {
                let ruler = Ruler::round(scale, [from, to].into_iter(), bars);
                let ticks = ruler.ticks();
                assert!((2..=13).contains(&ticks.len()), "{from} {to} {scale:?}: {ticks:?}");
                assert!(ruler.place(from) >= -1e-9 && ruler.place(to) <= 1.0 + 1e-9);
            }
        }
    }
    let own = Ruler::tight(Scale::Log, [10.0, 10_000.0].into_iter());
    let values = [10.0, 100.0, 1000.0, 10_000.0, 100.0];
    assert_eq!(own.ticks_at(values.into_iter(), 0.05), [10.0, 100.0, 1000.0, 10_000.0]);
}

#[test]
fn numbers_are_written_short() {
    for (value, text) in [
        (0.0, "0"),
        (0.30000000000000004, "0.3"),
        (1.25, "1.25"),
        (-2.5, "-2.5"),
        (1000.0, "1,000"),
        (999_999.0, "999,999"),
        (1e6, "10⁶"),
        (2.5e7, "2.5·10⁷"),
        (0.0004, "4·10⁻⁴"),
        (9_999_999.9, "10⁷"),
    ] {
        assert_eq!(written(value), text);
    }
}
