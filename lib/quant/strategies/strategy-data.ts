import type { PriceBarsText } from '#lib/data/price-bars.ts';

/** A corporate action. Dividends are amounts per share, splits new shares per old share. */
export type StrategyAction = {
  symbol: string;
  exDate: string;
  type: string;
  amount: number | null;
  ratio: number | null;
};

/** A fact about an instrument. It applies from the day `since`, on which it was both observed and known. */
export type InstrumentFact = {
  symbol: string;
  observedOn: string;
  since: string;
  sector: string | null;
  status: string | null;
  currency: string | null;
};

/** The members of a published universe from a day on, until the next version. */
export type UniverseVersion = { since: string; symbols: string[] };

/** The theme of each symbol from a day on, until the next version. */
export type ThemeVersion = { since: string; themes: Record<string, string> };

/** The stored values of a feature for an entity, in the order in which they became known: `event known value,...`. */
export type FeatureText = { entity: string; values: string };

export type FeatureValues = { signal: string; maxAgeDays: number; entities: FeatureText[] };

/** A value of an economic series for the day `observedOn`, known from the day `knownOn` on. */
export type RateValue = { observedOn: string; knownOn: string; value: number };

/** All data of a strategy. It is plain data, so that it can be passed to a thread. */
export type StrategyData = {
  /** First and last day of decisions. Prices begin earlier. */
  from: string;
  to: string;
  /** The symbols that the universe ever contains, in code unit order. */
  symbols: string[];
  /** Whether the symbols times the sessions exceed the limit. If so, no prices were read. */
  isTooLarge: boolean;
  prices: PriceBarsText[];
  actions: StrategyAction[];
  /** Null: the symbols are members at all times. */
  versions: UniverseVersion[] | null;
  instruments: InstrumentFact[];
  themes: ThemeVersion[];
  features: FeatureValues[];
  rates: RateValue[];
};
