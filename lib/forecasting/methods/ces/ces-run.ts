/**
 * The seasonal forms of the model. `none`: only a complex level. `simple`: only a complex season. `partial`:
 * a complex level and a real season. `full`: a complex level and a complex season.
 */
export type CesSeason = 'none' | 'simple' | 'partial' | 'full';

/**
 * The recursion of complex exponential smoothing over a series, and its derivatives. `level` and `hidden` are
 * the states of the level before the first value. `seasons[t]` and `hiddenSeasons[t]` apply to value t; the
 * first `period` elements are the initial states. Both coefficients are complex: real part a0 (b0), imaginary
 * part a1 (b1). In the form `partial`, the season is not complex and has only b0.
 */
export type CesRun = {
  y: Float64Array;
  n: number;
  period: number;
  kind: CesSeason;
  a0: number;
  a1: number;
  b0: number;
  b1: number;
  level: number;
  hidden: number;
  seasons: Float64Array;
  hiddenSeasons: Float64Array;
  errors: Float64Array;
  hiddens: Float64Array;
  lastLevel: number;
  lastHidden: number;
  byA0: number;
  byA1: number;
  byB0: number;
  byB1: number;
  byLevel: number;
  byHidden: number;
  bySeasons: Float64Array;
  byHiddenSeasons: Float64Array;
};

export function cesRun(y: Float64Array, kind: CesSeason, period: number): CesRun {
  const n = y.length;
  const m = kind === 'none' ? 0 : period;
  const room = (length: number): Float64Array => new Float64Array(length);
  const seasonal = m === 0 ? 0 : n + m;
  return {
    y,
    n,
    period: m,
    kind,
    a0: 0,
    a1: 0,
    b0: 0,
    b1: 0,
    level: 0,
    hidden: 0,
    seasons: room(seasonal),
    hiddenSeasons: room(seasonal),
    errors: room(n),
    hiddens: room(n),
    lastLevel: 0,
    lastHidden: 0,
    byA0: 0,
    byA1: 0,
    byB0: 0,
    byB1: 0,
    byLevel: 0,
    byHidden: 0,
    bySeasons: room(seasonal),
    byHiddenSeasons: room(seasonal),
  };
}

/**
 * Computes the recursion of the model over the series and returns the sum of squared errors. Level: f = l, e = y - f,
 * l' = l - (1 - a1) c + (a0 - a1) e, c' = l + (1 - a0) c + (a0 + a1) e. A complex season adds the same equations one
 * season back, with b0 and b1. A real season (form `partial`) is s' = s + b0 e. The form `simple` has only the complex
 * season.
 *
 * Source: Svetunkov, Kourentzes and Ord, "Complex exponential smoothing", Naval Research Logistics 69 (2022) 1108-1123.
 */
export function passCes(run: CesRun): number {
  const { y, n, period, kind, a0, a1, b0, b1, errors, hiddens, seasons, hiddenSeasons } = run;
  const hasLevel = kind !== 'simple';
  const hasSeason = kind !== 'none';
  const isPlain = kind === 'partial';
  let [level, hidden] = hasLevel ? [run.level, run.hidden] : [0, 0];
  let squares = 0;
  for (let t = 0; t < n; t += 1) {
    const season = hasSeason ? seasons[t]! : 0;
    const error = y[t]! - level - season;
    errors[t] = error;
    hiddens[t] = hidden;
    squares += error * error;
    if (hasLevel) {
      const next = level - (1 - a1) * hidden + (a0 - a1) * error;
      hidden = level + (1 - a0) * hidden + (a0 + a1) * error;
      level = next;
    }
    if (isPlain) seasons[t + period] = season + b0 * error;
    else if (hasSeason) {
      const behind = hiddenSeasons[t]!;
      seasons[t + period] = season - (1 - b1) * behind + (b0 - b1) * error;
      hiddenSeasons[t + period] = season + (1 - b0) * behind + (b0 + b1) * error;
    }
  }
  run.lastLevel = level;
  run.lastHidden = hidden;
  return squares;
}

/**
 * Computes the adjoint of `passCes`: propagates the derivatives of the objective with respect to the errors back to the
 * parameters. The derivative with respect to an error is `factor` times the error.
 */
export function returnCes(run: CesRun, factor: number): void {
  const { n, period, kind, a0, a1, b0, b1, errors, hiddens, hiddenSeasons } = run;
  const { bySeasons, byHiddenSeasons } = run;
  const hasLevel = kind !== 'simple';
  const hasSeason = kind !== 'none';
  const isPlain = kind === 'partial';
  let [byLevel, byHidden, byA0, byA1, byB0, byB1] = [0, 0, 0, 0, 0, 0];
  if (hasSeason) {
    bySeasons.fill(0, n);
    byHiddenSeasons.fill(0, n);
  }
  for (let t = n - 1; t >= 0; t -= 1) {
    const error = errors[t]!;
    const ofSeason = hasSeason ? bySeasons[t + period]! : 0;
    const ofBehind = hasSeason && !isPlain ? byHiddenSeasons[t + period]! : 0;
    let ofError = factor * error;
    if (hasLevel) ofError += (a0 - a1) * byLevel + (a0 + a1) * byHidden;
    if (isPlain) ofError += b0 * ofSeason;
    else if (hasSeason) ofError += (b0 - b1) * ofSeason + (b0 + b1) * ofBehind;
    if (hasLevel) {
      const hidden = hiddens[t]!;
      byA0 += error * (byLevel + byHidden) - hidden * byHidden;
      byA1 += error * (byHidden - byLevel) + hidden * byLevel;
      const nextHidden = (1 - a0) * byHidden - (1 - a1) * byLevel;
      byLevel += byHidden - ofError;
      byHidden = nextHidden;
    }
    if (isPlain) {
      byB0 += error * ofSeason;
      bySeasons[t] = ofSeason - ofError;
    } else if (hasSeason) {
      const behind = hiddenSeasons[t]!;
      byB0 += error * (ofSeason + ofBehind) - behind * ofBehind;
      byB1 += error * (ofBehind - ofSeason) + behind * ofSeason;
      bySeasons[t] = ofSeason + ofBehind - ofError;
      byHiddenSeasons[t] = (1 - b0) * ofBehind - (1 - b1) * ofSeason;
    }
  }
  run.byA0 = byA0;
  run.byA1 = byA1;
  run.byB0 = byB0;
  run.byB1 = byB1;
  run.byLevel = byLevel;
  run.byHidden = byHidden;
}
