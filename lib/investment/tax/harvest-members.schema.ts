import Type from 'typebox';
import { Closed, Day, Decimal, Minor, Nullable } from '#lib/core/schema.ts';
import { harvestAssumptions } from './harvest-proposal.ts';

export const MINOR_MAX = Number.MAX_SAFE_INTEGER;

/** Builds the schema of an amount that may be below 0. */
export const Signed = (description: string) =>
  Type.Integer({ minimum: -MINOR_MAX, maximum: MINOR_MAX, description });
export const Symbol = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'A symbol.',
  examples: ['XOM'],
});

/** Builds the schema of gains by term, each at least `minimum`. */
export const Gains = (description: string, minimum: number) =>
  Closed(
    {
      short_minor: Type.Integer({
        minimum,
        maximum: MINOR_MAX,
        description: 'Short-term amount, in minor units.',
      }),
      long_minor: Type.Integer({
        minimum,
        maximum: MINOR_MAX,
        description: 'Long-term amount, in minor units.',
      }),
    },
    { description },
  );

export const Lot = Type.String({ description: 'The lot.', examples: ['income-004'] });
const Quantity = (description: string) => Decimal(description, '40');

const Sale = Closed(
  {
    lot: Lot,
    symbol: Symbol,
    quantity: Quantity('Shares to sell.'),
    price: Decimal('The close at which the lot is valued.', '38.02'),
    price_on: Day('The day of the close.'),
    proceeds_minor: Minor('Expected proceeds.'),
    basis_minor: Minor('Tax basis of the shares.'),
    gain_minor: Signed('Proceeds minus tax basis. A loss is below 0.'),
    term: Type.Enum(['short', 'long'], { description: 'The holding period at `as_of`.' }),
    washed_quantity: Quantity('Shares whose loss is disallowed by the wash sale rules.'),
    disallowed_minor: Minor('The disallowed part of the loss.'),
    cost_minor: Minor('The expected cost of the sale.'),
    days_to_long: Nullable(
      Type.Integer({ minimum: 1, description: 'Days.' }),
      'Days until the lot is long-term; null if the lot is already long-term.',
    ),
  },
  {
    title: 'HarvestSale',
    description: 'A lot, or a part of a lot, to sell at a loss. Amounts are in minor units.',
  },
);

/** Members that are the same in all versions of the result. */
export const proposalMembers = {
  sales: Type.Array(Sale, {
    description: 'The proposed sales, ordered by symbol, date of purchase and lot.',
  }),
  held_back: Type.Array(
    Closed({
      lot: Lot,
      quantity: Quantity(
        'Shares that are not sold, because a purchase in the wash sale window would replace them.',
      ),
      by: Type.Array(Type.String(), {
        description: 'References of the purchases that would replace the shares.',
      }),
    }),
    { description: 'Shares that the policy holds back.' },
  ),
  replacement_adjustments: Type.Array(
    Closed({
      portfolio: Nullable(
        Type.String(),
        'The portfolio of the purchase; null for a purchase outside the workspace.',
      ),
      lot: Nullable(
        Type.String(),
        'The lot of the purchase; null if the purchase has no lot in the workspace.',
      ),
      quantity: Quantity('Purchased shares that replace sold shares.'),
      basis_added_minor: Minor(
        'Disallowed loss that is added to the tax basis of these shares, in minor units.',
      ),
      days_tacked: Type.Integer({
        minimum: 0,
        description: 'Days that are added to the holding period of these shares.',
      }),
    }),
    { description: 'Changes to the lots that replace sold shares in a wash sale.' },
  ),
  realised: Gains(
    'Realised gains of the calendar year before the proposed sales, below 0 for losses.',
    -MINOR_MAX,
  ),
  tax_before_minor: Signed(
    'Tax on the gains of the year without the proposed sales. Below 0 if a net loss reduces the tax on ordinary income.',
  ),
  tax_after_minor: Signed('Tax on the gains of the year with the proposed sales.'),
  cost_minor: Minor('Expected cost of all sales.'),
  deferred_minor: Signed(
    'Deferred tax, at the long-term rate. If the proceeds are invested again, the tax basis is lower by the loss, so a later sale has a larger gain.',
  ),
  deferral_only: Type.Boolean({ description: 'Whether the saving is at most the deferred tax.' }),
  wash_windows: Type.Array(
    Closed({
      symbol: Symbol,
      identical: Type.Array(Type.String(), {
        description: 'The symbol, and the symbols of substantially identical securities.',
      }),
      opens_on: Day('The first day of the window.'),
      closes_on: Day('The last day of the window.'),
      purchases: Type.Array(Type.String(), {
        description: 'References of the purchases in the window that replace sold shares.',
      }),
    }),
    {
      description: 'The wash sale windows of 61 days around the sales, and the windows that prevent sales.',
    },
  ),
  later_this_year: Type.Array(
    Closed({
      lot: Lot,
      symbol: Symbol,
      quantity: Quantity('Number of shares.'),
      not_before: Day('The first day on which the shares can be sold without a wash sale.'),
    }),
    {
      description:
        'Shares that are held back now, and whose wash sale window ends this year. Empty with the horizon `now`.',
    },
  ),
  assumptions: Type.Array(Type.Enum([...harvestAssumptions]), {
    description:
      'Assumptions of the calculation: tax questions on which sources differ, and simplifications.',
  }),
};
