import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, Minor, Nullable, Sha256, Uid } from '#lib/core/schema.ts';
import { ageDays, coverages } from './value.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] });
const Amount = (description: string) =>
  Nullable(
    Minor(description, Number.MIN_SAFE_INTEGER),
    `${description} Null where it is too large for a JSON integer.`,
  );
const Counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

const Monetary = Closed(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['EUR'] }),
    amount_scale: Nullable(
      Type.Integer({ minimum: 0, maximum: 4, examples: [2] }),
      'Decimals of the currency; null where it has none that are known.',
    ),
    actions_closed_minor: Amount('Seen to settle in batches that are closed.'),
    reconciled_minor: Amount('Seen to settle.'),
    accepted_difference_minor: Amount('Differences that a tolerance let pass.'),
    open_exception_minor: Amount('What open exceptions are about, whatever their sign.'),
  },
  {
    title: 'ValueOfCurrency',
    description: 'Amounts of one currency. They are never added across currencies.',
  },
);

const Source = Closed(
  {
    key: Type.Enum(['audit_log', 'custody_observations'], { description: 'What was counted.' }),
    events: Count('How much of it.'),
    first_seq: Nullable(Count('The first place in the log; null without one.')),
    last_seq: Nullable(Count('The last place in the log; null without one.')),
    root_hash: Nullable(Sha256, 'Root of the log that was read; null of what is no log.'),
  },
  { description: 'A source of the figures.' },
);

export const ValueSchema = Closed(
  {
    uid: Nullable(
      Uid(prefixes.valueSnapshot, 'The snapshot.'),
      'The snapshot; null where none was sealed yet.',
    ),
    as_of: InstantOf('What was known then counts.'),
    window: Closed(
      { from: InstantOf('The first instant that counts.'), to: InstantOf('The first that does not.') },
      { description: 'The 30 days up to the snapshot. What is open is so at the end.' },
    ),
    computed_at: Nullable(Instant, 'When it was sealed; null where none was.'),
    freshness: Closed(
      {
        age_seconds: Nullable(
          Count('Since it was sealed.'),
          'Seconds since it was sealed; null where none was.',
        ),
        stale: Type.Boolean({ description: 'Whether a newer one is overdue.' }),
        stale_after_seconds: Count('The age from which on it is.'),
      },
      { description: 'How old it is. This is told beside the hash and is not under it.' },
    ),
    coverage: Type.Enum([...coverages], {
      description:
        '`empty` where there is nothing to tell; `partial` where the workspace is younger than the window or an amount is not told.',
    }),
    sources: Type.Array(Source, { maxItems: 10, description: 'What the figures were counted from.' }),
    actions: Closed(
      {
        proposed: Count('Delegations drafted and batches imported.'),
        approved: Count('Delegations activated and batches approved.'),
        rejected: Count('Delegations rejected and batches cancelled.'),
        expired: Count('Delegations whose time ran out.'),
        released: Count('Batches released.'),
        closed: Count('Closings of batches. One that was reopened can close again.'),
      },
      { description: 'Financial actions.' },
    ),
    approvals: Closed(
      {
        requested: Count('Delegations drafted.'),
        granted: Count('Delegations activated.'),
        refused: Count('Refusals, of approvals and of uses.'),
        refused_by_code: Counts('Refusals by their code.'),
        median_seconds: Nullable(
          Count('From draft to activation.'),
          'The median of the seconds from draft to activation; null where none was activated.',
        ),
      },
      { description: 'Approvals of delegations.' },
    ),
    exceptions: Closed(
      {
        opened: Count('Opened in the window.'),
        resolved: Count('Resolved or waived in the window.'),
        open: Count('Open at the end.'),
        by_kind: Counts('Those that are open, by kind.'),
        ageing: Closed(
          Object.fromEntries(ageDays.map((days) => [days, Count(`Open for ${days} calendar days (UTC).`)])),
          { description: 'Those that are open, by age.' },
        ),
      },
      { description: 'Exceptions of settlements.' },
    ),
    reconciliation: Closed(
      {
        observations: Count('Custody observations.'),
        matched: Count('Lines that matched.'),
        matched_within_tolerance: Count('Lines that matched within a tolerance.'),
        partial: Count('Lines that settled a part.'),
        breaks: Count('Lines that matched nothing, or contradicted.'),
        close_rate_bps: Nullable(
          Type.Integer({ minimum: 0, maximum: 10_000, examples: [10_000] }),
          'Of the batches that were released, those that are closed, in basis points; null where none was released.',
        ),
      },
      { description: 'What custody saw.' },
    ),
    monetary: Type.Array(Monetary, { maxItems: 200, description: 'Amounts by currency.' }),
    fx: Closed(
      { applied: Type.Literal(false, { description: 'Nothing is converted.' }) },
      { description: 'Conversion of currencies.' },
    ),
    snapshot_hash: Nullable(
      Sha256,
      'SHA-256 of the RFC 8785 form of the snapshot without `uid`, `computed_at`, `freshness` and this; null where none was sealed.',
    ),
  },
  { title: 'ValueSnapshot', description: 'What the financial actions of a workspace have come to.' },
);
