//! Random numbers, the same on every machine: seeded streams, and distributions by inverse transform from tables.
//!
//! Each concern has its own stream, so that changing one setting does not reshuffle the luck of all others, and a
//! comparison of two settings is a comparison under common random numbers. Tables are computed with `libm`, which is
//! software: no platform's `exp` or `ln` is in a sampled path.

use std::sync::OnceLock;

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of one concern (`concern`) of one place (`index`, a TMM for instance) under a run's seed.
    #[must_use]
    pub fn new(seed: u64, concern: Concern, index: u64) -> Self {
        // Odd multipliers keep (seed, concern, index) apart; `seed_from_u64` then mixes all 256 bits.
        let mixed = seed
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add((concern as u64).wrapping_mul(0xD1B5_4A32_D192_ED03))
            .wrapping_add(index.wrapping_mul(0xAEF1_7502_108E_F2D9));
        Self(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number below `bound`, all equally likely (Lemire's multiplication with rejection). `bound` is at least 1.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound.max(1));
        loop {
            let product = (self.bits() >> 32) * bound;
            let (high, low) = ((product >> 32) as u32, product & 0xFFFF_FFFF);
            // 2^32 mod bound of the low parts would be too often; they are drawn again.
            if low >= bound || low >= (1 << 32) % bound {
                return high;
            }
        }
    }
}

/// What a stream of random numbers is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// Which TMM a connection is given to.
    Dag = 1,
    /// What a write costs on a TMM.
    Cost = 2,
    /// The names that a TMM tries.
    Name = 3,
    /// The source ports of connections.
    Port = 4,
    /// Which session a request belongs to.
    Session = 5,
    /// When requests start, and how long the client works on each.
    Arrival = 6,
    /// How long a TMM works on each request.
    Work = 7,
    /// How long a remote write is coordinated.
    Stall = 8,
    /// Which answers are lost.
    Loss = 9,
}

/// Cells of each table: a power of two.
const CELLS: usize = 1 << CELL_BITS;
const CELL_BITS: u32 = 10;
/// Bits with which a value is placed inside its cell.
const FRACTION_BITS: u32 = 22;
/// Tables: the last cell of each is refined by the next, so the tail reaches to 2^-30.
const LEVELS: usize = 3;

/// The edge of a cell in a table.
#[derive(Clone, Copy)]
struct Place {
    level: usize,
    edge: usize,
}

impl Place {
    /// The probability of a larger value.
    fn upper(self) -> f64 {
        let mut tail = 1.0;
        for _ in 0..self.level {
            tail /= CELLS as f64;
        }
        // The end of a level is where the next one ends its first cell but one: half a cell stands for it.
        let left = (CELLS - self.edge) as f64;
        tail * if self.edge == CELLS { 0.5 } else { left } / CELLS as f64
    }
}

/// Quantiles of the standard normal distribution at every place, level by level: the same for every log-normal, and most
/// of the work of making one.
static NORMAL: OnceLock<Vec<f64>> = OnceLock::new();

/// A distribution of durations as a table of its quantiles, linear between them.
///
/// The table's mean differs from the distribution's by less than one part in a thousand (tested).
#[derive(Clone, Debug)]
pub struct QuantileTable {
    /// Duration at the lower edge of each cell and at the end, in nanoseconds, level by level.
    levels: Box<[[u64; CELLS + 1]]>,
}

impl QuantileTable {
    /// The table of the quantiles at all places. Nanoseconds.
    fn new(quantile: impl Fn(Place) -> f64) -> Self {
        let mut levels = vec![[0; CELLS + 1]; LEVELS].into_boxed_slice();
        for (level, values) in levels.iter_mut().enumerate() {
            for (edge, value) in values.iter_mut().enumerate() {
                *value = to_nanoseconds(quantile(Place { level, edge }));
            }
        }
        Self { levels }
    }

    /// `floor` + log-normal with the given median and sigma; floor and median in nanoseconds.
    #[must_use]
    pub fn log_normal(floor: u64, median: u64, sigma: f64) -> Self {
        // The least value of a log-normal is at minus infinity; half a cell stands for it.
        let most = 1.0 - 0.5 / CELLS as f64;
        let quantiles = NORMAL.get_or_init(|| {
            let places = (0..LEVELS).flat_map(|level| (0..=CELLS).map(move |edge| (level, edge)));
            places
                .map(|(level, edge)| {
                    standard_normal_quantile(Place { level, edge }.upper().min(most))
                })
                .collect()
        });
        let normal = |place: Place| quantiles[place.level * (CELLS + 1) + place.edge];
        Self::new(|place| floor as f64 + median as f64 * libm::exp(-sigma * normal(place)))
    }

    /// Exponential with the given mean, in nanoseconds.
    #[must_use]
    pub fn exponential(mean: u64) -> Self {
        Self::new(|place| -libm::log(place.upper()) * mean as f64)
    }

    /// Draws a duration, in nanoseconds.
    #[inline]
    pub fn draw(&self, stream: &mut Stream) -> u64 {
        let bits = stream.bits();
        let cell = (bits >> (64 - CELL_BITS)) as usize;
        if cell == CELLS - 1 {
            self.draw_tail(stream)
        } else {
            interpolate(&self.levels[0], cell, bits)
        }
    }

