//! Computes thermographs of kos from temperature 0 upwards: at every temperature all walls have a
//! value and a slope, which hold until two lines meet. Positions depend on each other cyclically,
//! but only through masts, whose values come from below.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::graph::{Edge, Graph, Target, rational};
use super::line::{Line, whole};
use super::{KoError, KoThermograph, Komaster};

/// More corners than any ko that can be drawn.
const MOST_CORNERS: usize = 10_000;

/// Left and right wall of every position.
type Walls = Vec<[Line; 2]>;

pub(super) fn rise(graph: &Graph, komaster: Komaster) -> Result<KoThermograph, KoError> {
    let mut now = Now { graph, komaster, t: BigRational::zero(), horizon: None };
    let mut walls = now.start()?;
    let mut corners: [Vec<(BigRational, BigRational)>; 2] = Default::default();
    for _ in 0..MOST_CORNERS {
        now.bend(&mut walls)?;
        for (side, corners) in corners.iter_mut().enumerate() {
            corners.push((now.t.clone(), walls[0][side].value.clone()));
        }
        let Some(wait) = now.horizon.clone() else {
            return finish(&walls, corners, komaster);
        };
        for wall in walls.iter_mut().flatten() {
            wall.value += &wait * whole(wall.slope);
        }
        now.t += wait;
    }
    Err(KoError::Undetermined)
}

fn finish(
    walls: &Walls,
    corners: [Vec<(BigRational, BigRational)>; 2],
    komaster: Komaster,
) -> Result<KoThermograph, KoError> {
    let [left, right] = &walls[0];
    if left.value != right.value || left.slope != 0 || right.slope != 0 {
        return Err(KoError::Undetermined);
    }
    let [left_wall, right_wall] = corners.map(tidy);
    let last = |wall: &[(BigRational, BigRational)]| wall.last().map(|corner| corner.0.clone());
    let temperature = last(&left_wall).max(last(&right_wall)).unwrap_or_default();
    Ok(KoThermograph {
        komaster,
        mean: left.value.clone(),
        temperature,
        left: left_wall,
        right: right_wall,
    })
}

/// Removes corners on the line between their neighbours, and those of the mast.
fn tidy(corners: Vec<(BigRational, BigRational)>) -> Vec<(BigRational, BigRational)> {
    let mut tidy: Vec<(BigRational, BigRational)> = Vec::new();
    let mut slope = None;
    for (at, corner) in corners.iter().enumerate() {
        let after = corners
            .get(at + 1)
            .map_or_else(BigRational::zero, |next| (&next.1 - &corner.1) / (&next.0 - &corner.0));
        if slope.as_ref() != Some(&after) {
            tidy.push(corner.clone());
        }
        slope = Some(after);
    }
    tidy
}

struct Now<'a> {
    graph: &'a Graph,
    komaster: Komaster,
    t: BigRational,
    /// How long until the next change, if there is one.
    horizon: Option<BigRational>,
}

