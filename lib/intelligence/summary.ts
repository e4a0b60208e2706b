import { instantOf } from '#lib/core/clock.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Attention, Facts, Metric, SectionKey } from './section.ts';

export const sectionStatuses = ['ok', 'stale', 'partial', 'unavailable', 'not_entitled'] as const;
export type SectionStatus = (typeof sectionStatuses)[number];

export const headlineCodes = [
  'attention_needed',
  'nothing_to_attend_to',
  'nothing_recorded',
  'not_available',
  'not_entitled',
] as const;

export type Section = {
  key: SectionKey;
  status: SectionStatus;
  /** The time of the newest figure in the section. */
  as_of: string | null;
  headline: { code: (typeof headlineCodes)[number]; params: Record<string, number> };
  /** The facts of the section as text, with one sentence for each fact. */
  text: string;
  metrics: Metric[];
  attention: Attention[];
};

export type Summary = { sections: Section[]; summary_hash: string };

/** The outcome of reading a section. */
export type Reading = Facts | 'unavailable' | 'not_entitled';

/** Builds the summary. Its hash covers the sections, so the hash changes if and only if a fact changes. */
export function summarize(sections: readonly Section[]): Summary {
  return { sections: [...sections], summary_hash: canonicalHash({ schema: 'svc.summary/1', sections }) };
}

/**
 * Builds a section from the outcome of reading it. A section that is outside the caller's scopes or could not be read
 * has no figures. A section is stale if its newest record is older than expected. A section without records is never
 * stale.
 */
export function sectionOf(
  { key, staleAfterHours }: { key: SectionKey; staleAfterHours: number | null },
  reading: Reading,
  now: Date,
): Section {
  if (reading === 'unavailable') return empty(key, 'unavailable', 'not_available');
  if (reading === 'not_entitled') return empty(key, 'not_entitled', 'not_entitled');
  const metrics = [...reading.metrics];
  const attention = reading.attention.filter(({ count }) => count > 0);
  const asOf = newest(metrics);
  const status = reading.isPartial ? 'partial' : isStale(asOf, staleAfterHours, now) ? 'stale' : 'ok';
  return {
    key,
    status,
    as_of: asOf,
    headline: headlineOf(metrics, attention),
    text: textOf(metrics, attention),
    metrics,
    attention,
  };
}

function empty(key: SectionKey, status: SectionStatus, code: Section['headline']['code']): Section {
  return { key, status, as_of: null, headline: { code, params: {} }, text: '', metrics: [], attention: [] };
}

/** Returns the newest time of the metrics; null if no metric has a time. Instants in UTC can be compared as texts. */
function newest(metrics: readonly Metric[]): string | null {
  return metrics.reduce<string | null>(
    (latest, { as_of }) => (as_of !== null && (latest === null || as_of > latest) ? as_of : latest),
    null,
  );
}

function isStale(asOf: string | null, staleAfterHours: number | null, now: Date): boolean {
  if (asOf === null || staleAfterHours === null) return false;
  return asOf < instantOf(now.getTime() - staleAfterHours * 3_600_000).toISOString();
}

function headlineOf(metrics: readonly Metric[], attention: readonly Attention[]): Section['headline'] {
  const matters = attention.filter(({ severity }) => severity !== 'info');
  if (matters.length) {
    const count = matters.reduce((sum, each) => sum + each.count, 0);
    return { code: 'attention_needed', params: { count } };
  }
  const isEmpty = metrics.every(({ value }) => value === null || value === 0);
  return { code: isEmpty ? 'nothing_recorded' : 'nothing_to_attend_to', params: {} };
}

/** Converts figures into sentences. Example: `order_batches_open` with the value 3 becomes "Order batches open: 3." */
function textOf(metrics: readonly Metric[], attention: readonly Attention[]): string {
  const figures = metrics.map((metric) => `${words(metric.key)}: ${displayOf(metric)}.`);
  return [...figures, ...attention.map(({ code, count }) => `${words(code)}: ${count}.`)].join(' ');
}

/** Formats a figure with its sign and unit. Texts show figures only in this form. */
export function displayOf({ value, unit, currency }: Metric): string {
  return `${value ?? 'not known'}${unitOf(unit, currency)}`;
}

function unitOf(unit: Metric['unit'], currency: string | undefined): string {
  if (unit === 'minor') return ` minor units of ${currency}`;
  return unit === 'per_cent' ? ' per cent' : '';
}

function words(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ');
}
