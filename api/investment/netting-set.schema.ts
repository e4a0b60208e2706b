import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, Line, Nullable, Sha256, Uid } from '#lib/core/schema.ts';
import { agreementTypes } from '#lib/investment/netting/netting-set.ts';

const HASH = 'sha256:98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c';

const minor = (description: string, example: number, minimum = 0) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] });

export const NettingSetCounterparty = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Id of a counterparty of the workspace.',
  examples: [1],
});

const threshold = minor('Exposure up to which no collateral is called, in minor units.', 100_000_000);

const terms = {
  name: Line(
    200,
    'Name of the agreement, unique among agreements in force, ignoring case.',
    'ISDA Acme Bank 2024',
  ),
  counterparty_id: NettingSetCounterparty,
  agreement_type: Type.String({
    pattern: '^[a-z][a-z_]{1,63}$',
    description: `Type of the agreement: one of ${agreementTypes.join(', ')}.`,
    examples: ['bilateral'],
  }),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 alphabetic code of an active currency.',
    examples: ['USD'],
  }),
  minimum_transfer_minor: minor(
    'Minimum transfer amount: the smallest amount that is called, in minor units.',
    50_000_000,
  ),
  independent_amount_minor: minor(
    'Independent amount in minor units: above 0 if posted by the counterparty, below 0 if posted by us.',
    0,
    -Number.MAX_SAFE_INTEGER,
  ),
  amount_scale: Type.Integer({
    minimum: 0,
    maximum: 9,
    description: "Number of decimals of the currency's minor unit.",
    examples: [2],
  }),
  source_reference: Line(200, 'Reference of the source document.', 'CSA-2024-0042'),
  source_hash: Type.String({
    minLength: 8,
    maxLength: 256,
    description:
      'SHA-256 of the source document, 64 hex digits with or without the prefix `sha256:`. Any other value is stored unchanged and only compared for equality.',
    examples: [HASH],
  }),
};

export const NettingSetBody = Closed(
  {
    ...terms,
    threshold_minor: Type.Optional(
      Nullable(
        threshold,
        'Exposure up to which no collateral is called, in minor units. Null or omitted: not stated.',
      ),
    ),
  },
  { title: 'NettingSetTerms', description: 'The terms of an agreement, as the caller supplies them.' },
);

export const NettingSet = Closed(
  {
    uid: Uid(prefixes.nettingSet, 'The netting set.'),
    version: Type.Integer({
      minimum: 1,
      description: 'Version of the record under this source reference, starting at 1.',
      examples: [1],
    }),
    ...terms,
    threshold_minor: Nullable(
      threshold,
      'Exposure up to which no collateral is called, in minor units. Null: not stated.',
    ),
    terms: Closed(
      {
        sign_convention: Type.Literal('independent_amount_positive_posted_by_counterparty', {
          description: 'Meaning of the sign of the independent amount.',
        }),
        enforceability: Type.Literal('not_assessed', {
          description: 'Always `not_assessed`: the record never states whether netting is enforceable.',
        }),
        inferred: Type.Array(
          Type.String({ maxLength: 100, description: 'Name of a term.', examples: ['none'] }),
          {
            maxItems: 0,
            description: 'Terms that were inferred instead of supplied. Always empty.',
            examples: [[]],
          },
        ),
      },
      { description: 'Conventions that apply to the recorded terms.' },
    ),
    terms_hash: { ...Sha256, description: 'SHA-256 of the RFC 8785 form of the supplied terms.' },
    evidence: Closed(
      {
        source_reference: terms.source_reference,
        source_hash: terms.source_hash,
        hash_grade: Type.Enum(['sha256', 'opaque'], {
          description: 'Whether the source hash can be recomputed: `sha256` can, `opaque` cannot.',
        }),
        first_seen_at: Instant,
        last_seen_at: Instant,
        times_seen: Type.Integer({
          minimum: 1,
          description: 'Number of times this source was submitted.',
          examples: [1],
        }),
        conflicts_open: Type.Integer({
          minimum: 0,
          description: 'Number of undecided conflicts with this source.',
          examples: [0],
        }),
      },
      { description: 'Source of the terms.' },
    ),
    supersedes: Nullable(
      Uid(prefixes.nettingSet, 'The record.'),
      'The earlier record that this record replaced.',
    ),
    superseded_at: Nullable(
      Instant,
      'Time at which another record replaced this record; null while this record is in force.',
    ),
    created_at: Instant,
    created_by: Closed(
      { application_uid: Uid(prefixes.application, 'The application that submitted the terms.') },
      { description: 'The first submitter of the terms.' },
    ),
  },
  {
    title: 'NettingSet',
    description: 'Recorded terms of an agreement. The record never states that netting is enforceable.',
  },
);
