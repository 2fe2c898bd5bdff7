//! Random graphs on simulated clusters that lose leases, repeat reports and delay messages: the
//! verdict is always that of the exhaustive oracle, and there always is one.

use hasami_andor::{Options, SumRule, Verdict, oracle};
use hasami_game::Game;
use hasami_game::random::SplitMix;
use hasami_graphs::draw_graph;
use hasami_polyomino::polyomino::Polyomino;
use hasami_small::graph::{Graph, Shape};
use hasami_small::mnk::Mnk;
use hasami_small::synthetic::Synthetic;
use hasami_spec::Params;
use hasami_spec::Partitioner;

use super::*;

fn pick<T: Copy>(random: &mut SplitMix, from: &[T]) -> T {
    from[random.below(from.len() as u32) as usize]
}

/// A small cluster of any kind.
fn draw_calibration(random: &mut SplitMix) -> Calibration {
    Calibration {
        speed: pick(random, &[20.0, 200.0, 2000.0]),
        latency: pick(random, &[0.0, 0.001, 0.05]),
        store_latency: pick(random, &[0.0, 0.01]),
        store_delay: pick(random, &[0.0, 0.01, 0.5]),
        heartbeat: pick(random, &[0.01, 0.1]),
        share_work: pick(random, &[1, 4, 16]),
        table_entries: pick(random, &[64, 1 << 12]),
        lease_seconds: pick(random, &[0.05, 0.2, 1.0]),
        virtual_numbers: pick(
            random,
            &[Virtual::Settled, Virtual::Larger(1.0), Virtual::Larger(2.0)],
        ),
        options: Options {
            sum: pick(random, &[SumRule::Sum, SumRule::Weak]),
            epsilon: pick(random, &[0, 64]),
            seed: random.word(),
            ..Options::DEFAULT
        },
        ..Calibration::default()
    }
}

fn draw_faults(random: &mut SplitMix) -> Faults {
    let lose = pick(random, &[0.0, 0.1, 0.5]);
    let repeat = pick(random, &[0.0, 0.3]);
    Faults::new(random.word(), lose, repeat, pick(random, &[0.0, 0.1]))
}

#[test]
fn every_partitioner_finds_what_the_oracle_finds_whatever_goes_wrong() {
    let mut tried = 0;
    for seed in 0..3000 {
        let mut random = SplitMix::new(seed);
        let mut config = draw_graph(&mut random);
        config.nodes = config.nodes.min(1_000);
        let graph = Graph::new(config).unwrap();
        let truth = oracle::solve(&graph, 1 << 20).unwrap().root;
        for (name, kind) in Partitioner::NAMES {
            let workers = pick(&mut random, &[1, 2, 3, 5, 9, 20]);
            let calibration = draw_calibration(&mut random);
            let mut faults = draw_faults(&mut random);
            let run = simulate(kind, &graph, workers, &calibration, &mut faults);
            let run =
                run.unwrap_or_else(|stuck| panic!("graph {seed}, {name} × {workers}: {stuck}"));
            assert_eq!(run.verdict, truth, "graph {seed}, {name} × {workers}");
            tried += 1;
        }
    }
    assert!(tried > 2000, "{tried} runs");
}

#[test]
fn workers_that_lie_about_states_below_the_root_cost_time_and_never_a_verdict() {
    let mut tried = 0;
    for seed in 0..400 {
        let mut random = SplitMix::new(seed);
        let mut config = draw_graph(&mut random);
        config.nodes = config.nodes.min(500);
        let graph = Graph::new(config).unwrap();
        let truth = oracle::solve(&graph, 1 << 20).unwrap().root;
        for (name, kind) in Partitioner::NAMES {
            // A slave that lies about the root ends the search; the frontier asks a second time.
            if matches!(kind, Partitioner::Aohpas { .. }) {
                continue;
            }
            let calibration = draw_calibration(&mut random);
            let mut faults =
                draw_faults(&mut random).with_lies(pick(&mut random, &[0.1, 0.5, 1.0]));
            let workers = pick(&mut random, &[2, 5, 9]);
            let run = simulate(kind, &graph, workers, &calibration, &mut faults);
            let run = run.unwrap_or_else(|stuck| panic!("graph {seed}, {name}: {stuck}"));
            assert_eq!(run.verdict, truth, "graph {seed}, {name} × {workers}");
            tried += 1;
        }
    }
    assert!(tried > 300, "{tried} runs");
}

