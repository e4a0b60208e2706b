import { Matrix } from 'ml-matrix';
import { infer, type Observations, type RegimeModel } from '#lib/numerics/regime/hidden-markov.ts';
import { fitRegimes } from '#lib/numerics/regime/regime-em.ts';
import { REGIME_CUTS, startProbabilities } from '#lib/numerics/regime/regime-start.ts';
import { stationaryProbabilities } from '#lib/numerics/regime/stationary-probabilities.ts';
import { conditionalNormal } from '#lib/numerics/scenario/conditional-normal.ts';
import { fileBeside } from './file-beside.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

/** Tolerances: relative at fixed parameters, relative for fitted values, and absolute for probabilities. */
const [AT_PARAMETERS, FITTED, PROBABILITY] = [1e-9, 1e-5, 1e-6];

type Returns = { factors: string[]; months: number[][] };

/**
 * Compares regime models with a file: likelihood and probabilities at the file's parameters, and the fit from
 * the recipe's start. The returns are read from `monthly_logret_10.csv` in the same folder. Throws a
 * `GoldenFileError` on unreadable files.
 */
export function check(contents: string, path: string): Report {
  const tally = new Tally();
  const file = parseGoldenFile(contents);
  const returns = returnsBeside(path);
  for (const [name, value] of Object.entries(asMembers(file['univariate'] ?? {}, 'univariate'))) {
    tally.case();
    checkUnivariate(tally, name, asMembers(value, name), returns);
  }
  const multivariate = asMembers(file['multivariate'] ?? {}, 'multivariate');
  for (const [name, value] of Object.entries(multivariate)) {
    tally.case();
    checkFit(tally, name, asMembers(value, name), returns);
  }
  for (const [at, value] of asList(file['stress'] ?? [], 'stress').entries()) {
    tally.case();
    checkStress(tally, `stress[${at}]`, asMembers(value, `stress[${at}]`), multivariate);
  }
  return tally.report;
}

function returnsBeside(path: string): Returns {
  const [header, ...lines] = fileBeside(path, 'monthly_logret_10.csv').trim().split('\n');
  return {
    factors: header!.trim().split(',').slice(1),
    months: lines.map((line) => line.split(',').slice(1).map(Number)),
  };
}

function checkUnivariate(tally: Tally, name: string, entry: Members, returns: Returns): void {
  const rows = Float64Array.from(
    returns.months,
    (month) => (100 * month.reduce((total, each) => total + each, 0)) / month.length,
  );
  const transitions = new Matrix(matrix(entry['P_row_from_col_to']));
  const model: RegimeModel = {
    initial: stationaryProbabilities(transitions),
    transitions,
    means: numbers(entry['means_pct']).map((each) => Float64Array.of(each)),
    covariances: numbers(entry['variances_pct2']).map((each) => new Matrix([[each]])),
  };
  const found = infer(model, { rows, dimensions: 1 })!;
  tally.number(`${name}.llf`, asNumber(entry['llf'], 'llf'), found.logLikelihood, AT_PARAMETERS);
  compareProbabilities(tally, name, entry, found.smoothed, found.filtered);
}

