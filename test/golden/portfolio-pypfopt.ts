import { Matrix, solve } from 'ml-matrix';
import { exp } from '#lib/numerics/exponential.ts';
import { matrixOf } from '#lib/numerics/matrix.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { blackLitterman, equilibriumReturns } from '#lib/numerics/optimisation/black-litterman.ts';
import { conditionalValueAtRisk } from '#lib/numerics/optimisation/conditional-value-at-risk.ts';
import { completeObservations } from '#lib/numerics/covariance/complete-observations.ts';
import { sampleCovariance } from '#lib/numerics/covariance/sample.ts';
import { hierarchicalRiskParity } from '#lib/numerics/optimisation/hierarchical-risk-parity.ts';
import { linearRange } from '#lib/numerics/optimisation/linear-range.ts';
import { normalised } from '#lib/numerics/optimisation/inverse-risk.ts';
import { riskContributions } from '#lib/numerics/optimisation/risk-contributions.ts';
import { asList, asMembers, asNumber, asText, type Members, parseGoldenFile } from './golden-file.ts';
import { largestRatio, minimise, minimumTail, polyhedronOf, returnTable } from './portfolio-solve.ts';
import { type PriceTable, readWidePrices, simpleReturns } from './price-table.ts';
import { type Report, Tally } from './report.ts';

const DAYS = 252;
const RISK_FREE = 0.02;
const TOLERANCE = 1e-9;
/**
 * The tolerance for the published critical line algorithm, which stops its search for the largest Sharpe
 * ratio before it has converged.
 */
const STOPPED_EARLY = 1e-8;
const WEIGHT_TOLERANCE = 1e-9;

/**
 * Market capitalisations and views of PyPortfolioOpt's `tests/test_black_litterman.py`. They are copied here, because
 * the golden file has only the results.
 */
const capitalisations: Readonly<Record<string, number>> = {
  GOOG: 927e9,
  AAPL: 1.19e12,
  FB: 574e9,
  BABA: 533e9,
  AMZN: 867e9,
  GE: 96e9,
  AMD: 43e9,
  WMT: 339e9,
  BAC: 301e9,
  GM: 51e9,
  T: 61e9,
  UAA: 78e9,
  SHLD: 0,
  XOM: 295e9,
  RRC: 1e9,
  BBY: 22e9,
  MA: 288e9,
  PFE: 212e9,
  JPM: 422e9,
  SBUX: 102e9,
};
const views: Readonly<Record<string, number>> = { AAPL: 0.2, BBY: -0.3, BAC: 0, SBUX: -0.2, T: 0.131321 };

type Universe = {
  prices: PriceTable;
  symbols: string[];
  series: Float64Array[];
  S: Matrix;
  mu: Float64Array;
};

/** Compares the published results of PyPortfolioOpt's tests. Throws a `GoldenFileError` on an unreadable file. */
export function check(contents: string, path: string): Report {
  const file = parseGoldenFile(contents);
  const tally = new Tally();
  const prices = readWidePrices(asText(file['data'], 'data').split(' ')[0]!, path);
  const series = [...prices.values()].map(simpleReturns);
  const mu = Float64Array.from(series, geometricMean);
  const universe = { prices, symbols: [...prices.keys()], series, S: pairwiseCovariance(series), mu };
  for (const [at, value] of asList(file['cases'], 'cases').entries()) {
    const entry = asMembers(value, `cases[${at}]`);
    const name = asText(entry['name'], `cases[${at}].name`);
    if (name.includes('cvar_95')) compareTail(tally, { name, entry, universe });
    else if (name === 'bl_market_implied_prior') comparePrior(tally, entry, universe);
    else if (name === 'bl_equal_prior_weights') comparePosterior(tally, entry, universe);
    else comparePortfolio(tally, name, entry, universe);
  }
  return tally.report;
}

function weightsOf(name: string, { S, mu }: Universe): Float64Array | undefined {
  const short = { bounds: [-1, 1] as [number, number] };
  switch (name) {
    case 'min_volatility':
      return minimise(polyhedronOf(S), { risk: 1 });
    case 'min_volatility_short':
      return minimise(polyhedronOf(S, short), { risk: 1 });
    case 'max_sharpe':
      return largestRatio(polyhedronOf(S), mu, RISK_FREE);
    case 'max_sharpe_short':
      return largestRatio(polyhedronOf(S, short), mu, RISK_FREE);
    case 'cla_max_sharpe_rf0':
      return largestRatio(polyhedronOf(S), mu, 0);
    case 'min_volatility_L2_gamma1':
      return minimise(polyhedronOf(Matrix.add(S, Matrix.eye(S.rows))), { risk: 1 });
    case 'max_quadratic_utility_ra2':
      return minimise(polyhedronOf(S), { risk: 2, linear: mu.map((mean) => -mean) });
    default:
      return undefined;
  }
}

function comparePortfolio(tally: Tally, name: string, entry: Members, universe: Universe): void {
  const weights = name === 'hrp_single' ? hrp(tally, entry, universe) : weightsOf(name, universe);
  if (!weights) return tally.note(`${name} is not known`);
  tally.case();
  const { symbols, S, mu } = universe;
  // The published return of this portfolio uses arithmetic means, and that of every other portfolio geometric
  // means.
  const means = name === 'hrp_single' ? Float64Array.from(universe.series, arithmeticMean) : mu;
  compareWeights(tally, `${name}.weights`, asMembers(entry['weights'], 'weights'), { symbols, weights });
  const published = numbers(entry['published']);
  const expected = weights.reduce((sum, weight, k) => sum + weight * means[k]!, 0);
  const { volatility } = riskContributions(S, weights);
  const found = [expected, volatility, (expected - RISK_FREE) / volatility];
  const within = name.startsWith('cla_') ? STOPPED_EARLY : TOLERANCE;
  for (const [at, value] of published.entries())
    tally.number(`${name}.published[${at}]`, value, found[at]!, within);
}

