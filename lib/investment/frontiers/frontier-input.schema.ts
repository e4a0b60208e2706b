import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { ConstructionRunInput } from '#lib/investment/construction/construction-run.schema.ts';
import { FRONTIER_LIMITS } from './frontier-limits.ts';

const { objective, costs, tax, frontier_points: _, ...members } = ConstructionRunInput.properties;

export const FrontierInput = Closed(
  {
    ...members,
    // Inputs of the first version of the model do not have these members.
    objective: Type.Optional(Nullable(objective, 'The objective; null without one.')),
    costs: Type.Optional(costs),
    tax: Type.Optional(tax),
    points: Type.Integer({
      minimum: 2,
      maximum: FRONTIER_LIMITS.points,
      description: 'Number of points of the frontier.',
    }),
    paths: Type.Integer({
      minimum: 0,
      maximum: FRONTIER_LIMITS.paths,
      description: 'Number of drawn histories; 0 without resampling.',
    }),
    seed: Type.Integer({ minimum: 0, description: 'Seed of the drawn histories.' }),
  },
  {
    title: 'FrontierInput',
    description: 'The request with every default filled in, and the data that it may read.',
  },
);
export type FrontierInput = Static<typeof FrontierInput>;
