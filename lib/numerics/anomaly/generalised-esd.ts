import { studentQuantile } from '../distributions/student-quantile.ts';

export type EsdStep = {
  place: number;
  value: number;
  /** The test statistic of a step: |value - mean| / deviation, over the values that remain at the step. */
  statistic: number;
  critical: number;
};

/**
 * Runs the generalised extreme Studentised deviate test. Removes the most extreme values one by one. The outliers are
 * all values up to the last step whose statistic is above its critical value. All values removed before that step are
 * outliers too, even if their own statistic is not above its critical value, because outliers can mask one another.
 *
 * Ends early if the remaining values do not vary. Errors: `RangeError` if `max` is not below n - 1.
 * Source: Rosner, "Percentage Points for a Generalized ESD Many-Outlier Procedure" (Technometrics 1983).
 */
export function generalisedEsd(
  values: ArrayLike<number>,
  { max, level }: { max: number; level: number },
): { outliers: number; steps: EsdStep[] } {
  const n = values.length;
  if (max > n - 2) throw new RangeError(`${n} values cannot have up to ${max} outliers`);
  const left = Array.from({ length: n }, (_, place) => place);
  const steps: EsdStep[] = [];
  for (let i = 1; i <= max; i += 1) {
    let total = 0;
    for (const place of left) total += values[place]!;
    const mean = total / left.length;
    let squares = 0;
    for (const place of left) squares += (values[place]! - mean) * (values[place]! - mean);
    const deviation = Math.sqrt(squares / (left.length - 1));
    if (!(deviation > 0)) break;
    let farthest = 0;
    for (const [at, place] of left.entries())
      if (Math.abs(values[place]! - mean) > Math.abs(values[left[farthest]!]! - mean)) farthest = at;
    const place = left[farthest]!;
    const statistic = Math.abs(values[place]! - mean) / deviation;
    steps.push({ place, value: values[place]!, statistic, critical: criticalValue(n, i, level) });
    left.splice(farthest, 1);
  }
  const outliers = steps.findLastIndex(({ statistic, critical }) => statistic > critical) + 1;
  return { outliers, steps };
}

function criticalValue(n: number, i: number, level: number): number {
  const rest = n - i + 1;
  const t = studentQuantile(level / (2 * rest), n - i - 1);
  return ((n - i) * t) / Math.sqrt((n - i - 1 + t * t) * rest);
}
