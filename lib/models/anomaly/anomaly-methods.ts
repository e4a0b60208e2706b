import Type from 'typebox';

export const tableMethods = [
  'rank_average',
  'robust_z',
  'tail_probability',
  'mahalanobis',
  'local_outlier_factor',
  'nearest_neighbour',
  'histogram',
  'isolation_forest',
] as const;
/** The methods for a series: one column whose rows are consecutive in time. */
export const seriesMethods = ['stl_gesd', 'matrix_profile'] as const;
export const anomalyMethods = [...tableMethods, ...seriesMethods] as const;
export type TableMethod = (typeof tableMethods)[number];
export type SeriesMethod = (typeof seriesMethods)[number];
export type AnomalyMethod = TableMethod | SeriesMethod;

export function isSeriesMethod(method: AnomalyMethod): method is SeriesMethod {
  return (seriesMethods as readonly string[]).includes(method);
}

/**
 * Maximum work of a matrix profile: the number of pairs of windows times the window length. This amount of work takes
 * one or two minutes.
 */
export const PROFILE_MAX = 40_000_000_000;
export const OUTLIER_SHARE = 0.02;
export const LEVEL = 0.05;

export const METHOD =
  'Scoring method. `rank_average` is the mean rank by `tail_probability`, `mahalanobis` and `robust_z`. `stl_gesd` ' +
  'and `matrix_profile` score a series: one column whose rows are consecutive in time and follow the reference.';
export const Method = Type.Enum([...anomalyMethods], { description: METHOD });

/** Schemas of the parameters of the methods for tables. */
export const parameters = {
  false_discovery_rate: Type.Number({
    minimum: 0.0001,
    maximum: 0.5,
    default: 0.05,
    description: 'False discovery rate: the expected share of flagged rows that are not anomalies.',
    examples: [0.05],
  }),
  neighbours: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 20,
    description:
      'Number of neighbours for `local_outlier_factor` and `nearest_neighbour`. Must be below the number of reference rows.',
    examples: [20],
  }),
  shrinkage: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: 'Shrinkage of the correlations towards 0 for `mahalanobis`.',
    examples: [0.1],
  }),
  bins: Type.Integer({
    minimum: 2,
    maximum: 1_000,
    default: 10,
    description: 'Number of bins per column for `histogram`.',
    examples: [10],
  }),
  trees: Type.Integer({
    minimum: 10,
    maximum: 1_000,
    default: 100,
    description: 'Number of trees for `isolation_forest`.',
    examples: [100],
  }),
  sample: Type.Integer({
    minimum: 8,
    maximum: 4_096,
    default: 256,
    description: 'Number of rows that each tree of `isolation_forest` is grown from.',
    examples: [256],
  }),
  seed: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Random seed of `isolation_forest`.',
    examples: [42],
  }),
};

/** Parameters that belong to a single method. The input contains them only if that method is used. */
export const seriesParameters = {
  period: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 10_000,
      description: 'Season length in rows for `stl_gesd`, for example 12 for months. Required by `stl_gesd`.',
      examples: [12],
    }),
  ),
  outlier_share: Type.Optional(
    Type.Number({
      minimum: 0.001,
      maximum: 0.2,
      description: `Maximum share of a series that can be outliers for \`stl_gesd\`. Default: ${OUTLIER_SHARE}.`,
      examples: [OUTLIER_SHARE],
    }),
  ),
  level: Type.Optional(
    Type.Number({
      minimum: 0.0001,
      maximum: 0.5,
      description: `Significance level of the \`stl_gesd\` test when there is no separate reference. Default: ${LEVEL}.`,
      examples: [LEVEL],
    }),
  ),
  window: Type.Optional(
    Type.Integer({
      minimum: 4,
      maximum: 5_000,
      description: 'Window length in rows for `matrix_profile`. Required by `matrix_profile`.',
      examples: [24],
    }),
  ),
};
