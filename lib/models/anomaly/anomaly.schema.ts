import Type, { type Static } from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { Method, METHOD, parameters, seriesParameters } from './anomaly-methods.ts';

export const COLUMNS_MAX = 100;
export const REFERENCE_MAX = 20_000;
/** Maximum number of cells in the rows of a request body. The body is limited to one mebibyte. */
export const CELLS_MAX = 50_000;
/** Maximum absolute value of a cell. The squares of larger values could overflow a double. */
const SIZE_MAX = 1e100;

const Name = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$',
  description: 'Name of a column.',
  examples: ['revenue'],
});
const Rows = (description: string, minItems: number) =>
  Type.Array(
    Type.Array(Type.Number({ minimum: -SIZE_MAX, maximum: SIZE_MAX }), {
      minItems: 1,
      maxItems: COLUMNS_MAX,
      description: 'One value per column.',
    }),
    { minItems, maxItems: CELLS_MAX, description },
  );

/** Example of a request: nine usual rows and one unusual row. */
const EXAMPLE_ROWS = [
  [100, 52],
  [101, 50],
  [99, 51],
  [102, 53],
  [98, 49],
  [100, 51],
  [103, 52],
  [97, 50],
  [101, 53],
  [160, 20],
];

const optional = Object.fromEntries(
  Object.entries(parameters).map(([key, schema]) => [key, Type.Optional(schema)]),
) as { [Key in keyof typeof parameters]: ReturnType<typeof Type.Optional<(typeof parameters)[Key]>> };

export const AnomalyRequestBody = Closed(
  {
    columns: Type.Optional(
      Type.Array(Name, {
        minItems: 1,
        maxItems: COLUMNS_MAX,
        uniqueItems: true,
        description:
          'Column names of the rows. With `dataset_id`, the columns to read; default: all numeric columns. Without `dataset_id`, the default is column_1, column_2 and so on.',
      }),
    ),
    rows: Type.Optional(Rows('The rows to score. Default: the rows of the reference itself.', 1)),
    reference: Type.Optional(
      Rows(
        'The reference rows to learn from. Default: the dataset, or, without `dataset_id`, the scored rows themselves.',
        8,
      ),
    ),
    dataset_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Id of a governed numeric dataset of the workspace to use as the reference.',
        examples: [7],
      }),
    ),
    method: Type.Optional({
      ...Method,
      description: `${METHOD} Default: \`stl_gesd\` with a \`period\`, \`matrix_profile\` with a \`window\`, otherwise \`rank_average\`.`,
    }),
    ...optional,
    ...seriesParameters,
  },
  {
    title: 'AnomalyRequest',
    description: 'The rows to score and the reference.',
    examples: [
      { columns: ['revenue', 'cost'], rows: EXAMPLE_ROWS, method: 'robust_z', false_discovery_rate: 0.1 },
    ],
  },
);
export type AnomalyRequestBody = Static<typeof AnomalyRequestBody>;

export const AnomalyInput = Closed(
  {
    columns: Type.Array(Name, { description: 'Column names of the rows.' }),
    rows: Nullable(
      Rows('The rows to score.', 1),
      'The rows to score. Null if the rows of the reference are scored.',
    ),
    reference: Nullable(
      Rows('The rows to learn from.', 8),
      'The rows to learn from. Null if the reference is a dataset.',
    ),
    dataset: Nullable(
      Closed(
        {
          id: Type.Integer({ minimum: 1, description: 'Id of the dataset.' }),
          revision: Type.Integer({
            minimum: 1,
            description: 'Revision of the dataset: the import that wrote its content.',
          }),
          content_hash: Sha256Of('Hash of the content.'),
        },
        { description: 'The dataset used as the reference, with the hash of its content.' },
      ),
      'The dataset used as the reference. Null if the request supplied the rows.',
    ),
    method: Method,
    ...parameters,
    ...seriesParameters,
  },
  { title: 'AnomalyInput', description: 'The request with every default filled in.' },
);
export type AnomalyInput = Static<typeof AnomalyInput>;

const Probability = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const ScoredRow = Closed(
  {
    row: Type.Integer({
      minimum: 0,
      description:
        'Index of the row, from 0. For `matrix_profile`, the index of the first row of the window.',
    }),
    score: Type.Number({
      description:
        'Anomaly score; a larger score is more unusual. Scores of different methods cannot be compared.',
    }),
    p_value: Probability(
      'Share of the reference that scores at least as high. With k such rows of n: (1 + k) / (n + 1), or k / n if the scored rows are the reference.',
    ),
    adjusted_p: Probability('The p-value adjusted for the number of rows (Benjamini and Hochberg).'),
    flagged: Type.Boolean({
      description:
        'Whether adjusted_p is at most false_discovery_rate. For `stl_gesd` without a separate reference, whether the row is an outlier.',
    }),
    top_columns: Type.Array(
      Closed(
        {
          column: Name,
          contribution: Type.Number({
            description: 'Contribution of the column to the score, in the units of the method.',
          }),
        },
        { description: 'A column that contributes to the score.' },
      ),
      {
        maxItems: 3,
        description: 'The columns with the largest contributions. Empty if the method has no contributions.',
      },
    ),
  },
  { title: 'AnomalyScore', description: 'A row and its anomaly score.' },
);

export const AnomalyResult = Closed(
  {
    method: { ...Method, description: 'The scoring method that was used.' },
    reference_rows: Type.Integer({ minimum: 0, description: 'Number of reference rows.' }),
    left_out: Type.Integer({
      minimum: 0,
      description: 'Number of dataset rows that were not used because they lack a value.',
    }),
    scored: Type.Integer({ minimum: 0, description: 'Number of rows scored.' }),
    flagged: Type.Integer({ minimum: 0, description: 'Number of rows flagged.' }),
    constant_columns: Type.Array(Name, {
      description: 'Columns without variation in the reference. They are not scored.',
    }),
    strangest: Type.Array(ScoredRow, {
      maxItems: 20,
      description:
        'The rows with the highest scores, most unusual first. Of overlapping windows, only the most unusual window is listed.',
    }),
    outliers: Type.Optional(
      Type.Array(
        Closed(
          {
            row: Type.Integer({ minimum: 0, description: 'Index of the row, from 0.' }),
            statistic: Type.Number({
              description: 'Distance from the mean of the remaining rows, in standard deviations.',
            }),
            critical_value: Type.Number({
              description: 'Critical value that the statistic is compared with.',
            }),
          },
          { description: 'One outlier, found in one step of the test.' },
        ),
        {
          description:
            "Outliers found by Rosner's test, in the order of removal. Only for `stl_gesd` without a separate reference.",
        },
      ),
    ),
  },
  { title: 'AnomalyResult', description: 'Result of an anomaly scoring run.' },
);
export const AnomalyScores = Type.Array(ScoredRow, {
  description: 'Scores of all rows in the order of the request.',
});
