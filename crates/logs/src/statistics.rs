//! The few distributions that the analysis tests against.
//!
//! Written out here rather than taken from a library because the whole need is two special functions, and because the
//! answer must be the same natively and in every browser: only `libm` is used below.

/// Terms of a series or of a continued fraction. Both converge in about the square root of their largest argument.
const MAX_TERMS: u32 = 20_000;
const TINY: f64 = 1e-300;

/// P(X ≥ statistic) for X distributed as chi-square.
#[must_use]
pub fn chi_square_tail(statistic: f64, degrees: u32) -> f64 {
    if degrees == 0 || statistic <= 0.0 {
        1.0
    } else {
        gamma_q(f64::from(degrees) / 2.0, statistic / 2.0)
    }
}

/// The regularised incomplete gamma function Q(a, x), for a > 0 and x ≥ 0.
///
/// Below a + 1 from the series DLMF 8.11.4, above it from the continued fraction DLMF 8.9.2.
#[must_use]
pub fn gamma_q(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let scale = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum, mut divisor) = (1.0 / a, 1.0 / a, a);
        for _ in 0..MAX_TERMS {
            divisor += 1.0;
            term *= x / divisor;
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return (1.0 - sum * scale).clamp(0.0, 1.0);
    }
    let mut fraction = Lentz::new(x + 1.0 - a);
    for i in 1..MAX_TERMS {
        let i = f64::from(i);
        if fraction.step(-i * (i - a), x + 2.0 * i + 1.0 - a) {
            break;
        }
    }
    (scale / fraction.value).clamp(0.0, 1.0)
}

/// The regularised incomplete beta function I(x; a, b), for a, b > 0 and 0 ≤ x ≤ 1.
///
/// From the continued fraction DLMF 8.17.22, on the side of the mean where it converges fast (8.17.4).
#[must_use]
pub fn beta_i(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else if x <= (a + 1.0) / (a + b + 2.0) {
        beta_fraction(x, a, b)
    } else {
        1.0 - beta_fraction(1.0 - x, b, a)
    }
}

fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let log_scale = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
        + a * libm::log(x)
        + b * libm::log1p(-x);
    let mut fraction = Lentz::new(1.0);
    for m in 0..MAX_TERMS {
        let m = f64::from(m);
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let next = m + 1.0;
        let even = next * (b - next) * x / ((a + 2.0 * next - 1.0) * (a + 2.0 * next));
        let odd_done = fraction.step(odd, 1.0);
        if fraction.step(even, 1.0) && odd_done {
            break;
        }
    }
    (libm::exp(log_scale) / (a * fraction.value)).clamp(0.0, 1.0)
}

/// P(X ≤ k) of X successes in n tries of probability p.
#[must_use]
pub fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    if k >= n {
        1.0
    } else {
        1.0 - beta_i(p, k as f64 + 1.0, (n - k) as f64)
    }
}

