//! The statistics: published figures are reproduced, and no figure is `NaN`.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod elo {
    use koel_arena::statistics::{Estimate, ResultCounts, Strength, expected_score};

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }

    #[test]
    fn published_figures_are_reproduced() {
        let strength = ResultCounts([0, 0, 4, 1, 5]).strength();
        close(strength.elo.value, 214.85, 0.005);
        close(strength.elo.error, 167.75, 0.005);
        close(strength.normalized_elo.value, 286.46, 0.005);
        close(strength.normalized_elo.error, 152.27, 0.005);
        close(strength.superiority, 0.9999, 0.000_05);
    }

    #[test]
    fn even_pairs_do_not_divide_by_zero() {
        let strength = ResultCounts([0, 0, 40, 0, 0]).strength();
        let zero = Estimate { value: 0.0, error: 0.0 };
        assert_eq!(strength, Strength { elo: zero, normalized_elo: zero, superiority: 0.5 });
    }

    #[test]
    fn an_interval_without_zero_is_resolved() {
        for counts in [[0, 0, 4, 1, 5], [20, 30, 50, 10, 5], [0, 0, 0, 0, 9], [0, 0, 0, 1, 99]] {
            assert!(ResultCounts(counts).strength().is_resolved(), "{counts:?}");
        }
        for counts in [[0; 5], [0, 0, 40, 0, 0], [5, 20, 50, 22, 5], [0, 0, 1, 1, 0]] {
            assert!(!ResultCounts(counts).strength().is_resolved(), "{counts:?}");
        }
    }

    #[test]
    fn no_figure_is_nan() {
        for counts in [[0; 5], [0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 9]] {
            let strength = ResultCounts(counts).strength();
            for estimate in [strength.elo, strength.normalized_elo] {
                assert!(!estimate.value.is_nan() && !estimate.error.is_nan(), "{counts:?}");
            }
            assert!((0.0..=1.0).contains(&strength.superiority), "{counts:?}");
        }
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for counts in [[5, 20, 50, 22, 5], [0, 0, 4, 1, 5], [30, 3, 2, 1, 0]].map(ResultCounts) {
            close(expected_score(counts.strength().elo.value), counts.mean(), 1e-9);
        }
    }
}

mod normal {
    use koel_arena::statistics::probability_below;

    #[test]
    fn known_values_are_reproduced() {
        let known = [(0.0, 0.5), (1.0, 0.841_344_746), (-1.0, 0.158_655_254), (3.0, 0.998_650_102)];
        for (x, p) in known {
            assert!((probability_below(x) - p).abs() < 1e-9, "{x}");
        }
        assert!((probability_below(1.959_963_984_540_054) - 0.975).abs() < 1e-12);
        assert_eq!(probability_below(100.0), 1.0);
        assert_eq!(probability_below(f64::NEG_INFINITY), 0.0);
        assert_eq!(probability_below(f64::NAN), 0.5);
    }
}

mod performance {
    use koel_arena::statistics::{Performance, ResultCounts, performance};

    #[test]
    fn one_opponent_gives_its_rating_plus_the_difference() {
        let pairs = ResultCounts([5, 20, 50, 40, 15]);
        let found = performance(&[Performance { rating: 2500.0, pairs }]).unwrap();
        let strength = pairs.strength();
        assert!((found.value - 2500.0 - strength.elo.value).abs() < 1e-6);
        assert!((found.error - strength.elo.error).abs() < 1.0);
    }

    #[test]
    fn opponents_on_both_sides_give_the_middle() {
        let weaker = Performance { rating: 2400.0, pairs: ResultCounts([0, 10, 30, 50, 10]) };
        let stronger = Performance { rating: 2600.0, pairs: ResultCounts([10, 50, 30, 10, 0]) };
        let found = performance(&[weaker, stronger]).unwrap();
        assert!((found.value - 2500.0).abs() < 1e-6, "{found:?}");
        assert!(found.error > 10.0 && found.error < 100.0, "{found:?}");
    }

    #[test]
    fn winning_every_game_gives_infinity() {
        let all = Performance { rating: 2400.0, pairs: ResultCounts([0, 0, 0, 0, 4]) };
        assert_eq!(performance(&[all]).unwrap().value, f64::INFINITY);
        assert!(performance(&[]).is_none());
    }
}

mod result_counts {
    use koel_arena::statistics::{Pentanomial, ResultCounts};

    #[test]
    fn no_results_are_even() {
        assert_eq!(Pentanomial::default().mean(), 0.5);
        assert_eq!(Pentanomial::default().variance(), 0.0);
        assert!(!Pentanomial::default().is_all_even());
        assert!(ResultCounts([0, 0, 3, 0, 0]).is_all_even());
        assert!(!ResultCounts([0, 1, 3, 1, 0]).is_all_even());
    }