/// Games whose moves are hidden until others have failed: a node that its known children settle may
/// be open after all.
#[test]
fn hidden_moves_are_found_however_many_workers_there_are() {
    let games = [
        ("polyomino", "shapes=T,ZZ stones=9", Verdict::Proven),
        ("polyomino", "shapes=U,W stones=6", Verdict::Proven),
        ("polyomino", "shapes=UU,ZZ stones=7", Verdict::Disproven),
        ("mnk", "width=4 height=4 line=3", Verdict::Proven),
    ];
    for (name, spelled, expected) in games {
        if name == "mnk" {
            hidden::<Mnk>(spelled, expected);
        } else {
            hidden::<Polyomino>(spelled, expected);
        }
    }
}

fn hidden<G: Game>(spelled: &str, expected: Verdict) {
    let game = G::from_params(&Params::parse(G::params(), spelled).unwrap()).unwrap();
    let mut random = SplitMix::new(5);
    for (name, kind) in Partitioner::NAMES {
        for workers in [2, 16] {
            let faults = &mut Faults::new(random.word(), 0.05, 0.1, 0.01);
            let options = G::ADVICE;
            let calibration =
                Calibration { speed: 500.0, heartbeat: 0.5, options, ..Calibration::default() };
            let run = simulate(kind, &game, workers, &calibration, faults)
                .unwrap_or_else(|stuck| panic!("{spelled}, {name} × {workers}: {stuck}"));
            assert_eq!(run.verdict, expected, "{spelled}, {name} × {workers}");
        }
    }
}

fn some_graph() -> Graph {
    let mut random = SplitMix::new(7);
    let mut config = draw_graph(&mut random);
    (config.shape, config.nodes, config.branching) = (Shape::Dag, 3_000, 4);
    (config.leaves, config.bias, config.chain, config.evaluate) = (0.05, 0.5, false, false);
    Graph::new(config).unwrap()
}

#[test]
fn a_simulation_is_the_same_every_time() {
    let graph = some_graph();
    let calibration = Calibration { speed: 50.0, ..Calibration::default() };
    for (_, kind) in Partitioner::NAMES {
        let run = || {
            let mut faults = Faults::new(3, 0.1, 0.1, 0.01);
            simulate(kind, &graph, 7, &calibration, &mut faults).unwrap()
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn one_worker_under_the_frontier_is_as_good_as_plain_dfpn() {
    let mut logs = Vec::new();
    for seed in 1..=5 {
        let pairs = [("depth", "10"), ("branching", "4"), ("seed", &seed.to_string())];
        let pairs = pairs.map(|(name, value)| (name.to_string(), value.to_string()));
        let params = Params::new(<Synthetic as Game>::params(), &pairs).unwrap();
        let tree = Synthetic::from_params(&params).unwrap();
        let calibration = Calibration { speed: 500.0, ..Calibration::default() };
        let plain = baseline(&tree, &calibration).unwrap();
        let faults = &mut Faults::none();
        let point = measure(Partitioner::Frontier, &tree, 1, &calibration, &plain, faults).unwrap();
        logs.push(point.overhead.ln());
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    assert!(mean < 1.05, "{mean}");
}

#[test]
fn figures_are_written_as_text_and_picture() {
    let graph = some_graph();
    let kinds = [Partitioner::Frontier, Partitioner::Dovetail];
    let calibration = Calibration { speed: 50.0, ..Calibration::default() };
    let mut told = 0;
    let found = report(&graph, &kinds, &[1, 4], &calibration, |_| told += 1).unwrap().unwrap();
    assert_eq!((told, found.points.len()), (4, 4));
    for point in &found.points {
        let shares = point.search + point.idle + point.talk;
        assert!((shares - 1.0).abs() < 0.01, "{point:?}");
    }
    assert_eq!(csv(&found.points).lines().count(), 5);
    assert_eq!(markdown(&found.points).lines().count(), 4);
    let drawn = svg(&found.points);
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    assert_eq!(drawn.matches("<polyline").count(), 2, "a line for each partitioner");
    assert_eq!(drawn.matches("class=\"bar\"").count(), 12, "three parts for each point");
}
