import { divideHalfEven, parseDecimal, type Fraction } from '#lib/core/decimal.ts';
import { withoutTrailing } from '#lib/core/without-trailing.ts';
import { studentQuantile } from '#lib/numerics/distributions/student-quantile.ts';
import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import type { Interval, JudgedRuns } from './judge-runs.ts';
import { shiftOf } from './shift.ts';
import type { ProofTerms } from './terms.ts';
import { SCALE } from './sorted-values.ts';

/** Decimals of the reported values. */
const DIGITS = 9;
const TAIL = 0.025;

type Bounds = [lower: string, upper: string];

/** The measured figures and the change against the baseline. All values are decimal texts. */
export type ProofOutcome = {
  measured: {
    n: number;
    /** The runs that started before the end of the window and had not ended then. */
    open_at_end: number;
    unmeasured: number;
    estimate: string | null;
    interval: Bounds | null;
    coverage: number | null;
    mean: string | null;
    mean_interval_t: { bounds: Bounds; approximate: true } | null;
    by_state: Record<string, number>;
    /** Whether some runs have no measured value, so the figures cover only part of the runs. */
    is_floor: boolean;
    withheld: JudgedRuns['withheld'];
    /** SHA-256 of the RFC 8785 form of the uids, states, ends and values of all runs of the window. */
    runs_hash: string;
  };
  change: {
    against_baseline: string;
    percent: string | null;
    interval: Bounds | null;
    basis: 'samples' | 'value_only';
    interval_method: 'exact' | 'normal_approximation' | null;
  } | null;
};

type Population = { openAtEnd: number; byState: Record<string, number>; runsHash: string };

/** Returns the report about judged runs: the figures, and the change against the baseline. */
export function outcomeOf(
  terms: ProofTerms,
  judged: JudgedRuns,
  { openAtEnd, byState, runsHash }: Population,
): ProofOutcome {
  const means = terms.measure === null ? null : meanOf(judged.values);
  return {
    measured: {
      n: judged.n,
      open_at_end: openAtEnd,
      unmeasured: judged.unmeasured,
      estimate: judged.estimate && textOf(judged.estimate),
      interval: judged.interval && boundsOf(judged.interval),
      coverage: judged.coverage,
      mean: means && means.mean,
      mean_interval_t: means && means.interval,
      by_state: byState,
      is_floor: judged.unmeasured > 0,
      withheld: judged.withheld,
      runs_hash: runsHash,
    },
    change: changeOf(terms, judged),
  };
}

function changeOf({ baseline }: ProofTerms, { estimate, values }: JudgedRuns): ProofOutcome['change'] {
  if (!estimate) return null;
  const before = { numerator: parseDecimal(baseline.value)!, denominator: SCALE };
  const percentOf = (change: Fraction) =>
    before.numerator === 0n
      ? null
      : textOf({
          numerator: 100n * change.numerator * before.denominator,
          denominator: change.denominator * before.numerator,
        });
  if (!baseline.samples || values.length === 0) {
    const difference = {
      numerator: estimate.numerator * before.denominator - before.numerator * estimate.denominator,
      denominator: estimate.denominator * before.denominator,
    };
    const rest = { interval: null, basis: 'value_only', interval_method: null } as const;
    return { against_baseline: textOf(difference), percent: percentOf(difference), ...rest };
  }
  const samples = baseline.samples
    .map((each) => parseDecimal(each)!)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const { estimate: shift, interval } = shiftOf(values, samples);
  return {
    against_baseline: textOf(shift),
    percent: percentOf(shift),
    interval: interval && boundsOf(interval),
    basis: 'samples',
    interval_method: interval && interval.method,
  };
}

/** Returns the mean with Student's t interval. For skewed values, the interval is approximate. */
function meanOf(scaled: readonly bigint[]) {
  if (scaled.length === 0) return null;
  const values = Float64Array.from(scaled, (each) => Number(each) / Number(SCALE));
  const centre = mean(values);
  if (values.length < 2) return { mean: decimalOf(centre), interval: null };
  const error = standardDeviation(values, { ddof: 1 }) / Math.sqrt(values.length);
  const reach = studentQuantile(TAIL, values.length - 1) * error;
  const bounds: Bounds = [decimalOf(centre - reach), decimalOf(centre + reach)];
  return { mean: decimalOf(centre), interval: { bounds, approximate: true as const } };
}

function boundsOf({ lower, upper }: Interval): Bounds {
  const text = (bound: Fraction | number) => (typeof bound === 'number' ? decimalOf(bound) : textOf(bound));
  return [text(lower), text(upper)];
}

/** Returns a rational as text with at most nine decimals, rounded half to even, without trailing zeros. */
function textOf({ numerator, denominator }: Fraction): string {
  const scaled = divideHalfEven(numerator * 10n ** BigInt(DIGITS), denominator);
  const [sign, size] = scaled < 0n ? ['-', -scaled] : ['', scaled];
  const digits = size.toString().padStart(DIGITS + 1, '0');
  const decimals = withoutTrailing(digits.slice(-DIGITS), '0');
  return `${sign}${digits.slice(0, -DIGITS)}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Returns a double as text with at most nine decimals, without trailing zeros. */
function decimalOf(value: number): string {
  const text = value.toFixed(DIGITS);
  const decimals = withoutTrailing(text.slice(-DIGITS), '0');
  const whole = text.slice(0, -DIGITS - 1);
  return decimals === '' ? (whole === '-0' ? '0' : whole) : `${whole}.${decimals}`;
}
