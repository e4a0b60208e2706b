import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { pinnedPortfolio } from '../portfolios/pinned-portfolio.schema.ts';
import { PortfolioName } from '../risk/risk-request.schema.ts';
import { SCENARIO_LIMITS, WINDOW } from './scenario-limits.ts';
import {
  GivenExposure,
  groupKinds,
  mappingKinds,
  PortfolioScenarioRequestBody,
  type ScenarioOptions,
  specificKinds,
} from './scenario-request.schema.ts';

/** Path and body of the request. */
export const PortfolioScenarioRequest = Closed({
  portfolio: PortfolioName,
  ...PortfolioScenarioRequestBody.properties,
});

export const PortfolioScenarioSealedInput = Closed(
  {
    ...pinnedPortfolio,
    as_of: { ...IsoDate, description: 'Date of the positions and of their prices.' },
    scenario_run: PortfolioScenarioRequestBody.properties.scenario_run,
    consumed: Closed(
      {
        run_hash: Sha256Of('`run_hash` of the run whose samples are applied.'),
        samples_hash: Sha256Of('Hash of the samples of the run.'),
        version_uid: Uid(prefixes.lqmVersion, 'The model version that drew the samples.'),
      },
      { description: 'Hashes and model version of the run whose samples are applied.' },
    ),
    mapping: Closed(
      {
        kind: Type.Enum([...mappingKinds], {
          description: 'How the returns of positions are computed from the factors.',
        }),
        window: Type.Integer({
          minimum: WINDOW.min,
          maximum: WINDOW.max,
          description: 'Number of months of returns from which betas are estimated.',
          examples: [60],
        }),
        minimum_r2: Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            'Minimum R squared of the regression. A position with a smaller value counts as unmapped.',
          examples: [0.1],
        }),
        exposures: Nullable(
          Type.Array(GivenExposure, {
            maxItems: SCENARIO_LIMITS.positions,
            description: 'Exposures by symbol.',
          }),
          'Exposures by symbol. Null for kinds other than `given`.',
        ),
      },
      { description: 'How the returns of positions are computed from the factors of the run.' },
    ),
    specific: Type.Enum([...specificKinds], { description: 'The specific return of each position.' }),
    levels: Type.Array(Type.Number({ minimum: 0.5, maximum: 0.9999 }), {
      minItems: 1,
      maxItems: 4,
      description: 'Confidence levels, ascending.',
      examples: [[0.95, 0.99]],
    }),
    worst: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Number of worst samples to list.',
      examples: [20],
    }),
    unmapped_max: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Largest share of the gross value in positions without exposure.',
      examples: [0.05],
    }),
    by_factor: Type.Optional(
      Type.Boolean({
        description: 'Whether the tail measures are divided among the factors. Absent means false.',
      }),
    ),
    groups: Nullable(
      Type.Enum([...groupKinds], { description: 'Grouping of the additional figures.' }),
      'Grouping of the additional figures. Null if none was requested.',
    ),
  },
  {
    title: 'PortfolioScenarioInput',
    description:
      'The request with every default filled in, the pinned events, and the run whose samples are applied.',
  },
);
export type PortfolioScenarioSealedInput = Static<typeof PortfolioScenarioSealedInput>;

/** Returns the options of the computation. */
export function sealedOptions(input: PortfolioScenarioSealedInput): ScenarioOptions {
  const { kind, window, minimum_r2, exposures } = input.mapping;
  return {
    mapping: { kind, window, minimumR2: minimum_r2, exposures },
    specific: input.specific,
    levels: input.levels,
    worst: input.worst,
    unmappedMax: input.unmapped_max,
    byFactor: input.by_factor ?? false,
    groups: input.groups,
  };
}