function checkFit(tally: Tally, name: string, entry: Members, returns: Returns): void {
  const assets =
    entry['assets'] === undefined
      ? returns.factors
      : asList(entry['assets'], 'assets').map((each) => asText(each, 'asset'));
  const places = assets.map((asset) => returns.factors.indexOf(asset));
  const observations: Observations = {
    rows: Float64Array.from(returns.months.flatMap((month) => places.map((place) => month[place]!))),
    dimensions: assets.length,
  };
  const regimes = entry['P'] === undefined ? 1 : matrix(entry['P']).length;
  const fit = fitRegimes(observations, startProbabilities(observations, REGIME_CUTS[regimes]!), {
    tolerance: 1e-13,
  })!;
  tally.number(`${name}.ll`, asNumber(entry['ll'], 'll'), fit.inference.logLikelihood, AT_PARAMETERS);
  for (const [at, value] of numbers(entry['ll_trace_first5'] ?? []).entries())
    tally.number(`${name}.trace[${at}]`, value, fit.trace[at]!, AT_PARAMETERS);
  if (entry['P'] === undefined) return;
  const model: RegimeModel = {
    initial: Float64Array.from(numbers(entry['pi'])),
    transitions: new Matrix(matrix(entry['P'])),
    means: matrix(entry['means']).map((each) => Float64Array.from(each)),
    covariances: asList(entry['covs'], 'covs').map((each) => new Matrix(matrix(each))),
  };
  const atParameters = infer(model, observations)!;
  tally.number(
    `${name}.ll at parameters`,
    asNumber(entry['ll'], 'll'),
    atParameters.logLikelihood,
    AT_PARAMETERS,
  );
  compareProbabilities(tally, name, entry, atParameters.smoothed, atParameters.filtered);
  const order = fit.model.covariances
    .map((covariance, k) => ({ k, trace: covariance.trace() }))
    .sort((one, other) => one.trace - other.trace);
  const stationary = stationaryProbabilities(fit.model.transitions);
  for (const [at, { k }] of order.entries()) {
    near(tally, `${name}.stationary[${at}]`, numbers(entry['stationary'])[at]!, stationary[k]!, FITTED);
    for (const [d, mean] of matrix(entry['means'])[at]!.entries())
      near(tally, `${name}.means[${at}][${d}]`, mean, fit.model.means[k]![d]!, FITTED);
  }
}

function compareProbabilities(
  tally: Tally,
  name: string,
  entry: Members,
  smoothed: Float64Array,
  filtered: Float64Array,
): void {
  const first = matrix(entry['smoothed_first6']);
  const K = first[0]!.length;
  const lastRow = (of: Float64Array, back: number) =>
    of.subarray(of.length - back * K, of.length - (back - 1) * K || of.length);
  for (const [t, row] of first.entries())
    for (const [k, each] of row.entries())
      near(tally, `${name}.smoothed[${t}][${k}]`, each, smoothed[t * K + k]!, PROBABILITY);
  const last = matrix(entry['smoothed_last6']);
  for (const [t, row] of last.entries())
    for (const [k, each] of row.entries())
      near(
        tally,
        `${name}.smoothed_last[${t}][${k}]`,
        each,
        lastRow(smoothed, last.length - t)[k]!,
        PROBABILITY,
      );
  for (const [k, each] of numbers(entry['filtered_last']).entries())
    near(tally, `${name}.filtered_last[${k}]`, each, lastRow(filtered, 1)[k]!, PROBABILITY);
}

function checkStress(tally: Tally, name: string, entry: Members, models: Members): void {
  const [, key, regime] = /^(\S+) regime index (\d)/.exec(asText(entry['model'], `${name}.model`)) ?? [];
  const model = asMembers(models[key!], `${name}.model`);
  const assets = asList(model['assets'], 'assets').map((each) => asText(each, 'asset'));
  const moments = {
    mean: Float64Array.from(matrix(model['means'])[Number(regime)]!),
    covariance: new Matrix(matrix(asList(model['covs'], 'covs')[Number(regime)])),
  };
  const places = asList(entry['shocked'], 'shocked').map((each) => assets.indexOf(asText(each, 'shocked')));
  const found = conditionalNormal(moments, places, numbers(entry['set_to']))!;
  tally.number(
    `${name}.mahalanobis2`,
    asNumber(entry['mahalanobis2'], name),
    found.distanceSquared,
    AT_PARAMETERS,
  );
  for (const [at, each] of numbers(entry['cond_mean']).entries())
    tally.number(`${name}.cond_mean[${at}]`, each, found.moments.mean[at]!, AT_PARAMETERS);
  const covariance = found.moments.covariance.to1DArray();
  for (const [at, each] of matrix(entry['cond_cov']).flat().entries())
    tally.number(`${name}.cond_cov[${at}]`, each, covariance[at]!, AT_PARAMETERS);
}

function near(tally: Tally, name: string, expected: number, actual: number, absolute: number): void {
  if (Math.abs(expected - actual) <= absolute) tally.number(name, actual, actual);
  else tally.number(name, expected, actual);
}

function numbers(value: unknown): number[] {
  return asList(value, 'numbers').map((each) => asNumber(each, 'a number'));
}

function matrix(value: unknown): number[][] {
  return asList(value, 'rows').map(numbers);
}
