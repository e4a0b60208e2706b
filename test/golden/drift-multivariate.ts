import { fitMahalanobis } from '#lib/numerics/anomaly/mahalanobis.ts';
import { columnOf, scaled, scalingOf, type Table } from '#lib/numerics/anomaly/table.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import { adjustedP, type Correction } from '#lib/numerics/multiple-testing.ts';
import { distances } from '#lib/numerics/two-sample/distance.ts';
import { domainClassifierArea } from '#lib/numerics/two-sample/domain-classifier.ts';
import { energyDistance } from '#lib/numerics/two-sample/energy-distance.ts';
import { hotelling } from '#lib/numerics/two-sample/hotelling.ts';
import { exactKolmogorovSmirnovP } from '#lib/numerics/two-sample/kolmogorov-smirnov.ts';
import { meanDiscrepancy } from '#lib/numerics/two-sample/maximum-mean-discrepancy.ts';
import { permutationP } from '#lib/numerics/two-sample/permutation-test.ts';
import { fileBeside } from './file-beside.ts';
import { asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { GoldenFileError, type Report, Tally } from './report.ts';

/**
 * Tolerances: relative for statistics, relative for p-values, and absolute for results that depend on random
 * draws (permutation tests and classifiers).
 */
const [TOLERANCE, OF_P, OF_CHANCE] = [1e-11, 1e-9, 0.02];

const corrections: Readonly<Record<string, Correction>> = {
  bonferroni: 'bonferroni',
  holm: 'holm',
  bh: 'benjamini_hochberg',
  by: 'benjamini_yekutieli',
};

/**
 * Compares tests of several columns with a file, on the returns of `monthly_logret_10.csv` in the same
 * folder.
 */
export function check(contents: string, path: string): Report {
  const tally = new Tally();
  const file = parseGoldenFile(contents);
  const whole = returnsBeside(path);
  const [reference, current] = ['ref', 'cur'].map((side) => rowsOf(whole, asText(file[side], side)));
  tally.case();
  const D = whole.dimensions;
  const n = reference!.values.length / D;
  const ps = Array.from({ length: D }, (_, column) => ksP(reference!, current!, column));
  compareList(tally, 'ks_exact_p', file['ks_exact_p'], ps);
  for (const [name, correction] of Object.entries(corrections))
    compareList(tally, name, file[name], adjustedP(ps, correction));
  const scaling = scalingOf(reference!);
  const points = Float64Array.from([
    ...scaled(reference!, scaling).values,
    ...scaled(current!, scaling).values,
  ]);
  const discrepancy = meanDiscrepancy(points, D, n);
  const means = hotelling(points, D, n)!;
  const expected: [string, number, number][] = [
    ['mmd2_unbiased_rbf_median', discrepancy.unbiased, TOLERANCE],
    ['median_sqdist', discrepancy.medianSquared, TOLERANCE],
    ['energy_E2', energyDistance(points, D, n), TOLERANCE],
    ['mahalanobis_mean_shift2', shiftOf(reference!, current!), TOLERANCE],
    ['hotelling_T2', means.statistic, TOLERANCE],
    ['hotelling_F', means.f, TOLERANCE],
    ['hotelling_p', means.p, OF_P],
  ];
  for (const [name, actual, tolerance] of expected)
    if (file[name] !== undefined) tally.number(name, asNumber(file[name], name), actual, tolerance);
  const near = (name: string, value: unknown, actual: number) =>
    tally.equal(`${name} within ${OF_CHANCE}`, true, Math.abs(asNumber(value, name) - actual) <= OF_CHANCE);
  const p = permutationP(points, D, n, { permutations: 999, seed: 0 });
  near('mmd_perm_p_999', file['mmd_perm_p_999'], p);
  const classifier = asMembers(file['domain_classifier'], 'domain_classifier');
  near('domain_classifier.auc', classifier['auc'], domainClassifierArea(points, D, n));
  return tally.report;
}

function returnsBeside(path: string): Table {
  const [header, ...lines] = fileBeside(path, 'monthly_logret_10.csv').trim().split('\n');
  return {
    values: Float64Array.from(lines.flatMap((line) => line.split(',').slice(1).map(Number))),
    dimensions: header!.split(',').length - 1,
  };
}

function rowsOf({ values, dimensions }: Table, text: string): Table {
  const [, from, to] = /rows (\d+)\.\.(\d+)/.exec(text) ?? [];
  if (from === undefined) throw new GoldenFileError(`${text} names no rows`);
  return { values: values.subarray(Number(from) * dimensions, (Number(to) + 1) * dimensions), dimensions };
}

/**
 * Returns the squared Mahalanobis distance of the mean of the current rows from the mean of the reference,
 * with the sample covariance of the reference.
 */
function shiftOf(reference: Table, current: Table): number {
  const values = Float64Array.from({ length: current.dimensions }, (_, column) =>
    mean(columnOf(current, column)),
  );
  const rows = reference.values.length / reference.dimensions;
  return (
    fitMahalanobis(reference).score({ values, dimensions: current.dimensions }).scores[0]! *
    ((rows - 1) / rows)
  );
}

function ksP(reference: Table, current: Table, column: number): number {
  const [before, after] = [reference, current].map(({ values, dimensions }) =>
    values.filter((_, at) => at % dimensions === column).sort(),
  );
  return exactKolmogorovSmirnovP(distances(before!, after!).steps, before!.length, after!.length);
}

function compareList(tally: Tally, name: string, expected: unknown, actual: ArrayLike<number>): void {
  for (const [at, each] of asList(expected, name).entries())
    tally.number(`${name}[${at}]`, asNumber(each, name), actual[at]!, OF_P);
}
