import type { Entity, Observation, Readers, StoredRecord } from '#lib/qlms/facts/readers.ts';
import type { Measure } from '#lib/qlms/language/catalogue.ts';
import { metricCatalogue } from '#lib/data/metric.ts';
import { decimalOf } from '#lib/qlms/facts/decimals.ts';
import { declareMeasures } from '#lib/qlms/facts/measures.ts';
import type { Fixture } from './fixture.ts';
import { monthlyPrices, rowsOf, sample, type Price } from './market.ts';
import { runReaders } from './memory-runs.ts';

/** The data of a sample workspace in memory: the demo's market data and the fixture. */
export type Memory = { readers: Readers; measures: ReadonlyMap<string, Measure> };

const prices = lazy(monthlyPrices);
const economics = lazy(() => rowsOf(sample('economics.csv')));
const seriesRows = lazy(() => rowsOf(sample('economics_series.csv')));
const instruments = lazy(() => rowsOf(sample('constituents.csv')));
const taxonomyRows = lazy(() => rowsOf(sample('taxonomy.csv')));

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Returns readers over the fixture and the sample data. */
export function memoryOf(fixture: Fixture): Memory {
  const features = Object.keys(FEATURES).map((key) => ({ key, unit: 'return', native: 'monthly' as const }));
  const measures = declareMeasures(seriesRows() as never, [], features);
  const entities = entitiesOf(fixture);
  const records = recordsOf(fixture);
  const all = new Map<string, Observation[]>();
  const series = (key: string, subject: string | undefined): Observation[] => {
    const name = `${key} ${subject ?? ''}`;
    const held = all.get(name) ?? seriesIn(fixture, key, subject);
    all.set(name, held);
    return held;
  };
  const readers: Readers = {
    measure: (key) => measures.get(key),
    entities: async (type) => entities.filter((each) => each.type === type),
    series: async (key, subject, asOf) => newest(series(key, subject), asOf),
    panel: async (key, period) =>
      key.startsWith('feature.')
        ? featuresAt(key.slice('feature.'.length), period)
        : panelAt(key.slice('price.'.length) as keyof Price, period),
    revisions: async (key, subject, period) => series(key, subject).filter((each) => each.period === period),
    records: async (noun) => records[noun] ?? [],
    figures: async () => [],
    references: async (texts) =>
      Object.entries(records).flatMap(([noun, all]) =>
        all.filter(({ label }) => texts.includes(label)).map(({ label }) => ({ text: label, noun, label })),
      ),
    taxonomy: async (choice) => taxonomyAt(choice),
    ...runReaders(fixture),
    definition: async (key) =>
      metricCatalogue.find(({ name }) => `metric.${name}` === key)?.description ?? measures.get(key)?.title,
    source: async (key) =>
      key.startsWith('metric.')
        ? 'metrics'
        : key.startsWith('price')
          ? 'prices'
          : seriesRows().find((row) => `economics.${row.series}` === key)?.source,
    freshness: async (key) =>
      key.startsWith('price') ? latestPrice() : newest(series(key, undefined), undefined).at(-1)?.period,
    method: async (noun) => (noun === 'factor' ? 'svc_theme_factor_ridge_v1' : undefined),
    domains: () => [...new Set([...measures.values()].map(({ domain }) => domain))].sort(),
  };
  return { readers, measures };
}

function latestPrice(): string {
  return [...prices().values()]
    .flatMap((months) => [...months.values()].at(-1)?.date ?? [])
    .reduce((best, date) => (date > best ? date : best));
}

/** For each period, the last revision that was known at the end of a day, in order of the periods. */
function newest(all: readonly Observation[], asOf: string | undefined): Observation[] {
  const known = new Map<string, Observation>();
  for (const each of all)
    if (asOf === undefined || each.knownAt.slice(0, 10) <= asOf)
      known.set(`${each.period} ${each.currency ?? ''}`, each);
  return [...known.values()].sort((one, other) => (one.period < other.period ? -1 : 1));
}

function seriesIn(fixture: Fixture, key: string, subject: string | undefined): Observation[] {
  const [domain, name = ''] = key.split('.');
  if (domain === 'economics') return economicSeries(name);
  if (domain === 'feature') return featureSeries(name, subject ?? 'AAPL');
  if (domain === 'price') return priceSeries(name as keyof Price, subject);
  if (domain !== 'metric') return [];
  return fixture.metrics
    .filter((row) => row.metric === name && row.company_id === subject)
    .sort((one, other) => (one.known_at! < other.known_at! ? -1 : 1))
    .map((row) => ({
      period: row.period!,
      value: row.value!,
      currency: row.currency === '' ? null : row.currency!,
      knownAt: row.known_at!,
      isAssumed: false,
      source: { kind: 'observation', name: 'metrics' },
    }));
}

function economicSeries(name: string): Observation[] {
  const isQuarterly = seriesRows().find(({ series }) => series === name)?.frequency === 'quarterly';
  return economics()
    .filter(({ series }) => series === name)
    .map(({ date = '', value = '' }) => {
      const period = isQuarterly
        ? `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`
        : date.slice(0, 7);
      return {
        period,
        value,
        currency: null,
        knownAt: `${date}T00:00:00Z`,
        isAssumed: true,
        source: { kind: 'observation', name: `economics/${name}` },
      };
    });
}

function priceSeries(column: keyof Price, subject: string | undefined): Observation[] {
  const months = prices().get(subject ?? 'AAPL');
  return [...(months ?? [])].map(([period, price]) => observation(column, period, price));
}

