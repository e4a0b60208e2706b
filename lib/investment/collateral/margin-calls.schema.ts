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
  mark_to_market_minor: Signed(
    'Mark-to-market value of the netting set to us, in minor units.',
    1_050_000_000,
  ),
  collateral_balance_minor: Signed(
    'Collateral balance in minor units: above 0 if we hold collateral, below 0 if we have posted it.',
    920_000_000,
  ),
  open_margin_minor: {
    ...Signed(
      'Collateral that was called and has not settled, in minor units, with the sign of the balance.',
      0,
    ),
    default: 0,
  },
  rounding_minor: Type.Integer({
    minimum: 1,
    maximum: MINOR_MAX,
    default: 1,
    description:
      'Rounding unit, in minor units. Deliveries are rounded up, and returns are rounded down, to a multiple of the rounding unit. 1 means no rounding.',
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
    description: 'The position to which the terms of the netting set are applied, from our side.',
  },
);

/** Path and body of a margin call request. */
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
    credit_support_amount_minor: term('Collateral that we should hold (above 0) or have posted (below 0).'),
    shortfall_minor: term('Credit support amount less balance and open margin.'),
    margin_call_minor: term('Sum of both legs: above 0 if we receive collateral, below 0 if we deliver it.'),
    direction: Type.Enum([...marginDirections], { description: 'Direction in which collateral moves.' }),
    return_leg_minor: term('Collateral that is returned to the party that posted it, in minor units.'),
    delivery_leg_minor: term('Collateral that is newly posted by the party that owes it, in minor units.'),
    balance_after_minor: term('Balance once the call and the open margin have settled.'),
    exposure_before_minor: term('Our loss if the counterparty defaults, with the current balance.'),
    exposure_after_minor: term('Our loss if the counterparty defaults, with the balance after the call.'),
    negative_exposure_after_minor: term(
      "The counterparty's loss if we default, with the balance after the call, as 0 or a negative amount.",
    ),
    replacement_cost_margined_minor: term('SA-CCR replacement cost of the margined netting set.'),
  },
  { title: 'MarginStatement', description: 'A margin statement in minor units, from our side.' },
);

export type MarginCallRequestBody = Static<typeof MarginCallRequestBody>;
export type MarginStatementOnWire = Static<typeof MarginStatement>;
