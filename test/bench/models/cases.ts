import type { Size } from '../bench.ts';
import type { Bound } from '../rounds.ts';

/** The measured cases, each of which has the same name in `subject.ts` and in `models.py`. */
export type ModelCase = {
  label: string;
  /** The number of rows of each table; for `regime`, the number of months in the golden file. */
  rows: number;
  columns: number;
  rounds: number;
  bound: Bound;
  ours: string;
  peer: string;
  /** Whether the bench also shows the peak memory. */
  memory?: true;
};

const rowsOf = {
  full: { large: 1_000_000, middle: 100_000, small: 5_000 },
  tiny: { large: 500, middle: 300, small: 200 },
};

/** Returns every case by name. */
export function modelCases(size: Size): Record<string, ModelCase> {
  const { large, middle, small } = rowsOf[size];
  const rounds = size === 'full' ? 3 : 1;
  // Rounds of only a few milliseconds vary with other load on the machine and with just-in-time compilation,
  // so these cases have `times` as many rounds.
  const anomaly = (rows: number, label: string, ours: string, peer: string, times = 8): ModelCase => ({
    label: `anomaly, ${label}, ${rows.toLocaleString('en')} rows x 20`,
    rows,
    columns: 20,
    rounds: rounds * times,
    bound: { max: 1 },
    ours,
    peer,
  });
  return {
    scenarios: {
      label: `${large.toLocaleString('en')} samples x 10 factors with full statistics`,
      rows: large,
      columns: 10,
      rounds,
      bound: { max: 0.9 },
      ours: 'the run of a scenario: Philox4x32-10 by sample, AS241, Cholesky product, statistics, correlations, SHA-256',
      peer: 'numpy: Philox4x64 ziggurat in one stream, matrix product, sort, the same statistics, SHA-256',
    },
    drift: {
      label: `drift of ${large.toLocaleString('en')} x ${large.toLocaleString('en')} rows x 20 columns`,
      rows: large,
      columns: 20,
      rounds: 1,
      bound: { max: 0.2 },
      ours: 'all eleven statistics of each column with their adjusted p-values',
      peer: 'scipy: ks_2samp, wasserstein_distance, and the stability index by numpy',
      memory: true,
    },
    regime: {
      label: 'fits of 2 and 3 regimes to 395 months x 10 factors',
      rows: 0,
      columns: 10,
      rounds,
      bound: { max: 1 },
      ours: 'expectation and maximisation until the likelihood grows by less than 1e-12',
      peer: 'numpy: the same steps from the same start to the same likelihood',
    },
    isolation_forest: anomaly(
      middle,
      'isolation forest',
      '100 trees of 256 rows by Philox',
      'IsolationForest, 100 trees',
      1,
    ),
    local_outlier_factor: anomaly(small, 'local outlier factor', '20 neighbours', 'LocalOutlierFactor, 20'),
    nearest_neighbour: anomaly(small, 'nearest neighbours', '5 neighbours', 'NearestNeighbors, 5'),
    mahalanobis: anomaly(
      middle,
      'Mahalanobis',
      'standardised; covariance, Cholesky, the part of each column in each distance',
      'StandardScaler, EmpiricalCovariance, and the same parts by its precision',
    ),
  };
}
