import { seasonalIndices, type SeasonKind } from './classical-decomposition.ts';
import type { Forecast, Series } from './method.ts';
import { shrunkIndices } from './shrunk-indices.ts';
import { isSeasonal } from './seasonality-test.ts';

export type Season = SeasonKind | 'none';

/** A seasonally adjusted series. `indices` has one seasonal index for each position in the season. */
export type Adjusted = { values: Float64Array; kind: Season; indices: Float64Array | null };

/** Minimum seasonal index. Division by a smaller index would inflate the value. */
const INDEX_MIN = 0.01;

/**
 * Chooses the type of season for the fast methods: none if the test finds no season, multiplicative if all values are
 * positive (as in M4's benchmarks), additive otherwise.
 */
export function chooseSeason({ values, period }: Series): Season {
  if (!isSeasonal(values, period)) return 'none';
  for (let t = 0; t < values.length; t += 1) if (!(values[t]! > 0)) return 'additive';
  return 'multiplicative';
}

/**
 * Removes the season by classical decomposition, with plain or shrunk indices (`shrunkIndices`). Returns the series
 * unchanged, with kind `none`, if the series is too short, or if an index is near 0. The given values are never
 * changed. Never throws.
 */
export function adjustSeason({ values, period }: Series, kind: Season, isShrunk = false): Adjusted {
  const find = isShrunk ? shrunkIndices : seasonalIndices;
  const indices = kind === 'none' ? null : find(values, period, kind);
  if (kind === 'none' || !indices || (kind === 'multiplicative' && hasTiny(indices)))
    return { values, kind: 'none', indices: null };
  const adjusted = new Float64Array(values.length);
  for (let t = 0; t < values.length; t += 1) {
    const index = indices[t % period]!;
    adjusted[t] = kind === 'additive' ? values[t]! - index : values[t]! / index;
  }
  return { values: adjusted, kind, indices };
}

/** Adds the season of an adjusted series back to its forecast. */
export function restoreSeason({ kind, indices, values }: Adjusted, forecast: Forecast): Forecast {
  if (!indices) return forecast;
  const index = (h: number): number => indices[(values.length + h) % indices.length]!;
  const { point, standardErrors } = forecast;
  if (kind === 'additive') return { ...forecast, point: point.map((value, h) => value + index(h)) };
  const times = (value: number, h: number): number => value * index(h);
  return { point: point.map(times), ...(standardErrors && { standardErrors: standardErrors.map(times) }) };
}

function hasTiny(indices: Float64Array): boolean {
  for (let place = 0; place < indices.length; place += 1) if (!(indices[place]! >= INDEX_MIN)) return true;
  return false;
}
