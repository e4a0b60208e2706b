import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, IsoDate, Line, Minor, Uid } from '#lib/core/schema.ts';
import { Decimal, InstrumentSchema, Word } from '#lib/actions/execution/batch/batch-file.ts';
import { observationStatuses } from '#lib/actions/execution/reconciliation/settlement-facts.ts';
import { sides } from '#lib/actions/execution/batch/order.ts';

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 alphabetic code of a currency in force.',
  examples: ['USD'],
});

export const Scale = Type.Integer({
  minimum: 0,
  maximum: 9,
  description: 'Decimals of the currency.',
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

export const Side = Type.Enum([...sides], { description: 'Whether it was bought or sold.' });

/** How many lines an observation may have. */
const LINES_MAX = 5_000;

const lineMembers = {
  line_reference: Line(64, 'What the line is called in the observation.', '1'),
  order_hash: Type.Optional(OrderHash),
  instrument: Type.Optional(InstrumentSchema),
  side: Type.Optional(Side),
  quantity: Decimal('How many moved, above 0, with 8 decimals at most.', '1500'),
  currency: CurrencyCode,
  settlement_amount_minor: Minor(
    'What was paid or received, in minor units; 0 where it was free of payment.',
  ),
  amount_scale: Scale,
  place_of_settlement: Type.Optional(Line(35, 'Where it settled.', 'DTCYUS33')),
};

export const CustodyLine = Closed(lineMembers, {
  title: 'CustodyLine',
  description: 'A movement, of the order that it names by hash, or by instrument and side with the account.',
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
    'SHA-256 of the source, 64 hex digits with or without `sha256:`; anything else is kept as opaque.',
  examples: ['sha256:98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c'],
});

const observation = {
  observation_reference: Line(100, 'What the custodian calls the observation.', 'CUST-2026-11-20-0001'),
  custodian: Word('The key of a custodian of the workspace.', 'bny_main'),
  observed_at: Instant,
  settlement_date: IsoDate,
  status: Type.Enum([...observationStatuses], {
    description: 'What became of the movement. Only what settled counts as moved.',
  }),
  source_system: Word('The system that the observation comes from.', 'custody_feed'),
  source_reference: Line(200, 'What the source is called there.', 'sese025:ABC'),
};

const account = Line(64, 'The account; custodians may show its end alone, as in `...4821`.', '...4821');
const lines = Type.Array(CustodyLine, { maxItems: LINES_MAX, description: 'The movements.' });

export const CustodyBody = Closed(
  {
    ...observation,
    account_reference: Type.Optional(account),
    source_hash: Type.Optional(sourceHash),
    lines,
  },
  { title: 'CustodyEvidence', description: 'What a custodian saw, from a source of its own.' },
);

export const Evidence = Closed(
  {
    uid: Type.String({
      maxLength: 40,
      description: 'The record.',
      examples: [`${prefixes.custodyObservation}_01K8XQ5W3ZJ6T9R2M4N7P0QABC`],
    }),
    source_system: observation.source_system,
    source_reference: observation.source_reference,
    source_hash: sourceHash,
    hash_grade: Type.Enum(['sha256', 'opaque'], {
      description: 'Whether the hash can be recomputed. An opaque one is never treated as proof.',
    }),
    first_seen_at: Instant,
    last_seen_at: Instant,
    times_seen: Type.Integer({ minimum: 1, description: 'How often it was offered.', examples: [1] }),
  },
  { title: 'ExecutionEvidence', description: 'Where it comes from.' },
);

export const CustodyObservation = Closed(
  {
    uid: Uid(prefixes.custodyObservation, 'The observation.'),
    batch_uid: Uid(prefixes.orderBatch, 'The order batch that it is about.'),
    ...observation,
    account_reference: Type.Union([account, Type.Null()], {
      description: 'The account; null where none was stated.',
    }),
    lines,
    is_early: Type.Boolean({
      description: 'Whether it came before the release of the batch, and so settles nothing.',
    }),
    recorded_at: Instant,
    recorded_by: Closed(
      { application_uid: Uid(prefixes.application, 'The application that offered it.') },
      { description: 'Who offered it.' },
    ),
    evidence: Evidence,
  },
  { title: 'CustodyObservation', description: 'What a custodian saw, as it is kept.' },
);
