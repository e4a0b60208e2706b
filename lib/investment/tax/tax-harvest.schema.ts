import Type, { type Static } from 'typebox';
import { Closed, Day, Decimal, Minor, Nullable, Sha256 } from '#lib/core/schema.ts';
import { OrderFileSchema } from '../portfolios/order-file.schema.ts';
import { pinnedPortfolio } from '../portfolios/pinned-portfolio.schema.ts';
import { accountKinds } from '../portfolios/portfolio-event.ts';
import { Gains, MINOR_MAX, Symbol } from './harvest-members.schema.ts';
import { TaxHarvestResult1 } from './tax-harvest-result-1.schema.ts';
import { TaxHarvestResult } from './tax-harvest-result.schema.ts';

const Bps = (description: string, maximum = 10_000) =>
  Type.Integer({ minimum: 0, maximum, description, examples: [Math.min(2_000, maximum / 50)] });

const Purchase = Closed(
  {
    symbol: Symbol,
    on: Day('The trade date.'),
    quantity: Decimal('Shares above 0, with up to 8 decimals.', '100'),
    account_kind: Type.Enum([...accountKinds], { description: 'Whether the account is taxed.' }),
  },
  {
    title: 'OtherPurchase',
    description: 'A purchase by the taxpayer that no portfolio of the workspace contains.',
  },
);

const Rates = Closed(
  {
    short_bps: Bps('Tax rate of short-term gains, in basis points.'),
    long_bps: Bps('Tax rate of long-term gains, in basis points.'),
    ordinary_bps: Type.Optional(Bps('Tax rate of ordinary income. Default: `short_bps`.')),
  },
  { description: 'Tax rates. Tax brackets and state taxes are not modelled.' },
);

const Most = Type.Integer({
  minimum: 0,
  maximum: 10,
  description: 'The maximum number of replacements for each sold symbol.',
  examples: [3],
});
const ReplacementFrom = Type.Enum(['factor_run', 'sector', 'list'], {
  description:
    'The securities that can replace a sold one. `factor_run`: the symbols of the latest sealed theme factor run. `sector`: the instruments of the same sector. `list`: the symbols in `symbols`. Sold symbols and securities that are declared `identical` are left out.',
});
const ReplacementSymbols = Type.Array(Symbol, {
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  description: 'The securities to choose from. Required with `list`, and not allowed otherwise.',
  examples: [['CVX', 'COP']],
});

const terms = {
  as_of: Type.Optional(Day('The day of the sales. Default: today (UTC).')),
  rates: Rates,
  ordinary_limit_minor: Minor('The maximum net loss that reduces ordinary income in a year, in minor units.'),
  carried_in: Gains('Losses carried from earlier years, 0 or above.', 0),
  policy: Type.Enum(['avoid', 'allow', 'skip'], {
    description:
      'Treatment of shares that a purchase in the wash sale window replaces. `avoid`: these shares are not sold. `allow`: these shares are sold, and the result reports the disallowed loss. `skip`: lots with any such share are not sold.',
  }),
  minimum_loss_minor: Minor('The minimum loss of a lot to be sold, in minor units.'),
  minimum_loss_bps: Bps('The minimum loss of a lot to be sold, in basis points of its tax basis.'),
  minimum_net_minor: Type.Integer({
    minimum: -MINOR_MAX,
    maximum: MINOR_MAX,
    description:
      'The minimum benefit of the sale of a lot, in minor units: the tax saved this year minus the cost of the sale.',
    examples: [1],
  }),
  cost_bps: Bps('Cost of a sale in basis points of its proceeds.', 500),
  identical: Type.Array(Type.Array(Symbol, { minItems: 2, maxItems: 20 }), {
    maxItems: 200,
    description: 'Sets of substantially identical securities. A symbol may be in at most one set.',
    examples: [[['GOOG', 'GOOGL']]],
  }),
  outside_purchases: Type.Array(Purchase, {
    maxItems: 1_000,
    description: 'Past purchases outside the workspace. No date may be after today (UTC).',
  }),
  planned_purchases: Type.Array(Purchase, { maxItems: 1_000, description: 'Planned purchases.' }),
  horizon: Type.Enum(['now', 'year_end'], {
    description:
      'The horizon. `year_end` adds `later_this_year` to the result: the shares that can be sold later in the year without a wash sale.',
  }),
};

