import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { bySymbol, Share, Symbol, Weight } from './construction-members.schema.ts';

const Range = {
  min: Type.Optional(Weight('Smallest weight, a fraction of the value.')),
  max: Type.Optional(Weight('Largest weight, a fraction of the value.')),
};

const Group = Type.Union(
  [
    Closed(
      {
        by: Type.Enum(['sector', 'theme'], {
          description:
            'Kind of the group. In a theme, the weight of a symbol is multiplied by the exposure of the symbol to the theme.',
        }),
        name: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Name of the sector or theme.',
          examples: ['Energy'],
        }),
        ...Range,
      },
      { title: 'NamedGroup', description: 'Limits on the weight of a sector or theme.' },
    ),
    Closed(
      {
        by: Type.Literal('list', { description: 'The symbols of a list.' }),
        symbols: Type.Array(Symbol, {
          minItems: 1,
          maxItems: 1000,
          uniqueItems: true,
          description: 'Members of the group.',
        }),
        name: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'Name of the group, for people.' }),
        ),
        ...Range,
      },
      { title: 'ListGroup', description: 'Limits on the weight of some symbols together.' },
    ),
  ],
  { description: 'Limits on the weight of a group.' },
);

/** Limits on the weights and on the trades. */
export const Constraints = Closed(
  {
    weight: Type.Optional(
      Closed(
        {
          ...Range,
          by_symbol: Type.Optional(
            bySymbol(
              Closed(Range, { description: 'Limits on the weight of one symbol.' }),
              'Limits by symbol. They replace `min` and `max` for the named symbols.',
            ),
          ),
        },
        {
          description:
            'Limits on the weight of each symbol. Default: from 0, or from -1 with `short`, to 1. With `positions_max`, the minimum applies only to symbols that are held.',
        },
      ),
    ),
    groups: Type.Optional(
      Type.Array(Group, { maxItems: 100, description: 'Limits on the weight of groups of symbols.' }),
    ),
    turnover_max: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 20,
        description: 'Largest two-way turnover: purchases plus sales, as a fraction of the portfolio value.',
        examples: [0.4],
      }),
    ),
    tracking_error_max: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 10,
        description:
          'Largest tracking error: the annual volatility of the return difference from the benchmark, a fraction.',
        examples: [0.03],
      }),
    ),
    volatility_max: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 10,
        description: 'Largest annual volatility, a fraction.',
        examples: [0.12],
      }),
    ),
    positions_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description:
          'Largest number of positions. The positions are chosen by backward elimination, which is a heuristic. The result states a bound on the objective.',
        examples: [30],
      }),
    ),
    cash_min: Type.Optional({
      ...Share('Share of the value that stays in cash. The weights sum to 1 less this share.'),
      default: 0,
    }),
    liquidity: Type.Optional(
      Closed(
        {
          share_of_volume: Type.Optional({
            ...Share('Share of the median daily volume that may be traded in a day.'),
            default: 0.2,
          }),
          days: Type.Optional(
            Type.Number({
              exclusiveMinimum: 0,
              maximum: 252,
              default: 1,
              description: 'Number of trading days that the trades may take.',
            }),
          ),
        },
        { description: 'Limits each trade by the traded volume of its symbol. Default: no limit.' },
      ),
    ),
    lot_size: Type.Optional(
      Type.String({
        pattern: '^(0|[1-9]\\d{0,8})(\\.\\d{1,8})?$',
        default: '1',
        description: 'Trades are multiples of this number of shares, above 0, as decimal text.',
        examples: ['1'],
      }),
    ),
    minimum_trade_minor: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Smallest amount of a trade, in minor units. Smaller trades are omitted.',
      }),
    ),
    short: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether weights below 0 are permitted.' }),
    ),
  },
  { description: 'Limits on the weights and on the trades.' },
);

export type Constraints = Static<typeof Constraints>;
export type GroupConstraint = Static<typeof Group>;
