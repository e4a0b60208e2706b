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

const RatedPoint = Closed(
  {
    ...FrontierPoint.properties,
    sharpe: Maybe('Excess return divided by the volatility. Null if the volatility is 0.'),
  },
  {
    title: 'RatedFrontierPoint',
    description: 'A point of the efficient frontier: the smallest volatility for an expected return.',
  },
);

const ResampledPoint = Closed(
  {
    ...RatedPoint.properties,
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
    resampled: Nullable(Resampled, 'The resampled frontier. Null without `paths`.'),
    inputs,
    observations,
    shrinkage,
    covariance_sha256,
  },
  { title: 'FrontierResult', description: 'The efficient frontier of a portfolio. No order is placed.' },
);
export type FrontierResult = Static<typeof FrontierResult>;
