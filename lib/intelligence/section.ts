import type { Scope } from '#lib/core/scope.ts';

/**
 * A **section** tells of one domain from what is stored. A **metric** is one figure of it with the instant that it is
 * as of: that of the newest record it rests on, null where there is none. **Attention** is what somebody should look
 * at, with how many there are and where they are listed.
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

/** `minor` is in minor units of the currency, which is given with it. */
export type Metric = {
  key: string;
  value: number | null;
  unit: (typeof units)[number];
  currency?: string;
  as_of: string | null;
};

/** How many there are. */
export function count(key: string, value: number, as_of: string | null): Metric {
  return { key, value, unit: 'count', as_of };
}

export const severities = ['info', 'warning', 'critical'] as const;

export type Attention = {
  code: string;
  severity: (typeof severities)[number];
  count: number;
  /** A path of the API, below its prefix, that lists them. */
  link: string;
};

/** What a domain has to say. */
export type Facts = {
  metrics: readonly Metric[];
  /** Those with a count of 0 are left out of the summary. */
  attention: readonly Attention[];
  /** Whether something that belongs here could not be told. */
  isPartial?: boolean;
};

/** One domain, as it is read: which scope opens it, and after how many hours its newest record is stale. */
export type SectionSource<Reader> = {
  key: SectionKey;
  scope: Scope;
  staleAfterHours: number | null;
  read(reader: Reader, now: Date): Promise<Facts>;
};
