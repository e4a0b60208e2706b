import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { ConstructionRequestBody } from '#lib/investment/construction/construction.schema.ts';
import { PortfolioName } from '#lib/investment/risk/risk-request.schema.ts';
import { FRONTIER_LIMITS, FRONTIER_POINTS } from './frontier-limits.ts';

const {
  as_of,
  universe,
  excluded,
  objective,
  returns,
  risk_free,
  benchmark,
  risk,
  constraints,
  costs,
  tax,
  cash_added_minor,
} = ConstructionRequestBody.properties;

/** The body of POST /quant/compute/optimizations with the kind `frontier`. */
export const FrontierRequestBody = Closed(
  {
    kind: Type.Literal('frontier', {
      description: 'Computes the efficient frontier of a portfolio instead of a search.',
    }),
    portfolio: {
      ...PortfolioName,
      description:
        'Uid or key of the portfolio, which gives the currency, the value and the current weights.',
    },
    as_of,
    universe,
    excluded,
    objective: Type.Optional({
      ...objective,
      description:
        'The objective whose portfolio the result compares with the frontier, in `chosen`. Default: none.',
    }),
    returns: { ...returns, description: 'Source of the expected annual returns. `none` is refused.' },
    risk_free,
    benchmark,
    risk,
    constraints,
    costs: Type.Optional({
      ...costs,
      description:
        'Costs of the trades from the current weights. With costs or taxes, each point has the weights that the objective `mean_variance` of a construction chooses, at risk aversions from 1,000 down to 0.1. Default: none.',
    }),
    tax: Type.Optional({
      ...tax,
      description: 'Taxes on the lots that the trades sell. See `costs`. Default: none.',
    }),
    cash_added_minor,
    points: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: FRONTIER_LIMITS.points,
        default: FRONTIER_POINTS,
        description: 'Number of points of the frontier.',
        examples: [20],
      }),
    ),
    paths: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: FRONTIER_LIMITS.paths,
        default: 0,
        description:
          'Number of drawn histories of the resampled frontier. If the number is above 0, at most 250 symbols are allowed. Default: 0, no resampling.',
        examples: [100],
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Seed of the drawn histories.',
        examples: [0],
      }),
    ),
  },
  {
    title: 'FrontierRequest',
    description: 'A portfolio, the expected returns, and the limits on its weights.',
    examples: [
      {
        kind: 'frontier',
        portfolio: 'growth',
        as_of: '2020-09-30',
        returns: { kind: 'historical' },
        risk: { frequency: 'monthly', window: 60 },
        points: 20,
        paths: 100,
      },
    ],
  },
);
export type FrontierRequestBody = Static<typeof FrontierRequestBody>;
