import { aliases, plainName } from '../readers/aliases.ts';
import { placesOf, type Columns, type Spread } from '../readers/columns.ts';
import { dateFault, seriesFault, signedDecimalFault } from '../readers/fields.ts';
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
import { readStated } from '../readers/stated-moment.ts';

/**
 * Matches the keys of FRED series. The pattern excludes misspelt column names, so that they are not read as a series.
 */
const FRED_SERIES = /^(?!VALUE$)([A-Z0-9][A-Z0-9._]*?)(?:_(\d{4})-?(\d{2})-?(\d{2}))?$/;

/**
 * Observations of economic series. A file has one row per observation or one row per day. With one row per day, it has
 * a column for each series, or a column for each vintage of one series. Values may be negative. Empty cells are
 * ignored.
 */
export const economics: ObservationKind = {
  table: 'economic_observation',
  subject: 'series',
  columns: {
    required: ['series', 'date', 'value'],
    optional: ['known_at', WITHDRAWN],
    ignored: ['realtime_end', 'realtime_end_date'],
    aliases: aliases.economics,
    stated: { series: '--key' },
    days: ['date'],
    spread: spreadOf,
  },
  values: ['value'],
  parser: (columns, time) =>
    columns.spread ? spreadParser(columns, columns.spread, time) : parser(columns, time),
};

/**
 * Recognises the wide files of FRED and ALFRED by their header. A header names one series (`observation_date,GDPC1`),
 * several series, or vintages of a series (`observation_date,GDPC1_20200130,GDPC1_20200226`).
 */
function spreadOf(names: readonly (string | null)[]): Spread | undefined {
  const days = new Set(['date', ...aliases.economics.date]);
  const date = names.findIndex((name) => name !== null && days.has(plainName(name)));
  if (date < 0) return undefined;
  const columns = [];
  for (const [at, name] of names.entries()) {
    if (at === date || name === null) continue;
    const [, series, year, month, day] = FRED_SERIES.exec(name.trim()) ?? [];
    if (series === undefined) return undefined;
    columns.push({ at, series, knownAt: year && `${year}-${month}-${day}` });
  }
  return columns.length ? { date, columns } : undefined;
}

function parser(columns: Columns, { now, today }: ImportTime): RowParser<StagedRow> {
  const [seriesAt, dateAt, valueAt, knownAtAt, withdrawnAt] = placesOf(columns, [
    'series',
    'date',
    'value',
    'known_at',
    WITHDRAWN,
  ]) as [number, number, number, number, number];
  let validSeries: string | undefined;
  return (fields, line, report) => {
    let isValid = true;
    const refuse: Report = (column, value, reason) => {
      isValid = false;
      report(column, value, reason);
    };
    const series = fields[seriesAt]!;
    if (series !== validSeries) {
      const fault = seriesFault(series);
      if (fault === undefined) validSeries = series;
      else refuse('series', series, fault);
    }
    const observedOn = fields[dateAt]!;
    const fault = dateFault(observedOn, today);
    if (fault !== undefined) refuse('date', observedOn, fault);
    const text = fields[valueAt]!;
    const isWithdrawn =
      withdrawnAt >= 0 && readWithdrawn(fields[withdrawnAt]!, [{ column: 'value', text }], refuse);
    const moment = knownAtAt < 0 ? '' : fields[knownAtAt]!;
    const knownAt = moment === '' ? undefined : readStated(moment, { now, observedOn }, refuse);
    const isSilent = !isWithdrawn && isNoValue(text);
    if (!isWithdrawn && !isSilent) {
      const valueFault = signedDecimalFault(text);
      if (valueFault !== undefined) refuse('value', text, valueFault);
    }
    if (!isValid) return undefined;
    if (isSilent) return [];
    return {
      line,
      subject: series,
      observedOn,
      knownAt,
      isWithdrawn,
      values: `\t${isWithdrawn ? ABSENT : text}`,
    };
  };
}

/** Returns all observations of a line, or no observations if one observation is not valid. */
function spreadParser(
  { names, at: places }: Columns,
  { date, columns }: Spread,
  { now, today }: ImportTime,
): RowParser<StagedRow> {
  const knownAtAt = places.get('known_at');
  const vintages = columns.map(({ knownAt }) =>
    knownAt === undefined ? undefined : readKnownAt(knownAt, now),
  );
  return (fields, line, report) => {
    let isValid = true;
    const refuse: Report = (column, value, reason) => {
      isValid = false;
      report(column, value, reason);
    };
    const observedOn = fields[date]!;
    const fault = dateFault(observedOn, today);
    if (fault !== undefined) refuse(names[date]!, observedOn, fault);
    const rows: StagedRow[] = [];
    for (const [place, { at, series }] of columns.entries()) {
      const text = fields[at]!;
      if (isNoValue(text)) continue;
      const column = names[at]!;
      const valueFault = signedDecimalFault(text);
      if (valueFault !== undefined) refuse(column, text, valueFault);
      const vintage = vintages[place];
      const stated = knownAtAt === undefined ? '' : fields[knownAtAt]!;
      if (typeof vintage === 'string') refuse(column, text, `belongs to a vintage that ${vintage}`);
      else if (vintage !== undefined && vintage.date < observedOn)
        refuse(column, text, `belongs to a vintage before the observed day, ${observedOn}`);
      else {
        const knownAt =
          vintage?.text ?? (stated === '' ? undefined : readStated(stated, { now, observedOn }, refuse));
        rows.push({ line, subject: series, observedOn, knownAt, values: `\t${text}` });
      }
    }
    return isValid ? rows : undefined;
  };
}

/** Whether a text means that there is no value: `.`, as FRED writes, or an empty text. */
function isNoValue(text: string): boolean {
  return text === '' || text === '.';
}
