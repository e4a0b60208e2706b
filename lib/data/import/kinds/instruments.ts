import { aliases } from '../readers/aliases.ts';
import { placesOf, type Columns } from '../readers/columns.ts';
import { dateFault, symbolFault, textFault } from '../readers/fields.ts';
import { readKnownAt } from '../readers/instant.ts';
import { ABSENT, type ImportTime, type ObservationKind, type StagedRow } from './observation-kind.ts';
import type { RowParser } from '../readers/row-reader.ts';
import { minorDigits } from '#lib/core/money.ts';
import { instrumentStatuses, isInstrumentStatus } from '#lib/data/instrument.ts';

const VALUES = [
  'name',
  'sector',
  'sub_industry',
  'exchange',
  'currency',
  'status',
  'previous_symbol',
] as const;
const PREVIOUS = VALUES.indexOf('previous_symbol');

/**
 * Descriptions of instruments. `published_at` is the day on which a list was published: its rows describe that day and
 * are known by its end. Without `published_at`, a row applies from the instrument's first price, or from the day of
 * import if there is no price. A row with a `previous_symbol` describes the instrument that had this symbol before.
 * From the described day on, the instrument has the new symbol.
 */
export const instruments: ObservationKind = {
  table: 'instrument_version',
  subject: 'symbol',
  columns: {
    required: ['symbol', 'name'],
    optional: [...VALUES.filter((name) => name !== 'name'), 'first_price_date', 'published_at'],
    ignored: ['sub_industry_source', 'last_price_date', 'has_prices'],
    aliases: aliases.instruments,
    days: ['first_price_date'],
  },
  values: VALUES,
  textValues: VALUES,
  parser: instrumentParser,
};

function instrumentParser(columns: Columns, { now, today }: ImportTime): RowParser<StagedRow> {
  const [symbolAt, firstPriceAt, publishedAt] = placesOf(columns, [
    'symbol',
    'first_price_date',
    'published_at',
  ]) as [number, number, number];
  const valuesAt = placesOf(columns, VALUES);
  return (fields, line, report) => {
    let isValid = true;
    const refuse = (column: string, value: string, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(column, value, reason);
    };
    const symbol = fields[symbolAt]!;
    refuse('symbol', symbol, symbolFault(symbol));
    let observedOn = today;
    let knownAt: string | undefined;
    if (publishedAt >= 0) {
      const published = fields[publishedAt]!;
      const stated = readKnownAt(published, now);
      if (typeof stated === 'string') refuse('published_at', published, stated);
      else [observedOn, knownAt] = [stated.date, stated.text];
    } else if (firstPriceAt >= 0 && fields[firstPriceAt] !== '') {
      observedOn = fields[firstPriceAt]!;
      refuse('first_price_date', observedOn, dateFault(observedOn, today));
    }
    let values = '';
    for (const [value, at] of valuesAt.entries()) {
      const text = at < 0 ? '' : fields[at]!;
      const isAbsent = text === '' && VALUES[value] !== 'name';
      if (!isAbsent) refuse(VALUES[value]!, text, faultOf[VALUES[value]!](text));
      if (value === PREVIOUS && !isAbsent && text === symbol)
        refuse('previous_symbol', text, 'is the same as the symbol');
      values += `\t${isAbsent ? ABSENT : text.trim().replaceAll('\\', '\\\\')}`;
    }
    return isValid ? { line, subject: symbol, observedOn, knownAt, values } : undefined;
  };
}

const faultOf: Record<(typeof VALUES)[number], (text: string) => string | undefined> = {
  name: textFault,
  sector: textFault,
  sub_industry: textFault,
  exchange: (text) =>
    /^[A-Z0-9._-]{1,16}$/.test(text) ? undefined : 'must have 1 to 16 characters of A-Z, 0-9 and . _ -',
  currency: (text) => (minorDigits(text) === undefined ? 'is not an active ISO 4217 currency' : undefined),
  status: (text) => (isInstrumentStatus(text) ? undefined : `is not one of ${instrumentStatuses.join(', ')}`),
  previous_symbol: symbolFault,
};
