import type { Measure } from '../language/catalogue.ts';
import type { Shock } from '../language/query.ts';
import type { FactSource } from './fact.ts';

/**
 * A stored value of a series. `knownAt` is an ISO 8601 instant; `isAssumed` is true if this instant was not recorded,
 * but assumed.
 */
export type Observation = {
  period: string;
  value: string;
  currency: string | null;
  knownAt: string;
  isAssumed: boolean;
  source: FactSource;
};

export type Entity = {
  type: string;
  key: string;
  label: string;
  attributes: Readonly<Record<string, string>>;
};

/** A governed record, with its fields as texts and decimals. `label` is its public reference. */
export type StoredRecord = {
  label: string;
  fields: Readonly<Record<string, string | null>>;
  amount?: { value: string; currency: string };
};

/** A record that a text refers to. `label` is the public reference of the record. */
export type RecordReference = { text: string; noun: string; label: string };

/** A figure of a record: an amount in a currency, or a count. A record can have amounts in several currencies. */
export type RecordFigure = { label: string; value: string; currency: string | null };

export type Exposure = { theme: string; symbol: string; exposure: string };
export type StoredRun = {
  label: string;
  kind: string;
  metric?: string;
  subject?: string;
  asOf?: string;
  regime?: string;
  seed?: string;
  shocks?: readonly Shock[];
  order: number;
};

/** A value at a pointer of a sealed result. Arrays of objects are addressed by `[name=value]`. */
export type RunValue = { value: number | string; pointer: string };

/**
 * Reads what a caller may see. An implementation over the database reads in the caller's transaction; an implementation
 * in memory is used in tests. No function returns data of another workspace or of a domain outside the caller's scopes.
 */
export type Readers = {
  measure(key: string): Measure | undefined;
  entities(type: string): Promise<readonly Entity[]>;
  /** For each period, the newest revision that was known at the end of `asOf`, in order of the periods. */
  series(key: string, subject: string | undefined, asOf: string | undefined): Promise<readonly Observation[]>;
  /** The values of all instruments for one period, by symbol. */
  panel(key: string, period: string): Promise<ReadonlyMap<string, Observation>>;
  /** All revisions of one period, oldest first. */
  revisions(key: string, subject: string | undefined, period: string): Promise<readonly Observation[]>;
  records(noun: string): Promise<readonly StoredRecord[]>;
  /** A figure of named records, from what was known at the end of `asOf`. */
  figures(
    noun: string,
    asked: { field: string; labels: readonly string[]; asOf: string | undefined },
  ): Promise<readonly RecordFigure[]>;
  /** The records of the caller's domains whose reference or uid is one of these texts. */
  references(texts: readonly string[]): Promise<readonly RecordReference[]>;
  taxonomy(choice: {
    asOf?: string;
    version?: string;
  }): Promise<{ version: string; rows: readonly Exposure[]; source: FactSource } | undefined>;
  /** Sealed runs of a kind, the oldest seal first. */
  runs(kind: string): Promise<readonly StoredRun[]>;
  /** The value at a pointer of a run's sealed result, or undefined. */
  runValue(run: string, pointer: string): Promise<number | string | undefined>;
  /** The keys below a pointer: `name` of each object of an array. */
  runKeys(run: string, pointer: string, name: string): Promise<readonly string[]>;
  /** The newest month and the regime probabilities of the bound model. */
  regimes(): Promise<{ month: string; probabilities: readonly number[] } | undefined>;
  /** The mean of a factor under a shock in a regime, in the unit of the shock. */
  conditionalMean(factor: string, regime: string, shock: Shock): Promise<number | undefined>;
  modelFactors(): Promise<readonly string[]>;
  /** The description of a measure, or undefined. */
  definition(key: string): Promise<string | undefined>;
  source(key: string, subject: string | undefined): Promise<string | undefined>;
  /** The last day with a stored price. */
  freshness(key: string): Promise<string | undefined>;
  method(noun: string): Promise<string | undefined>;
  domains(): readonly string[];
};

export type Clock = { today: string; staleAfterDays: Readonly<Record<string, number>> };
