import { asked } from '#lib/core/asked.ts';
import { metricCatalogue, type MetricDefinition } from '#lib/data/metric.ts';
import type { Measure } from '../language/catalogue.ts';
import type { Name } from '../language/lexicon.ts';
import { NAMES } from './measure-names.ts';

/** An economic series as a measure: its key, title, frequency and unit. */
export type MeasuredSeries = { series: string; title: string; frequency: string; unit: string };
/** A metric that a workspace defines. */
export type OwnMeasure = Pick<MetricDefinition, 'name' | 'unit' | 'kind'>;

/** A feature of instruments as a measure. */
export type FeatureMeasure = { key: string; unit: string; native: Measure['native'] };

const PRICE_UNIT = 'price, currency not stated';

/** Measures that every workspace has, besides its economic series and the metrics of its companies. */
const FIXED: readonly Measure[] = [
  {
    key: 'derived.inflation_yoy',
    title: 'Inflation',
    unit: 'percent',
    kind: 'rate',
    native: 'monthly',
    subject: 'none',
    domain: 'economics',
  },
  {
    key: 'price.close',
    title: 'Close',
    unit: PRICE_UNIT,
    kind: 'price',
    native: 'monthly',
    subject: 'instrument',
    domain: 'market',
  },
  {
    key: 'price.adj_close',
    title: 'Adjusted close',
    unit: PRICE_UNIT,
    kind: 'price',
    native: 'monthly',
    subject: 'instrument',
    domain: 'market',
  },
  {
    key: 'price.volume',
    title: 'Volume',
    unit: 'shares',
    kind: 'flow',
    native: 'monthly',
    subject: 'instrument',
    domain: 'market',
  },
  {
    key: 'return',
    title: 'Return',
    unit: 'percent',
    kind: 'price',
    native: 'monthly',
    subject: 'instrument',
    domain: 'market',
  },
  {
    key: 'ledger.balance',
    title: 'Balance',
    unit: 'money',
    kind: 'level',
    native: 'daily',
    subject: 'currency',
    domain: 'ledger',
  },
  {
    key: 'ledger.inflow',
    title: 'Inflow',
    unit: 'money',
    kind: 'flow',
    native: 'daily',
    subject: 'currency',
    domain: 'ledger',
  },
  {
    key: 'ledger.outflow',
    title: 'Outflow',
    unit: 'money',
    kind: 'flow',
    native: 'daily',
    subject: 'currency',
    domain: 'ledger',
  },
  {
    key: 'ledger.net_cash_flow',
    title: 'Net cash flow',
    unit: 'money',
    kind: 'flow',
    native: 'daily',
    subject: 'currency',
    domain: 'ledger',
  },
  ...(
    [
      ['obligation', 'actions'],
      ['delegation', 'actions'],
      ['exception', 'execution'],
      ['workflow_run', 'workflows'],
      ['transaction', 'ledger'],
      ['instrument', 'market'],
      ['taxonomy.exposure', 'market'],
      ['factor', 'factors'],
      ['scenario', 'scenarios'],
      ['regime', 'model'],
    ] as const
  ).map(([key, domain]): Measure => ({
    key,
    title: key,
    unit: 'text',
    kind: 'text',
    native: 'daily',
    subject: 'none',
    domain,
  })),
  ...Object.entries(asked).map(([key, { title, domain }]): Measure => ({
    key,
    title,
    unit: 'text',
    kind: 'text',
    native: 'daily',
    subject: 'none',
    domain,
  })),
];

/** Returns the declarations of all measures of a workspace. */
export function declareMeasures(
  series: readonly MeasuredSeries[],
  own: readonly OwnMeasure[] = [],
  features: readonly FeatureMeasure[] = [],
): Map<string, Measure> {
  const measures = new Map(FIXED.map((measure) => [measure.key, measure]));
  for (const { series: key, title, frequency, unit } of series) {
    const kind = unit.startsWith('percent') ? 'rate' : 'index';
    measures.set(`economics.${key}`, {
      key: `economics.${key}`,
      title,
      unit,
      kind,
      native: frequency as Measure['native'],
      subject: 'none',
      domain: 'economics',
    });
  }
  for (const { name, unit, kind } of [...metricCatalogue, ...own]) {
    const key = `metric.${name}`;
    measures.set(key, {
      key,
      title: name,
      unit,
      kind,
      native: 'monthly',
      subject: 'company',
      domain: 'companies',
    });
  }
  for (const { key, unit, native } of features)
    measures.set(`feature.${key}`, {
      key: `feature.${key}`,
      title: key,
      unit,
      kind: 'index',
      native,
      subject: 'instrument',
      domain: 'market',
    });
  return measures;
}

const GRAINS: Readonly<Record<string, string>> = { d: 'day', w: 'week', m: 'month', q: 'quarter', y: 'year' };

/**
 * Returns the names of a feature: its key, and the words of a key with a window, such as "12-month volatility" for
 * `volatility_12m`. A window without a unit, as in `momentum_12_1`, has the unit of the values.
 */
function featureNames(key: string, native: Measure['native']): string[] {
  const [, words, count, unit] = /^([a-z]+(?:_[a-z]+)*)_(\d+)([dwmqy]?)(?:_\d+)?$/.exec(key) ?? [];
  if (words === undefined || count === undefined) return [key, `feature.${key}`];
  const plain = words.replaceAll('_', ' ');
  const grain = unit ? GRAINS[unit]! : native.replace('ily', 'y').replace('ly', '');
  return [
    key,
    `feature.${key}`,
    `${count} ${grain} ${plain}`,
    `${plain} over ${count} ${grain}s`,
    ...(unit ? [`${count}${unit} ${plain}`] : []),
  ];
}

/**
 * Returns the names of measures: keys, titles and fixed names. The names in the vocabulary of the workspace come first.
 */
export function measureNames(measures: ReadonlyMap<string, Measure>): Name[] {
  const names: Name[] = [];
  for (const { key, title, native } of measures.values()) {
    const [domain] = key.split('.');
    const rest = key.slice(key.indexOf('.') + 1);
    if (domain === 'economics')
      names.push(
        { kind: 'measure', key, name: rest },
        { kind: 'measure', key, name: key },
        { kind: 'measure', key, name: title },
      );
    if (domain === 'metric')
      names.push({ kind: 'measure', key, name: title }, { kind: 'measure', key, name: key });
    if (domain === 'feature')
      for (const name of featureNames(rest, native)) names.push({ kind: 'measure', key, name });
    for (const name of NAMES[key] ?? []) names.push({ kind: 'measure', key, name });
  }
  return names;
}
