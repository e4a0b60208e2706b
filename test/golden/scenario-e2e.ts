import { createHash } from 'node:crypto';
import { Matrix } from 'ml-matrix';
import type { Moments } from '#lib/numerics/scenario/conditional-normal.ts';
import { drawPaths } from '#lib/numerics/scenario/draw-paths.ts';
import { drawScenarios, type ScenarioLaw } from '#lib/numerics/scenario/draw-scenarios.ts';
import { lowerCholesky } from '#lib/numerics/scenario/lower-cholesky.ts';
import { scenarioLaw } from '#lib/numerics/scenario/scenario-law.ts';
import { LEVELS, QUANTILES, sampleStatistics } from '#lib/numerics/scenario/sample-statistics.ts';
import { expMinusOne } from '#lib/numerics/exponential-minus-one.ts';
import { fileBeside } from './file-beside.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const TOLERANCE = 1e-12;
const ROUNDING = 1e-14;

type Model = { assets: string[]; regimes: Moments[]; transitions: number[][] };

/**
 * Compares scenario and path runs with a file: matrices by their hash, statistics to twelve digits. The
 * regime model is read from `regime.json` in the same folder. Throws a `GoldenFileError` on unreadable files.
 */
export function check(contents: string, path: string): Report {
  const tally = new Tally();
  const file = parseGoldenFile(contents);
  const model = modelBeside(path);
  for (const [at, value] of asList(file['cases'], 'cases').entries()) {
    tally.case();
    checkCase(tally, model, asMembers(value, `cases[${at}]`));
  }
  if (file['paths'] !== undefined) {
    tally.case();
    checkPaths(tally, model, asMembers(file['paths'], 'paths'));
  }
  return tally.report;
}

function modelBeside(path: string): Model {
  const all = asMembers(parseGoldenFile(fileBeside(path, 'regime.json'))['multivariate'], 'multivariate');
  const entry = asMembers(all['10assets_K2'], '10assets_K2');
  const numbers = (value: unknown): number[] =>
    asList(value, 'numbers').map((each) => asNumber(each, 'a number'));
  const covariances = asList(entry['covs'], 'covs').map(
    (rows) => new Matrix(asList(rows, 'rows').map(numbers)),
  );
  return {
    assets: asList(entry['assets'], 'assets').map((each) => asText(each, 'asset')),
    transitions: asList(entry['P'], 'P').map(numbers),
    regimes: asList(entry['means'], 'means').map((mean, at) => ({
      mean: Float64Array.from(numbers(mean)),
      covariance: covariances[at]!,
    })),
  };
}

function checkCase(tally: Tally, model: Model, entry: Members): void {
  const name = asText(entry['name'], 'name');
  const count = asNumber(entry['samples'], `${name}.samples`);
  const matrix = drawScenarios(lawOf(model, entry), {
    seed: asNumber(entry['seed'], `${name}.seed`),
    first: 0,
    count,
    antithetic: entry['antithetic'] === true,
  });
  const size = model.assets.length;
  tally.equal(`${name}.hash`, entry['matrix_sha256_f64le_sample_major'], sha256(matrix));
  compareRow(tally, `${name}.first_row`, entry['first_row'], matrix.subarray(0, size));
  compareRow(tally, `${name}.last_row`, entry['last_row'], matrix.subarray((count - 1) * size));
  for (const [key, expected] of Object.entries(entry)) {
    const factor = /^factor_(\d+)$/.exec(key)?.[1];
    if (factor === undefined && key !== 'equal_weight') continue;
    const values = Float64Array.from({ length: count }, (_, at) => {
      const row = matrix.subarray(at * size, (at + 1) * size);
      return factor === undefined
        ? row.reduce((total, each) => total + each, 0) / size
        : row[Number(factor)]!;
    });
    compareStatistics(tally, `${name}.${key}`, asMembers(expected, key), values);
  }
}

