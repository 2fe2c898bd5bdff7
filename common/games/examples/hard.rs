//! scratch
use hasami_andor::*;
use hasami_games::graph::*;
use hasami_games::random::SplitMix;
use hasami_games::trial::*;
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let t0 = std::time::Instant::now();
    let mut total = [0f64; 5];
    let mut orc = 0.0;
    for seed in a[0]..a[1] {
        let mut random = SplitMix::new(seed);
        let config = draw_graph(&mut random);
        let t = std::time::Instant::now();
        let graph = Graph::new(config.clone()).unwrap();
        let truth = oracle::solve(&graph, 1 << 20).unwrap();
        orc += t.elapsed().as_secs_f64();
        for (i, setup) in setups(&mut random).into_iter().enumerate() {
            let table = Table::<()>::with_entries(truth.verdicts.len() * setup.table / 100, setup.options.sum == SumRule::Hybrid);
            let control = Control::with_budget(3_000_000);
            let t = std::time::Instant::now();
            let o = Search::new(setup.kernel, &graph, &table, setup.options, Job::settle(graph.root())).run(&control);
            let dt = t.elapsed().as_secs_f64();
            total[i / 9] += dt;
            if dt > 0.3 { println!("{seed} {:.2}s {:?} {} nodes={} {:?} {:?} {} {:?}", dt, o.stopped, o.counts.nodes, config.nodes, setup.kernel, setup.options, setup.table, config); }
        }
    }
    println!("{:.1}s oracle {orc:.2} {total:?}", t0.elapsed().as_secs_f64());
}
