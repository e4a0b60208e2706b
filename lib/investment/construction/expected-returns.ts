import { blackLitterman, equilibriumReturns } from '#lib/numerics/optimisation/black-litterman.ts';
import type { Returns, ReturnViewOnWire } from './construction-objective.schema.ts';
import type { Estimates } from './estimates.ts';
import { fault } from './construction-refusal.ts';

type Source = {
  symbols: readonly string[];
  estimates: Estimates;
  riskFree: number;
  benchmark: Float64Array | null;
  feature: Readonly<Record<string, number>> | null;
};

/**
 * Returns the expected annual returns of the assets; null if the request has no expected returns. A symbol
 * without a stated return is a fault of the request. Views that cannot be combined are also a fault.
 */
export function expectedReturns(returns: Returns, source: Source): Float64Array | null {
  const { symbols, estimates, feature } = source;
  switch (returns.kind) {
    case 'none':
      return null;
    case 'historical':
      return estimates.historicalMeans;
    case 'given':
      return Float64Array.from(symbols, (symbol) => {
        if (Object.hasOwn(returns.values, symbol)) return returns.values[symbol]!;
        throw fault('/returns/values', 'missing', `must have a return for ${symbol}`);
      });
    case 'feature':
      return Float64Array.from(symbols, (symbol) => {
        const value = feature && Object.hasOwn(feature, symbol) ? feature[symbol] : undefined;
        if (value !== undefined && Number.isFinite(value)) return value * returns.scale;
        throw fault('/returns/key', 'missing', `has no value for ${symbol}`);
      });
    case 'black_litterman':
      return posteriorMeans(returns, source);
  }
}

function posteriorMeans(
  { tau = 0.05, risk_aversion = 2.5, market_weights, views }: Extract<Returns, { kind: 'black_litterman' }>,
  { symbols, estimates, riskFree, benchmark }: Source,
): Float64Array {
  const place = new Map(symbols.map((symbol, k) => [symbol, k]));
  const market =
    (market_weights && sharesOf(market_weights, place)) ??
    benchmark ??
    new Float64Array(symbols.length).fill(1 / symbols.length);
  const excess = equilibriumReturns(estimates.covariance, market, { riskAversion: risk_aversion });
  const prior = excess.map((each) => riskFree + each);
  const portfolios = views.map((view, at) => {
    const { value, confidence = 0.5, variance } = view;
    const uncertainty = variance === undefined ? { confidence } : { variance };
    // An absolute view is a view on the total return, because the prior is a total return.
    return { portfolio: portfolioOf(view, place, at), value, uncertainty };
  });
  try {
    return blackLitterman(estimates.covariance, prior, { tau, views: portfolios }).means;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw fault(
      '/returns/views',
      'contradictory',
      'has views with a confidence of 1 that repeat or contradict each other',
    );
  }
}

function portfolioOf(
  { long, short = [], confidence, variance }: ReturnViewOnWire,
  place: ReadonlyMap<string, number>,
  at: number,
): Float64Array {
  if (confidence !== undefined && variance !== undefined)
    throw fault(`/returns/views/${at}`, 'exclusive', 'has both a confidence and a variance');
  const weights = new Float64Array(place.size);
  for (const [member, symbols, sign] of [
    ['long', long, 1],
    ['short', short, -1],
  ] as const) {
    for (const [index, symbol] of symbols.entries()) {
      const k = place.get(symbol);
      if (k === undefined)
        throw fault(
          `/returns/views/${at}/${member}/${index}`,
          'unknown',
          `names ${symbol}, which is not in the universe`,
        );
      weights[k]! += sign / symbols.length;
    }
  }
  return weights;
}

/**
 * Converts weights by symbol to a list in the order of the assets, and divides each weight by the sum. Returns null if
 * the sum is not above 0.
 */
export function sharesOf(
  weights: Readonly<Record<string, number>>,
  place: ReadonlyMap<string, number>,
): Float64Array | null {
  const shares = new Float64Array(place.size);
  let total = 0;
  for (const [symbol, k] of place) {
    shares[k] = Object.hasOwn(weights, symbol) ? weights[symbol]! : 0;
    total += shares[k]!;
  }
  return total > 0 ? shares.map((each) => each / total) : null;
}
