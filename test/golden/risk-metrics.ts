import { maxDrawdown } from '#lib/numerics/drawdown.ts';
import { annualReturn } from '#lib/numerics/risk/annual-return.ts';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { beta } from '#lib/numerics/risk/beta.ts';
import { calmarRatio } from '#lib/numerics/risk/calmar-ratio.ts';
import { captureRatio } from '#lib/numerics/risk/capture-ratio.ts';
import { varCornishFisher } from '#lib/numerics/risk/cornish-fisher.ts';
import { downsideDeviation } from '#lib/numerics/risk/downside-deviation.ts';
import { drawdownSeries } from '#lib/numerics/risk/drawdown-series.ts';
import { drawdownTable } from '#lib/numerics/risk/drawdown-table.ts';
import { esRockafellarUryasev } from '#lib/numerics/risk/es-rockafellar-uryasev.ts';
import { esGaussian, varGaussian } from '#lib/numerics/risk/gaussian.ts';
import { esHistoricalOrder } from '#lib/numerics/risk/historical-order.ts';
import { esStrictlyBeyond, varHistoricalType7 } from '#lib/numerics/risk/historical-type7.ts';
import { hitRate } from '#lib/numerics/risk/hit-rate.ts';
import {
  activePremium,
  informationRatio,
  informationRatioGeometric,
} from '#lib/numerics/risk/information-ratio.ts';
import { gainToPain, omegaRatio } from '#lib/numerics/risk/omega-ratio.ts';
import { painIndex } from '#lib/numerics/risk/pain-index.ts';
import { type PopulationMoments, populationMoments } from '#lib/numerics/risk/population-moments.ts';
import { probabilisticSharpe } from '#lib/numerics/risk/probabilistic-sharpe.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import { sortinoRatio } from '#lib/numerics/risk/sortino-ratio.ts';
import { stability } from '#lib/numerics/risk/stability.ts';
import { tailRatio } from '#lib/numerics/risk/tail-ratio.ts';
import { trackingError } from '#lib/numerics/risk/tracking-error.ts';
import { ulcerIndex } from '#lib/numerics/risk/ulcer-index.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const TOLERANCE = 1e-9;
/** The number of deepest drawdowns that the file has for each series. */
const SHOWN = 3;

type Series = {
  returns: Float64Array;
  ascending: Float64Array;
  benchmark: Float64Array;
  drawdowns: Float64Array;
  moments: PopulationMoments;
  periods: number;
  riskFree: number;
};

/**
 * The measures by their name in the file, without the suffix that states the confidence level of a tail
 * measure.
 */
const measures: Readonly<Record<string, (series: Series, level: number) => number | null>> = {
  annual_return: ({ returns, periods }) => annualReturn(returns, periods),
  annual_volatility: ({ returns, periods }) => annualVolatility(returns, periods),
  sharpe: ({ returns, riskFree, periods }) => sharpeRatio(returns, { riskFree, periodsPerYear: periods }),
  sortino: ({ returns, periods }) => sortinoRatio(returns, periods),
  downside_deviation: ({ returns, periods }) => downsideDeviation(returns, periods),
  max_drawdown: ({ returns }) => maxDrawdown(returns),
  calmar: ({ returns, periods }) => calmarRatio(returns, periods),
  omega: ({ returns }) => omegaRatio(returns),
  ulcer_index: ({ drawdowns }) => ulcerIndex(drawdowns),
  pain_index: ({ drawdowns }) => painIndex(drawdowns),
  tail_ratio: ({ ascending }) => tailRatio(ascending),
  stability: ({ returns }) => stability(returns),
  skewness: ({ moments }) => moments.skewness,
  excess_kurtosis: ({ moments }) => moments.excessKurtosis,
  var_historical: ({ ascending }, level) => varHistoricalType7(ascending, level),
  es_order_mean: ({ ascending }, level) => esHistoricalOrder(ascending, level),
  es_strictly_beyond: ({ ascending }, level) => esStrictlyBeyond(ascending, level),
  es_rockafellar_uryasev: ({ ascending }, level) => esRockafellarUryasev(ascending, level),
  var_gaussian: ({ moments }, level) => varGaussian(moments, level),
  es_gaussian: ({ moments }, level) => esGaussian(moments, level),
  var_cornish_fisher: ({ moments }, level) => varCornishFisher(moments, level),
  beta: ({ returns, benchmark }) => beta(returns, benchmark),
  tracking_error: ({ returns, benchmark, periods }) => trackingError(returns, benchmark, periods),
  information_ratio: ({ returns, benchmark, periods }) => informationRatio(returns, benchmark, periods),
  active_premium: ({ returns, benchmark, periods }) => activePremium(returns, benchmark, periods),
  information_ratio_geometric: ({ returns, benchmark, periods }) =>
    informationRatioGeometric(returns, benchmark, periods),
  up_capture: ({ returns, benchmark, periods }) =>
    captureRatio(returns, benchmark, { side: 'up', periodsPerYear: periods }),
  down_capture: ({ returns, benchmark, periods }) =>
    captureRatio(returns, benchmark, { side: 'down', periodsPerYear: periods }),
  hit_rate: ({ returns }) => hitRate(returns),
  gain_to_pain: ({ returns }) => gainToPain(returns),
  probabilistic_sharpe: ({ returns, riskFree }) => probabilisticSharpe(returns, { riskFree, target: 0 }),
};

