import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Nullable, Sha256, Sha256Of, Uid } from '#lib/core/schema.ts';
import { agreementTypes } from './netting-set.ts';

const MINOR_MAX = Number.MAX_SAFE_INTEGER;

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 alphabetic code; that of the netting set. Nothing is converted.',
  examples: ['USD'],
});

export const ValuationDate = Type.String({
  format: 'date',
  description: 'The day that the value and the balance are of; not after today.',
  examples: ['2026-11-20'],
});

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

const term = (description: string) => Type.Integer({ minimum: -MINOR_MAX, maximum: MINOR_MAX, description });

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

export type AppliedTerms = Static<typeof AppliedTerms>;
export type AgreementWarning = Static<typeof AgreementWarning>;
