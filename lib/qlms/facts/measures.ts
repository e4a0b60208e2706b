import { metricCatalogue, type MetricDefinition } from '#lib/data/metric.ts';
import type { Measure } from '../language/catalogue.ts';
import type { Name } from '../language/lexicon.ts';

/** An economic series as a measure: its key, title, frequency and unit. */
export type MeasuredSeries = { series: string; title: string; frequency: string; unit: string };
/** A metric that a workspace defines. */
export type OwnMeasure = Pick<MetricDefinition, 'name' | 'unit' | 'kind'>;

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
];

/** Names of the fixed measures, in addition to the vocabulary of a workspace. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'derived.inflation_yoy': [
    'inflation',
    'inflation rate',
    'rate of inflation',
    'annual inflation',
    'annual inflation rate',
    'consumer price inflation',
    'inflation year over year',
    'price inflation',
    'headline inflation',
    'rates of inflation',
    'yearly inflation',
  ],
  'price.close': [
    'close',
    'closing price',
    'month end close',
    'closing value',
    'share price',
    'stock price',
    'price.close',
    'closing prices',
    'closes',
    'closing',
    'closed',
    'month end price',
    'closing level',
    'closing quote',
    'cost',
    'trade at',
    'traded at',
    'trading at',
    'trade for',
    'traded for',
    'sell for',
    'sold for',
    'quoted at',
    'change hands at',
    'changed hands at',
    'stock prices',
    'share prices',
  ],
  'price.adj_close': [
    'adjusted close',
    'adjusted closing price',
    'adj close',
    'price.adj_close',
    'adjusted price',
    'dividend adjusted close',
  ],
  'price.volume': [
    'volume',
    'trading volume',
    'traded volume',
    'volume traded',
    'share volume',
    'price.volume',
  ],
  return: ['return', 'total return', 'returns', 'percentage return', 'perform', 'performed'],
  'metric.revenue': ['revenues', 'sales revenue', 'turnover', 'net sales', 'top line'],
  'metric.cost_of_revenue': [
    'cost of sales',
    'cost of goods sold',
    'cogs',
    'costs of revenue',
    'revenue cost',
    'direct costs',
  ],
  'metric.headcount': [
    'staff',
    'workforce',
    'staff count',
    'personnel',
    'employee count',
    'number of employees',
    'head count',
    'number of people',
    'size of the workforce',
    'workers',
    'staff number',
    'staff numbers',
    'employee number',
    'employee numbers',
    'number of staff',
  ],
  'metric.churn_rate': ['customer churn', 'customer churn rate', 'rate of churn'],
  'metric.gross_margin': ['gross margins', 'gross profit margin'],
  'metric.operating_margin': ['operating margins', 'operating profit margin'],
  'metric.net_income': ['net profit', 'bottom line', 'net earnings'],
  'metric.operating_income': ['operating profit', 'ebit'],
  'metric.capital_expenditure': ['capex', 'capital spending', 'capital expenditures'],
  'metric.operating_expense': ['operating expenses', 'opex', 'operating costs'],
  'metric.cash_flow_operating': ['operating cash flow', 'cash flow from operations'],
  'metric.debt': ['total debt'],
  'metric.receivables': ['accounts receivable'],
  'metric.payables': ['accounts payable'],
  'metric.inventory': ['inventories'],
  'metric.customers': ['customer count', 'number of customers'],
  'ledger.balance': [
    'ledger balance',
    'balances',
    'cash',
    'cash on hand',
    'bank balance',
    'bank balances',
    'cash at bank',
    'cash balances',
    'cash holdings',
    'cash in the bank',
    'money in the bank',
    'cash level',
    'account balance',
  ],
  'ledger.inflow': [
    'inflow',
    'inflows',
    'cash inflow',
    'cash inflows',
    'ledger inflow',
    'incoming cash',
    'cash received',
    'incoming payments',
    'money received',
    'cash inflow',
  ],
  'ledger.outflow': [
    'outflow',
    'outflows',
    'cash outflow',
    'cash outflows',
    'ledger outflow',
    'outgoing cash',
    'outgoing payments',
    'cash paid out',
  ],
  'ledger.net_cash_flow': [
    'net cash flow',
    'net cash flows',
    'net flow',
    'net cashflow',
    'net cash movement',
    'net movement of cash',
    'net cash inflow',
    'net movement',
  ],
};

/** Returns the declarations of all measures of a workspace: the fixed ones, its series, and the metrics of companies. */
export function declareMeasures(
  series: readonly MeasuredSeries[],
  own: readonly OwnMeasure[] = [],
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
  return measures;
}

/** Returns the names of measures: keys, titles and fixed names. A vocabulary of a workspace comes first. */
export function measureNames(measures: ReadonlyMap<string, Measure>): Name[] {
  const names: Name[] = [];
  for (const { key, title } of measures.values()) {
    const [domain, rest = ''] = key.split('.');
    if (domain === 'economics')
      names.push(
        { kind: 'measure', key, name: rest },
        { kind: 'measure', key, name: key },
        { kind: 'measure', key, name: title },
      );
    if (domain === 'metric')
      names.push({ kind: 'measure', key, name: title }, { kind: 'measure', key, name: key });
    for (const name of NAMES[key] ?? []) names.push({ kind: 'measure', key, name });
  }
  return names;
}
