import { standardDeviation } from '#lib/numerics/descriptive.ts';
import { andersonDarling } from '#lib/numerics/two-sample/anderson-darling.ts';
import { chiSquareTest } from '#lib/numerics/two-sample/chi-square-test.ts';
import { cramerVonMises } from '#lib/numerics/two-sample/cramer-von-mises.ts';
import { binCounts, decileEdges } from '#lib/numerics/two-sample/decile-bins.ts';
import { distances } from '#lib/numerics/two-sample/distance.ts';
import { fisherExact } from '#lib/numerics/two-sample/fisher-exact.ts';
import { jensenShannon } from '#lib/numerics/two-sample/jensen-shannon.ts';
import {
  exactKolmogorovSmirnovP,
  kolmogorovSmirnovP,
  kolmogorovTail,
} from '#lib/numerics/two-sample/kolmogorov-smirnov.ts';
import { mannWhitney } from '#lib/numerics/two-sample/mann-whitney.ts';
import { meanDiscrepancy } from '#lib/numerics/two-sample/maximum-mean-discrepancy.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import { flooredStability, populationStability } from '#lib/numerics/two-sample/population-stability.ts';
import { welch } from '#lib/numerics/two-sample/welch.ts';
import { asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const TOLERANCE = 1e-12;
const TOLERANCE_OF_P = 1e-9;
const ROUNDING = 1e-15;
/** The tolerance for cases in which scipy ends the series of the limiting distribution at terms below 1e-7. */
const CUT_SERIES = 1e-7;

/**
 * Compares the statistics of two samples with a file of cases. Throws a `GoldenFileError` on an unreadable
 * file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const entry = asMembers(value, `cases[${at}]`);
    const name = asText(entry['name'], `cases[${at}].name`);
    tally.case();
    const [reference, current] = ['ref', 'cur'].map((side) => sampleOf(entry[side], `${name}.${side}`));
    const eligible = reference!.values.length > 0 && current!.values.length > 0;
    tally.equal(`${name}.eligible`, entry['eligible'], eligible);
    if (!eligible || entry['expected'] === undefined) continue;
    const found = statistics(reference!, current!);
    for (const [key, expected] of Object.entries(asMembers(entry['expected'], `${name}.expected`))) {
      if (key.endsWith('_error')) continue;
      if (!Object.hasOwn(found, key)) tally.note(`${name}.${key} is not known`);
      else compare(tally, `${name}.${key}`, expected, found[key]);
    }
  }
  return tally.report;
}

type Sample = { values: Float64Array; missing: number };

function sampleOf(value: unknown, name: string): Sample {
  const list = asList(value, name);
  const present = list.filter((each) => each !== null).map((each) => asNumber(each, name));
  return { values: Float64Array.from(present), missing: list.length - present.length };
}

function statistics(reference: Sample, current: Sample): Record<string, unknown> {
  const [n, m] = [reference.values.length, current.values.length];
  const [before, after] = [
    Float64Array.from(reference.values).sort(),
    Float64Array.from(current.values).sort(),
  ];
  const apart = distances(before, after);
  const edges = decileEdges(before);
  const [counts, counted] = [binCounts(before, edges), binCounts(after, edges)];
  const stability = populationStability(counts, counted);
  const test = chiSquareTest(counts, counted);
  const root = Math.sqrt((n * m) / (n + m));
  const deviation = before[0] === before[n - 1] ? 0 : standardDeviation(before, { ddof: 0 });
  const moved = after[0] === after[m - 1] ? 0 : standardDeviation(after, { ddof: 0 });
  const perDeviation = (value: number) => (deviation > 0 ? value / deviation : null);
  const ranks = mannWhitney(before, after);
  const means = welch(reference.values, current.values);
  return {
    ks_stat: apart.kolmogorovSmirnov,
    ks_p_auto: kolmogorovSmirnovP(apart.steps, n, m),
    ks_p_exact: exactKolmogorovSmirnovP(apart.steps, n, m),
    ks_p_kolmogorov_limit: kolmogorovTail(root * apart.kolmogorovSmirnov),
    ks_p_stephens: kolmogorovTail((root + 0.12 + 0.11 / root) * apart.kolmogorovSmirnov),
    wasserstein: apart.wasserstein,
    ref_std_pop: deviation,
    wasserstein_norm_by_ref_std: perDeviation(apart.wasserstein),
    'wasserstein_evidently_norm_max_std_0.001': apart.wasserstein / Math.max(deviation, 0.001),
    energy_distance: apart.energy,
    mannwhitney_u: ranks.u,
    mannwhitney_p: ranks.p,
    ...(n > 1 &&
      m > 1 && {
        cvm_stat: cramerVonMises(before, after).t,
        cvm_p_asymptotic: cramerVonMises(before, after).p,
      }),
    ...(means && { welch_t: means.t, welch_p: means.p }),
    anderson_ksamp: andersonDarling(before, after),
    bins: { inner_edges: [...edges], ref_counts: counts, cur_counts: counted },
    'psi_eps1e-4': flooredStability(counts, counted),
    psi_half_count: stability.psi,
    psi_null_p_scaled_chi2: stability.p,
    js_distance_base2: jensenShannon(counts, counted),
    chi2: test.statistic,
    chi2_p: test.p,
    chi2_dof: test.degrees,
    mean_shift_in_ref_std: perDeviation(mean(current.values) - mean(reference.values)),
    var_ratio: deviation > 0 ? (moved / deviation) * (moved / deviation) : null,
    missing_fisher_p: fisherExact({
      a: reference.missing,
      n: n + reference.missing,
      b: current.missing,
      m: m + current.missing,
    }),
    ...(n > 1 && m > 1 && discrepancy(reference.values, current.values)),
  };
}

function discrepancy(reference: Float64Array, current: Float64Array) {
  const found = meanDiscrepancy(Float64Array.from([...reference, ...current]), 1, reference.length);
  return {
    mmd2_unbiased: found.unbiased,
    mmd2_biased: found.biased,
    mmd_sigma2: found.medianSquared > 0 ? found.medianSquared / 2 : 0.5,
    mmd_median_sqdist_upper_tri: found.medianSquared,
  };
}

function compare(tally: Tally, name: string, expected: unknown, actual: unknown): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const isP = /_p(_|$)/.test(name);
    const offBy = Math.abs(expected - actual);
    const allowed = name.endsWith('cvm_p_asymptotic') ? CUT_SERIES : ROUNDING;
    if (offBy <= allowed) return tally.number(name, actual, actual);
    return tally.number(name, expected, actual, isP ? TOLERANCE_OF_P : TOLERANCE);
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    tally.equal(`${name}.length`, expected.length, actual.length);
    for (const [at, each] of expected.entries()) compare(tally, `${name}[${at}]`, each, actual[at]);
    return;
  }
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    for (const [key, each] of Object.entries(actual))
      compare(tally, `${name}.${key}`, (expected as Record<string, unknown>)[key], each);
    return;
  }
  tally.equal(name, expected, actual);
}