    #[cold]
    fn draw_tail(&self, stream: &mut Stream) -> u64 {
        let mut bits = stream.bits();
        for level in &self.levels[1..LEVELS - 1] {
            let cell = (bits >> (64 - CELL_BITS)) as usize;
            if cell < CELLS - 1 {
                return interpolate(level, cell, bits);
            }
            bits = stream.bits();
        }
        interpolate(
            &self.levels[LEVELS - 1],
            (bits >> (64 - CELL_BITS)) as usize,
            bits,
        )
    }
}

/// A point of a cell, placed by bits that did not choose the cell.
#[inline]
fn interpolate(level: &[u64; CELLS + 1], cell: usize, bits: u64) -> u64 {
    let fraction = (bits >> (64 - CELL_BITS - FRACTION_BITS)) & ((1 << FRACTION_BITS) - 1);
    let (low, high) = (level[cell], level[cell + 1]);
    low + (((high - low) * fraction) >> FRACTION_BITS)
}

/// Longest duration in a table: keeps `interpolate` inside 64 bits. About an hour.
const LONGEST: f64 = (1_u64 << 42) as f64;

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 0..2^42 just before"
)]
fn to_nanoseconds(value: f64) -> u64 {
    value.clamp(0.0, LONGEST) as u64
}

/// Quantile of the standard normal distribution: Wichura's algorithm AS 241 (PPND16), Applied Statistics 37 (1988).
/// Relative accuracy about 1e-16.
fn standard_normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * polynomial(&CENTRE.0, r) / polynomial(&CENTRE.1, r);
    }
    let r = libm::sqrt(-libm::log(p.min(1.0 - p)));
    let tail = if r <= 5.0 {
        polynomial(&MIDDLE.0, r - 1.6) / polynomial(&MIDDLE.1, r - 1.6)
    } else {
        polynomial(&FAR.0, r - 5.0) / polynomial(&FAR.1, r - 5.0)
    };
    if q < 0.0 { -tail } else { tail }
}

/// Horner's rule, lowest coefficient first.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients
        .iter()
        .rev()
        .fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// Numerator and denominator of a rational approximation.
type Rational = ([f64; 8], [f64; 8]);

const CENTRE: Rational = (
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
);
const MIDDLE: Rational = (
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
);
const FAR: Rational = (
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_quantile_inverts_the_error_function() {
        for p in [
            1e-9, 1e-6, 1e-4, 0.01, 0.07, 0.2, 0.5, 0.8, 0.93, 0.99, 0.999_999,
        ] {
            let z = standard_normal_quantile(p);
            let back = 0.5 * libm::erfc(-z / core::f64::consts::SQRT_2);
            assert!((back / p - 1.0).abs() < 1e-12, "p = {p}: {back}");
        }
    }

    /// Mean of a table by its own arithmetic: the average of each cell's ends, the tail cell replaced by the next level.
    fn table_mean(table: &QuantileTable) -> f64 {
        let mut mean = 0.0;
        let mut weight = 1.0 / CELLS as f64;
        for (index, level) in table.levels.iter().enumerate() {
            let cells = if index + 1 == LEVELS {
                CELLS
            } else {
                CELLS - 1
            };
            for cell in 0..cells {
                mean += weight * (level[cell] + level[cell + 1]) as f64 / 2.0;
            }
            weight /= CELLS as f64;
        }
        mean
    }

    #[test]
    fn tables_have_the_mean_of_their_distribution() {
        let exponential = table_mean(&QuantileTable::exponential(1_000_000));
        assert!((exponential / 1e6 - 1.0).abs() < 1e-3, "{exponential}");
        for sigma in [0.0, 0.55, 0.85, 1.5] {
            let expected = 2000.0 + 3300.0 * libm::exp(sigma * sigma / 2.0);
            let mean = table_mean(&QuantileTable::log_normal(2000, 3300, sigma));
            assert!(
                (mean / expected - 1.0).abs() < 1e-3,
                "sigma {sigma}: {mean} against {expected}"
            );
        }
    }

    #[test]
    fn a_log_normal_never_falls_below_its_floor() {
        let table = QuantileTable::log_normal(2000, 3300, 0.55);
        assert!(
            (2300..2700).contains(&table.levels[0][0]),
            "{}",
            table.levels[0][0]
        );
        assert!(table.levels.iter().all(|level| level.is_sorted()));
    }

    #[test]
    fn draws_follow_the_table() {
        let table = QuantileTable::exponential(1_000_000);
        let mut stream = Stream::new(1, Concern::Cost, 0);
        let draws = 1_000_000;
        let (mut sum, mut beyond) = (0.0, 0);
        for _ in 0..draws {
            let value = table.draw(&mut stream);
            sum += value as f64;
            // e^-7 = 0.000912 lies in the refined tail.
            beyond += u32::from(value > 7_000_000);
        }
        assert!((sum / f64::from(draws) / 1e6 - 1.0).abs() < 0.003, "{sum}");
        assert!(
            (800..1030).contains(&beyond),
            "{beyond} beyond seven means, 912 expected"
        );
    }

    #[test]
    fn whole_numbers_below_a_bound_are_equally_likely() {
        let mut stream = Stream::new(2, Concern::Dag, 0);
        let mut hits = [0_u32; 3];
        for _ in 0..300_000 {
            hits[stream.below(3) as usize] += 1;
        }
        assert!(hits.iter().all(|&h| h.abs_diff(100_000) < 1000), "{hits:?}");
    }

    #[test]
    fn streams_of_different_concerns_differ() {
        let first = |concern, index| Stream::new(7, concern, index).bits();
        assert_ne!(first(Concern::Dag, 0), first(Concern::Cost, 0));
        assert_ne!(first(Concern::Cost, 0), first(Concern::Cost, 1));
    }
}
