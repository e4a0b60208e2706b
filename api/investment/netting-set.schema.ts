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
  description: 'A counterparty of the workspace.',
  examples: [1],
});

const threshold = minor('Exposure up to which no collateral is called, in minor units.', 100_000_000);

const terms = {
  name: Line(200, 'What people call the agreement; taken once, whatever the case.', 'ISDA Acme Bank 2024'),
  counterparty_id: NettingSetCounterparty,
  agreement_type: Type.String({
    pattern: '^[a-z][a-z_]{1,63}$',
    description: `One of ${agreementTypes.join(', ')}.`,
    examples: ['bilateral'],
  }),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 alphabetic code of a currency in force.',
    examples: ['USD'],
  }),
  minimum_transfer_minor: minor('The least that is called at once, in minor units.', 50_000_000),
  independent_amount_minor: minor(
    'In minor units: above 0 posted by the counterparty, below 0 by us.',
    0,
    -Number.MAX_SAFE_INTEGER,
  ),
  amount_scale: Type.Integer({
    minimum: 0,
    maximum: 9,
    description: 'Decimals of the minor unit; those of the currency.',
    examples: [2],
  }),
  source_reference: Line(200, 'What the source is called.', 'CSA-2024-0042'),
  source_hash: Type.String({
    minLength: 8,
    maxLength: 256,
    description:
      'SHA-256 of the source, 64 hex digits with or without `sha256:`; anything else is kept as opaque.',
    examples: [HASH],
  }),
};

export const NettingSetBody = Closed(
  { ...terms, threshold_minor: Type.Optional(Nullable(threshold, 'Null or left out: not stated.')) },
  { title: 'NettingSetTerms', description: 'The terms of an agreement, as the caller supplies them.' },
);

export const NettingSet = Closed(
  {
    uid: Uid(prefixes.nettingSet, 'The netting set.'),
    version: Type.Integer({
      minimum: 1,
      description: 'Counts the records under this reference.',
      examples: [1],
    }),
    ...terms,
    threshold_minor: Nullable(threshold, 'Null: not stated.'),
    terms: Closed(
      {
        sign_convention: Type.Literal('independent_amount_positive_posted_by_counterparty', {
          description: 'How the sign of the independent amount reads.',
        }),
        enforceability: Type.Literal('not_assessed', {
          description: 'Nothing is said about what a court would enforce.',
        }),
        inferred: Type.Array(Type.String({ maxLength: 100, description: 'A term.', examples: ['none'] }), {
          maxItems: 0,
          description: 'Terms that were not supplied but made up: there are none.',
          examples: [[]],
        }),
      },
      { description: 'How to read the terms.' },
    ),
    terms_hash: { ...Sha256, description: 'SHA-256 of the RFC 8785 form of the supplied terms.' },
    evidence: Closed(
      {
        source_reference: terms.source_reference,
        source_hash: terms.source_hash,
        hash_grade: Type.Enum(['sha256', 'opaque'], { description: 'Whether the hash can be recomputed.' }),
        first_seen_at: Instant,
        last_seen_at: Instant,
        times_seen: Type.Integer({
          minimum: 1,
          description: 'How often this source was offered.',
          examples: [1],
        }),
        conflicts_open: Type.Integer({
          minimum: 0,
          description: 'Contradictions that were kept.',
          examples: [0],
        }),
      },
      { description: 'Where the terms come from.' },
    ),
    supersedes: Nullable(Uid(prefixes.nettingSet, 'The record.'), 'The record whose place it took.'),
    superseded_at: Nullable(Instant, 'When another record took its place; null: it is in force.'),
    created_at: Instant,
    created_by: Closed(
      { application_uid: Uid(prefixes.application, 'The application that offered them.') },
      { description: 'Who offered them first.' },
    ),
  },
  {
    title: 'NettingSet',
    description: 'Recorded terms. The record never states that netting is enforceable.',
  },
);