    #[test]
    fn results_score_their_points() {
        let sample = ResultCounts([0, 0, 4, 1, 5]);
        assert!((sample.mean() - 0.775).abs() < 1e-12);
        assert!((sample.variance() - 0.055_625).abs() < 1e-12);
    }
}

mod sprt {
    use koel_arena::statistics::{Decision, EloModel, ResultCounts, Sprt, llr};

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-3, "{found} is not {expected}");
    }

    #[test]
    fn known_ratios_of_pairs() {
        use EloModel::{Logistic, Normalized};
        let known = [
            (Normalized, [365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, 2.2504),
            (Normalized, [127, 4_883, 10_712, 5_150, 104], -1.75, 0.25, 3.0102),
            (Logistic, [223, 9_863, 21_279, 10_037, 246], 0.5, 2.5, -3.0741),
            (Logistic, [871, 26_175, 55_983, 26_678, 821], 0.0, 2.0, -4.9787),
            (Normalized, [0, 0, 4, 1, 5], 0.0, 100.0, 2.2926),
        ];
        for (model, counts, elo0, elo1, expected) in known {
            close(llr(&ResultCounts(counts), model, elo0, elo1), expected);
        }
    }

    /// The first Newton step from zero once ended at a pole for such counts. The ratios are those
    /// of a general optimiser with constraints.
    #[test]
    fn no_counts_have_a_ratio_unlike_that_of_their_neighbours() {
        use EloModel::{Logistic, Normalized};
        for (counts, elo0, elo1, expected) in [
            ([10, 40, 0, 200, 40], 0.0, 10.0, 6.3895),
            ([16, 35, 16, 9, 1], -5.0, 0.0, -0.8905),
            ([1, 1, 1, 11, 1], 0.0, 10.0, 0.2905),
            ([1, 6, 45, 38, 10], 0.0, 10.0, 1.8796),
        ] {
            close(llr(&ResultCounts(counts), Normalized, elo0, elo1), expected);
        }
        for (lost, losing) in (0..20).flat_map(|lost| (0..20).map(move |losing| (lost, losing))) {
            for model in [Normalized, Logistic] {
                let ratio = |even| {
                    let counts = [lost, losing, even, 8 * lost + 3 * losing, 1];
                    let mirrored = [1, counts[3], even, losing, lost];
                    let found = llr(&ResultCounts(counts), model, 0.0, 10.0);
                    close(llr(&ResultCounts(mirrored), model, -10.0, 0.0), -found);
                    found
                };
                assert!((ratio(30) - ratio(31)).abs() < 0.1, "{lost} {losing} {model:?}");
            }
        }
    }

    #[test]
    fn known_ratios_of_games() {
        use EloModel::{Logistic, Normalized};
        let known = [
            (Normalized, [36_027, 68_692, 36_433], 0.0, 2.0, 0.9233),
            (Normalized, [10_650, 20_431, 10_871], -1.75, 0.25, 2.2975),
            (Logistic, [21_184, 40_708, 21_404], 0.5, 2.5, -1.5719),
            (Logistic, [57_030, 106_593, 57_433], 0.0, 2.0, -2.5930),
        ];
        for (model, counts, elo0, elo1, expected) in known {
            close(llr(&ResultCounts(counts), model, elo0, elo1), expected);
        }
    }

    #[test]
    fn known_bounds_are_reproduced() {
        let wide = Sprt { alpha: 0.1, beta: 0.1, ..Sprt::new(0.0, 100.0) };
        close(wide.bounds().0, -2.1972);
        close(wide.bounds().1, 2.1972);
        assert_eq!(wide.decide(&ResultCounts([0, 0, 4, 1, 5])), Decision::AcceptElo1);
        assert_eq!(wide.decide(&ResultCounts([5, 1, 4, 0, 0])), Decision::AcceptElo0);
        assert_eq!(Sprt::new(0.0, 100.0).decide(&ResultCounts([0, 0, 4, 1, 5])), Decision::Open);
    }

    #[test]
    fn extreme_counts_give_finite_ratios() {
        for counts in [[0; 5], [0, 0, 500, 0, 0], [500, 0, 0, 0, 0], [0, 0, 0, 0, 500]] {
            for model in [EloModel::Logistic, EloModel::Normalized] {
                let found = llr(&ResultCounts(counts), model, 0.0, 10.0);
                assert!(found.is_finite(), "{counts:?} {model:?} {found}");
            }
        }
        assert_eq!(llr(&ResultCounts([0; 5]), EloModel::Normalized, 0.0, 10.0), 0.0);
    }
}
