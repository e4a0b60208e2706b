import Type, { type Static } from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { Method, METHOD, parameters, seriesParameters } from './anomaly-methods.ts';

export const COLUMNS_MAX = 100;
export const REFERENCE_MAX = 20_000;
/** Cells of rows in a body, which has a mebibyte. */
export const CELLS_MAX = 50_000;
/** Squares of larger values have no room in a double. */
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
      description: 'A value for each column.',
    }),
    { minItems, maxItems: CELLS_MAX, description },
  );

/** Nine usual rows, and one that is not. */
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
          'What the values of a row are. Of a dataset those that are read, all numbers by default; else column_1 and so on.',
      }),
    ),
    rows: Type.Optional(Rows('The rows to score. Without them the reference is scored itself.', 1)),
    reference: Type.Optional(
      Rows('What is usual: the rows to learn from. Without it, and without a dataset, the rows.', 8),
    ),
    dataset_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'What is usual: a governed numeric dataset of the workspace.',
        examples: [7],
      }),
    ),
    method: Type.Optional({
      ...Method,
      description: `${METHOD} When it is left out \`stl_gesd\` with a \`period\`, \`matrix_profile\` with a \`window\`, else \`rank_average\`.`,
    }),
    ...optional,
    ...seriesParameters,
  },
  {
    title: 'AnomalyRequest',
    description: 'Rows, and what is usual.',
    examples: [
      { columns: ['revenue', 'cost'], rows: EXAMPLE_ROWS, method: 'robust_z', false_discovery_rate: 0.1 },
    ],
  },
);
export type AnomalyRequestBody = Static<typeof AnomalyRequestBody>;

export const AnomalyInput = Closed(
  {
    columns: Type.Array(Name, { description: 'What the values of a row are.' }),
    rows: Nullable(
      Rows('The rows to score.', 1),
      'The rows to score. Null where the reference is scored itself.',
    ),
    reference: Nullable(Rows('The rows to learn from.', 8), 'The rows to learn from. Null of a dataset.'),
    dataset: Nullable(
      Closed(
        {
          id: Type.Integer({ minimum: 1, description: 'The dataset.' }),
          revision: Type.Integer({ minimum: 1, description: 'The import that brought its content.' }),
          content_hash: Sha256Of('Hash of its content.'),
        },
        { description: 'The dataset that was learnt from, and its content by hash.' },
      ),
      'The dataset that was learnt from. Null where the request brought the rows.',
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
      description: 'Place of the row, from 0; of `matrix_profile` that of the first row of a window.',
    }),
    score: Type.Number({
      description: 'How far it is from what is usual; larger is stranger. Of its method alone.',
    }),
    p_value: Probability(
      'Share of the reference that scores at least as high: (1 + so many) / (n + 1), of the reference itself so many / n.',
    ),
    adjusted_p: Probability('The p-value, adjusted for the number of rows (Benjamini and Hochberg).'),
    flagged: Type.Boolean({
      description:
        'Whether adjusted_p is at most false_discovery_rate; of `stl_gesd` on a series itself, whether it is among the outliers.',
    }),
    top_columns: Type.Array(
      Closed(
        {
          column: Name,
          contribution: Type.Number({ description: 'Its part of the score, in the units of the method.' }),
        },
        { description: 'A column that makes the row strange.' },
      ),
      { maxItems: 3, description: 'The columns with the largest parts. None where the method has no parts.' },
    ),
  },
  { title: 'AnomalyScore', description: 'A row and how strange it is.' },
);

export const AnomalyResult = Closed(
  {
    method: { ...Method, description: 'How rows were scored.' },
    reference_rows: Type.Integer({ minimum: 0, description: 'Rows that were learnt from.' }),
    left_out: Type.Integer({
      minimum: 0,
      description: 'Rows of the dataset that lack a value, and were not used.',
    }),
    scored: Type.Integer({ minimum: 0, description: 'Rows that were scored.' }),
    flagged: Type.Integer({ minimum: 0, description: 'Rows that are flagged.' }),
    constant_columns: Type.Array(Name, {
      description: 'Columns that do not vary in the reference, and tell nothing.',
    }),
    strangest: Type.Array(ScoredRow, {
      maxItems: 20,
      description:
        'The rows with the highest scores, the strangest first; of windows that overlap only the strangest.',
    }),
    outliers: Type.Optional(
      Type.Array(
        Closed(
          {
            row: Type.Integer({ minimum: 0, description: 'Place of the row, from 0.' }),
            statistic: Type.Number({
              description: 'How far it is from the mean of what was left, in standard deviations.',
            }),
            critical_value: Type.Number({ description: 'What that is held to.' }),
          },
          { description: 'A step of the test.' },
        ),
        {
          description:
            "Of `stl_gesd` on a series itself: the outliers by Rosner's test, in the order in which they stand out.",
        },
      ),
    ),
  },
  { title: 'AnomalyResult', description: 'What was found.' },
);
export const AnomalyScores = Type.Array(ScoredRow, {
  description: 'Every row in the order it was given in.',
});
