import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, IsoDate, Line, Minor, Uid } from '#lib/core/schema.ts';
import { Decimal, InstrumentSchema, Word } from '#lib/actions/execution/batch/batch-file.ts';
import { observationStatuses } from '#lib/actions/execution/reconciliation/settlement-facts.ts';
import { sides } from '#lib/actions/execution/batch/order.ts';

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'An active currency, ISO 4217 alphabetic code.',
  examples: ['USD'],
});

export const Scale = Type.Integer({
  minimum: 0,
  maximum: 9,
  description: 'The number of decimals of the currency.',
  examples: [2],
});

export const OrderHash = Type.String({
  pattern: '^(sha256:)?[0-9a-f]{64}$',
  description: 'The hash of the order, with or without `sha256:`.',
  examples: ['sha256:98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c'],
});

export const HashWithPrefix = (description: string) =>
  Type.String({
    pattern: '^sha256:[0-9a-f]{64}$',
    description,
    examples: ['sha256:98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c'],
  });

export const Side = Type.Enum([...sides], { description: 'Whether the security is bought or sold.' });

/** The maximum number of lines in a custody observation. */
const LINES_MAX = 5_000;

const lineMembers = {
  line_reference: Line(64, 'The reference of the line in the observation.', '1'),
  order_hash: Type.Optional(OrderHash),
  instrument: Type.Optional(InstrumentSchema),
  side: Type.Optional(Side),
  quantity: Decimal('The settled quantity, above 0, with at most 8 decimals.', '1500'),
  currency: CurrencyCode,
  settlement_amount_minor: Minor(
    'The amount paid or received, in minor units; 0 for a delivery free of payment.',
  ),
  amount_scale: Scale,
  place_of_settlement: Type.Optional(Line(35, 'The place of settlement.', 'DTCYUS33')),
};

export const CustodyLine = Closed(lineMembers, {
  title: 'CustodyLine',
  description:
    'A securities movement. It identifies its order either by `order_hash`, or by instrument, side and account together.',
  examples: [
    {
      line_reference: '1',
      instrument: { isin: 'US0378331005' },
      side: 'buy',
      quantity: '1500',
      currency: 'USD',
      settlement_amount_minor: 28_499_850,
      amount_scale: 2,
    },
  ],
});

const sourceHash = Type.String({
  minLength: 8,
  maxLength: 256,
  description:
    'The hash of the source: SHA-256 as 64 hex digits, with or without `sha256:`. Any other text of 8 to 256 visible characters is stored as opaque.',
  examples: ['sha256:98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c'],
});

const observation = {
  observation_reference: Line(
    100,
    'The reference of the observation at the custodian, 1 to 100 characters.',
    'CUST-2026-11-20-0001',
  ),
  custodian: Word('The key of a custodian of the workspace.', 'bny_main'),
  observed_at: Instant,
  settlement_date: IsoDate,
  status: Type.Enum([...observationStatuses], {
    description: 'The status of the movement. Only `settled` and `partially_settled` count as a movement.',
  }),
  source_system: Word('The source system.', 'custody_feed'),
  source_reference: Line(200, 'The reference in the source system, 1 to 200 characters.', 'sese025:ABC'),
};

const account = Line(
  64,
  'The account. A custodian may show only its last characters, as in `...4821`.',
  '...4821',
);
const lines = Type.Array(CustodyLine, {
  maxItems: LINES_MAX,
  description: 'The movements that the custodian observed.',
});

export const CustodyBody = Closed(
  {
    ...observation,
    account_reference: Type.Optional(account),
    source_hash: Type.Optional(sourceHash),
    lines,
  },
  {
    title: 'CustodyEvidence',
    description: 'The settlement that a custodian observed, as reported by an independent source.',
  },
);

export const Evidence = Closed(
  {
    uid: Type.String({
      maxLength: 40,
      description: 'The uid of the record.',
      examples: [`${prefixes.custodyObservation}_01K8XQ5W3ZJ6T9R2M4N7P0QABC`],
    }),
    source_system: observation.source_system,
    source_reference: observation.source_reference,
    source_hash: sourceHash,
    hash_grade: Type.Enum(['sha256', 'opaque'], {
      description:
        'Whether the hash is a SHA-256 that can be recomputed. An opaque hash is never treated as proof.',
    }),
    first_seen_at: Instant,
    last_seen_at: Instant,
    times_seen: Type.Integer({
      minimum: 1,
      description: 'The number of times that the evidence was submitted.',
      examples: [1],
    }),
  },
  { title: 'ExecutionEvidence', description: 'The origin of the evidence.' },
);

export const CustodyObservation = Closed(
  {
    uid: Uid(prefixes.custodyObservation, 'The uid of the observation.'),
    batch_uid: Uid(prefixes.orderBatch, 'The order batch of the observation.'),
    ...observation,
    account_reference: Type.Union([account, Type.Null()], {
      description: 'The account; null if not stated.',
    }),
    lines,
    is_early: Type.Boolean({
      description:
        'Whether the observation arrived before the release of the batch. An early observation settles nothing.',
    }),
    recorded_at: Instant,
    recorded_by: Closed(
      { application_uid: Uid(prefixes.application, 'The application that submitted the observation.') },
      { description: 'The application that submitted the observation.' },
    ),
    evidence: Evidence,
  },
  { title: 'CustodyObservation', description: 'A stored custody observation.' },
);
