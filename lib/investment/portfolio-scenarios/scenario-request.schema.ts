import Type, { type Static } from 'typebox';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { SCENARIO_LIMITS, WINDOW } from './scenario-limits.ts';

export const mappingKinds = ['identity_then_beta', 'identity', 'beta', 'given'] as const;
export type MappingKind = (typeof mappingKinds)[number];
export const specificKinds = ['none', 'normal', 'bootstrap'] as const;
export type SpecificKind = (typeof specificKinds)[number];
export const groupKinds = ['sector', 'theme'] as const;

export const ScenarioFactor = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Factor of the scenario run.',
  examples: ['AAPL'],
});
const SymbolKey = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Symbol of a position.',
  examples: ['KO'],
});

export const GivenExposure = Closed(
  {
    symbol: SymbolKey,
    betas: Type.Array(
      Closed(
        {
          factor: ScenarioFactor,
          beta: Type.Number({
            minimum: -100,
            maximum: 100,
            description: 'Change in the log return of the position per unit of the log return of the factor.',
            examples: [0.8],
          }),
        },
        { description: 'An exposure to a factor.' },
      ),
      {
        minItems: 1,
        maxItems: 200,
        description: 'Exposures to factors. Omitted factors have an exposure of 0.',
      },
    ),
    specific_volatility: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 2,
        default: 0,
        description: 'Standard deviation of the specific monthly log return, a fraction.',
        examples: [0.05],
      }),
    ),
  },
  { title: 'GivenExposure', description: 'Exposures of a position, supplied by the caller.' },
);
export type GivenExposure = Static<typeof GivenExposure>;

const Mapping = Closed(
  {
    kind: Type.Optional(
      Type.Enum([...mappingKinds], {
        default: 'identity_then_beta',
        description:
          'How exposures are determined. `identity`: a position has the return of the factor with the same symbol. `beta`: least squares betas to all factors. `identity_then_beta`: `identity` if there is such a factor, otherwise `beta`. `given`: the exposures in `exposures`.',
      }),
    ),
    window: Type.Optional(
      Type.Integer({
        minimum: WINDOW.min,
        maximum: WINDOW.max,
        default: WINDOW.default,
        description: 'Number of months of returns from which betas are estimated.',
        examples: [60],
      }),
    ),
    minimum_r2: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        description:
          'Minimum R squared of the regression. A position with a smaller value counts as unmapped.',
        examples: [0.1],
      }),
    ),
    exposures: Type.Optional(
      Type.Array(GivenExposure, {
        minItems: 1,
        maxItems: SCENARIO_LIMITS.positions,
        description: 'Exposures by symbol. Required for the kind `given`, and not allowed for other kinds.',
      }),
    ),
  },
  {
    title: 'ExposureMapping',
    description: 'How the returns of positions are computed from the factors of the run.',
  },
);

export const PortfolioScenarioRequestBody = Closed(
  {
    scenario_run: Type.String({
      pattern: '^(scn|mls|pth)_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      description: 'Uid of a scenario or path run of this workspace and environment.',
      examples: ['scn_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
    as_of: Type.Optional({
      ...IsoDate,
      description: 'Date of the positions and of their prices. Default: today (UTC).',
    }),
    mapping: Type.Optional(Mapping),
    specific: Type.Optional(
      Type.Enum([...specificKinds], {
        default: 'normal',
        description:
          'Specific return of a position in addition to the factors. `none`: 0. `normal`: normal, with the standard deviation of the residuals. `bootstrap`: drawn from the residuals. Exposures that the caller supplies have no residuals: both kinds then draw from a normal distribution with the supplied `specific_volatility`.',
      }),
    ),
    levels: Type.Optional(
      Type.Array(Type.Number({ minimum: 0.5, maximum: 0.9999 }), {
        minItems: 1,
        maxItems: 4,
        uniqueItems: true,
        default: [0.95, 0.99],
        description: 'Confidence levels of value at risk and expected shortfall.',
        examples: [[0.95, 0.99]],
      }),
    ),
    worst: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        default: 20,
        description: 'Number of worst samples to list.',
        examples: [20],
      }),
    ),
    unmapped_max: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.05,
        description:
          'Largest share of the gross value in positions without exposure. These positions keep their value.',
        examples: [0.05],
      }),
    ),
    by_factor: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether the value at risk and the expected shortfall are divided among the factors.',
      }),
    ),
    groups: Type.Optional(
      Type.Enum([...groupKinds], { description: 'Adds figures by sector or by theme. Default: no groups.' }),
    ),
  },
  {
    title: 'PortfolioScenarioRequest',
    description: 'A scenario run, and the exposures of the portfolio to the factors of the run.',
  },
);
export type PortfolioScenarioRequestBody = Static<typeof PortfolioScenarioRequestBody>;

/** The options of a request, with every default filled in. The run and the date are not included. */
export type ScenarioOptions = {
  mapping: {
    kind: MappingKind;
    window: number;
    minimumR2: number;
    exposures: readonly GivenExposure[] | null;
  };
  specific: SpecificKind;
  /** Confidence levels, ascending. */
  levels: readonly number[];
  worst: number;
  unmappedMax: number;
  byFactor: boolean;
  groups: (typeof groupKinds)[number] | null;
};

/** Fills in the defaults of a request. */
export function scenarioOptions(body: PortfolioScenarioRequestBody): ScenarioOptions {
  const {
    kind = 'identity_then_beta',
    window = WINDOW.default,
    minimum_r2 = 0,
    exposures = null,
  } = body.mapping ?? {};
  return {
    mapping: { kind, window, minimumR2: minimum_r2, exposures },
    specific: body.specific ?? 'normal',
    levels: [...(body.levels ?? [0.95, 0.99])].sort((one, other) => one - other),
    worst: body.worst ?? 20,
    unmappedMax: body.unmapped_max ?? 0.05,
    byFactor: body.by_factor ?? true,
    groups: body.groups ?? null,
  };
}