function lawOf(model: Model, entry: Members): ScenarioLaw {
  const moments = model.regimes[regimeOf(entry['regime'])]!;
  const nu = entry['nu'] === null ? null : asNumber(entry['nu'], 'nu');
  const set = asList(entry['stress'], 'stress').map((each) => {
    const element = asMembers(each, 'stress');
    const place = model.assets.indexOf(asText(element['factor'], 'factor'));
    return { place, value: asNumber(element['value'], 'value') };
  });
  return scenarioLaw(moments, set, nu)!.law;
}

function regimeOf(name: unknown): number {
  return ['calm', 'stressed'].indexOf(asText(name, 'regime'));
}

function checkPaths(tally: Tally, model: Model, entry: Members): void {
  const size = model.assets.length;
  const [count, horizon] = [asNumber(entry['paths'], 'paths'), asNumber(entry['horizon'], 'horizon')];
  const start = regimeOf(entry['start_regime']);
  const { cumulative, regimes } = drawPaths(
    {
      means: model.regimes.map(({ mean }) => mean),
      lowers: model.regimes.map(({ covariance }) => lowerCholesky(covariance)!),
      transitions: new Matrix(model.transitions),
    },
    {
      seed: asNumber(entry['seed'], 'seed'),
      first: 0,
      count,
      horizon,
      start: model.regimes.map((_, at) => (at === start ? 1 : 0)),
    },
  );
  tally.equal('paths.cumulative', entry['cum_logret_sha256_f64le_path_step_asset'], sha256(cumulative));
  tally.equal(
    'paths.regimes',
    entry['regimes_sha256_u8_path_step'],
    createHash('sha256').update(regimes).digest('hex'),
  );
  const occupied = model.regimes.map((_, regime) => regimes.filter((each) => each === regime).length);
  tally.equal('paths.occupancy', JSON.stringify(entry['occupancy']), JSON.stringify(occupied));
  const last = (path: number) => ((path + 1) * horizon - 1) * size;
  compareRow(tally, 'paths.last', entry['last_path_terminal_logret'], cumulative.subarray(last(count - 1)));
  compareStatistics(
    tally,
    'paths.terminal',
    asMembers(entry['terminal_simple_return_asset0'], 'terminal'),
    Float64Array.from({ length: count }, (_, path) => expMinusOne(cumulative[last(path)]!)),
  );
}

function compareRow(tally: Tally, name: string, expected: unknown, actual: Float64Array): void {
  for (const [at, each] of asList(expected, name).entries())
    tally.number(`${name}[${at}]`, asNumber(each, name), actual[at]!);
}

function compareStatistics(tally: Tally, name: string, expected: Members, values: Float64Array): void {
  const found = sampleStatistics(values);
  const known: Record<string, number | null> = {
    mean: found.mean,
    std_pop: found.deviation,
    skew: found.skewness,
    kurt_excess: found.excessKurtosis,
    min: found.min,
    max: found.max,
    ...Object.fromEntries(QUANTILES.map((p, at) => [`q${p}`, found.quantiles[at]!])),
    ...Object.fromEntries(LEVELS.map((level, at) => [`var_${level}`, found.risk[at]!.valueAtRisk])),
    ...Object.fromEntries(LEVELS.map((level, at) => [`es_${level}`, found.risk[at]!.expectedShortfall])),
  };
  for (const [key, value] of Object.entries(expected)) {
    const actual = known[key];
    if (actual === undefined) tally.note(`${name}.${key} is not known`);
    else if (actual === null) tally.note(`${name}.${key}: all values are equal`);
    else if (value === null) tally.equal(`${name}.${key}`, value, actual);
    else if (Math.abs(actual - asNumber(value, key)) <= ROUNDING)
      tally.number(`${name}.${key}`, actual, actual);
    else tally.number(`${name}.${key}`, asNumber(value, key), actual, TOLERANCE);
  }
}

function sha256(matrix: Float64Array): string {
  return createHash('sha256')
    .update(new Uint8Array(matrix.buffer, matrix.byteOffset, matrix.byteLength))
    .digest('hex');
}
