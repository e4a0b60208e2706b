import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { Assets } from './asset.schema.ts';
import { RequestedHistory, ResolvedHistory } from './history-source.schema.ts';
import { RequestedModel, ResolvedModel } from './model-source.schema.ts';
import { ASSETS_MAX, DEGREES } from './simulation-limits.ts';

const Means = Type.Array(
  Type.Number({
    minimum: -1,
    maximum: 1,
    description: 'Mean of the log return of a month.',
    examples: [0.005],
  }),
  {
    minItems: 1,
    maxItems: ASSETS_MAX,
    description: 'Mean of the log return of a month, a fraction, by asset.',
    examples: [[0.005, 0.002]],
  },
);
const Covariance = Type.Array(
  Type.Array(Type.Number({ minimum: -4, maximum: 4, description: 'Covariance of two assets.' }), {
    minItems: 1,
    maxItems: ASSETS_MAX,
    description: 'A row, one number per asset.',
  }),
  {
    minItems: 1,
    maxItems: ASSETS_MAX,
    description:
      'Covariance of the log returns of a month: symmetric and positive definite, one row per asset.',
    examples: [
      [
        [0.0016, 0.0002],
        [0.0002, 0.0004],
      ],
    ],
  },
);
const Law = Type.Enum(['normal', 'student_t'], {
  description:
    'Distribution of the log returns. The Student t distribution has the same means and covariance, and thicker tails. Default: normal.',
});
const Degrees = Type.Integer({
  minimum: DEGREES.min,
  maximum: DEGREES.max,
  description: `Degrees of freedom of the Student t distribution. Default: ${DEGREES.default}.`,
  examples: [6],
});
const kind = Type.Literal('parametric', { description: 'Returns are drawn from a distribution.' });

export const RequestedSource = Type.Union(
  [
    Closed(
      {
        kind,
        assets: Type.Optional(Assets('Names of the assets. Default: asset_1, asset_2 and so on.')),
        means: Means,
        covariance: Covariance,
        law: Type.Optional(Law),
        degrees: Type.Optional(Degrees),
      },
      { title: 'ParametricSource', description: 'A distribution of independent monthly log returns.' },
    ),
    RequestedHistory,
    RequestedModel,
  ],
  { description: 'Where the monthly returns of the assets come from.' },
);
export type RequestedSource = Static<typeof RequestedSource>;

export const ResolvedSource = Type.Union(
  [
    Closed(
      { kind, means: Means, covariance: Covariance, law: Law, degrees: Nullable(Degrees) },
      { description: 'A distribution of independent monthly log returns.' },
    ),
    ResolvedHistory,
    ResolvedModel,
  ],
  { description: 'The source with every default filled in.' },
);
export type ResolvedSource = Static<typeof ResolvedSource>;
