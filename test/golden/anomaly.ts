import { generalisedEsd } from '#lib/numerics/anomaly/generalised-esd.ts';
import { fitHistogramScore } from '#lib/numerics/anomaly/histogram-score.ts';
import { fitIsolationForest } from '#lib/numerics/anomaly/isolation-forest.ts';
import { fitLocalOutlierFactor, fitNeighbourDistance } from '#lib/numerics/anomaly/local-outlier-factor.ts';
import { fitMahalanobis } from '#lib/numerics/anomaly/mahalanobis.ts';
import { matrixProfile } from '#lib/numerics/anomaly/matrix-profile.ts';
import { fitRobustZ } from '#lib/numerics/anomaly/robust-z.ts';
import { seasonalRemainder } from '#lib/numerics/anomaly/seasonal-remainder.ts';
import type { FittedDetector, Table } from '#lib/numerics/anomaly/table.ts';
import { fitTailProbability } from '#lib/numerics/anomaly/tail-probability.ts';
import { averageRanks } from '#lib/numerics/average-ranks.ts';
import { spearman } from '#lib/numerics/correlation.ts';
import { type Members, asList, asMembers, asNumber, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const TOLERANCE = 1e-9;
/**
 * The minimum Spearman correlation with the file's scores of isolation forests. The forests of the file use other
 * random draws.
 */
const RANKS_ALIKE = 0.9;
/**
 * The minimum Spearman correlation with the file's histogram scores: rounding decides the bin of a value on
 * the edge of two bins.
 */
const EDGES_ALIKE = 0.99;

const detectors: Readonly<Record<string, (table: Table) => FittedDetector>> = {
  lof_10: (table) => fitLocalOutlierFactor(table, 10),
  lof_20: (table) => fitLocalOutlierFactor(table, 20),
  knn_5_largest: (table) => fitNeighbourDistance(table, 5),
  mahalanobis2_population_cov: (table) => fitMahalanobis(table),
  ecod: fitTailProbability,
  mad_z_max: fitRobustZ,
};

/**
 * Compares anomaly scores with a file: the scores of isolation forests and histograms by their ranks, all
 * other scores by their values.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [name, value] of Object.entries(parseGoldenFile(contents))) {
    const entry = asMembers(value, name);
    tally.case();
    if (entry['X'] !== undefined) checkTable(tally, name, entry);
    else if (entry['x'] !== undefined) checkEsd(tally, name, entry);
    else if (entry['resid_robust'] !== undefined) checkResiduals(tally, name, entry);
    else if (entry['profile'] === undefined && entry['multiply'] === undefined)
      tally.note(`${name} is not known`);
  }
  const series = parseGoldenFile(contents);
  if (series['matrix_profile_elec_equip'] !== undefined && series['stl_esd_elec_equip'] !== undefined) {
    const entry = asMembers(series['matrix_profile_elec_equip'], 'matrix_profile_elec_equip');
    const y = numbers(asMembers(series['stl_esd_elec_equip'], 'stl_esd_elec_equip')['y']);
    checkProfile(tally, 'matrix_profile_elec_equip', entry, y);
  }
  if (series['stl_esd_injected'] !== undefined && series['stl_esd_elec_equip'] !== undefined) {
    const entry = asMembers(series['stl_esd_injected'], 'stl_esd_injected');
    checkInjected(tally, entry, asMembers(series['stl_esd_elec_equip'], 'stl_esd_elec_equip'));
  }
  return tally.report;
}

/**
 * Checks that injected faults get the highest scores, in the same order as in another implementation of STL.
 */
function checkInjected(tally: Tally, entry: Members, { y, period }: Members): void {
  const faults = Object.entries(asMembers(entry['multiply'], 'multiply'));
  const values = Float64Array.from(numbers(y));
  for (const [place, factor] of faults) values[Number(place)]! *= asNumber(factor, 'a factor');
  const remainder = seasonalRemainder(values, asNumber(period, 'period'));
  const { steps } = generalisedEsd(remainder, { max: faults.length, level: 0.05 });
  for (const [at, { place, statistic, critical }] of steps.entries()) {
    const row = asMembers(asList(entry['rows'], 'rows')[at], `rows[${at}]`);
    tally.equal(`stl_esd_injected.rows[${at}].index`, row['index'], place);
    tally.equal(`stl_esd_injected.rows[${at}] is an outlier`, true, statistic > critical);
  }
}

function checkTable(tally: Tally, name: string, entry: Members): void {
  const rows = asList(entry['X'], `${name}.X`).map(numbers);
  const table: Table = { values: Float64Array.from(rows.flat()), dimensions: rows[0]!.length };
  const outliers = numbers(entry['y']);
  const areas = asMembers(entry['auc'], `${name}.auc`);
  for (const [method, expected] of Object.entries(asMembers(entry['scores'], `${name}.scores`))) {
    const fit = detectors[method];
    if (!fit) continue;
    const { scores } = fit(table).reference();
    for (const [at, each] of numbers(expected).entries())
      tally.number(`${name}.${method}[${at}]`, each, scores[at]!, TOLERANCE);
    tally.number(`${name}.auc.${method}`, asNumber(areas[method], method), area(scores, outliers), TOLERANCE);
  }
  const histogram = fitHistogramScore(table, 10).reference().scores;
  const counted = numbers(asMembers(entry['scores'], name)['hbos_10']);
  tally.equal(`${name}.hbos_10 ranks alike`, true, spearman(histogram, counted)! >= EDGES_ALIKE);
  const forest = fitIsolationForest(table, { trees: 1000 }).reference().scores;
  const [min] = numbers(entry['iforest_auc_range_10_seeds']);
  const usual = numbers(asMembers(entry['scores'], name)['iforest_mean10']);
  tally.equal(`${name}.iforest is as good`, true, area(forest, outliers) >= min!);
  tally.equal(`${name}.iforest ranks alike`, true, spearman(forest, usual)! >= RANKS_ALIKE);
}

/** Returns the area under the ROC curve: the share of pairs in the right order. */
function area(scores: Float64Array, outliers: readonly number[]): number {
  const ranks = averageRanks(scores);
  let [total, count] = [0, 0];
  for (const [at, outlier] of outliers.entries()) {
    if (outlier !== 1) continue;
    total += ranks[at]!;
    count += 1;
  }
  return (total - (count * (count + 1)) / 2) / (count * (outliers.length - count));
}

function checkEsd(tally: Tally, name: string, entry: Members): void {
  const options = { max: asNumber(entry['max'], 'max'), level: asNumber(entry['alpha'], 'alpha') };
  compareEsd(tally, name, entry, generalisedEsd(numbers(entry['x']), options));
}

function checkResiduals(tally: Tally, name: string, entry: Members): void {
  const expected = asMembers(entry['gesd_on_robust_resid'], name);
  const max = asList(expected['rows'], name).length;
  compareEsd(tally, name, expected, generalisedEsd(numbers(entry['resid_robust']), { max, level: 0.05 }));
}

function compareEsd(
  tally: Tally,
  name: string,
  expected: Members,
  found: ReturnType<typeof generalisedEsd>,
): void {
  tally.equal(`${name}.n_outliers`, expected['n_outliers'], found.outliers);
  for (const [at, value] of asList(expected['rows'], `${name}.rows`).entries()) {
    const row = asMembers(value, `${name}.rows[${at}]`);
    const step = found.steps[at]!;
    tally.equal(`${name}.rows[${at}].index`, row['index'], step.place);
    tally.number(`${name}.rows[${at}].R`, asNumber(row['R'], 'R'), step.statistic, TOLERANCE);
    tally.number(`${name}.rows[${at}].lambda`, asNumber(row['lambda'], 'lambda'), step.critical, TOLERANCE);
  }
}

function checkProfile(tally: Tally, name: string, entry: Members, y: number[]): void {
  const found = matrixProfile(y, asNumber(entry['m'], `${name}.m`));
  for (const [at, each] of numbers(entry['profile']).entries()) {
    tally.number(`${name}.profile[${at}]`, each, found.distances[at]!, TOLERANCE);
    tally.equal(`${name}.index[${at}]`, numbers(entry['index'])[at], found.nearest[at]);
  }
  tally.equal(`${name}.discord`, entry['discord'], found.discord);
}

function numbers(value: unknown): number[] {
  return asList(value, 'numbers').map((each) => asNumber(each, 'a number'));
}
