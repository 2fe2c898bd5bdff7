//! Puzzles of Mancala, from the view of the side to move, whose pockets are always 0 to 5.

use super::exact::Fast;
use super::position::{MAX_RING, Position, Ring};
use super::{Goal, Mancala, Sowing};
use hasami_game::race::{Outcome, Player, Race};
use hasami_game::random::SplitMix;
use hasami_puzzles::{
    Analyst, ByRace, Deepening, Drawing, Exhausted, Mark, Method, Puzzle, Racing, Turn, Unique,
};
use hasami_spec::params::Params;

/// About this many seeds for each side suit puzzles of a few plies.
const MOST_SEEDS: u32 = 10;

impl Puzzle for Mancala {
    const IN_WORDS: &'static str = "Yours is the upper row. Take all seeds of one of your pockets and sow them one by one, to the left, round the ring and through both goals. If the last seed falls into a goal, go on. Who has an empty row wins. \
        Your pockets are A to F from the left, those of the opponent below them a to f; all sowings of one turn are one move.";
    const METHOD: Method = Method::Free;
    const GRADES: &'static [(u32, [f64; 2])] =
        &[(3, [2.8, 4.0]), (5, [3.1, 4.2]), (7, [2.8, 4.3]), (9, [2.2, 3.3])];

    fn asked_from(&self, params: &Params, state: &Position) -> Option<Params> {
        if self.winner(state).is_some() {
            return None;
        }
        let mut seeds = [0; MAX_RING];
        let pits = usize::from(self.ring.pits);
        let (own, other) = (state.mover, state.mover.other());
        seeds[..pits].copy_from_slice(self.ring.row(state, own));
        seeds[pits + 1..=2 * pits].copy_from_slice(self.ring.row(state, other));
        self.asked_about(params, seeds)
    }

    /// Random seeds in the mover's pockets; the opponent's row is full as at the start (the paper's
    /// way to wins within the turn).
    fn composed(&self, params: &Params, _: u32, random: &mut SplitMix) -> Option<Params> {
        let mut seeds = self.ring.start(4).seeds;
        let most = 2 + random.below(MOST_SEEDS);
        self.scatter(&mut seeds, Player::First, most, random);
        self.asked_about(params, seeds)
    }

    /// Few seeds anywhere.
    fn free(&self, params: &Params, plies: u32, random: &mut SplitMix) -> Option<Params> {
        let mut seeds = [0; MAX_RING];
        let most = MOST_SEEDS.min(2 + plies);
        for player in [Player::First, Player::Second] {
            let count = 1 + random.below(most);
            self.scatter(&mut seeds, player, count, random);
        }
        self.asked_about(params, seeds)
    }

    /// Plies decide a win within the turn; and a player who never loses the turn always wins in the
    /// end.
    fn usual_unique(method: Method) -> Unique {
        match method {
            Method::Guided | Method::Passing => Unique::Shortest,
            Method::Played | Method::Free => Unique::Win,
        }
    }

    fn passing(params: &Params) -> Option<Params> {
        params.with("replies", "pass").ok()
    }

    fn label(params: &Params) -> Option<String> {
        let passes = params.text("replies").is_ok_and(|replies| replies == "pass");
        let own = params.choice("goal", &Goal::WORDS).is_ok_and(|goal| goal == Goal::Own);
        let passes = passes.then_some("the opponent passes every turn: no real play");
        let own = own.then_some("only the own goal lets you go on");
        let labels: Vec<&str> = passes.into_iter().chain(own).collect();
        (!labels.is_empty()).then(|| labels.join("; "))
    }

    fn analyst() -> Box<dyn Analyst<Self>> {
        Box::new(Both { real: ByRace::default(), passing: Deepening::new() })
    }

    fn drawing(&self, state: &Position) -> Drawing {
        let mark = |&seeds: &u8| Mark {
            text: seeds.to_string(),
            svg: format!(
                "<circle cx=\"20\" cy=\"20\" r=\"18\" fill=\"#f3ead8\" stroke=\"#555\"/><text x=\"20\" y=\"26\" text-anchor=\"middle\" font-size=\"17\">{}</text>",
                if seeds == 0 { String::new() } else { seeds.to_string() }
            ),
        };
        let between = |first: Mark, pockets: Vec<Mark>, last: Mark| {
            [first].into_iter().chain(pockets).chain([last]).collect()
        };
        let above: Vec<Mark> = self.ring.row(state, Player::First).iter().map(mark).collect();
        let below: Vec<Mark> =
            self.ring.row(state, Player::Second).iter().rev().map(mark).collect();
        let letters = (0..above.len() as u8).map(|at| char::from(b'A' + at).to_string());
        let blank = || [String::new()].into_iter();
        Drawing {
            columns: blank().chain(letters).chain(blank()).collect(),
            rows: vec![
                between(goal(), above, goal()),
                between(Mark::text("↳"), below, Mark::text("↑")),
            ],
            ..Drawing::default()
        }
    }

