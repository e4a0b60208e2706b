import { fitsTheWire, minorDigits, wireMinor } from '#lib/core/money.ts';

/** The length of a snapshot's window in days. */
export const WINDOW_DAYS = 30;
/** The age in seconds from which a snapshot is stale. A new snapshot is due every day, and earlier after a change. */
export const STALE_AFTER_S = 26 * 3_600;

export const coverages = ['complete', 'partial', 'empty'] as const;
export type Coverage = (typeof coverages)[number];

export const ageDays = ['0-1', '2-3', '4-7', '8-30', '30+'] as const;
export type AgeDays = (typeof ageDays)[number];

/** The facts of a window, from the audit log and the records of reconciliation. */
export type ValueFacts = {
  workspaceBornAt: Date;
  from: Date;
  to: Date;
  log: { events: number; first: number | null; last: number | null; root: string };
  /** The number of recorded entries of each operation, by status and code of refusal. */
  entries: readonly { op: string; status: string; code: string | null; count: number }[];
  /** Seconds from the draft of each activated delegation to its activation. */
  approvalSeconds: readonly number[];
  openExceptions: readonly { kind: string; openedAt: Date }[];
  /** The number of lines of custody observations, by outcome. */
  lines: readonly { outcome: string; count: number }[];
  observations: number;
  batches: { released: number; releasedAndClosed: number };
  amounts: readonly CurrencyAmounts[];
};

export type CurrencyAmounts = {
  currency: string;
  closed: bigint;
  reconciled: bigint;
  acceptedDifference: bigint;
  openExceptions: bigint;
};

export type ValueContent = ReturnType<typeof valueOf>;

/**
 * Returns the value figures of a window. Amounts are reported by currency and never added across currencies. An unknown
 * value is null.
 */
export function valueOf(facts: ValueFacts) {
  const done = (...ops: string[]) =>
    total(facts.entries.filter(({ op, status }) => status === 'done' && ops.includes(op)));
  const refused = facts.entries.filter(
    ({ op, status }) => status === 'refused' && op.startsWith('delegation.'),
  );
  const lines = (...outcomes: string[]) =>
    total(facts.lines.filter(({ outcome }) => outcomes.includes(outcome)));
  const monetary = facts.amounts.map(presentAmounts);
  const figures = {
    actions: {
      proposed: done('delegation.drafted', 'batch.imported'),
      approved: done('delegation.activated', 'batch.approved'),
      rejected: done('delegation.rejected', 'batch.cancelled'),
      expired: done('delegation.expired'),
      released: done('batch.released'),
      closed: done('batch.closed'),
    },
    approvals: {
      requested: done('delegation.drafted'),
      granted: done('delegation.activated'),
      refused: total(refused),
      refused_by_code: byKey(refused.map(({ code, count }) => ({ key: code ?? 'uncoded', count }))),
      median_seconds: median(facts.approvalSeconds),
    },
    exceptions: {
      opened: done('exception.opened'),
      resolved: done('exception.resolved', 'exception.waived'),
      open: facts.openExceptions.length,
      by_kind: byKey(facts.openExceptions.map(({ kind }) => ({ key: kind, count: 1 }))),
      ageing: ageing(facts.openExceptions, facts.to),
    },
    reconciliation: {
      observations: facts.observations,
      matched: lines('matched'),
      matched_within_tolerance: lines('matched_within_tolerance'),
      partial: lines('partial'),
      breaks: lines('break', 'unmatched'),
      close_rate_bps:
        facts.batches.released === 0
          ? null
          : Math.floor((facts.batches.releasedAndClosed * 10_000) / facts.batches.released),
    },
    monetary,
  };
  return {
    as_of: facts.to.toISOString(),
    window: { from: facts.from.toISOString(), to: facts.to.toISOString() },
    coverage: coverageOf(facts, monetary),
    sources: [
      {
        key: 'audit_log',
        events: facts.log.events,
        first_seq: facts.log.first,
        last_seq: facts.log.last,
        root_hash: facts.log.root as string | null,
      },
      {
        key: 'custody_observations',
        events: facts.observations,
        first_seq: null,
        last_seq: null,
        root_hash: null,
      },
    ],
    ...figures,
    fx: { applied: false as const },
  };
}

/** Returns the facts of an empty window, for a workspace without a sealed snapshot. */
export function emptyFacts(from: Date, to: Date, root: string): ValueFacts {
  return {
    workspaceBornAt: to,
    from,
    to,
    log: { events: 0, first: null, last: null, root },
    entries: [],
    approvalSeconds: [],
    openExceptions: [],
    lines: [],
    observations: 0,
    batches: { released: 0, releasedAndClosed: 0 },
    amounts: [],
  };
}

/**
 * Returns the coverage of the figures. The coverage is empty if there are no facts. Otherwise, it is partial if the
 * window begins before the workspace was created, or if an amount is too large to report.
 */
function coverageOf(facts: ValueFacts, monetary: readonly MonetaryRow[]): Coverage {
  const isEmpty = facts.log.events === 0 && facts.observations === 0 && facts.openExceptions.length === 0;
  if (isEmpty && monetary.length === 0) return 'empty';
  const isWhole = monetary.every((row) => Object.values(row).every((value) => value !== null));
  return facts.workspaceBornAt <= facts.from && isWhole ? 'complete' : 'partial';
}

type MonetaryRow = ReturnType<typeof presentAmounts>;

function presentAmounts({
  currency,
  closed,
  reconciled,
  acceptedDifference,
  openExceptions,
}: CurrencyAmounts) {
  const wire = (amount: bigint) => (fitsTheWire(amount) ? wireMinor(amount) : null);
  return {
    currency,
    amount_scale: minorDigits(currency) ?? null,
    actions_closed_minor: wire(closed),
    reconciled_minor: wire(reconciled),
    accepted_difference_minor: wire(acceptedDifference),
    open_exception_minor: wire(openExceptions),
  };
}

/** Counts the open exceptions by their age in whole calendar days (UTC). */
function ageing(open: ValueFacts['openExceptions'], at: Date): Record<AgeDays, number> {
  const counts = { '0-1': 0, '2-3': 0, '4-7': 0, '8-30': 0, '30+': 0 };
  for (const { openedAt } of open) {
    const days = Math.floor(at.getTime() / DAY_MS) - Math.floor(openedAt.getTime() / DAY_MS);
    counts[days <= 1 ? '0-1' : days <= 3 ? '2-3' : days <= 7 ? '4-7' : days <= 30 ? '8-30' : '30+'] += 1;
  }
  return counts;
}

const DAY_MS = 86_400_000;

/**
 * Returns the median. For an even number of values, returns the lower of the two middle values, so that the
 * result is a duration that occurred. Returns null for no values.
 */
function median(seconds: readonly number[]): number | null {
  const sorted = seconds.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

function byKey(counts: readonly { key: string; count: number }[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { key, count } of counts) sums[key] = (sums[key] ?? 0) + count;
  return sums;
}

function total(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
