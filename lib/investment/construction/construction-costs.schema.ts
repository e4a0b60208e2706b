import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { BasisPoints } from './construction-members.schema.ts';

const Aversion = (what: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1000,
      default: 1,
      description: `Weight of the ${what} in the objective, with the ${what} as a share of the portfolio value. With 0, the target weights do not depend on the ${what}.`,
    }),
  );

/** Costs of trading. */
export const Costs = Closed(
  {
    linear_bps: Type.Optional({
      ...BasisPoints('Commission in basis points of the amount.', 1000),
      default: 0,
    }),
    half_spread_bps: Type.Optional({
      ...BasisPoints('Half of the spread in basis points of the amount.', 1000),
      default: 0,
    }),
    impact: Type.Optional(
      Closed(
        {
          y: Type.Number({
            minimum: 0,
            maximum: 10,
            description:
              'Coefficient Y of the square-root law: a trade of q shares costs 2/3 Y s q sqrt(q / V) times the price, with the daily volatility s and the median daily volume V.',
            examples: [0.6],
          }),
        },
        { description: 'Market impact by the square-root law. Every traded symbol needs a daily volume.' },
      ),
    ),
    aversion: Aversion('costs'),
  },
  { description: 'Costs of the trades. Default: none.' },
);

/** Taxes on realised gains. */
export const Tax = Closed(
  {
    rates: Closed(
      {
        short_bps: BasisPoints('Rate on short-term gains, in basis points.', 10_000),
        long_bps: BasisPoints('Rate on long-term gains, in basis points.', 10_000),
      },
      { description: 'Tax rates. Losses reduce the tax at the same rates.' },
    ),
    realised_gain_max_minor: Type.Optional(
      Type.Integer({
        minimum: -Number.MAX_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Upper limit on the realised gains minus the realised losses, in minor units.',
      }),
    ),
    aversion: Aversion('tax'),
  },
  {
    description:
      'Taxes on the lots that are sold, in proportion to the sold quantity of each lot. The lots with the smallest tax are sold first. Default: none.',
  },
);

export type Costs = Static<typeof Costs>;
export type Tax = Static<typeof Tax>;
