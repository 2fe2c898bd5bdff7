//! scratch
use hasami_andor::*;
use hasami_games::synthetic::*;
use hasami_games::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let pairs: Vec<(String, String)> = a[5..].iter().map(|w| { let (k, v) = w.split_once('=').unwrap(); (k.into(), v.into()) }).collect();
    let p = Params::new(Synthetic::params(), &pairs).unwrap();
    let g = Synthetic::from_params(&p).unwrap();
    let kernel = match &a[1][..] { "pn" => Kernel::Pn, "pds" => Kernel::Pds, "dfpn" => Kernel::Dfpn, "multipath" => Kernel::Multipath(Default::default()), t => Kernel::Threads(t.parse().unwrap()) };
    let sum = match &a[2][..] { "sum" => SumRule::Sum, "weak" => SumRule::Weak, _ => SumRule::Hybrid };
    let table = Table::with_mib(a[3].parse().unwrap(), sum == SumRule::Hybrid);
    let control = Control::with_budget(a[4].parse().unwrap());
    let t = std::time::Instant::now();
    let mut s = Search::new(kernel, &g, &table, Options { sum, ..Default::default() }, Job::settle(g.root()));
    let o = s.run(&control);
    let dt = t.elapsed().as_secs_f64();
    println!("{:?} {:?} {:.2}s {:.2} Mn/s refs/node {:.1} fill {:.2} coll {}", o.stopped, o.numbers, dt, o.counts.nodes as f64 / dt / 1e6, o.counts.references as f64 / o.counts.nodes as f64, table.fill(), table.collections());
    println!("{:?}", o.counts);
}