function observation(column: keyof Price, period: string, price: Price): Observation {
  return {
    period,
    value: price[column],
    currency: null,
    knownAt: `${price.date}T00:00:00Z`,
    isAssumed: true,
    source: { kind: 'observation', name: 'prices', pointer: price.date },
  };
}

/** The features of the demo, from the adjusted closes of a month and the months before it, newest first. */
const FEATURES: Readonly<Record<string, { months: number; of: (closes: readonly number[]) => number }>> = {
  momentum_12_1: { months: 13, of: (closes) => closes[1]! / closes[12]! - 1 },
  volatility_12m: {
    months: 13,
    of: (closes) => {
      const returns = closes.slice(0, 12).map((close, at) => Math.log(close / closes[at + 1]!));
      const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length;
      return Math.sqrt(returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (returns.length - 1));
    },
  },
  return_1m: { months: 2, of: (closes) => closes[0]! / closes[1]! - 1 },
};

function featureSeries(key: string, symbol: string): Observation[] {
  const feature = FEATURES[key];
  const months = [...(prices().get(symbol) ?? [])];
  if (!feature) return [];
  return months.slice(feature.months - 1).map(([period, price], at) => {
    const closes = months.slice(at, at + feature.months).map(([, { adj_close: close }]) => Number(close));
    const value = decimalOf(feature.of(closes.reverse()));
    return {
      ...observation('adj_close', period, price),
      value,
      source: { kind: 'observation', name: `features/${key}` },
    };
  });
}

function featuresAt(key: string, period: string): Map<string, Observation> {
  return new Map(
    [...prices().keys()].flatMap((symbol) => {
      const found = featureSeries(key, symbol).find((each) => each.period === period);
      return found ? [[symbol, found]] : [];
    }),
  );
}

function panelAt(column: keyof Price, period: string): Map<string, Observation> {
  return new Map(
    [...prices()].flatMap(([symbol, months]) => {
      const price = months.get(period);
      return price ? [[symbol, observation(column, period, price)]] : [];
    }),
  );
}

function taxonomyAt({
  asOf,
  version,
}: {
  asOf?: string;
  version?: string;
}): Awaited<ReturnType<Readers['taxonomy']>> {
  const published = taxonomyRows().filter(
    (row) =>
      (version === undefined || row.version === version) &&
      (asOf === undefined || row.published_at!.slice(0, 10) <= asOf),
  );
  const newestVersion = published.reduce((best, row) => (row.version! > best ? row.version! : best), '');
  if (newestVersion === '') return undefined;
  const rows = published
    .filter((row) => row.version === newestVersion)
    .map((row) => ({ theme: row.theme!, symbol: row.symbol!, exposure: row.exposure! }));
  return { version: newestVersion, rows, source: { kind: 'observation', name: `taxonomy/${newestVersion}` } };
}

function entitiesOf(fixture: Fixture): Entity[] {
  const metrics = (id: number): string =>
    [...new Set(fixture.metrics.filter((row) => row.company_id === String(id)).map(({ metric }) => metric!))]
      .sort()
      .join(' ');
  const themes = [...new Set(taxonomyRows().map(({ theme }) => theme!))].sort();
  const accounts = [...new Set(fixture.transactions.map((row) => `${row.account}\t${row.currency}`))];
  const make = (
    type: string,
    key: string,
    label: string,
    attributes: Record<string, string> = {},
  ): Entity => ({ type, key, label, attributes });
  return [
    ...fixture.companies.map(({ id, name }) =>
      make('company', String(id), `company ${id} ${name}`, { name, metrics: metrics(id) }),
    ),
    ...fixture.counterparties.map(({ id, name }) => make('counterparty', String(id), name, { name })),
    ...instruments().map((row) =>
      make('instrument', row.symbol!, row.symbol!, {
        name: row.name!,
        sector: row.sector!,
        sub_industry: row.sub_industry!,
      }),
    ),
    ...themes.map((theme) => make('theme', theme, theme, { name: theme })),
    ...accounts.map((each) =>
      make('account', each.split('\t')[0]!, each.split('\t')[0]!, {
        name: each.split('\t')[0]!,
        currency: each.split('\t')[1]!,
      }),
    ),
    ...[...new Set(fixture.workflow_runs.map(({ key }) => key!))].map((key) =>
      make('workflow', key, key, { name: key }),
    ),
  ];
}

function recordsOf(fixture: Fixture): Record<string, StoredRecord[]> {
  const text = (fields: Record<string, string | number | null>): Record<string, string | null> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, value === null ? null : String(value)]),
    );
  return {
    obligation: fixture.obligations.map((row) => ({
      label: String(row.ref),
      fields: text({
        ...row,
        state: row.governance_state ?? null,
        counterparty: row.counterparty_id ?? null,
      }),
      amount: { value: String(row.outstanding), currency: String(row.currency) },
    })),
    delegation: fixture.delegations.map((row) => ({ label: row.ref!, fields: text(row) })),
    exception: fixture.exceptions.map((row) => ({ label: row.ref!, fields: text(row) })),
    workflow_run: fixture.workflow_runs.map((row) => ({ label: row.ref!, fields: text(row) })),
    transaction: fixture.transactions.map((row) => ({
      label: row.reference!,
      fields: { ...text(row), booked_at: row.booked_at!.slice(0, 10) },
      amount: { value: row.amount!, currency: row.currency! },
    })),
  };
}
