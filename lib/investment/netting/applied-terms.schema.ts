import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Nullable, Sha256, Sha256Of, Uid } from '#lib/core/schema.ts';
import { agreementTypes } from './netting-set.ts';

const MINOR_MAX = Number.MAX_SAFE_INTEGER;

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description:
    'ISO 4217 alphabetic code; must be the currency of the netting set. Amounts are never converted.',
  examples: ['USD'],
});

export const ValuationDate = Type.String({
  format: 'date',
  description: 'Date of the value and the balance, not after today.',
  examples: ['2026-11-20'],
});

/** The agreement of a run: its uid, the hash of its terms, and its open conflicts at submission. */
export const agreement = {
  netting_set_uid: Uid(prefixes.nettingSet, 'The netting set whose terms are applied.'),
  terms_hash: Sha256Of('SHA-256 of the RFC 8785 form of the supplied terms.'),
  conflicts_open: Type.Integer({
    minimum: 0,
    description: 'Number of conflicts about the terms of the agreement that were undecided at submission.',
    examples: [0],
  }),
};

const term = (description: string) => Type.Integer({ minimum: -MINOR_MAX, maximum: MINOR_MAX, description });

/** The recorded terms that were applied. With them, the statement can be read without the record of the netting set. */
export const AppliedTerms = Closed(
  {
    uid: Uid(prefixes.nettingSet, 'The netting set.'),
    version: Type.Integer({ minimum: 1, description: 'Version of the netting set.' }),
    counterparty_id: Type.Integer({ minimum: 1, description: 'Id of the counterparty.' }),
    agreement_type: Type.Enum([...agreementTypes], {
      description: 'Type of the agreement. The type determines which party posts collateral.',
    }),
    currency: CurrencyCode,
    amount_scale: Type.Integer({
      minimum: 0,
      maximum: 9,
      description: "Number of decimals of the currency's minor unit.",
    }),
    threshold_minor: Nullable(
      term('Exposure up to which no collateral is called.'),
      'Exposure up to which no collateral is called. Null: not stated.',
    ),
    minimum_transfer_minor: term('Minimum transfer amount: the smallest amount that is called.'),
    independent_amount_minor: term(
      'Independent amount: above 0 if posted by the counterparty, below 0 if posted by us.',
    ),
    terms_hash: Sha256,
    source_reference: Type.String({ minLength: 1, description: 'Reference of the source document.' }),
    source_hash: Type.String({ minLength: 1, description: 'Hash of the source document.' }),
    enforceability: Type.Literal('not_assessed', {
      description: 'Always `not_assessed`: the record never states whether netting is enforceable.',
    }),
  },
  { title: 'AppliedNettingSet', description: 'The recorded terms that the run applied.' },
);

export const AgreementWarning = Closed(
  {
    code: Type.Literal('terms_disputed', {
      description: 'Evidence contradicts the terms, and no person has decided the conflict yet.',
    }),
    conflicts_open: Type.Integer({ minimum: 1, description: 'Number of undecided conflicts.' }),
  },
  {
    title: 'AgreementWarning',
    description: 'A warning about the agreement that affects how to read the result.',
  },
);

export type AppliedTerms = Static<typeof AppliedTerms>;
export type AgreementWarning = Static<typeof AgreementWarning>;
