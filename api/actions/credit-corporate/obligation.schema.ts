import Type from 'typebox';
import { Closed, Instant, IsoDate, Line, Minor, Nullable, Sha256, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import {
  obligationStates,
  obligationTypes,
  obligationWarnings,
} from '#lib/actions/obligations/obligation.ts';
import { conflictStates } from '#lib/governance/evidence-conflict.ts';

const examples = {
  hash: 'sha256:98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c',
  reference: 'LOAN-2026-00117',
};

export const CounterpartyId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'A counterparty of the workspace.',
  examples: [1],
});

const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 alphabetic code of a currency in force.',
  examples: ['EUR'],
});

const amount = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1e15, description, examples: [2_500_000] });

const source = {
  source_system: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
    description: 'The system that the source comes from.',
    examples: ['treasury-core'],
  }),
  source_reference: Line(200, 'What the source is called there.', examples.reference),
  source_hash: Type.String({
    minLength: 8,
    maxLength: 256,
    description:
      'SHA-256 of the source, 64 hex digits with or without `sha256:`; anything else is kept as opaque.',
    examples: [examples.hash],
  }),
};

const terms = {
  counterparty_id: CounterpartyId,
  obligation_type: Type.String({
    pattern: '^[a-z][a-z0-9_.-]{1,63}$',
    description: `What it is: ${obligationTypes.join(', ')}, or a word of the source.`,
    examples: ['term_loan'],
  }),
  ...source,
  currency: Currency,
  original_amount: amount('In major units, with the decimals of the currency at most; above 0.'),
  outstanding_amount: amount('What is still owed, in major units.'),
};

const facility = Line(200, 'The facility that it was drawn under.', 'RCF-2024-A');
const available = amount('What could still be drawn, in major units.');
const status = Line(
  64,
  'The word of the source for its state. It is kept, and means nothing here.',
  'performing',
);

export const ObligationBody = Closed(
  {
    ...terms,
    facility_reference: Type.Optional(Nullable(facility, 'The facility that it was drawn under.')),
    available_amount: Type.Optional(
      Nullable(available, 'What could still be drawn. Null is not stated, never 0.'),
    ),
    status: Type.Optional(Nullable(status, 'The word of the source for its state. It means nothing here.')),
    due_date: Type.Optional(Nullable(IsoDate, 'When it is due.')),
  },
  { title: 'ObligationSource', description: 'An obligation as its source states it.' },
);

const Evidence = Closed(
  {
    source_system: source.source_system,
    source_reference: source.source_reference,
    source_hash: source.source_hash,
    hash_grade: Type.Enum(['sha256', 'opaque'], {
      description: 'Whether the hash can be recomputed. An opaque one is never treated as proof.',
    }),
    first_seen_at: Instant,
    last_seen_at: Instant,
    times_seen: Type.Integer({
      minimum: 1,
      description: 'How often this source was offered.',
      examples: [1],
    }),
    conflicts_open: Type.Integer({
      minimum: 0,
      description: 'Contradictions that wait for a person.',
      examples: [0],
    }),
  },
  { title: 'Evidence', description: 'Where the record comes from.' },
);

export const CreatedBy = Closed(
  { application_uid: Uid(prefixes.application, 'The application that offered it.') },
  { title: 'CreatedBy', description: 'Who offered it first.' },
);

export const Obligation = Closed(
  {
    uid: Uid(prefixes.obligation, 'The obligation.'),
    version: Type.Integer({
      minimum: 1,
      description: 'Counts the records under this reference.',
      examples: [1],
    }),
    governance_state: Type.Enum([...obligationStates], {
      description: 'While it is disputed no machine may act on it.',
    }),
    execution_authority: Closed(
      {
        granted: Type.Literal(false, { description: 'Registering grants nothing.' }),
        reason: Type.Literal('registration_only', { description: 'Why.' }),
      },
      { description: 'What may be done on the strength of the record.' },
    ),
    ...terms,
    recognised: Type.Boolean({ description: 'Whether the type is one of the known.' }),
    facility_reference: Nullable(facility, 'The facility that it was drawn under.'),
    amount_scale: Type.Integer({
      minimum: 0,
      maximum: 9,
      description: 'Decimals of the currency.',
      examples: [2],
    }),
    original_amount_minor: Minor('The same in minor units.'),
    outstanding_amount_minor: Minor('The same in minor units.'),
    available_amount: Nullable(available, 'What could still be drawn. Null is not stated.'),
    available_amount_minor: Nullable(Minor('The same in minor units.'), 'The same in minor units.'),
    status: Nullable(status, 'The word of the source for its state.'),
    due_date: Nullable(IsoDate, 'When it is due.'),
    evidence: Evidence,
    derived: Closed(
      {
        days_to_due: Nullable(
          Type.Integer({ description: 'Days until it is due, negative after.', examples: [90] }),
          'Days until it is due, negative after.',
        ),
        overdue: Nullable(Type.Boolean(), 'Whether something is owed after the due date.'),
        utilisation_bps: Type.Integer({
          minimum: 0,
          description: 'Outstanding over original, in hundredths of a percent, rounded down.',
          examples: [10_000],
        }),
      },
      { description: 'What follows from the record today.' },
    ),
    warnings: Type.Array(
      Closed(
        { code: Type.Enum([...obligationWarnings], { description: 'Stable word.' }) },
        { description: 'A warning.' },
      ),
      { maxItems: 10, description: 'What to look at; no reason to refuse.' },
    ),
    record_hash: { ...Sha256, description: 'SHA-256 of the RFC 8785 form of source and content.' },
    created_at: Instant,
    created_by: CreatedBy,
  },
  { title: 'Obligation', description: 'A registered obligation. It grants no authority to act.' },
);

export const ObligationConflict = Closed(
  {
    uid: Uid(prefixes.evidenceConflict, 'The conflict.'),
    obligation_uid: Uid(prefixes.obligation, 'The obligation that was contradicted.'),
    kind: Type.Enum(['content_mismatch', 'hash_mismatch', 'counterparty_mismatch', 'currency_mismatch'], {
      description: 'The worst that differs.',
    }),
    offered_source_hash: source.source_hash,
    offered_payload_hash: { ...Sha256, description: 'SHA-256 of the RFC 8785 form of the offered content.' },
    differing: Type.Array(Type.String({ maxLength: 100, examples: ['/source_hash'] }), {
      maxItems: 20,
      description: 'JSON pointers to what differs.',
    }),
    offered_at: Instant,
    offered_by: CreatedBy,
    times_offered: Type.Integer({ minimum: 1, description: 'How often it was offered.', examples: [1] }),
    state: Type.Enum([...conflictStates], { description: 'Open until a person decides.' }),
    resolved_at: Nullable(Instant, 'When a person decided.'),
  },
  { title: 'ObligationConflict', description: 'Refused evidence that is kept.' },
);