/**
 * Compares risk measures with a file of series. A value that no source has, or on which the sources differ,
 * is noted and not compared. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const entry = asMembers(value, `cases[${at}]`);
    const name = asText(entry['name'], `cases[${at}].name`);
    const series = seriesOf(entry, name);
    tally.case();
    for (const [key, expected] of Object.entries(asMembers(entry['metrics'], `${name}.metrics`)))
      checkMeasure(tally, `${name}.${key}`, { key, expected: asMembers(expected, key), series });
    if (entry['drawdowns'] !== undefined)
      checkDrawdowns(tally, name, asList(entry['drawdowns'], name), series.returns);
  }
  return tally.report;
}

function seriesOf(entry: Members, name: string): Series {
  const numbers = (key: string) =>
    Float64Array.from(asList(entry[key], `${name}.${key}`), (each) => asNumber(each, `${name}.${key}`));
  const returns = numbers('returns');
  return {
    returns,
    ascending: returns.toSorted(),
    benchmark: entry['benchmark'] === undefined ? returns : numbers('benchmark'),
    drawdowns: drawdownSeries(returns),
    moments: populationMoments(returns),
    periods: asNumber(entry['periods_per_year'], name),
    riskFree: asNumber(entry['risk_free_period'], name),
  };
}

function checkMeasure(
  tally: Tally,
  name: string,
  { key, expected, series }: { key: string; expected: Members; series: Series },
): void {
  const [, root = key, percent] = /^(.*?)(?:_(\d\d))?$/.exec(key)!;
  const measure = Object.hasOwn(measures, root) ? measures[root]! : undefined;
  const value = expected['value'];
  if (!measure) tally.note(`${name} is not known`);
  else if (value === null) tally.note(`${name} has no value in the file`);
  else if (expected['others'] !== undefined) tally.note(`${name} differs between the sources`);
  else {
    const found = measure(series, Number(percent) / 100);
    if (found === null) return tally.fail(name, String(value), 'null');
    const wanted = asNumber(value, name);
    tally.number(name, wanted, isCapped(expected) ? Math.min(1, found) : found, TOLERANCE);
  }
}

/**
 * Whether the only source of the value is PerformanceAnalytics, which caps losses at 1. Assay does not cap
 * losses.
 */
function isCapped({ of, value }: Members): boolean {
  return value === 1 && Array.isArray(of) && of.length === 1 && of[0] === 'performanceanalytics';
}

function checkDrawdowns(tally: Tally, name: string, expected: unknown[], returns: Float64Array): void {
  const found = drawdownTable(returns, SHOWN);
  tally.equal(`${name}.drawdowns.length`, expected.length, found.length);
  for (const [at, value] of expected.entries()) {
    const wanted = asMembers(value, `${name}.drawdowns[${at}]`);
    const actual = found[at];
    if (!actual) continue;
    const to = (actual.recovery ?? returns.length) + 1;
    const place = `${name}.drawdowns[${at}]`;
    tally.number(`${place}.depth`, asNumber(wanted['depth'], place), actual.depth, TOLERANCE);
    tally.equal(`${place}.from`, wanted['from'], actual.start + 1);
    tally.equal(`${place}.trough`, wanted['trough'], actual.trough + 1);
    tally.equal(`${place}.to`, wanted['to'], to);
    tally.equal(`${place}.length`, wanted['length'], to - actual.start);
  }
}
