import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Matrix } from 'ml-matrix';
import { boostedValue, gradientBoosting } from '#lib/numerics/prediction/gradient-boosting.ts';
import { convexWeights } from '#lib/numerics/prediction/convex-weights.ts';
import { ridge } from '#lib/numerics/prediction/ridge.ts';
import { iterated, vectorAutoregression } from '#lib/numerics/prediction/vector-autoregression.ts';
import { asList, asMembers, asNumber, asText, parseGoldenFile, type Members } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

/**
 * Relative tolerances: for another order of summation, and for boosted trees with gradients in single
 * precision.
 */
const EXACT = 1e-9;
const BOOSTED = 1e-6;
/** The tolerance of a loss whose minimizer in the other implementation stops before it has converged. */
const STOPPED = 1e-9;

/**
 * Compares ridge, vector autoregressions, boosting and weights with a file of results. Its series are stored
 * in the same folder.
 */
export function check(contents: string, path: string): Report {
  const tally = new Tally();
  const file = parseGoldenFile(contents);
  const columns = returnsBeside(path);
  const grid = numbers(file['grid'], 'grid');
  each(file, 'ridge', (entry, name) => checkRidge(tally, columns, grid, entry, name));
  each(file, 'var', (entry, name) => checkVar(tally, columns, entry, name));
  each(file, 'boosting', (entry, name) => checkBoosting(tally, entry, name));
  each(file, 'weights', (entry, name) => checkWeights(tally, entry, name));
  return tally.report;
}

type Columns = (name: string) => number[];

function checkRidge(tally: Tally, columns: Columns, grid: number[], entry: Members, name: string): void {
  const horizon = asNumber(entry['horizon'], name);
  const features = asList(entry['features'], name).map((each) => columns(asText(each, name)));
  const y = columns(asText(entry['target'], name)).slice(horizon);
  const x = new Matrix(y.map((_, t) => features.map((feature) => feature[t]!)));
  const target = Float64Array.from(y);
  for (const [at, value] of asList(entry['cases'], name).entries()) {
    const expected = asMembers(value, `${name}[${at}]`);
    tally.case();
    const found = ridge(x, target, [asNumber(expected['lambda'], name)])!;
    compare(tally, `${name}[${at}].coefficients`, expected['coefficients'], found.coefficients);
    tally.number(`${name}[${at}].intercept`, asNumber(expected['intercept'], name), found.intercept, EXACT);
    const left = asNumber(expected['leave_one_out'], name);
    tally.number(`${name}[${at}].leave_one_out`, left, found.leaveOneOut, EXACT);
  }
  tally.number(`${name}.best`, asNumber(entry['best'], name), ridge(x, target, grid)!.lambda, EXACT);
}

function checkVar(tally: Tally, columns: Columns, entry: Members, name: string): void {
  const series = asList(entry['columns'], name).map((each) => columns(asText(each, name)));
  const values = Float64Array.from(series[0]!.flatMap((_, t) => series.map((column) => column[t]!)));
  const chosen = vectorAutoregression(
    Matrix.from1DArray(series[0]!.length, series.length, values),
    asNumber(entry['lags_max'], name),
  )!;
  tally.equal(`${name}.bic_lags`, asNumber(entry['bic_lags'], name), chosen.lags);
  tally.case();
  compare(tally, `${name}.intercepts`, entry['intercepts'], chosen.intercepts);
  const matrices = chosen.matrices.flatMap((each) => each.to1DArray());
  compare(tally, `${name}.matrices`, asList(entry['matrices'], name).flat(2), matrices);
  compare(
    tally,
    `${name}.covariance`,
    asList(entry['covariance'], name).flat(),
    chosen.covariance.to1DArray(),
  );
  for (const [step, row] of asList(entry['ahead'], name).entries())
    compare(tally, `${name}.ahead[${step}]`, row, iterated(chosen, values, step + 1));
}

function checkBoosting(tally: Tally, entry: Members, name: string): void {
  const options = asMembers(entry['options'], name);
  const [x, y] = [asList(entry['x'], name).map((row) => numbers(row, name)), numbers(entry['y'], name)];
  const fitted = asNumber(entry['fitted'], name);
  const of = (option: string) => asNumber(options[option], name);
  const found = gradientBoosting(new Matrix(x.slice(0, fitted)), Float64Array.from(y.slice(0, fitted)), {
    trees: of('trees'),
    rate: of('rate'),
    depth: of('depth'),
    leafRowsMin: of('leaf_rows_min'),
    bins: of('bins'),
  });
  const reported = x.map((row) => boostedValue(found, row));
  tally.case();
  const error = (from: number, to: number) => {
    const squares = reported
      .slice(from, to)
      .map((value, at) => (value - y[from + at]!) * (value - y[from + at]!));
    return Math.sqrt(squares.reduce((total, each) => total + each, 0) / squares.length);
  };
  compare(tally, `${name}.told`, entry['told'], reported, BOOSTED);
  tally.number(`${name}.rmse_in`, asNumber(entry['rmse_in'], name), error(0, fitted), BOOSTED);
  tally.number(`${name}.rmse_out`, asNumber(entry['rmse_out'], name), error(fitted, y.length), BOOSTED);
}

function checkWeights(tally: Tally, entry: Members, name: string): void {
  const errors = asList(entry['errors'], name).map((row) => Float64Array.from(numbers(row, name)));
  const weights = convexWeights(errors);
  const squares = Array.from(errors[0]!, (_, t) => {
    const error = errors.reduce((total, row, at) => total + weights[at]! * row[t]!, 0);
    return error * error;
  });
  tally.case();
  const loss = squares.reduce((total, each) => total + each, 0) / squares.length;
  tally.number(`${name}.loss`, asNumber(entry['loss'], name), loss, STOPPED);
}

function compare(
  tally: Tally,
  name: string,
  expected: unknown,
  found: ArrayLike<number>,
  tolerance = EXACT,
): void {
  const wanted = numbers(expected, name);
  tally.equal(`${name}.length`, wanted.length, found.length);
  wanted.forEach((value, at) => tally.number(`${name}[${at}]`, value, found[at]!, tolerance));
}

function each(file: Members, kind: string, compareOne: (entry: Members, name: string) => void): void {
  for (const [at, entry] of asList(file[kind], kind).entries())
    compareOne(asMembers(entry, `${kind}[${at}]`), `${kind}[${at}]`);
}

function numbers(value: unknown, name: string): number[] {
  return asList(value, name).map((each) => asNumber(each, name));
}

function returnsBeside(path: string): Columns {
  const text = readFileSync(join(dirname(path), 'monthly_logret_10.csv'), 'utf8');
  const [header, ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','));
  return (name) => lines.map((line) => Number(line[header!.indexOf(name)]));
}
