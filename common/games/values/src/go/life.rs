//! Finds unconditionally alive chains (Benson 1976): they live even if their owner never answers.
//! Makes them immortal.
//!
//! For one colour, take all its chains and the areas that they enclose. An area is vital to a chain
//! if all its empty points are liberties of the chain. Remove chains with fewer than two vital
//! areas, then areas that border on a removed chain, until nothing changes: what is left cannot be
//! captured. Immortal stones of the other colour in an area could fill it, so it is vital to no
//! chain.

use super::board::{Board, Cell, Colour, Point};

/// The board with every unconditionally living chain made immortal.
#[must_use]
pub fn with_life(board: &Board) -> Board {
    let mut living = board.clone();
    for colour in Colour::BOTH {
        for point in alive(board, colour) {
            living.set(point, Cell::Wall(colour));
        }
    }
    living
}

struct Area {
    /// Adjacent chains.
    borders: Vec<usize>,
    /// Chains adjacent to all its empty points.
    vital: Vec<usize>,
}

fn alive(board: &Board, colour: Colour) -> Vec<Point> {
    let (chains, of) = chains(board, colour);
    let mut areas = areas(board, colour, &of);
    let declared = |chain: &[Point]| chain.iter().any(|&at| matches!(board.at(at), Cell::Wall(_)));
    let mut lives = vec![true; chains.len()];
    loop {
        let mut eyes = vec![0; chains.len()];
        for &chain in areas.iter().flat_map(|area| &area.vital) {
            eyes[chain] += 1;
        }
        let mut changed = false;
        for (at, chain) in chains.iter().enumerate() {
            if lives[at] && eyes[at] < 2 && !declared(chain) {
                lives[at] = false;
                changed = true;
            }
        }
        if !changed {
            break;
        }
        areas.retain(|area| area.borders.iter().all(|&chain| lives[chain]));
    }
    chains.iter().zip(&lives).filter(|(_, lives)| **lives).flat_map(|(c, _)| c).copied().collect()
}

/// The chains of a colour, and for each point the index of its chain.
fn chains(board: &Board, colour: Colour) -> (Vec<Vec<Point>>, Vec<Option<usize>>) {
    let mut of = vec![None; board.cells().len()];
    let mut chains = Vec::new();
    for point in 0..board.cells().len() {
        if board.at(point).colour() == Some(colour) && of[point].is_none() {
            let chain = board.chain(point);
            for &stone in &chain {
                of[stone] = Some(chains.len());
            }
            chains.push(chain);
        }
    }
    (chains, of)
}

fn areas(board: &Board, colour: Colour, of: &[Option<usize>]) -> Vec<Area> {
    let within = |cell: Cell| cell != Cell::Outside && cell.colour() != Some(colour);
    let mut seen = vec![false; board.cells().len()];
    let mut areas = Vec::new();
    for start in 0..board.cells().len() {
        if seen[start] || !within(board.at(start)) {
            continue;
        }
        let points = board.joined(start, within);
        let mut borders: Vec<usize> = Vec::new();
        for &point in &points {
            seen[point] = true;
            borders.extend(board.neighbours(point).filter_map(|near| of[near]));
        }
        borders.sort_unstable();
        borders.dedup();
        let filled = points.iter().any(|&point| matches!(board.at(point), Cell::Wall(_)));
        let vital = borders.iter().copied().filter(|&chain| {
            !filled
                && points
                    .iter()
                    .filter(|&&point| board.at(point) == Cell::Empty)
                    .all(|&point| board.neighbours(point).any(|near| of[near] == Some(chain)))
        });
        areas.push(Area { vital: vital.collect(), borders });
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    fn living(rows: &str) -> String {
        with_life(&Board::parse(&rows.replace('/', "\n")).unwrap()).to_string().replace('\n', "/")
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        assert_eq!(living(".x.x./xxxxx/....."), ".X.X./XXXXX/.....");
        assert_eq!(living(".x.../xx.../....."), ".x.../xx.../.....");
        // Two chains that share two eyes.
        assert_eq!(living(".xo./x.xo/.xxo/...."), ".xo./x.xo/.xxo/....");
        assert_eq!(living(".x.xo/x.xxo/.xx.o/xx..o"), ".X.Xo/X.XXo/.XX.o/XX..o");
    }

    #[test]
    fn an_eye_that_the_enemy_can_fill_is_none() {
        // The White stones are immortal: they can fill both areas.
        assert_eq!(living("O.x.O/xxxxx/....."), "O.x.O/xxxxx/.....");
        assert_eq!(living("o.x.o/xxxxx/....."), "o.X.o/XXXXX/.....");
    }
}
