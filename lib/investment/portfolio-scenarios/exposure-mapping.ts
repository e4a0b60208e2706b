import { leastSquares, type LeastSquares } from '#lib/numerics/least-squares.ts';
import type { PortfolioScenarioInput, ScenarioHolding } from './scenario-input.ts';
import { MONTHS } from './scenario-limits.ts';
import type { GivenExposure } from './scenario-request.schema.ts';

/** The exposure of a position to the factors. */
export type Exposure = {
  kind: 'identity' | 'beta' | 'given';
  /** Indices of the factors to which the position has an exposure. The exposures are in the same order. */
  places: Uint32Array;
  betas: Float64Array;
  rSquared: number | null;
  /** Number of months from which the betas were estimated; null if no betas were estimated. */
  months: number | null;
  /** Standard deviation of the specific monthly log return. */
  deviation: number;
  /** Residuals of the regression; null if there was no regression. */
  residuals: Float64Array | null;
};

/** The reason why a position has no exposure. */
export type Unmapped = {
  kind: 'unmapped';
  why: 'no_price' | 'price_currency' | 'no_factor' | 'not_given' | 'history_short' | 'r2_below';
};

/** Returns the number of complete months that are needed to estimate betas to a number of factors. */
export function monthsNeeded(factors: number): number {
  return Math.max(MONTHS.min, factors + MONTHS.moreThanFactors);
}

/**
 * Returns the exposure of each position to the factors of the run, or the reason why it has no exposure, in
 * the order of the positions.
 *
 * Betas are least squares slopes of the log returns of the position on those of all factors, with an
 * intercept that is not applied, over the complete months of the window. The exposures of the request must be
 * valid.
 * Source: Sharpe, "A Simplified Model for Portfolio Analysis" (1963), with several factors.
 */
export function mapExposures(
  input: Pick<PortfolioScenarioInput, 'run' | 'factorReturns' | 'options'>,
  holdings: readonly ScenarioHolding[],
): (Exposure | Unmapped)[] {
  const { run, options } = input;
  const { kind, exposures } = options.mapping;
  const given = new Map((exposures ?? []).map((each) => [each.symbol, each]));
  const places = new Map(run.factors.map((factor, place) => [factor, place]));
  const regress = regression(input);
  return holdings.map((holding) => {
    if (holding.otherCurrency !== null) return unmapped('price_currency');
    if (holding.valueMinor === null) return unmapped('no_price');
    if (kind === 'given') {
      const own = given.get(holding.symbol);
      return own ? givenExposure(own, places) : unmapped('not_given');
    }
    const place = kind === 'beta' ? undefined : places.get(holding.symbol);
    if (place !== undefined) return identity(place);
    return kind === 'identity' ? unmapped('no_factor') : regress(holding);
  });
}

/**
 * Returns a function that estimates the betas of a position. Regressions over the same months share the
 * decomposition of the factors.
 */
function regression({
  run,
  factorReturns,
  options,
}: Pick<PortfolioScenarioInput, 'run' | 'factorReturns' | 'options'>) {
  const { window, minimumR2 } = options.mapping;
  const needed = monthsNeeded(run.factors.length);
  const solvers = new Map<string, (y: ArrayLike<number>) => LeastSquares>();
  return (holding: ScenarioHolding): Exposure | Unmapped => {
    const recent = holding.returns?.subarray(Math.max(0, holding.returns.length - window));
    if (!recent) return unmapped('history_short');
    const months = [...recent.keys()].filter((t) => !Number.isNaN(recent[t]!));
    if (months.length < needed) return unmapped('history_short');
    const key = months.length === recent.length ? 'all' : months.join();
    let solver = solvers.get(key);
    if (!solver) {
      const columns = factorReturns.map((column) => {
        const own = column.subarray(column.length - recent.length);
        return Float64Array.from(months, (t) => own[t]!);
      });
      solver = leastSquares(columns, months.length);
      solvers.set(key, solver);
    }
    const { slopes, rSquared, deviation, residuals } = solver(Float64Array.from(months, (t) => recent[t]!));
    if ((rSquared ?? 0) < minimumR2) return unmapped('r2_below');
    const places = [...slopes.keys()].filter((place) => slopes[place] !== 0);
    return {
      kind: 'beta',
      places: Uint32Array.from(places),
      betas: Float64Array.from(places, (place) => slopes[place]!),
      rSquared,
      months: months.length,
      deviation,
      residuals,
    };
  };
}

function identity(place: number): Exposure {
  return {
    kind: 'identity',
    places: Uint32Array.of(place),
    betas: Float64Array.of(1),
    rSquared: null,
    months: null,
    deviation: 0,
    residuals: null,
  };
}

function givenExposure(
  { betas, specific_volatility }: GivenExposure,
  placeOf: ReadonlyMap<string, number>,
): Exposure {
  const entries = betas
    .map(({ factor, beta }) => ({ place: placeOf.get(factor)!, beta }))
    .sort((one, other) => one.place - other.place);
  return {
    kind: 'given',
    places: Uint32Array.from(entries, ({ place }) => place),
    betas: Float64Array.from(entries, ({ beta }) => beta),
    rSquared: null,
    months: null,
    deviation: specific_volatility ?? 0,
    residuals: null,
  };
}

function unmapped(why: Unmapped['why']): Unmapped {
  return { kind: 'unmapped', why };
}
