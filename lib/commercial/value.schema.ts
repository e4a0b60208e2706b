import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, Minor, Nullable, Sha256, Uid } from '#lib/core/schema.ts';
import { ageDays, coverages } from './value.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] });
const Amount = (description: string) =>
  Nullable(
    Minor(description, Number.MIN_SAFE_INTEGER),
    `${description} Null if it is too large for a JSON integer.`,
  );
const Counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

const Monetary = Closed(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['EUR'] }),
    amount_scale: Nullable(
      Type.Integer({ minimum: 0, maximum: 4, examples: [2] }),
      'Decimals of the currency; null if unknown.',
    ),
    actions_closed_minor: Amount('Amount observed as settled in closed batches.'),
    reconciled_minor: Amount('Amount observed as settled.'),
    accepted_difference_minor: Amount('Differences that were within a tolerance.'),
    open_exception_minor: Amount('Absolute amount of open exceptions.'),
  },
  {
    title: 'ValueOfCurrency',
    description: 'Amounts in one currency. They are never added across currencies.',
  },
);

const Source = Closed(
  {
    key: Type.Enum(['audit_log', 'custody_observations'], { description: 'The counted records.' }),
    events: Count('Number of records.'),
    first_seq: Nullable(Count('First position in the log; null if there is none.')),
    last_seq: Nullable(Count('Last position in the log; null if there is none.')),
    root_hash: Nullable(Sha256, 'Root of the log that was read; null for other sources.'),
  },
  { description: 'A source of the figures.' },
);

export const ValueSchema = Closed(
  {
    uid: Nullable(Uid(prefixes.valueSnapshot, 'The snapshot.'), 'The snapshot; null if none is sealed yet.'),
    as_of: InstantOf('The time of the figures: they include everything recorded by then.'),
    window: Closed(
      {
        from: InstantOf('The first instant of the window.'),
        to: InstantOf('The first instant after the window.'),
      },
      { description: 'The 30 days up to the snapshot. Open items are open at its end.' },
    ),
    computed_at: Nullable(Instant, 'When it was sealed; null if it was not.'),
    freshness: Closed(
      {
        age_seconds: Nullable(
          Count('Since it was sealed.'),
          'Seconds since it was sealed; null if it was not.',
        ),
        stale: Type.Boolean({ description: 'Whether a newer snapshot is overdue.' }),
        stale_after_seconds: Count('The age in seconds from which it is stale.'),
      },
      { description: 'The age of the snapshot. The hash does not cover it.' },
    ),
    coverage: Type.Enum([...coverages], {
      description:
        '`empty`: there is nothing to report. `partial`: the workspace is younger than the window, or an amount is omitted.',
    }),
    sources: Type.Array(Source, { maxItems: 10, description: 'The sources of the figures.' }),
    actions: Closed(
      {
        proposed: Count('Delegations drafted and batches imported.'),
        approved: Count('Delegations activated and batches approved.'),
        rejected: Count('Delegations rejected and batches cancelled.'),
        expired: Count('Delegations that expired.'),
        released: Count('Batches released.'),
        closed: Count('Closings of batches. A reopened batch can be closed again.'),
      },
      { description: 'Financial actions.' },
    ),
    approvals: Closed(
      {
        requested: Count('Delegations drafted.'),
        granted: Count('Delegations activated.'),
        refused: Count('Refused approvals and uses.'),
        refused_by_code: Counts('Refusals by their code.'),
        median_seconds: Nullable(
          Count('Seconds from draft to activation.'),
          'The median of the seconds from draft to activation; null if none was activated.',
        ),
      },
      { description: 'Approvals of delegations.' },
    ),
    exceptions: Closed(
      {
        opened: Count('Opened in the window.'),
        resolved: Count('Resolved or waived in the window.'),
        open: Count('Open at the end.'),
        by_kind: Counts('Open exceptions by kind.'),
        ageing: Closed(
          Object.fromEntries(ageDays.map((days) => [days, Count(`Open for ${days} calendar days (UTC).`)])),
          { description: 'Open exceptions by age.' },
        ),
      },
      { description: 'Settlement exceptions.' },
    ),
    reconciliation: Closed(
      {
        observations: Count('Custody observations.'),
        matched: Count('Lines that matched.'),
        matched_within_tolerance: Count('Lines that matched within a tolerance.'),
        partial: Count('Lines that settled a part of an order.'),
        breaks: Count('Lines that matched no order, or contradicted one.'),
        close_rate_bps: Nullable(
          Type.Integer({ minimum: 0, maximum: 10_000, examples: [10_000] }),
          'The share of released batches that are closed, in basis points; null if none was released.',
        ),
      },
      { description: 'Results of custody reconciliation.' },
    ),
    monetary: Type.Array(Monetary, { maxItems: 200, description: 'Amounts by currency.' }),
    fx: Closed(
      { applied: Type.Literal(false, { description: 'No conversion is applied.' }) },
      { description: 'Currency conversion.' },
    ),
    snapshot_hash: Nullable(
      Sha256,
      'SHA-256 of the RFC 8785 form of the snapshot without `uid`, `computed_at`, `freshness` and `snapshot_hash`; null if none was sealed.',
    ),
  },
  { title: 'ValueSnapshot', description: "The value of a workspace's financial actions." },
);
