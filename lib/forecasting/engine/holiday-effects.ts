import { quantileSorted } from '#lib/numerics/quantile.ts';

/**
 * A day that can differ from ordinary days of the same weekday. Days of the same group have similar effects, and days
 * of the same group and name even more similar effects. Example: group `day_before`, name `christmas_day`.
 */
export type SpecialDay = { group: string; name: string };

/** The kind of each day of a series, in order; null for an ordinary day. */
export type SpecialDays = readonly (SpecialDay | null)[];

/** The effect of the days of one group and name. `days` is the number of days that it was estimated from. */
export type HolidayEffect = SpecialDay & { effect: number; days: number };

/**
 * Estimated effects. `relative`: effects are shares of the usual value, such as -0.4 for 40 % less. `absolute`: effects
 * are in the unit of the series.
 */
export type HolidayEffects = {
  scale: 'relative' | 'absolute';
  effects: readonly HolidayEffect[];
  /** The effect of any day; a special day without an observation has the effect of its group, or 0. */
  of(day: SpecialDay | null): number;
};

/** The usual value of a day is the median of this number of ordinary days of the same weekday on either side. */
const NEIGHBOURS = 4;
/** Maximum distance of these days, in weeks. */
const WEEKS_MAX = 8;
/** Minimum number of days that the effect of a group is estimated from. */
const GROUP_DAYS_MIN = 3;
/** Maximum relative effect. A relative effect cannot be below -1. */
const RELATIVE_MAX = 10;
const MAD_TO_SIGMA = 1.4826;

/**
 * Returns the usual value of each day: the median of the nearest four ordinary days of the same weekday before and
 * after, at most eight weeks away. NaN for a day without such neighbours. `period` is the number of days in a week of
 * the series. `isKnown` excludes days, for example days whose value was interpolated.
 */
export function usualValues(
  values: Float64Array,
  days: SpecialDays,
  { period, isKnown }: { period: number; isKnown(at: number): boolean },
): Float64Array {
  return values.map((_, at) => {
    const near: number[] = [];
    for (const side of [-1, 1]) {
      let found = 0;
      for (let week = 1; week <= WEEKS_MAX && found < NEIGHBOURS; week += 1) {
        const other = at + side * week * period;
        if (other < 0 || other >= values.length || days[other] || !isKnown(other)) continue;
        near.push(values[other]!);
        found += 1;
      }
    }
    return near.length > 0
      ? quantileSorted(
          near.sort((a, b) => a - b),
          0.5,
        )
      : NaN;
  });
}

/**
 * Estimates the effects of special days from their distances to the usual values. The effect of a group is the mean
 * distance, shrunk towards 0. The effect of a name is the mean distance of the name, shrunk towards the effect of its
 * group. Both are shrunk by the robust variance of ordinary days, so that a few noisy days give small effects. Returns
 * null if no group has at least three days. The scale is relative if no value is negative and all usual values of
 * special days are positive.
 *
 * Source: empirical Bayes estimates of means; Efron and Morris, "Data analysis using Stein's estimator and its
 * generalizations", Journal of the American Statistical Association 70 (1975). A day without an effect has the
 * variance of ordinary days, so that the variance of the effects is the mean square beyond it.
 */
export function estimateHolidayEffects(
  values: Float64Array,
  days: SpecialDays,
  at: { period: number; isKnown(at: number): boolean },
): HolidayEffects | null {
  const usual = usualValues(values, days, at);
  const places = [...values.keys()].filter((place) => at.isKnown(place) && !Number.isNaN(usual[place]!));
  const special = places.filter((place) => days[place]);
  const isRelative = values.every((value) => value >= 0) && special.every((place) => usual[place]! > 0);
  const distance = (place: number) =>
    isRelative ? values[place]! / usual[place]! - 1 : values[place]! - usual[place]!;
  const ordinary = places.filter((place) => !days[place] && (!isRelative || usual[place]! > 0)).map(distance);
  if (ordinary.length === 0) return null;
  const noise = robustVariance(ordinary);
  const groups = Object.entries(Object.groupBy(special, (place) => days[place]!.group)).filter(
    ([, members]) => members!.length >= GROUP_DAYS_MIN,
  );
  if (groups.length === 0) return null;
  const bounded = (effect: number) => (isRelative ? Math.max(-1, Math.min(RELATIVE_MAX, effect)) : effect);
  const ofGroup = new Map<string, number>();
  const ofName = new Map<string, number>();
  const effects: HolidayEffect[] = [];
  for (const [group, members] of groups) {
    const names = Object.entries(Object.groupBy(members!, (place) => days[place]!.name)).map(
      ([name, own]) => ({ name, mean: meanOf(own!.map(distance)), days: own!.length }),
    );
    const all = meanOf(members!.map(distance));
    const shared = shrunk(all, 0, { noise, days: members!.length, prior: all * all });
    ofGroup.set(group, bounded(shared));
    const spread = meanOf(names.map(({ mean, days: count }) => (mean - all) * (mean - all) - noise / count));
    for (const { name, mean, days: count } of names) {
      const effect = bounded(shrunk(mean, shared, { noise, days: count, prior: spread + noise / count }));
      ofName.set(`${group} ${name}`, effect);
      effects.push({ group, name, effect, days: count });
    }
  }
  return {
    scale: isRelative ? 'relative' : 'absolute',
    effects,
    of: (day) => (day ? (ofName.get(`${day.group} ${day.name}`) ?? ofGroup.get(day.group) ?? 0) : 0),
  };
}

/**
 * Returns the values without the effects: each special value minus its effect, where a relative effect is a share of
 * the usual value. A value without a usual value is unchanged.
 */
export function withoutEffects(
  values: Float64Array,
  days: SpecialDays,
  { effects, usual }: { effects: HolidayEffects; usual: Float64Array },
): Float64Array {
  return values.map((value, at) => {
    const effect = effects.of(days[at] ?? null);
    if (effect === 0 || Number.isNaN(usual[at]!)) return value;
    return value - (effects.scale === 'relative' ? effect * usual[at]! : effect);
  });
}

/** Returns forecast values with the effects. `days` are the kinds of the forecast days. */
export function withEffects(points: Float64Array, days: SpecialDays, effects: HolidayEffects): Float64Array {
  return points.map((value, step) => {
    const effect = effects.of(days[step] ?? null);
    return effects.scale === 'relative' ? value * (1 + effect) : value + effect;
  });
}

/**
 * Moves a mean towards a centre. The share that is kept is the variance of the effects divided by `prior`, the expected
 * square of the distance, which also contains the variance of the noise.
 */
function shrunk(
  mean: number,
  centre: number,
  { noise, days, prior }: { noise: number; days: number; prior: number },
): number {
  const kept = prior > 0 ? Math.max(0, 1 - noise / days / prior) : 0;
  return centre + kept * (mean - centre);
}

function robustVariance(distances: readonly number[]): number {
  const sizes = distances.map(Math.abs).sort((a, b) => a - b);
  const deviation = MAD_TO_SIGMA * quantileSorted(sizes, 0.5);
  return deviation * deviation;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
