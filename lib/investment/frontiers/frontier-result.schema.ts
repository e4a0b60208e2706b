import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { bySymbol } from '#lib/investment/construction/construction-members.schema.ts';
import {
  ConstructionResult,
  FrontierPoint,
} from '#lib/investment/construction/construction-result.schema.ts';
import { Count, Maybe } from '#lib/investment/risk/risk-members.schema.ts';
import { FRONTIER_LIMITS } from './frontier-limits.ts';

const maxItems = FRONTIER_LIMITS.points;
const { currency, value_minor, before, inputs, observations, shrinkage, covariance_sha256 } =
  ConstructionResult.properties;

const sharpe = Maybe(
  'Excess return divided by the volatility. With costs or taxes, the return is `net_return`. Null if the volatility is 0.',
);

const RatedPoint = Closed(
  {
    ...FrontierPoint.properties,
    sharpe,
    risk_aversion: Type.Optional(
      Type.Number({ description: 'Risk aversion of the point. Only with costs or taxes.' }),
    ),
    net_return: Type.Optional(
      Type.Number({
        description:
          'Expected annual return less the costs and taxes of the trades, as a share of the value. Only with costs or taxes.',
      }),
    ),
    cost_minor: Type.Optional(
      Type.Integer({ description: 'Costs of the trades, in minor units. Only with costs or taxes.' }),
    ),
    tax_minor: Type.Optional(
      Type.Integer({
        description: 'Taxes of the trades, in minor units; below 0 for a loss. Only with costs or taxes.',
      }),
    ),
  },
  {
    title: 'RatedFrontierPoint',
    description: 'A point of the efficient frontier: the smallest volatility for an expected return.',
  },
);

const ResampledPoint = Closed(
  {
    ...FrontierPoint.properties,
    sharpe,
    deviations: bySymbol(
      Type.Number({ minimum: 0 }),
      'Standard deviation of the weight over the paths, by symbol. Deviations of 0 are omitted.',
    ),
  },
  {
    title: 'ResampledFrontierPoint',
    description:
      'The mean weights of the points with the same rank, and the return and volatility of the mean weights.',
  },
);

const Resampled = Closed(
  {
    infeasible: Count(
      'Number of paths whose estimates permit no weights within the limits. These paths are left out.',
    ),
    points: Type.Array(ResampledPoint, { maxItems, description: 'Points by rank.' }),
  },
  { title: 'ResampledFrontier', description: 'The resampled frontier (Michaud 1998).' },
);

const {
  weights,
  expected_return,
  volatility,
  sharpe: chosenSharpe,
  turnover,
  objective_value,
  cost_minor,
  tax_minor,
} = ConstructionResult.properties;

const ChosenPortfolio = Closed(
  {
    weights,
    expected_return,
    volatility,
    sharpe: chosenSharpe,
    turnover,
    objective_value,
    cost_minor,
    tax_minor,
  },
  {
    title: 'ChosenPortfolio',
    description: 'The portfolio that a construction with the objective chooses within the same limits.',
  },
);

export const FrontierResult = Closed(
  {
    currency,
    value_minor,
    before,
    points: Type.Array(RatedPoint, {
      maxItems,
      description:
        'Points from the smallest volatility to the largest return. One point if all expected returns are equal.',
    }),
    maximum_sharpe: Nullable(
      Count('Position of the point with the largest Sharpe ratio in `points`, from 0.'),
      'Position in `points` of the point with the largest Sharpe ratio. Null if no point has a Sharpe ratio.',
    ),
    chosen: Type.Optional(
      Nullable(
        ChosenPortfolio,
        'The portfolio of the objective. Null without `objective`. Version 1 of the model does not have this member.',
      ),
    ),
    resampled: Nullable(Resampled, 'The resampled frontier. Null without `paths`.'),
    inputs,
    observations,
    shrinkage,
    covariance_sha256,
  },
  { title: 'FrontierResult', description: 'The efficient frontier of a portfolio. No order is placed.' },
);
export type FrontierResult = Static<typeof FrontierResult>;
