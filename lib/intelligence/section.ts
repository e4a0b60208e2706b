import type { Scope } from '#lib/core/scope.ts';

/**
 * A **section** describes one domain from stored records. A **metric** is one of its figures, with the time of the
 * newest record from which the figure is computed; the time is null if there is no record. **Attention** is a kind of
 * item that needs attention, with the number of items and the path that lists them.
 */
export const sectionKeys = [
  'actions',
  'investment',
  'quant',
  'planning',
  'models',
  'financial',
  'data',
  'ai',
  'trust',
  'workflows',
] as const;
export type SectionKey = (typeof sectionKeys)[number];

export const units = ['count', 'minor', 'rows', 'per_cent'] as const;

/** A figure of a section. For the unit `minor`, the value is in minor units of the given currency. */
export type Metric = {
  key: string;
  value: number | null;
  unit: (typeof units)[number];
  currency?: string;
  as_of: string | null;
};

/** Returns a metric that counts records. */
export function count(key: string, value: number, as_of: string | null): Metric {
  return { key, value, unit: 'count', as_of };
}

export const severities = ['info', 'warning', 'critical'] as const;

export type Attention = {
  code: string;
  severity: (typeof severities)[number];
  count: number;
  /** The path of the operation that lists the items, below the prefix of the API. */
  link: string;
};

/** The facts of a domain, as its source returns them. */
export type Facts = {
  metrics: readonly Metric[];
  /** The kinds of items that need attention. Kinds with a count of 0 are left out of the summary. */
  attention: readonly Attention[];
  /** Whether the facts are incomplete, because at least one fact could not be read. */
  isPartial?: boolean;
};

/**
 * The source of a section: how one domain is read, the scope that the caller needs, and the age in hours at which the
 * newest record is stale.
 */
export type SectionSource<Reader> = {
  key: SectionKey;
  scope: Scope;
  staleAfterHours: number | null;
  read(reader: Reader, now: Date): Promise<Facts>;
};