/// The one-sided 95 % upper bound (Clopper and Pearson's) of a probability of which k of n tries came true.
#[must_use]
pub fn upper_bound_95(k: u64, n: u64) -> f64 {
    if n == 0 || k >= n {
        return 1.0;
    }
    let (mut low, mut high) = (k as f64 / n as f64, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if binomial_cdf(k, n, middle) > 0.05 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// How probable a total of tries at least as far from its mean is, on its own side, doubled: `successes`
/// independent geometric waits of success probability p that took `tries` together.
///
/// Waits for k successes take at most t tries exactly when t tries hold at least k successes.
#[must_use]
pub fn geometric_total_p_value(successes: u64, tries: u64, p: f64) -> f64 {
    if successes == 0 || tries < successes {
        return 1.0;
    }
    let at_most = beta_i(p, successes as f64, (tries - successes) as f64 + 1.0);
    let at_least = binomial_cdf(successes - 1, tries - 1, p);
    (2.0 * at_most.min(at_least)).min(1.0)
}

/// The modified algorithm of Lentz for a continued fraction b0 + a1/(b1 + a2/(b2 + …)), as Thompson and Barnett give it.
struct Lentz {
    value: f64,
    c: f64,
    d: f64,
}

impl Lentz {
    fn new(b0: f64) -> Self {
        let value = if b0 == 0.0 { TINY } else { b0 };
        Self {
            value,
            c: value,
            d: 0.0,
        }
    }

    /// Goes one level deeper; says whether that made no difference any more.
    fn step(&mut self, a: f64, b: f64) -> bool {
        let away_from_zero = |x: f64| if x.abs() < TINY { TINY } else { x };
        self.d = 1.0 / away_from_zero(b + a * self.d);
        self.c = away_from_zero(b + a / self.c);
        let factor = self.c * self.d;
        self.value *= factor;
        (factor - 1.0).abs() < 2.0 * f64::EPSILON
    }
}

#[cfg(test)]
mod tests {
    use super::{
        beta_i, binomial_cdf, chi_square_tail, gamma_q, geometric_total_p_value, upper_bound_95,
    };

    fn close(value: f64, expected: f64, what: &str) {
        assert!(
            (value - expected).abs() <= 1e-9 * expected.abs().max(1e-12),
            "{what}: {value:e}, not {expected:e}"
        );
    }

    /// Expected values were computed with mpmath 1.3 at 40 digits.
    #[test]
    #[expect(
        clippy::unreadable_literal,
        reason = "digits as the other implementation prints them"
    )]
    fn special_functions_agree_with_another_implementation() {
        close(gamma_q(0.5, 0.1), 0.654720846018577, "Q(0.5, 0.1)");
        close(
            gamma_q(1.5, 24.7826),
            9.88765206329739e-11,
            "Q(1.5, 24.7826)",
        );
        close(gamma_q(1.5, 2.0), 0.261464129949111, "Q(1.5, 2.0)");
        close(gamma_q(2.0, 1.0), 0.735758882342885, "Q(2.0, 1.0)");
        close(gamma_q(10.0, 25.0), 0.000221476638248784, "Q(10.0, 25.0)");
        close(gamma_q(50.0, 45.0), 0.75319796559983, "Q(50.0, 45.0)");
        close(gamma_q(511.5, 560.0), 0.0180930321152262, "Q(511.5, 560.0)");
        close(gamma_q(511.5, 480.0), 0.920381847809262, "Q(511.5, 480.0)");
        close(gamma_q(1.0, 700.0), 9.85967654375977e-305, "Q(1.0, 700.0)");
        close(beta_i(0.25, 1.0, 3.0), 0.578125, "I(0.25; 1.0, 3.0)");
        close(beta_i(0.5, 2.0, 2.0), 0.5, "I(0.5; 2.0, 2.0)");
        close(
            beta_i(0.1, 30.0, 170.0),
            0.0153038278340475,
            "I(0.1; 30.0, 170.0)",
        );
        close(
            beta_i(0.25, 30.0, 91.0),
            0.534998388855159,
            "I(0.25; 30.0, 91.0)",
        );
        close(
            beta_i(0.999, 3.0, 0.5),
            0.940746810484054,
            "I(0.999; 3.0, 0.5)",
        );
        close(
            beta_i(0.01, 5.0, 4000.0),
            0.999999999999589,
            "I(0.01; 5.0, 4000.0)",
        );
        close(
            beta_i(0.25, 2500.0, 7600.0),
            0.718700245212736,
            "I(0.25; 2500.0, 7600.0)",
        );
        close(
            chi_square_tail(49.56, 3),
            gamma_q(1.5, 24.78),
            "chi-square is a gamma",
        );
    }

    #[test]
    fn the_binomial_is_the_sum_of_its_terms() {
        let (n, p) = (12_u64, 0.3_f64);
        let mut term = (1.0 - p).powi(12);
        let mut sum = 0.0;
        for k in 0..n {
            sum += term;
            close(binomial_cdf(k, n, p), sum, "binomial");
            term *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
        }
    }

    #[test]
    fn bounds_are_the_textbook_ones() {
        // Nothing in n tries: 1 - 0.05^(1/n), the rule of three.
        close(
            upper_bound_95(0, 100),
            1.0 - 0.05_f64.powf(0.01),
            "rule of three",
        );
        close(upper_bound_95(100, 100), 1.0, "all came true");
        close(upper_bound_95(0, 0), 1.0, "nothing known");
        close(
            binomial_cdf(7, 50, upper_bound_95(7, 50)),
            0.05,
            "the bound is where the tail is 5 %",
        );
    }

    #[test]
    fn one_geometric_wait_has_its_own_tail() {
        // P(T >= 12) = 0.75^11 for p = 1/4.
        close(
            geometric_total_p_value(1, 12, 0.25),
            2.0 * 0.75_f64.powi(11),
            "one long wait",
        );
        // P(T <= 1) = 1/4.
        close(
            geometric_total_p_value(1, 1, 0.25),
            2.0 * 0.25,
            "one short wait",
        );
    }

    #[test]
    fn totals_of_waits_are_negative_binomial() {
        // P(S = s) = C(s-1, 3) p^4 q^(s-4) for four waits; both sides summed term by term.
        let (p, q) = (0.25_f64, 0.75_f64);
        let mut term = p.powi(4);
        let mut below = 0.0;
        for s in 4..60_u32 {
            let expected = (2.0 * f64::min(below + term, 1.0 - below)).min(1.0);
            close(
                geometric_total_p_value(4, u64::from(s), p),
                expected,
                "four waits",
            );
            below += term;
            term *= f64::from(s) / f64::from(s - 3) * q;
        }
    }

    #[test]
    fn large_arguments_end_and_stay_in_range() {
        for (a, b) in [(1e7, 3e7), (1.0, 1e9), (1e9, 1.0), (1e12, 1e12)] {
            let value = beta_i(a / (a + b), a, b);
            assert!((0.0..=1.0).contains(&value), "{a} {b}: {value}");
        }
        assert!(
            chi_square_tail(1e300, 1023) < f64::MIN_POSITIVE,
            "beyond any table"
        );
        close(chi_square_tail(0.0, 3), 1.0, "no deviation");
    }
}