const optional = {
  ordinary_limit_minor: Type.Optional({ ...terms.ordinary_limit_minor, default: 300_000 }),
  realised: Type.Optional(
    Gains(
      'Realised gains of the calendar year so far, below 0 for losses. Default: derived from all portfolios of the taxpayer.',
      -MINOR_MAX,
    ),
  ),
  carried_in: Type.Optional(terms.carried_in),
  policy: Type.Optional({ ...terms.policy, default: 'avoid' as const }),
  minimum_loss_minor: Type.Optional({ ...terms.minimum_loss_minor, default: 0 }),
  minimum_loss_bps: Type.Optional({ ...terms.minimum_loss_bps, default: 0 }),
  minimum_net_minor: Type.Optional({ ...terms.minimum_net_minor, default: 1 }),
  cost_bps: Type.Optional({ ...terms.cost_bps, default: 10 }),
  identical: Type.Optional(terms.identical),
  outside_purchases: Type.Optional(terms.outside_purchases),
  planned_purchases: Type.Optional(terms.planned_purchases),
  horizon: Type.Optional({ ...terms.horizon, default: 'now' as const }),
  replacements: Type.Optional(
    Closed(
      {
        from: Type.Optional({ ...ReplacementFrom, default: 'factor_run' as const }),
        most: Type.Optional({ ...Most, default: 3 }),
        symbols: Type.Optional(ReplacementSymbols),
      },
      {
        title: 'HarvestReplacements',
        description: 'The securities that are proposed to replace the sold ones, and their maximum number.',
        examples: [{ from: 'factor_run', most: 3 }],
      },
    ),
  ),
};

export const TaxHarvestRequestBody = Closed(
  { as_of: terms.as_of, rates: terms.rates, ...optional },
  { title: 'TaxHarvestRequest', description: 'The rates and limits of a tax harvest.' },
);
export type TaxHarvestRequestBody = Static<typeof TaxHarvestRequestBody>;

const portfolio = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The uid or the key of the portfolio.',
  examples: ['income'],
});

/** Path and body of a request. */
export const TaxHarvestRequest = Closed({ portfolio, ...TaxHarvestRequestBody.properties });
export type TaxHarvestRequest = Static<typeof TaxHarvestRequest>;

export const TaxHarvestInput = Closed(
  {
    ...pinnedPortfolio,
    ...terms,
    as_of: Day('The day of the sales.'),
    rates: Closed(
      { ...Rates.properties, ordinary_bps: Bps('Tax rate of ordinary income.') },
      { description: 'Tax rates.' },
    ),
    realised: Nullable(
      Gains('Realised gains of the calendar year that the caller supplied.', -MINOR_MAX),
      'Realised gains of the calendar year that the caller supplied; null if they are derived from the portfolios.',
    ),
    replacements: Type.Union(
      [
        Closed(
          { from: ReplacementFrom, most: Most, symbols: Type.Optional(ReplacementSymbols) },
          {
            title: 'SealedHarvestReplacements',
            description: 'The securities that are proposed to replace the sold ones.',
          },
        ),
        Most,
      ],
      {
        description:
          'The securities that are proposed to replace the sold ones, and their maximum number. A run of `svc_tax_harvest_us_v1` has the number alone; its replacements come from the theme factor run.',
      },
    ),
    factor_run_uid: Nullable(
      Type.String({ description: 'A theme factor run.', examples: ['tfr_01K8ZD3V2R6M8Q4T0W5Y7A9C1E'] }),
      'The sealed theme factor run that replacements are ranked with; null if there is none.',
    ),
  },
  {
    title: 'TaxHarvestInput',
    description: 'The request with every default filled in, and the data that it may read.',
  },
);
export type TaxHarvestInput = Static<typeof TaxHarvestInput>;

export const TaxHarvestData = Closed(
  { events_sha256: Sha256, market_sha256: Sha256 },
  { description: 'Hashes of the events and of the closes that the run read.' },
);

/** A file for `assay batch import`. */
export const HarvestOrders = OrderFileSchema({
  symbol: Symbol,
  side: Type.Literal('sell', { description: 'Always `sell`.' }),
  quantity: 'Shares to sell.',
  batch: 'harvest-income-2020-09-30',
  portfolio: 'income',
  orders: 'One order for each symbol.',
  none: 'if nothing is sold',
});

/** The result of a run, in the form of the model that sealed it. */
export const SealedHarvestResult = Type.Union([TaxHarvestResult, TaxHarvestResult1], {
  description: 'The proposal. Runs of `svc_tax_harvest_us_v1` have the result of version 1.',
});
