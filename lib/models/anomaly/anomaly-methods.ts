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
/** Of one column whose rows follow one another in time. */
export const seriesMethods = ['stl_gesd', 'matrix_profile'] as const;
export const anomalyMethods = [...tableMethods, ...seriesMethods] as const;
export type TableMethod = (typeof tableMethods)[number];
export type SeriesMethod = (typeof seriesMethods)[number];
export type AnomalyMethod = TableMethod | SeriesMethod;

export function isSeriesMethod(method: AnomalyMethod): method is SeriesMethod {
  return (seriesMethods as readonly string[]).includes(method);
}

/** Pairs of windows times their length, of a matrix profile: a minute or two. */
export const PROFILE_MAX = 40_000_000_000;
export const OUTLIER_SHARE = 0.02;
export const LEVEL = 0.05;

export const METHOD =
  'How rows are scored. `rank_average` is the mean rank by `tail_probability`, `mahalanobis` and `robust_z`. `stl_gesd` ' +
  'and `matrix_profile` are of a series: one column whose rows follow one another in time, and follow the reference.';
export const Method = Type.Enum([...anomalyMethods], { description: METHOD });

/** What the methods of tables take. */
export const parameters = {
  false_discovery_rate: Type.Number({
    minimum: 0.0001,
    maximum: 0.5,
    default: 0.05,
    description: 'The share of flagged rows that may be usual ones after all, in expectation.',
    examples: [0.05],
  }),
  neighbours: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 20,
    description:
      'Of `local_outlier_factor` and `nearest_neighbour`: how many. Fewer than there are reference rows.',
    examples: [20],
  }),
  shrinkage: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: 'Of `mahalanobis`: how far the correlations are drawn towards none.',
    examples: [0.1],
  }),
  bins: Type.Integer({
    minimum: 2,
    maximum: 1_000,
    default: 10,
    description: 'Of `histogram`: bins of a column.',
    examples: [10],
  }),
  trees: Type.Integer({
    minimum: 10,
    maximum: 1_000,
    default: 100,
    description: 'Of `isolation_forest`: trees.',
    examples: [100],
  }),
  sample: Type.Integer({
    minimum: 8,
    maximum: 4_096,
    default: 256,
    description: 'Of `isolation_forest`: rows that a tree is grown from.',
    examples: [256],
  }),
  seed: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Of `isolation_forest`: the draws.',
    examples: [42],
  }),
};

/** Only in the input of the method that takes them. */
export const seriesParameters = {
  period: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 10_000,
      description: 'Of `stl_gesd`, which needs it: rows of a season, 12 of months.',
      examples: [12],
    }),
  ),
  outlier_share: Type.Optional(
    Type.Number({
      minimum: 0.001,
      maximum: 0.2,
      description: `Of \`stl_gesd\`: the largest share of a series that may be outliers; ${OUTLIER_SHARE} when it is left out.`,
      examples: [OUTLIER_SHARE],
    }),
  ),
  level: Type.Optional(
    Type.Number({
      minimum: 0.0001,
      maximum: 0.5,
      description: `Of \`stl_gesd\` on a series itself: level of the test; ${LEVEL} when it is left out.`,
      examples: [LEVEL],
    }),
  ),
  window: Type.Optional(
    Type.Integer({
      minimum: 4,
      maximum: 5_000,
      description: 'Of `matrix_profile`, which needs it: rows of a window.',
      examples: [24],
    }),
  ),
};
