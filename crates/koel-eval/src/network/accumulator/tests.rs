use super::super::output_bucket;
use super::super::samples::{Random, STARTS, Step, random_parts, random_step};
use super::*;

const N: usize = 64;

fn network<const K: usize>() -> Arc<Network<K, N>> {
    Arc::new(Network::from_parts(&random_parts::<K, N>(7)).unwrap())
}

/// The evaluation with nothing incremental about it: all pieces added up, then the formula of the
/// network spelled out.
fn from_scratch<const K: usize>(network: &Network<K, N>, position: &Position) -> Centipawns {
    let parts = network.to_parts();
    let accumulator = |color: Color| {
        let mut sums: Vec<i64> = parts.start.iter().map(|&weight| i64::from(weight)).collect();
        let view = View::of::<K>(position, color);
        for square in position.occupied() {
            let piece = position.piece_at(square).unwrap();
            let feature = view.feature(super::super::PieceSquare::new(piece, square));
            for (neuron, sum) in sums.iter_mut().enumerate() {
                *sum += i64::from(parts.inputs[feature * N + neuron]);
            }
        }
        sums
    };
    let both = [accumulator(position.turn()), accumulator(!position.turn())].concat();
    let bucket = (position.occupied().count() - 2) / 4;
    let weights = &parts.outputs[bucket * 2 * N..][..2 * N];
    let terms = both.iter().zip(weights);
    let sum: i64 = terms.map(|(&sum, &weight)| sum.clamp(0, 255).pow(2) * i64::from(weight)).sum();
    let output = sum / 255 + i64::from(parts.constants[bucket]);
    Centipawns((output * 400 / (255 * i64::from(parts.qb))) as i32)
}

/// What random games met.
#[derive(Default, Debug)]
struct Met {
    nulls: usize,
    castlings: usize,
    promotions: usize,
    en_passants: usize,
    turned_views: usize,
}

impl Met {
    fn note<const K: usize>(&mut self, position: &Position, step: Step) {
        let Step::Play(m) = step else {
            self.nulls += 1;
            return;
        };
        self.castlings += usize::from(m.is_castling());
        self.promotions += usize::from(m.promotion().is_some());
        self.en_passants += usize::from(m.is_en_passant());
        let color = position.turn();
        let is_turned = View::of::<K>(position, color) != View::of::<K>(&position.after(m), color);
        self.turned_views += usize::from(is_turned);
    }
}

fn take<const K: usize>(
    position: &mut Position,
    step: Step,
    stacks: &mut [AccumulatorStack<K, N>],
) {
    let before = position.clone();
    for stack in stacks {
        *position = before.clone();
        match step {
            Step::Play(m) => position.play_observed(m, stack.push()),
            Step::Null => {
                stack.push();
                position.play_null();
            }
        }
    }
}

/// Random walks, forwards and back: one stack that is asked at every position, one that is asked
/// now and then, and all from scratch.
fn walk<const K: usize>(games: u64) -> Met {
    let network = network::<K>();
    let mut met = Met::default();
    for game in 0..games {
        let mut random = Random(game * 2 + 1);
        let start = Position::from_fen(STARTS[game as usize % STARTS.len()]).unwrap();
        let eager = AccumulatorStack::new(Arc::clone(&network), &start);
        let mut stacks = [eager.clone(), eager];
        let mut line = vec![start];
        for _ in 0..150 {
            let mut position = line.last().unwrap().clone();
            if line.len() > 1 && random.below(4) == 0 {
                line.pop();
                stacks.iter_mut().for_each(AccumulatorStack::pop);
                position = line.last().unwrap().clone();
            } else {
                let Some(step) = random_step(&mut random, &position) else { break };
                met.note::<K>(&position, step);
                take(&mut position, step, &mut stacks);
                line.push(position.clone());
            }
            let expected = from_scratch(&network, &position);
            assert_eq!(stacks[0].evaluate(&position), expected, "{position}");
            let bucket = output_bucket(position.occupied().count());
            assert_eq!(network.ask(&position, None)[bucket], expected.0, "{position}");
            if random.below(5) == 0 {
                assert_eq!(stacks[1].evaluate(&position), expected, "{position}, lazily");
            }
        }
    }
    met
}

#[test]
fn incremental_lazy_and_cached_equal_from_scratch() {
    let met = walk::<1>(200);
    let seen = [met.nulls, met.castlings, met.promotions, met.en_passants, met.turned_views];
    assert!(seen.iter().all(|&count| count > 50), "{met:?}");
}

#[test]
fn so_they_do_with_king_buckets() {
    let met = walk::<4>(100);
    assert!(met.turned_views > 200, "{met:?}");
}

/// The cache alone: positions that have nothing to do with each other.
#[test]
fn a_refresh_from_any_position_is_right() {
    let network = network::<4>();
    let mut random = Random(5);
    let mut stack = AccumulatorStack::new(Arc::clone(&network), &Position::start());
    for round in 0..400 {
        let mut position = Position::from_fen(STARTS[round % STARTS.len()]).unwrap();
        for _ in 0..random.below(60) {
            match random_step(&mut random, &position) {
                Some(Step::Play(m)) => position.play(m),
                Some(Step::Null) => position.play_null(),
                None => break,
            }
        }
        stack.restart(&position);
        assert_eq!(stack.evaluate(&position), from_scratch(&network, &position), "{position}");
    }
}

#[test]
fn more_changes_than_a_move_makes_are_no_harm() {
    let network = network::<1>();
    let mut stack = AccumulatorStack::new(Arc::clone(&network), &Position::start());
    let mut position = Position::start();
    assert_eq!(stack.evaluate(&position), from_scratch(&network, &position));
    let deltas = stack.push();
    for text in ["e2e4", "e7e5", "g1f3", "b8c6"] {
        position.play_observed(position.parse_uci(text).unwrap(), deltas);
    }
    assert_eq!(stack.evaluate(&position), from_scratch(&network, &position));
}

fn flipped(position: &Position) -> Position {
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap_case = |text: &str| -> String {
        let swap = |c: char| match c.is_ascii_lowercase() {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        };
        text.chars().map(swap).collect()
    };
    let ranks: Vec<String> = fields[0].split('/').rev().map(swap_case).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    Position::from_fen(&format!("{} {turn} - - 0 1", ranks.join("/"))).unwrap()
}

fn mirrored(position: &Position) -> Position {
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<String> =
        fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
    Position::from_fen(&format!("{} {} - - 0 1", ranks.join("/"), fields[1])).unwrap()
}

#[test]
fn colours_and_wings_are_alike() {
    let network = network::<4>();
    let worth = |position: &Position| {
        AccumulatorStack::new(Arc::clone(&network), position).evaluate(position)
    };
    let mut random = Random(11);
    for start in STARTS {
        let mut position = Position::from_fen(start).unwrap();
        for _ in 0..100 {
            assert_eq!(worth(&flipped(&position)), worth(&position), "{position}");
            assert_eq!(worth(&mirrored(&position)), worth(&position), "{position}");
            match random_step(&mut random, &position) {
                Some(Step::Play(m)) => position.play(m),
                Some(Step::Null) => position.play_null(),
                None => break,
            }
        }
    }
}