impl Now<'_> {
    /// The walls at temperature 0.
    fn start(&mut self) -> Result<Walls, KoError> {
        let still = |number: i64| Line { value: whole(number), slope: 0 };
        let mut walls: Walls =
            self.graph.nodes.iter().map(|node| [(); 2].map(|()| still(node.territory))).collect();
        for _ in 0..self.graph.nodes.len() + 2 {
            let mut next = Vec::with_capacity(walls.len());
            for node in 0..walls.len() {
                let left = self.scaffold(&walls, node, 0).map(|line| line.value);
                let right = self.scaffold(&walls, node, 1).map(|line| line.value);
                next.push(match (left, right) {
                    (Some(left), Some(right)) if left >= right => {
                        [left, right].map(|value| Line { value, slope: 0 })
                    }
                    (left, right) => {
                        let rest = resting(left, right, self.graph.nodes[node].territory);
                        [(); 2].map(|()| Line { value: rest.clone(), slope: 0 })
                    }
                });
            }
            if next == walls {
                return Ok(walls);
            }
            walls = next;
        }
        Err(KoError::Undetermined)
    }

    /// The slopes of all walls from here, and how long they hold.
    fn bend(&mut self, walls: &mut Walls) -> Result<(), KoError> {
        for wall in walls.iter_mut().flatten() {
            wall.slope = 0;
        }
        for _ in 0..2 * walls.len() + 8 {
            self.horizon = None;
            let bent: Walls = (0..walls.len()).map(|node| self.bent(walls, node)).collect();
            if bent == *walls {
                return Ok(());
            }
            *walls = bent;
        }
        Err(KoError::Undetermined)
    }

    fn bent(&mut self, walls: &Walls, node: usize) -> [Line; 2] {
        let left = self.scaffold(walls, node, 0);
        let right = self.scaffold(walls, node, 1);
        if let (Some(left), Some(right)) = (&left, &right)
            && left > right
        {
            self.wait(left.until(right));
            return [left.clone(), right.clone()];
        }
        // Frozen: the mast stays unless a scaffold pushes it.
        let mut mast = Line { value: walls[node][0].value.clone(), slope: 0 };
        if let Some(right) = &right {
            mast = mast.min(right.clone());
        }
        if let Some(left) = &left {
            mast = mast.max(left.clone());
            self.wait(mast.until(left));
        }
        if let Some(right) = &right {
            self.wait(right.until(&mast));
        }
        [mast.clone(), mast]
    }

    fn wait(&mut self, time: Option<BigRational>) {
        if let Some(time) = time.filter(Signed::is_positive)
            && self.horizon.as_ref().is_none_or(|horizon| time < *horizon)
        {
            self.horizon = Some(time);
        }
    }

    /// The best move of a side: the result when the other side begins, minus the price.
    fn scaffold(&mut self, walls: &Walls, node: usize, side: usize) -> Option<Line> {
        let lines = self.moves(walls, node, side, None);
        self.best(lines, side)
    }

    fn moves(&mut self, walls: &Walls, node: usize, side: usize, ban: Option<usize>) -> Vec<Line> {
        let graph = self.graph;
        let allowed = graph.nodes[node].edges[side].iter().filter(|edge| ban != Some(edge.point));
        allowed.map(|edge| self.after(walls, edge, side).taxed(price(side), &self.t)).collect()
    }

    /// The result of a move, the other side to begin.
    fn after(&mut self, walls: &Walls, edge: &Edge, side: usize) -> Line {
        let line = match (&edge.to, edge.ban) {
            (Target::Leaf(graph), _) => {
                let wall = if side == 0 { &graph.right } else { &graph.left };
                let points = wall.points();
                let corner = |at: usize| (rational(&points[at].t), rational(&points[at].v));
                let next = points.partition_point(|point| rational(&point.t) <= self.t);
                let from = corner(next - 1);
                let slope = match points.get(next) {
                    None => 0,
                    Some(_) => {
                        let to = corner(next);
                        self.wait(Some(&to.0 - &self.t));
                        i64::from(to.1 > from.1) - i64::from(to.1 < from.1)
                    }
                };
                Line { value: &from.1 + (&self.t - &from.0) * whole(slope), slope }
            }
            (Target::Node(to), None) => walls[*to][1 - side].clone(),
            (Target::Node(to), Some(ban)) => self.banned(walls, *to, 1 - side, ban),
        };
        line.plus(&edge.offset)
    }

    /// For a side that may not retake at once: another move here, a move elsewhere, or, for the
    /// komaster, retaking after a threat and resolving the ko.
    fn banned(&mut self, walls: &Walls, node: usize, side: usize, ban: usize) -> Line {
        let mut lines = self.moves(walls, node, side, Some(ban));
        lines.push(walls[node][1 - side].clone());
        let master = match self.komaster {
            Komaster::Neither => None,
            Komaster::Black => Some(0),
            Komaster::White => Some(1),
        };
        if master == Some(side) {
            let graph = self.graph;
            let back = graph.nodes[node].edges[side].iter().filter(|edge| edge.point == ban);
            for edge in back {
                let Target::Node(to) = edge.to else { continue };
                for second in graph.nodes[to].edges[side].iter().filter(|edge| edge.ban.is_none()) {
                    let line = self.after(walls, second, side).plus(&edge.offset);
                    lines.push(line.taxed(2 * price(side), &self.t));
                }
            }
        }
        self.best(lines, side).expect("a move elsewhere")
    }

    /// The greatest line for Left, the least for Right; records when another one takes over.
    fn best(&mut self, lines: Vec<Line>, side: usize) -> Option<Line> {
        let best = match side {
            0 => lines.iter().max(),
            _ => lines.iter().min(),
        }?
        .clone();
        for line in &lines {
            self.wait(if side == 0 { best.until(line) } else { line.until(&best) });
        }
        Some(best)
    }
}

/// Each move here costs the temperature.
fn price(side: usize) -> i64 {
    if side == 0 { -1 } else { 1 }
}

/// The value of a position where neither player gains by moving: its territory if that lies
/// between, otherwise the simplest whole number, otherwise the middle.
fn resting(left: Option<BigRational>, right: Option<BigRational>, territory: i64) -> BigRational {
    let fits = |number: &BigRational| {
        left.as_ref().is_none_or(|left| left < number)
            && right.as_ref().is_none_or(|right| number < right)
    };
    let mut near = vec![whole(territory), BigRational::zero()];
    near.extend(left.as_ref().map(|left| left.floor() + whole(1)));
    near.extend(right.as_ref().map(|right| right.ceil() - whole(1)));
    let mut fitting: Vec<BigRational> =
        near.iter().filter(|number| fits(number)).cloned().collect();
    if fitting.first() == near.first() {
        return whole(territory);
    }
    fitting.sort_by_key(Signed::abs);
    match (fitting.first(), left, right) {
        (Some(simplest), _, _) => simplest.clone(),
        (None, Some(left), Some(right)) => (left + right) / whole(2),
        (None, one, other) => one.or(other).unwrap_or_default(),
    }
}
