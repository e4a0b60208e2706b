import { standardDeviation } from '#lib/numerics/descriptive.ts';
import {
  type BacktestOverfitting,
  backtestOverfitting,
} from '#lib/numerics/overfitting/backtest-overfitting.ts';
import { blockSums } from '#lib/numerics/overfitting/block-sums.ts';
import { deflatedSharpe } from '#lib/numerics/overfitting/deflated-sharpe.ts';
import { expectedMaximum } from '#lib/numerics/overfitting/expected-maximum.ts';
import { minimumTrackRecord } from '#lib/numerics/overfitting/minimum-track-record.ts';
import { populationMoments } from '#lib/numerics/risk/population-moments.ts';
import { probabilisticSharpe } from '#lib/numerics/risk/probabilistic-sharpe.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const TOLERANCE = 1e-9;
const RISK_FREE = 0;
const LEVEL = 0.95;
const COUNTS = /\.(?:best|combinations|rows_dropped_at_the_start|chosen_counts\[\d+\])$/;
/** Members that describe a case, or that were computed by another convention. */
const DESCRIPTIVE = new Set(['name', 'trials', 'returns', 'pbo', 'dsr_ffn_sample_moments']);

/**
 * Compares the evidence of panels of trials with a file. Shares and counts of combinations are compared exactly. Throws
 * a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const entry = asMembers(value, `cases[${at}]`);
    const name = asText(entry['name'], `cases[${at}].name`);
    tally.case();
    const trials = trialsOf(entry, name);
    const found = evidenceOf(trials);
    for (const [key, expected] of Object.entries(entry)) {
      if (DESCRIPTIVE.has(key)) continue;
      if (Object.hasOwn(found, key)) compare(tally, `${name}.${key}`, expected, found[key]);
      else tally.note(`${name}.${key} is not known`);
    }
    const divisions = entry['pbo'] === undefined ? [] : asList(entry['pbo'], `${name}.pbo`);
    for (const division of divisions)
      checkDivision(tally, name, { expected: asMembers(division, name), trials });
  }
  return tally.report;
}

/** Returns the returns of each trial. The file has one row for each period. */
function trialsOf(entry: Members, name: string): Float64Array[] {
  const rows = asList(entry['returns'], `${name}.returns`).map((row) => asList(row, `${name}.returns`));
  return (rows[0] ?? []).map((_, trial) =>
    Float64Array.from(rows, (row) => asNumber(row[trial], `${name}.returns`)),
  );
}

function evidenceOf(trials: readonly Float64Array[]): Members {
  const ratios = trials.map((each) => sharpeRatio(each, { riskFree: RISK_FREE, periodsPerYear: 1 }));
  const known = ratios.filter((each) => each !== null);
  const best = ratios.indexOf(known.reduce((one, other) => (other > one ? other : one), -Infinity));
  const returns = trials[best] ?? new Float64Array(0);
  const deviation = known.length > 1 ? standardDeviation(known, { ddof: 1 }) : 0;
  const deflated = deflatedSharpe(returns, { riskFree: RISK_FREE, trials: trials.length, deviation });
  const { skewness, excessKurtosis } = populationMoments(returns);
  return {
    sharpe_period: ratios,
    best,
    psr_vs_0: probabilisticSharpe(returns, { riskFree: RISK_FREE, target: 0 }),
    expected_max_standard: expectedMaximum(trials.length),
    sharpe_sd_of_trials: deviation,
    sr_star: deflated.benchmark,
    dsr_population_moments: deflated.probability,
    min_track_record_95: minimumTrackRecord(returns, { riskFree: RISK_FREE, target: 0, level: LEVEL }),
    skewness,
    kurtosis: excessKurtosis === null ? null : excessKurtosis + 3,
  };
}

function checkDivision(
  tally: Tally,
  name: string,
  { expected, trials }: { expected: Members; trials: readonly Float64Array[] },
): void {
  const blocks = asNumber(expected['blocks'], `${name}.blocks`);
  const rows = Math.floor(trials[0]!.length / blocks);
  const result = backtestOverfitting(
    trials.map((each) => blockSums(each, blocks)),
    { blocks, rows },
  );
  const place = `${name}, ${blocks} blocks`;
  if (!result.ok) return tally.fail(place, 'a result', result.reason);
  const found: Members = {
    ...divisionOf(result),
    rows_dropped_at_the_start: trials[0]!.length - rows * blocks,
  };
  for (const [key, value] of Object.entries(expected)) {
    if (key === 'blocks') continue;
    if (key === 'pbo' || key === 'probability_of_loss')
      tally.equal(
        `${place}.${key}`,
        countOf(value, result.combinations),
        countOf(found[key], result.combinations),
      );
    else if (Object.hasOwn(found, key)) compare(tally, `${place}.${key}`, value, found[key]);
    else tally.note(`${place}.${key} is not known`);
  }
}

/**
 * Converts a share of the combinations to their number. Returns the share unchanged if it is not a whole number of
 * combinations.
 */
function countOf(share: unknown, combinations: number): unknown {
  const count = Number(share) * combinations;
  return Math.abs(count - Math.round(count)) < 1e-6 ? Math.round(count) : share;
}

function divisionOf(result: BacktestOverfitting & { ok: true }): Members {
  return {
    combinations: result.combinations,
    pbo: result.pbo,
    probability_of_loss: result.probabilityOfLoss,
    degradation_slope: result.degradation?.slope ?? null,
    degradation_intercept: result.degradation?.intercept ?? null,
    degradation_r2: result.degradation?.r2 ?? null,
    logits_first_five: [...result.logits.subarray(0, 5)],
    logit_median: result.logitQuantiles.find(({ level }) => level === 0.5)!.value,
    logit_mean: result.logitMean,
    chosen_counts: [...result.chosenCounts],
  };
}

/** Compares numbers within the tolerance, and counts exactly. A null in the file means that no tool gave a value. */
function compare(tally: Tally, name: string, expected: unknown, found: unknown): void {
  if (expected === null) return tally.note(`${name} has no value in the file`);
  if (Array.isArray(expected) && Array.isArray(found)) {
    tally.equal(`${name}.length`, expected.length, found.length);
    for (const [at, value] of expected.entries()) compare(tally, `${name}[${at}]`, value, found[at]);
  } else if (typeof expected === 'number' && typeof found === 'number')
    tally.number(name, expected, found, COUNTS.test(name) ? 0 : TOLERANCE);
  else tally.equal(name, expected, found);
}
