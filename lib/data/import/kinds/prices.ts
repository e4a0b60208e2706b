import { aliases } from '../readers/aliases.ts';
import { placesOf, type Columns } from '../readers/columns.ts';
import { compareDecimals, dateFault, decimalFault, symbolFault } from '../readers/fields.ts';
import {
  ABSENT,
  readWithdrawn,
  WITHDRAWN,
  type ImportTime,
  type ObservationKind,
  type StagedRow,
} from './observation-kind.ts';
import type { Report, RowParser } from '../readers/row-reader.ts';
import { readStated } from '../readers/stated-moment.ts';

const VALUES = ['open', 'high', 'low', 'close', 'adj_close', 'volume'] as const;
const CLOSE = VALUES.indexOf('close');
const VOLUME = VALUES.indexOf('volume');
const HIGH = VALUES.indexOf('high');
const LOW = VALUES.indexOf('low');
const NOTHING = VALUES.map(() => `\t${ABSENT}`).join('');

/**
 * Prices of symbols, as decimal texts from the file to the table. Only `close` is required. Columns that are
 * not in the file keep their known values.
 */
export const prices: ObservationKind = {
  table: 'price',
  subject: 'symbol',
  columns: {
    required: ['symbol', 'date', 'close'],
    optional: ['open', 'high', 'low', 'adj_close', 'volume', 'known_at', WITHDRAWN],
    ignored: ['dividend', 'dividends', 'stock_splits', 'split_ratio', 'change', 'change_percent', 'vwap'],
    aliases: aliases.prices,
    stated: { symbol: '--symbol' },
    days: ['date'],
  },
  values: VALUES,
  parser: priceParser,
};

/**
 * Creates the parser. Files are usually ordered by symbol, so a symbol equal to the previous symbol is not checked
 * again.
 */
function priceParser(columns: Columns, { now, today }: ImportTime): RowParser<StagedRow> {
  const [symbolAt, dateAt, knownAtAt, withdrawnAt] = placesOf(columns, [
    'symbol',
    'date',
    'known_at',
    WITHDRAWN,
  ]) as [number, number, number, number];
  const valuesAt = placesOf(columns, VALUES);
  const stated = (fields: readonly string[]) =>
    VALUES.map((column, value) => ({ column, text: fields[valuesAt[value]!] ?? '' }));
  let validSymbol: string | undefined;
  return (fields, line, report) => {
    let isValid = true;
    const refuse: Report = (column, value, reason) => {
      isValid = false;
      report(column, value, reason);
    };
    const symbol = fields[symbolAt]!;
    if (symbol !== validSymbol) {
      const fault = symbolFault(symbol);
      if (fault === undefined) validSymbol = symbol;
      else refuse('symbol', symbol, fault);
    }
    const observedOn = fields[dateAt]!;
    const fault = dateFault(observedOn, today);
    if (fault !== undefined) refuse('date', observedOn, fault);
    const isWithdrawn = withdrawnAt >= 0 && readWithdrawn(fields[withdrawnAt]!, stated(fields), refuse);
    const values = isWithdrawn ? NOTHING : readValues(fields, valuesAt, refuse);
    const moment = knownAtAt < 0 ? '' : fields[knownAtAt]!;
    const knownAt = moment === '' ? undefined : readStated(moment, { now, observedOn }, refuse);
    return isValid ? { line, subject: symbol, observedOn, knownAt, isWithdrawn, values } : undefined;
  };
}

/** Returns the values as COPY text. The texts contain only digits and a point, so no escape is needed. */
function readValues(fields: readonly string[], valuesAt: readonly number[], refuse: Report): string {
  let values = '';
  let isValid = true;
  for (let value = 0; value < valuesAt.length; value++) {
    const at = valuesAt[value]!;
    const text = at < 0 ? '' : fields[at]!;
    if (text === '' && value !== CLOSE) {
      values += `\t${ABSENT}`;
      continue;
    }
    const fault = decimalFault(text, value === VOLUME ? 'zero' : 'above zero');
    if (fault === undefined) values += `\t${text}`;
    else {
      isValid = false;
      refuse(VALUES[value]!, text, fault);
    }
  }
  if (isValid && valuesAt[LOW]! >= 0 && valuesAt[HIGH]! >= 0) {
    const [low, high] = [fields[valuesAt[LOW]!]!, fields[valuesAt[HIGH]!]!];
    if (low !== '' && high !== '' && compareDecimals(low, high) > 0)
      refuse('low', low, `is above high, ${high}`);
  }
  return values;
}
