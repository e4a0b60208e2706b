import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { agreement, CurrencyCode, ValuationDate } from '../netting/applied-terms.schema.ts';
import { marginDirections } from './collateral-margin.ts';

const MINOR_MAX = Number.MAX_SAFE_INTEGER;

const Signed = (description: string, example: number) =>
  Type.Integer({ minimum: -MINOR_MAX, maximum: MINOR_MAX, description, examples: [example] });

const position = {
  valuation_date: ValuationDate,
  currency: CurrencyCode,
  mark_to_market_minor: Signed('What the netting set is worth to us, in minor units.', 1_050_000_000),
  collateral_balance_minor: Signed(
    'Collateral in minor units: above 0 we hold it, below 0 we have posted it.',
    920_000_000,
  ),
  open_margin_minor: {
    ...Signed('Called and still under way, in minor units, with the sign of the balance.', 0),
    default: 0,
  },
  rounding_minor: Type.Integer({
    minimum: 1,
    maximum: MINOR_MAX,
    default: 1,
    description: 'Deliveries are rounded up to multiples of it and returns down. 1 is no rounding.',
    examples: [1],
  }),
};

export const MarginCallRequestBody = Closed(
  {
    ...position,
    open_margin_minor: Type.Optional(position.open_margin_minor),
    rounding_minor: Type.Optional(position.rounding_minor),
  },
  {
    title: 'MarginCallRequest',
    description: 'The position that the terms of the netting set are applied to, from our side.',
  },
);

/** Path and body of a margin call. */
export const MarginCallRequest = Closed({
  netting_set_uid: agreement.netting_set_uid,
  ...MarginCallRequestBody.properties,
});

export const MarginCallInput = Closed(
  { ...agreement, ...position },
  { title: 'MarginCallInput', description: 'The request with every default filled in, and the agreement.' },
);

const term = (description: string) => Type.Integer({ minimum: -MINOR_MAX, maximum: MINOR_MAX, description });

export const MarginStatement = Closed(
  {
    credit_support_amount_minor: term('What should be held (above 0) or posted (below 0).'),
    shortfall_minor: term('Credit support less balance and open margin.'),
    margin_call_minor: term('The sum of both legs: above 0 to be received, below 0 to be paid.'),
    direction: Type.Enum([...marginDirections], { description: 'Which way collateral moves.' }),
    return_leg_minor: term('Collateral that goes back to who posted it.'),
    delivery_leg_minor: term('Collateral that is posted anew.'),
    balance_after_minor: term('The balance once the call and what is under way have settled.'),
    exposure_before_minor: term('What we would lose with the balance of now.'),
    exposure_after_minor: term('What we would lose with the balance after the call.'),
    negative_exposure_after_minor: term('What the counterparty would lose after the call, at 0 or below.'),
    replacement_cost_margined_minor: term('Replacement cost of a margined netting set for SA-CCR.'),
  },
  { title: 'MarginStatement', description: 'A margin statement in minor units, from our side.' },
);

export type MarginCallRequestBody = Static<typeof MarginCallRequestBody>;
export type MarginStatementOnWire = Static<typeof MarginStatement>;
