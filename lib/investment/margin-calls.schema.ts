import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Nullable, Sha256, Sha256Of, Uid } from '#lib/core/schema.ts';
import { marginDirections } from './collateral-margin.ts';
import { agreementTypes } from './netting-set.ts';

const MOST = Number.MAX_SAFE_INTEGER;

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 alphabetic code; that of the netting set. Nothing is converted.',
  examples: ['USD'],
});

const Signed = (description: string, example: number) =>
  Type.Integer({ minimum: -MOST, maximum: MOST, description, examples: [example] });

const position = {
  valuation_date: Type.String({
    format: 'date',
    description: 'The day that the value and the balance are of; not after today.',
    examples: ['2026-11-20'],
  }),
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
    maximum: MOST,
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

/** What a run was submitted for: the agreement by its uid and the hash of its terms, and how it stood then. */
export const agreement = {
  netting_set_uid: Uid(prefixes.nettingSet, 'The netting set whose terms are applied.'),
  terms_hash: Sha256Of('SHA-256 of the RFC 8785 form of its supplied terms.'),
  conflicts_open: Type.Integer({
    minimum: 0,
    description: 'Contradictions of its source that were not decided when the run was submitted.',
    examples: [0],
  }),
};

export const MarginCallInput = Closed(
  { ...agreement, ...position },
  { title: 'MarginCallInput', description: 'The request with every default filled in, and the agreement.' },
);

const term = (description: string) => Type.Integer({ minimum: -MOST, maximum: MOST, description });

/** The recorded terms that were applied, so that the statement can be read by itself. */
export const AppliedTerms = Closed(
  {
    uid: Uid(prefixes.nettingSet, 'The netting set.'),
    version: Type.Integer({ minimum: 1, description: 'Its version.' }),
    counterparty_id: Type.Integer({ minimum: 1, description: 'The counterparty.' }),
    agreement_type: Type.Enum([...agreementTypes], { description: 'Says who posts collateral.' }),
    currency: CurrencyCode,
    amount_scale: Type.Integer({ minimum: 0, maximum: 9, description: 'Decimals of the minor unit.' }),
    threshold_minor: Nullable(term('Exposure up to which nothing is called.'), 'Null: not stated.'),
    minimum_transfer_minor: term('The least that is called at once.'),
    independent_amount_minor: term('Above 0 posted by the counterparty, below 0 by us.'),
    terms_hash: Sha256,
    source_reference: Type.String({ minLength: 1, description: 'What the source of the terms is called.' }),
    source_hash: Type.String({ minLength: 1, description: 'The hash of that source.' }),
    enforceability: Type.Literal('not_assessed', {
      description: 'Nothing is said about what a court would enforce.',
    }),
  },
  { title: 'AppliedNettingSet', description: 'The recorded terms that the run applied.' },
);

export const AgreementWarning = Closed(
  {
    code: Type.Literal('terms_disputed', {
      description: 'The source of the terms was contradicted, and nobody has decided it.',
    }),
    conflicts_open: Type.Integer({ minimum: 1, description: 'Contradictions that were not decided.' }),
  },
  { title: 'AgreementWarning', description: 'What a reader of the result should know of the agreement.' },
);

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
export type AppliedTerms = Static<typeof AppliedTerms>;
export type AgreementWarning = Static<typeof AgreementWarning>;
export type MarginStatementOnWire = Static<typeof MarginStatement>;
