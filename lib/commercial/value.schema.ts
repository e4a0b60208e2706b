import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, Minor, Nullable, Sha256, Uid } from '#lib/core/schema.ts';
import { ageDays, coverages } from './value.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] });
const Amount = (description: string) =>
  Nullable(
    Minor(description, Number.MIN_SAFE_INTEGER),
    `${description} Null if the amount is too large for a JSON integer.`,
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
    accepted_difference_minor: Amount('Sum of the differences that were within a tolerance.'),
    open_exception_minor: Amount('Absolute amount of open exceptions.'),
  },
  {
    title: 'ValueOfCurrency',
    description: 'Amounts in one currency. They are never added across currencies.',
  },
);

const Source = Closed(
  {
    key: Type.Enum(['audit_log', 'custody_observations'], {
      description: 'The kind of the counted records.',
    }),
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
    as_of: InstantOf('The time of the figures, which include everything recorded by then.'),
    window: Closed(
      {
        from: InstantOf('The first instant of the window.'),
        to: InstantOf('The first instant after the window.'),
      },
      {
        description:
          'The 30 days up to the snapshot. Items counted as open are those still open at the end of the window.',
      },
    ),
    computed_at: Nullable(Instant, 'When the snapshot was sealed; null if none is sealed yet.'),
    freshness: Closed(
      {
        age_seconds: Nullable(
          Count('Seconds since the snapshot was sealed.'),
          'Seconds since the snapshot was sealed; null if none is sealed yet.',
        ),
        stale: Type.Boolean({ description: 'Whether a newer snapshot is overdue.' }),
        stale_after_seconds: Count('The age in seconds from which the snapshot is stale.'),
      },
      { description: 'The age of the snapshot. `snapshot_hash` does not cover this member.' },
    ),
    coverage: Type.Enum([...coverages], {
      description:
        'The coverage of the figures. `empty`: there is nothing to report. `partial`: the workspace is younger than the window, or an amount is omitted.',
    }),
    sources: Type.Array(Source, { maxItems: 10, description: 'The sources of the figures.' }),
    actions: Closed(
      {
        proposed: Count('Number of delegations drafted and order batches imported in the window.'),
        approved: Count('Number of delegations activated and order batches approved in the window.'),
        rejected: Count('Number of delegations rejected and order batches cancelled in the window.'),
        expired: Count('Number of delegations that expired in the window.'),
        released: Count('Number of order batches released in the window.'),
        closed: Count(
          'Number of times that an order batch was closed in the window. A batch that is reopened and closed again counts twice.',
        ),
      },
      { description: 'Counts of financial actions.' },
    ),
    approvals: Closed(
      {
        requested: Count('Number of delegations drafted in the window.'),
        granted: Count('Number of delegations activated in the window.'),
        refused: Count('Number of refused approvals and refused uses of delegations.'),
        refused_by_code: Counts('Number of refusals, by code.'),
        median_seconds: Nullable(
          Count('Median number of seconds from draft to activation.'),
          'Median number of seconds from the draft of a delegation to its activation; null if none was activated.',
        ),
      },
      { description: 'Counts of approvals of delegations.' },
    ),
    exceptions: Closed(
      {
        opened: Count('Number of exceptions opened in the window.'),
        resolved: Count('Number of exceptions resolved or waived in the window.'),
        open: Count('Number of exceptions open at the end of the window.'),
        by_kind: Counts('Number of open exceptions, by kind.'),
        ageing: Closed(
          Object.fromEntries(
            ageDays.map((days) => [
              days,
              Count(`Number of exceptions open for ${days} calendar days (UTC).`),
            ]),
          ),
          { description: 'Number of open exceptions, by age.' },
        ),
      },
      { description: 'Counts of settlement exceptions.' },
    ),
    reconciliation: Closed(
      {
        observations: Count('Number of custody observations in the window.'),
        matched: Count('Number of custody lines that matched exactly.'),
        matched_within_tolerance: Count('Number of custody lines that matched within a tolerance.'),
        partial: Count('Number of custody lines that settled a part of an order.'),
        breaks: Count('Number of custody lines that matched no order, or contradicted an order.'),
        close_rate_bps: Nullable(
          Type.Integer({ minimum: 0, maximum: 10_000, examples: [10_000] }),
          'The share of released batches that are closed, in basis points; null if none was released.',
        ),
      },
      { description: 'Results of custody reconciliation.' },
    ),
    monetary: Type.Array(Monetary, { maxItems: 200, description: 'Amounts by currency.' }),
    fx: Closed(
      { applied: Type.Literal(false, { description: 'Always false: amounts are not converted.' }) },
      { description: 'Currency conversion.' },
    ),
    snapshot_hash: Nullable(
      Sha256,
      'SHA-256 of the RFC 8785 form of the snapshot without `uid`, `computed_at`, `freshness` and `snapshot_hash`; null if none was sealed.',
    ),
  },
  { title: 'ValueSnapshot', description: "The value of a workspace's financial actions." },
);