    /// Sowings of one side in a row are one turn.
    fn turns(&self, line: &[String]) -> Vec<Turn> {
        let pits = self.ring.pits;
        let mut turns: Vec<Turn> = Vec::new();
        for told in line {
            let (wins, name) = match told.parse::<u8>() {
                Ok(pocket) if pocket < pits => (true, char::from(b'A' + pocket)),
                Ok(pocket) => (false, char::from(b'a' + (2 * pits).saturating_sub(pocket))),
                Err(_) => {
                    let wins = turns.last().is_none_or(|last| !last.wins);
                    turns.push(Turn { wins, marks: vec![Mark::text(told.clone())] });
                    continue;
                }
            };
            let mark = Mark::text(name.to_string());
            match turns.last_mut().filter(|last| last.wins == wins) {
                Some(last) => last.marks.push(mark),
                None => turns.push(Turn { wins, marks: vec![mark] }),
            }
        }
        turns
    }

    fn legend() -> Vec<(Mark, &'static str)> {
        vec![
            (goal(), "goal, one at each end"),
            (Mark::text("↳ ↑"), "seeds go left above and right below"),
        ]
    }

    fn told(&self, _: &Position, mv: Sowing) -> String {
        match mv {
            Sowing::Pocket(pocket) => pocket.to_string(),
            Sowing::Pass => "pass".to_string(),
        }
    }
}

/// A goal.
fn goal() -> Mark {
    let svg = "<circle cx=\"20\" cy=\"20\" r=\"17\" fill=\"none\" stroke=\"#888\" \
               stroke-dasharray=\"4 3\"/>";
    Mark { text: "○".to_string(), svg: svg.to_string() }
}

impl Mancala {
    fn asked_about(&self, params: &Params, seeds: [u8; MAX_RING]) -> Option<Params> {
        let position = Position { seeds, mover: Player::First, left: None };
        let over = [Player::First, Player::Second].map(|side| self.ring.is_empty(&position, side));
        if over.contains(&true) {
            return None;
        }
        let params = params.with("position", &self.ring.spell(&position)).ok()?;
        params.with("within", "any").ok()
    }

    /// Empties the pockets of a player and spreads this many seeds over them.
    fn scatter(
        &self,
        seeds: &mut [u8; MAX_RING],
        player: Player,
        count: u32,
        random: &mut SplitMix,
    ) {
        let (from, pits) = (usize::from(self.ring.first_pocket(player)), self.ring.pits);
        let row = &mut seeds[from..from + usize::from(pits)];
        row.fill(0);
        (0..count).for_each(|_| row[random.below(pits.into()) as usize] += 1);
    }
}

/// Ring and rule for the exact search.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    ring: Ring,
    goal: Goal,
}

impl Rules {
    fn fast(self) -> Fast {
        Fast::new(self.ring, self.goal)
    }
}

impl Race for Rules {
    type Pos = u128;

    fn ended(&self, pos: u128) -> Option<Outcome> {
        self.fast().ended(pos)
    }

    fn push_moves(&self, pos: u128, after: &mut Vec<(u128, bool)>) {
        self.fast().push_moves(pos, after);
    }

    fn fewest(&self, pos: u128) -> (u16, u16) {
        self.fast().fewest(pos)
    }
}

impl Racing for Mancala {
    type Rules = Rules;

    fn rules(&self) -> Rules {
        Rules { ring: self.ring, goal: self.goal }
    }

    fn has_rules(&self, rules: &Rules) -> bool {
        (self.ring, self.goal) == (rules.ring, rules.goal)
    }

    fn seen(rules: &Rules, state: &Position) -> u128 {
        rules.fast().seen(state)
    }

    fn state_of(_: &Rules, pos: u128) -> Position {
        let mut seeds = [0; MAX_RING];
        seeds.copy_from_slice(&pos.to_le_bytes()[..MAX_RING]);
        Position { seeds, mover: Player::First, left: None }
    }
}

/// Real play by the exact search; games in which the opponent passes by the general search.
struct Both {
    real: ByRace<Mancala>,
    passing: Deepening<Mancala>,
}

impl Analyst<Mancala> for Both {
    fn begin(&mut self, nodes: u64) {
        self.real.begin(nodes);
        self.passing.begin(nodes);
    }

    fn shortest(
        &mut self,
        game: &Mancala,
        state: &Position,
        most: u32,
    ) -> Result<Option<u32>, Exhausted> {
        if game.opponent_passes() {
            self.passing.shortest(game, state, most)
        } else {
            self.real.shortest(game, state, most)
        }
    }
}
