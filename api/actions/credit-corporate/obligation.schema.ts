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
  description: 'The id of a counterparty of the workspace.',
  examples: [1],
});

const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'An active currency, ISO 4217 alphabetic code.',
  examples: ['EUR'],
});

const amount = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1e15, description, examples: [2_500_000] });

const source = {
  source_system: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
    description: 'The source system.',
    examples: ['treasury-core'],
  }),
  source_reference: Line(200, 'The reference in the source system, 1 to 200 characters.', examples.reference),
  source_hash: Type.String({
    minLength: 8,
    maxLength: 256,
    description:
      'The hash of the source: SHA-256 as 64 hex digits, with or without `sha256:`. Any other text of 8 to 256 visible characters is stored as opaque.',
    examples: [examples.hash],
  }),
};

const terms = {
  counterparty_id: CounterpartyId,
  obligation_type: Type.String({
    pattern: '^[a-z][a-z0-9_.-]{1,63}$',
    description: `The type of the obligation: ${obligationTypes.join(', ')}, or a type of the source system.`,
    examples: ['term_loan'],
  }),
  ...source,
  currency: Currency,
  original_amount: amount(
    'The original amount, in major units. Must be above 0 and have at most the decimals of the currency.',
  ),
  outstanding_amount: amount('The amount still owed, in major units.'),
};

const facility = Line(200, 'The facility under which the amount was drawn.', 'RCF-2024-A');
const available = amount('The amount that can still be drawn, in major units.');
const status = Line(
  64,
  'The status in the words of the source system. It is stored and not interpreted.',
  'performing',
);

export const ObligationBody = Closed(
  {
    ...terms,
    facility_reference: Type.Optional(Nullable(facility, 'The facility under which the amount was drawn.')),
    available_amount: Type.Optional(
      Nullable(
        available,
        'The amount that can still be drawn, in major units. Null means not stated, never 0.',
      ),
    ),
    status: Type.Optional(
      Nullable(status, 'The status in the words of the source system. It is stored and not interpreted.'),
    ),
    due_date: Type.Optional(Nullable(IsoDate, 'The due date.')),
  },
  { title: 'ObligationSource', description: 'An obligation as its source states it.' },
);

const Evidence = Closed(
  {
    source_system: source.source_system,
    source_reference: source.source_reference,
    source_hash: source.source_hash,
    hash_grade: Type.Enum(['sha256', 'opaque'], {
      description:
        'Whether the hash is a SHA-256 that can be recomputed. An opaque hash is never treated as proof.',
    }),
    first_seen_at: Instant,
    last_seen_at: Instant,
    times_seen: Type.Integer({
      minimum: 1,
      description: 'The number of times that this source was submitted.',
      examples: [1],
    }),
    conflicts_open: Type.Integer({
      minimum: 0,
      description: 'The number of contradictions that wait for a decision by a person.',
      examples: [0],
    }),
  },
  { title: 'Evidence', description: 'The origin of the record.' },
);

export const CreatedBy = Closed(
  { application_uid: Uid(prefixes.application, 'The application that submitted the source.') },
  { title: 'CreatedBy', description: 'The application that submitted the source first.' },
);

export const Obligation = Closed(
  {
    uid: Uid(prefixes.obligation, 'The uid of the obligation.'),
    version: Type.Integer({
      minimum: 1,
      description: 'The version of the record, among all records with this source reference.',
      examples: [1],
    }),
    governance_state: Type.Enum([...obligationStates], {
      description: 'The governance state. No machine may act on a disputed obligation.',
    }),
    execution_authority: Closed(
      {
        granted: Type.Literal(false, {
          description: 'Always false: registering an obligation grants no authority.',
        }),
        reason: Type.Literal('registration_only', { description: 'The reason why no authority is granted.' }),
      },
      { description: 'The authority that the record grants.' },
    ),
    ...terms,
    recognised: Type.Boolean({ description: 'Whether the type is one of the recognised types.' }),
    facility_reference: Nullable(
      facility,
      'The facility under which the amount was drawn; null if not stated.',
    ),
    amount_scale: Type.Integer({
      minimum: 0,
      maximum: 9,
      description: 'The number of decimals of the currency.',
      examples: [2],
    }),
    original_amount_minor: Minor('The original amount, in minor units.'),
    outstanding_amount_minor: Minor('The amount still owed, in minor units.'),
    available_amount: Nullable(
      available,
      'The amount that can still be drawn, in major units; null if not stated.',
    ),
    available_amount_minor: Nullable(
      Minor('The amount that can still be drawn, in minor units.'),
      'The amount that can still be drawn, in minor units; null if not stated.',
    ),
    status: Nullable(status, 'The status in the words of the source system; null if not stated.'),
    due_date: Nullable(IsoDate, 'The due date; null if not stated.'),
    evidence: Evidence,
    derived: Closed(
      {
        days_to_due: Nullable(
          Type.Integer({ description: 'Days until the due date, negative after it.', examples: [90] }),
          'Days until the due date, negative after it; null without a due date.',
        ),
        overdue: Nullable(
          Type.Boolean(),
          'Whether an amount is still owed after the due date; null without a due date.',
        ),
        utilisation_bps: Type.Integer({
          minimum: 0,
          description:
            'The outstanding amount relative to the original amount, in basis points, rounded down.',
          examples: [10_000],
        }),
      },
      { description: 'Values derived from the record today.' },
    ),
    warnings: Type.Array(
      Closed(
        {
          code: Type.Enum([...obligationWarnings], {
            description: 'A stable code of the warning, for programs.',
          }),
        },
        { description: 'A warning about the obligation.' },
      ),
      { maxItems: 10, description: 'Points that need attention. A warning never causes a refusal.' },
    ),
    record_hash: { ...Sha256, description: 'SHA-256 of the RFC 8785 form of the source and the content.' },
    created_at: Instant,
    created_by: CreatedBy,
  },
  { title: 'Obligation', description: 'A registered obligation. It grants no authority to act.' },
);

export const ObligationConflict = Closed(
  {
    uid: Uid(prefixes.evidenceConflict, 'The uid of the conflict.'),
    obligation_uid: Uid(prefixes.obligation, 'The uid of the contradicted obligation.'),
    kind: Type.Enum(['content_mismatch', 'hash_mismatch', 'counterparty_mismatch', 'currency_mismatch'], {
      description: 'The most severe kind of difference.',
    }),
    offered_source_hash: source.source_hash,
    offered_payload_hash: {
      ...Sha256,
      description: 'SHA-256 of the RFC 8785 form of the submitted content.',
    },
    differing: Type.Array(Type.String({ maxLength: 100, examples: ['/source_hash'] }), {
      maxItems: 20,
      description: 'JSON pointers to the fields that differ.',
    }),
    offered_at: Instant,
    offered_by: CreatedBy,
    times_offered: Type.Integer({
      minimum: 1,
      description: 'The number of times that the evidence was submitted.',
      examples: [1],
    }),
    state: Type.Enum([...conflictStates], {
      description: 'The state. A conflict is open until a person resolves it.',
    }),
    resolved_at: Nullable(Instant, 'The time of the decision; null while the conflict is open.'),
  },
  {
    title: 'ObligationConflict',
    description:
      'Evidence that contradicts a recorded obligation. It was refused, and is stored for a decision.',
  },
);
