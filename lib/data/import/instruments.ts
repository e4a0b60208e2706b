import { aliases } from './aliases.ts';
import { placesOf, type Columns } from './columns.ts';
import { dateFault, symbolFault, textFault } from './fields.ts';
import { readKnownAt } from './instant.ts';
import { ABSENT, type ImportTime, type ObservationKind, type StagedRow } from './observation-kind.ts';
import type { RowParser } from './row-reader.ts';

const VALUES = ['name', 'sector', 'sub_industry'] as const;

/**
 * What is said of instruments. `published_at` is a day on which a list was published: its rows are about that day and
 * known by its end. A list without it says what counts from an instrument's first price on, or from the day of import
 * where it has none.
 */
export const instruments: ObservationKind = {
  table: 'instrument_version',
  subject: 'symbol',
  columns: {
    required: ['symbol', 'name'],
    optional: ['sector', 'sub_industry', 'first_price_date', 'published_at'],
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
      if (!isAbsent) refuse(VALUES[value]!, text, textFault(text));
      values += `\t${isAbsent ? ABSENT : text.trim().replaceAll('\\', '\\\\')}`;
    }
    return isValid ? { line, subject: symbol, observedOn, knownAt, values } : undefined;
  };
}
