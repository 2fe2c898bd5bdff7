//! Searches with tables of their own that tell each other what they find: a leader and a slave on
//! random graphs, against the exhaustive oracle.

use hasami_andor::{Control, Job, Kernel, Key, Options, Problem, Search, Stopped, Table, oracle};
use hasami_game::random::SplitMix;
use hasami_graphs::draw_graph;
use hasami_small::graph::Graph;

fn exchange<P: Problem>(from: &Table<P::Reason>, to: &Table<P::Reason>) -> usize {
    let mut news = Vec::new();
    from.drain(&mut news);
    for (key, entry) in &news {
        to.absorb(*key, entry);
    }
    news.len()
}

#[test]
fn a_leader_and_a_slave_with_two_tables_find_what_the_oracle_finds() {
    let (mut helped, mut told) = (0, 0);
    for seed in 0..3_000 {
        let mut random = SplitMix::new(seed);
        let graph = Graph::new(draw_graph(&mut random)).unwrap();
        let truth = oracle::solve(&graph, 1 << 20).unwrap().root;
        let tables = [Table::with_entries(1 << 12, false), Table::with_entries(1 << 12, false)];
        tables.iter().for_each(|table| table.open_outbox(1));
        let options = Options { seed, ..Options::DEFAULT };
        let control = Control::with_budget(0);
        control.want_path();
        let root = Job::settle(graph.root());
        let mut leader = Search::new(Kernel::Dfpn, &graph, &tables[0], options, root);
        let verdict = loop {
            control.extend(1 + u64::from(random.below(20)));
            let outcome = leader.run(&control);
            if outcome.stopped == Stopped::Settled {
                break outcome.numbers.verdict().unwrap();
            }
            assert!(control.nodes() < 1_000_000, "graph {seed} ends");
            told += exchange::<Graph>(&tables[0], &tables[1]);
            let path = control.path();
            if let Some(node) = path.get(random.below(path.len().max(1) as u32) as usize) {
                let state = graph.decode(&node.state).unwrap();
                assert_eq!(graph.key(&state), node.key);
                let amount = Control::with_budget(1 + u64::from(random.below(40)));
                let mut slave = Search::slave(&graph, &tables[1], options, state);
                helped += u32::from(slave.run(&amount).stopped == Stopped::Settled);
                slave.park();
            }
            if exchange::<Graph>(&tables[1], &tables[0]) > 0 {
                control.tell_news();
            }
            // Wherever it hears that others are, it comes to the same end.
            let others = path.iter().filter(|_| random.below(2) == 0).map(|node| node.key);
            control.tell_others(others.collect(), random.below(9) as usize);
        };
        assert_eq!(verdict, truth, "graph {seed}");
    }
    assert!(helped > 1000 && told > 1000, "{helped} nodes settled by slaves, {told} entries told");
}

#[test]
fn a_search_goes_elsewhere_while_something_else_is_as_good() {
    let (mut parted, mut stayed) = (0, 0);
    for seed in 0..300 {
        let mut random = SplitMix::new(seed);
        let graph = Graph::new(draw_graph(&mut random)).unwrap();
        let second = |told: Option<Key>| {
            let table = Table::with_entries(1 << 12, false);
            let control = Control::with_budget(0);
            control.want_path();
            let root = Job::settle(graph.root());
            let mut search = Search::new(Kernel::Dfpn, &graph, &table, Options::DEFAULT, root);
            // What it is told is heard before the first step down.
            control.tell_others(told.into_iter().collect(), 1);
            search.run(&control);
            (0..20).find_map(|_| {
                control.extend(1);
                search.run(&control);
                control.path().get(1).map(|node| node.key)
            })
        };
        let Some(first) = second(None) else { continue };
        match second(Some(first)) {
            Some(other) if other != first => parted += 1,
            _ => stayed += 1,
        }
    }
    // Both runs are the same but for this; at most roots nothing else is as good.
    assert!(parted > 10, "{parted} went elsewhere, {stayed} did not");
}

#[test]
fn news_is_told_once_and_never_sent_back() {
    use hasami_andor::Numbers;
    use hasami_andor::table::Entry;
    let table: Table<()> = Table::with_entries(64, false);
    let key = |n| Key::mixed(n);
    let open = |work| Entry::new(Numbers { proof: 3, disproof: 4 }, work);
    let mut out = Vec::new();
    table.store(key(1), &open(100));
    table.drain(&mut out);
    assert!(out.is_empty(), "a closed outbox");
    table.open_outbox(50);
    table.store(key(1), &open(120));
    table.store(key(2), &open(49));
    table.absorb(key(3), &Entry::new(Numbers::PROVEN, 1000));
    table.drain(&mut out);
    assert!(out.is_empty(), "neither much more, nor cheap, nor from others: {out:?}");
    table.store(key(1), &open(200));
    table.store(key(1), &Entry::new(Numbers::DISPROVEN, 201));
    table.store(key(1), &Entry::new(Numbers::DISPROVEN, 400));
    table.drain(&mut out);
    let told: Vec<u32> = out.iter().map(|(_, entry)| entry.work).collect();
    assert_eq!(told, [200, 201]);
}

#[test]
fn the_numbers_of_the_root_move_although_the_search_has_not_come_back_to_it() {
    use hasami_andor::Numbers;
    use hasami_game::Game;
    use hasami_polyomino::polyomino::Polyomino;
    use hasami_spec::Params;
    // At the root one move hides all others: the search is below it until the end.
    let params = Params::parse(Polyomino::params(), "shapes=UU,ZZ stones=9").unwrap();
    let game = Polyomino::from_params(&params).unwrap();
    let table = Table::with_entries(1 << 16, false);
    let control = Control::with_budget(20_000);
    let job = Job::settle(game.root());
    let outcome = Search::new(Kernel::Dfpn, &game, &table, Polyomino::ADVICE, job).run(&control);
    assert_eq!(outcome.stopped, Stopped::Budget);
    let Numbers { proof, disproof } = control.root();
    assert!(proof > 1 && disproof > 1, "{proof} {disproof}");
}
