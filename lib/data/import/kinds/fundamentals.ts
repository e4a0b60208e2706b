import { dateFault, decimalFault, symbolFault } from '../readers/fields.ts';
import { placesOf, type Columns } from '../readers/columns.ts';
import { readKnownAt } from '../readers/instant.ts';
import {
  ABSENT,
  readWithdrawn,
  WITHDRAWN,
  type ImportTime,
  type ObservationKind,
  type StagedRow,
} from './observation-kind.ts';
import type { Report, RowParser } from '../readers/row-reader.ts';

/** The metrics that can be columns of a file. A file with one metric per row can have any metric. */
const METRICS = [
  'price',
  'market_cap',
  'enterprise_value',
  'shares_outstanding',
  'revenue',
  'ebitda',
  'net_income',
  'free_cash_flow',
  'total_assets',
  'total_debt',
  'total_equity',
  'eps',
  'book_value_per_share',
  'dividend_per_share',
  'pe',
  'price_book',
  'price_sales',
  'dividend_yield_pct',
  'return_on_equity_pct',
] as const;

const METRIC = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Reported figures of companies, known from `as_of` on. A figure describes `period_end` or, without a period end, the
 * day of `as_of`. A row has a column for each metric, or one `metric` with its `value`. Empty columns are ignored.
 */
export const fundamentals: ObservationKind = {
  table: 'fundamental',
  subject: 'symbol',
  keys: ['metric'],
  columns: {
    required: ['symbol', 'as_of'],
    optional: ['period_end', 'metric', 'value', WITHDRAWN, ...METRICS],
  },
  values: ['value'],
  statesAllValues: true,
  parser: fundamentalParser,
};

type Stated = { column: string; metric: string; text: string };

function fundamentalParser(columns: Columns, { now, today }: ImportTime): RowParser<StagedRow> {
  const keysAt = placesOf(columns, ['symbol', 'as_of', 'period_end', WITHDRAWN]);
  const [metricAt, valueAt] = placesOf(columns, ['metric', 'value']) as [number, number];
  const wide = METRICS.filter((name) => columns.at.has(name)).map((name) => ({
    name,
    at: columns.at.get(name)!,
  }));
  return (fields, line, report) => {
    let isValid = true;
    const refuse: Report = (column, value, reason) => {
      isValid = false;
      report(column, value, reason);
    };
    const [symbol, asOf, period, withdrawn] = keysAt.map((at) => (at < 0 ? '' : fields[at]!)) as [
      string,
      string,
      string,
      string,
    ];
    const fault = symbolFault(symbol);
    if (fault !== undefined) refuse('symbol', symbol, fault);
    const known = readKnownAt(asOf, now);
    if (typeof known === 'string') refuse('as_of', asOf, known);
    const stated: Stated[] = wide
      .map(({ name, at }) => ({ column: name, metric: name, text: fields[at]! }))
      .filter(({ text }) => text !== '');
    if (metricAt >= 0) {
      const metric = fields[metricAt]!;
      if (!METRIC.test(metric))
        refuse('metric', metric, 'must have 1 to 64 characters of a-z, 0-9 and _, and begin with a letter');
      stated.push({ column: 'value', metric, text: valueAt < 0 ? '' : fields[valueAt]! });
    } else if (valueAt >= 0) refuse('value', fields[valueAt]!, 'is given, but the row has no metric');
    const isWithdrawn = readWithdrawn(withdrawn, stated, refuse);
    if (isWithdrawn && metricAt < 0) refuse(WITHDRAWN, withdrawn, 'is given, but the row has no metric');
    for (const { column, text } of isWithdrawn ? [] : stated) {
      const wrong = decimalFault(text.replace(/^-(?=\d)/, ''), 'zero');
      if (wrong !== undefined) refuse(column, text, wrong);
    }
    const knownOn = typeof known === 'string' ? today : known.date;
    if (period !== '') {
      const wrong = dateFault(period, knownOn);
      if (wrong !== undefined) refuse('period_end', period, period > knownOn ? 'is after as_of' : wrong);
    }
    if (!isValid) return undefined;
    return stated.map(({ metric, text }) => ({
      line,
      subject: symbol,
      keys: `\t${metric}`,
      observedOn: period === '' ? knownOn : period,
      knownAt: (known as { text: string }).text,
      isWithdrawn,
      values: `\t${isWithdrawn ? ABSENT : text}`,
    }));
  };
}
