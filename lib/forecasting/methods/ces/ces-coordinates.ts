import type { CesRun, CesSeason } from './ces-run.ts';

/**
 * Indices of the search variables; -1 for a variable that the model does not have. The imaginary part of a complex
 * variable follows its real part.
 */
export type CesCoordinates = {
  size: number;
  a: number;
  b: number;
  level: number;
  seasons: number;
  hiddenSeasons: number;
};

export function cesCoordinates(kind: CesSeason, period: number): CesCoordinates {
  let size = 0;
  const next = (has: boolean, count: number): number => {
    if (!has) return -1;
    size += count;
    return size - count;
  };
  const a = next(kind !== 'simple', 2);
  const b = next(kind !== 'none', kind === 'partial' ? 1 : 2);
  const level = next(kind !== 'simple', 2);
  const seasons = next(kind !== 'none', period);
  const hiddenSeasons = next(kind === 'simple' || kind === 'full', period);
  return { size, a, b, level, seasons, hiddenSeasons };
}

export function setCes(run: CesRun, at: CesCoordinates, x: Float64Array): void {
  const { period } = run;
  if (at.a >= 0) [run.a0, run.a1] = [x[at.a]!, x[at.a + 1]!];
  if (at.level >= 0) [run.level, run.hidden] = [x[at.level]!, x[at.level + 1]!];
  if (at.b < 0) return;
  run.b0 = x[at.b]!;
  run.b1 = run.kind === 'partial' ? 0 : x[at.b + 1]!;
  for (let place = 0; place < period; place += 1) {
    run.seasons[place] = x[at.seasons + place]!;
    if (at.hiddenSeasons >= 0) run.hiddenSeasons[place] = x[at.hiddenSeasons + place]!;
  }
}

export function cesGradient(run: CesRun, at: CesCoordinates, into: Float64Array): void {
  if (at.a >= 0) [into[at.a], into[at.a + 1]] = [run.byA0, run.byA1];
  if (at.level >= 0) [into[at.level], into[at.level + 1]] = [run.byLevel, run.byHidden];
  if (at.b < 0) return;
  into[at.b] = run.byB0;
  if (run.kind !== 'partial') into[at.b + 1] = run.byB1;
  for (let place = 0; place < run.period; place += 1) {
    into[at.seasons + place] = run.bySeasons[place]!;
    if (at.hiddenSeasons >= 0) into[at.hiddenSeasons + place] = run.byHiddenSeasons[place]!;
  }
}