/**
 * Compares the smallest risk. The weights are not compared, because several portfolios have the smallest
 * risk. Days on which a price is missing are left out.
 */
function compareTail(
  tally: Tally,
  { name, entry, universe }: { name: string; entry: Members; universe: Universe },
): void {
  tally.case();
  const prices = completeObservations([...universe.prices.values()]).series;
  const series = prices.map((each) => simpleReturns(each));
  const mu = Float64Array.from(series, geometricMean);
  const rows = name.includes('target_return') ? [linearRange(mu, { min: 0.25 })] : [];
  const polyhedron = polyhedronOf(sampleCovariance(series), { rows });
  const { risk } = minimumTail(polyhedron, conditionalValueAtRisk(returnTable(series), 0.95));
  tally.number(`${name}.published`, numbers(entry['published'])[0]!, risk, TOLERANCE);
}

/**
 * Returns the weights of hierarchical risk parity. Each correlation is estimated from the days that its two
 * assets share.
 */
function hrp(tally: Tally, entry: Members, universe: Universe): Float64Array {
  const { S, series } = universe;
  const correlation = matrixOf(
    S.rows,
    S.columns,
    (one, other) => pairwise(series[one]!, series[other]!).correlation,
  );
  const { weights, order } = hierarchicalRiskParity(S, correlation);
  tally.equal(
    'hrp_single.order',
    asList(entry['order'], 'order').join(),
    order.map((k) => universe.symbols[k]).join(),
  );
  return weights;
}

function comparePrior(tally: Tally, entry: Members, { S, symbols }: Universe): void {
  tally.case();
  const total = symbols.reduce((sum, symbol) => sum + capitalisations[symbol]!, 0);
  const market = symbols.map((symbol) => capitalisations[symbol]! / total);
  const riskAversion = asNumber(entry['delta'], 'delta');
  const prior = equilibriumReturns(S, market, { riskAversion });
  for (const [k, value] of numbers(entry['ours']).entries())
    tally.number(`bl_market_implied_prior[${k}]`, value, RISK_FREE + prior[k]!, TOLERANCE);
}

function comparePosterior(tally: Tally, entry: Members, { S, symbols }: Universe): void {
  tally.case();
  const tau = asNumber(entry['tau'], 'tau');
  const { means } = blackLitterman(S, new Float64Array(symbols.length).fill(1 / symbols.length), {
    tau,
    views: Object.entries(views).map(([symbol, value]) => ({
      portfolio: symbols.map((each) => Number(each === symbol)),
      value,
      uncertainty: { confidence: 0.5 },
    })),
  });
  for (const [k, value] of numbers(entry['posterior']).entries())
    tally.number(`bl_equal_prior_weights.posterior[${k}]`, value, means[k]!, TOLERANCE);
  const weights = normalised(Float64Array.from(solve(S, Matrix.columnVector(Array.from(means))).to1DArray()));
  const expected = asMembers(entry['weights'], 'weights');
  compareWeights(tally, 'bl_equal_prior_weights.weights', expected, { symbols, weights });
}

function compareWeights(
  tally: Tally,
  name: string,
  expected: Members,
  { symbols, weights }: { symbols: readonly string[]; weights: Float64Array },
): void {
  for (const [symbol, value] of Object.entries(expected)) {
    const away = Math.abs(weights[symbols.indexOf(symbol)]! - asNumber(value, symbol));
    tally.equal(
      `${name}.${symbol} within ${WEIGHT_TOLERANCE} (away ${away})`,
      true,
      away <= WEIGHT_TOLERANCE,
    );
  }
}

/**
 * Returns the annual geometric mean, prod(1 + r)^(252 / count) - 1, over the returns that are not missing.
 */
function geometricMean(returns: Float64Array): number {
  let [logs, count] = [0, 0];
  for (const each of returns) {
    if (Number.isNaN(each)) continue;
    logs += ln(1 + each);
    count += 1;
  }
  return exp((logs * DAYS) / count) - 1;
}

function arithmeticMean(returns: Float64Array): number {
  let [total, count] = [0, 0];
  for (const each of returns) {
    if (Number.isNaN(each)) continue;
    total += each;
    count += 1;
  }
  return (total / count) * DAYS;
}

/**
 * Returns the annual sample covariance matrix. Each entry is estimated from the days that its two series
 * share.
 */
function pairwiseCovariance(series: readonly Float64Array[]): Matrix {
  return matrixOf(
    series.length,
    series.length,
    (one, other) => pairwise(series[Math.min(one, other)]!, series[Math.max(one, other)]!).covariance * DAYS,
  );
}

/**
 * Returns the sample covariance and correlation over the days on which both series have a return, as pandas
 * computes them.
 */
function pairwise(one: Float64Array, other: Float64Array): { covariance: number; correlation: number } {
  const days = Array.from(one.keys()).filter((t) => !Number.isNaN(one[t]! + other[t]!));
  const [x, y] = [one, other].map((values) => Float64Array.from(days, (t) => values[t]!)) as [
    Float64Array,
    Float64Array,
  ];
  const S = sampleCovariance([x, y]);
  return { covariance: S.get(0, 1), correlation: S.get(0, 1) / Math.sqrt(S.get(0, 0) * S.get(1, 1)) };
}

const numbers = (value: unknown): number[] =>
  asList(value, 'numbers').map((each) => asNumber(each, 'a number'));
