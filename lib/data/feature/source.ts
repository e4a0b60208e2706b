import { dayNumber } from '#lib/core/date.ts';
import { OF_WORKSPACE, splitCurrency } from '#lib/data/metric.ts';
import type { EntityType, FeatureFrequency } from '#lib/data/feature/kind.ts';
import type { KeyedFunction } from '../feature-expression/expression.ts';
import type { SourceColumns } from '../feature-expression/parse.ts';

/**
 * What features can be computed from: a table of observations with `dataset_id`, `observed_on`, `known_at`,
 * `revision` and `withdrawn`.
 */
export type FeatureSource = {
  table: string;
  entityType: EntityType;
  /** What is observed, and what else tells the observations of a day apart. */
  subject: string;
  keys: readonly string[];
  /** Columns of expressions, and those of the table that hold their value: the first that has one. */
  columns: Readonly<Record<string, readonly string[]>>;
  /** The function by which expressions name an observation, and the column that holds the name. */
  keyed?: { name: KeyedFunction; column: string };
  /** The column that says in which currency a value is, if there is one. A key may name the currency it wants. */
  currency?: string;
  /** The subject of what is of the workspace, where others are not. */
  ofWorkspace?: string;
  /** The frequencies of observations that serve a feature; a later one of the list goes before an earlier. */
  frequencies?: (frequency: FeatureFrequency) => readonly string[];
};

const sources: Readonly<Record<string, FeatureSource>> = {
  prices: {
    table: 'price',
    entityType: 'instrument',
    subject: 'symbol',
    keys: ['frequency'],
    columns: {
      open: ['open'],
      high: ['high'],
      low: ['low'],
      close: ['close'],
      adj_close: ['adj_close', 'close'],
      volume: ['volume'],
    },
    frequencies: (frequency) =>
      frequency === 'daily' || frequency === 'weekly' ? ['daily'] : ['daily', 'monthly'],
  },
  fundamentals: {
    table: 'fundamental',
    entityType: 'instrument',
    subject: 'symbol',
    keys: ['metric'],
    columns: {},
    keyed: { name: 'metric', column: 'metric' },
  },
  metrics: {
    table: 'company_metric',
    entityType: 'company',
    subject: 'company',
    keys: ['metric', 'frequency'],
    columns: {},
    keyed: { name: 'metric', column: 'metric' },
    currency: 'currency',
    ofWorkspace: OF_WORKSPACE,
    frequencies: (frequency) => [frequency],
  },
  /** `series("...")` is about the workspace as a whole; with `value` each series is an entity. */
  economics: {
    table: 'economic_observation',
    entityType: 'workspace',
    subject: 'series',
    keys: [],
    columns: { value: ['value'] },
    keyed: { name: 'series', column: 'series' },
  },
};

/** The source that a kind of dataset is; undefined for kinds that features are not computed from. */
export function sourceOf(datasetKind: string): FeatureSource | undefined {
  return Object.hasOwn(sources, datasetKind) ? sources[datasetKind] : undefined;
}

/** What expressions can read of a source. */
export function readableOf({ columns, keyed }: FeatureSource): SourceColumns {
  return { columns: Object.keys(columns), keyed: keyed ? [keyed.name] : [] };
}

/** Whether the names of an expression are the subjects themselves, so that all are told of one entity. */
export function isOfOneEntity({ keyed, subject }: FeatureSource, columns: readonly string[]): boolean {
  return keyed?.column === subject && columns.some((column) => column.startsWith(`${keyed.name}:`));
}

/** The names by which an expression picks observations. */
export function keysOf({ keyed }: FeatureSource, columns: readonly string[]): string[] {
  if (!keyed) return [];
  const mark = `${keyed.name}:`;
  return columns.filter((column) => column.startsWith(mark)).map((column) => column.slice(mark.length));
}

/** The observations that a key picks: by their name, and of those with an amount by the currency that it names. */
export function pickOf({ currency }: FeatureSource, key: string): { name: string; currency?: string } {
  if (currency === undefined) return { name: key };
  const split = splitCurrency(key);
  return { name: split.metric, ...(split.currency !== undefined && { currency: split.currency }) };
}

const RANKS_A_FREQUENCY = 10_000_000;

/**
 * Which of the observations of one period counts: that of the preferred frequency, then the last. Of prices the
 * monthly ones go before the daily ones.
 */
export function rankOf(observedOn: string, preference: number): number {
  return preference * RANKS_A_FREQUENCY + dayNumber(observedOn);
}
