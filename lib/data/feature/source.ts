import { dayNumber } from '#lib/core/date.ts';
import { OF_WORKSPACE, splitCurrency } from '#lib/data/metric.ts';
import type { EntityType, FeatureFrequency } from '#lib/data/feature/kind.ts';
import type { KeyedFunction } from '../feature-expression/expression.ts';
import type { SourceColumns } from '../feature-expression/parse.ts';

/**
 * A source of features: a table of observations with `dataset_id`, `observed_on`, `known_at`, `revision` and
 * `withdrawn`.
 */
export type FeatureSource = {
  table: string;
  entityType: EntityType;
  /**
   * The column with the observed subject. `keys` are the other columns that identify an observation of the
   * subject on a day.
   */
  subject: string;
  keys: readonly string[];
  /**
   * The columns that expressions can name, each with the table columns for its value. The first table column with a
   * value is used.
   */
  columns: Readonly<Record<string, readonly string[]>>;
  /**
   * The function by which an expression reads observations with a given name, such as `metric("eps")`, and
   * the table column with this name.
   */
  keyed?: { name: KeyedFunction; column: string };
  /**
   * The column with the currency of a value, if the table has such a column. The name in an expression may
   * then end with a currency, such as `revenue.EUR`.
   */
  currency?: string;
  /** The subject of observations of the workspace itself, if other subjects are companies. */
  ofWorkspace?: string;
  /** The frequencies of observations that a feature can use. Later entries take precedence over earlier entries. */
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
  /**
   * Economic series. `series("...")` reads a series as a value of the workspace. `value` reads every series as an
   * entity of its own.
   */
  economics: {
    table: 'economic_observation',
    entityType: 'workspace',
    subject: 'series',
    keys: [],
    columns: { value: ['value'] },
    keyed: { name: 'series', column: 'series' },
  },
};

/** Returns the source for a kind of dataset; undefined if features cannot be computed from it. */
export function sourceOf(datasetKind: string): FeatureSource | undefined {
  return Object.hasOwn(sources, datasetKind) ? sources[datasetKind] : undefined;
}

/** Returns the columns and functions that expressions can use with a source. */
export function readableOf({ columns, keyed }: FeatureSource): SourceColumns {
  return { columns: Object.keys(columns), keyed: keyed ? [keyed.name] : [] };
}

/**
 * Whether an expression reads subjects by their names. All values of such an expression belong to one entity,
 * the workspace.
 */
export function isOfOneEntity({ keyed, subject }: FeatureSource, columns: readonly string[]): boolean {
  return keyed?.column === subject && columns.some((column) => column.startsWith(`${keyed.name}:`));
}

/** Returns the names with which an expression selects observations. */
export function keysOf({ keyed }: FeatureSource, columns: readonly string[]): string[] {
  if (!keyed) return [];
  const mark = `${keyed.name}:`;
  return columns.filter((column) => column.startsWith(mark)).map((column) => column.slice(mark.length));
}

/** Returns the name of the observation and, for amounts, the currency that a key selects. */
export function pickOf({ currency }: FeatureSource, key: string): { name: string; currency?: string } {
  if (currency === undefined) return { name: key };
  const split = splitCurrency(key);
  return { name: split.metric, ...(split.currency !== undefined && { currency: split.currency }) };
}

const RANKS_A_FREQUENCY = 10_000_000;

/**
 * Returns the rank of an observation within its period. An observation of a preferred frequency has a higher rank.
 * Within a frequency, a later day has a higher rank. For prices, monthly observations take precedence over daily
 * observations.
 */
export function rankOf(observedOn: string, preference: number): number {
  return preference * RANKS_A_FREQUENCY + dayNumber(observedOn);
}
