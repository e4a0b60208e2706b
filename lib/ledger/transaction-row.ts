import { isDate } from '#lib/core/date.ts';
import { instantOf } from '#lib/core/clock.ts';
import { MINOR_MAX, minorDigits, parseMajor } from '#lib/core/money.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { placesOf, type Columns } from '#lib/data/import/readers/columns.ts';
import { refuseFile } from '#lib/data/import/load/fault-list.ts';
import { decimalFault, textFault } from '#lib/data/import/readers/fields.ts';
import { readPublishedAt } from '#lib/data/import/readers/instant.ts';
import type { RowParser } from '#lib/data/import/readers/row-reader.ts';
import {
  DESCRIPTION_CHARACTERS_MAX,
  directions,
  statedStatuses,
  type Direction,
  type StatedStatus,
} from './transaction.ts';

/** The columns of a transaction file. A file has either `amount_minor` or `amount`, never both. */
export const transactionColumns = {
  required: ['booked_at', 'direction', 'currency', 'account', 'description', 'status', 'reference'],
  optional: ['value_date', 'amount_minor', 'amount', 'counterparty_id', 'category', 'reverses'],
} as const;

/**
 * The content of a row. `reverses` names the reversed transaction: by uid, or by a reference of the same account and
 * source.
 */
export type TransactionContent = {
  bookedAt: string;
  valueDate: string;
  direction: Direction;
  currency: string;
  amountMinor: string;
  amountScale: number;
  account: string;
  counterpartyId: number | null;
  description: string;
  category: string | null;
  status: StatedStatus;
  reference: string;
  reverses: string | null;
};

export type TransactionRow = TransactionContent & {
  line: number;
  /** SHA-256 of the content in canonical form. */
  sourceHash: string;
};

const WORD = /^[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,63}$/;
const COUNTERPARTY = /^[1-9]\d{0,8}$/;

/**
 * Creates a parser for the rows of a transaction file. Throws an `ImportRefused` unless exactly one amount
 * column exists.
 */
export function transactionParser(columns: Columns, now: Date): RowParser<TransactionRow> {
  const has = (name: string) => columns.at.has(name);
  if (has('amount') === has('amount_minor')) {
    throw refuseFile(1, [
      {
        column: 'amount',
        value: null,
        reason: 'the file must have exactly one of the columns amount and amount_minor',
      },
    ]);
  }
  const names = [...transactionColumns.required, ...transactionColumns.optional];
  const places = placesOf(columns, names);
  const at = Object.fromEntries(names.map((name, index) => [name, places[index]!]));
  const bookedOf = bookingReader(now);
  return (fields, line, report) => {
    let isValid = true;
    const text = (name: string) => (at[name]! < 0 ? '' : fields[at[name]!]!);
    const refuse = (column: string, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(column, text(column), reason);
    };
    const booked = bookedOf(text('booked_at'));
    if (typeof booked === 'string') refuse('booked_at', booked);
    const valueDate = text('value_date');
    if (valueDate !== '' && !isDate(valueDate)) refuse('value_date', 'is not a calendar date YYYY-MM-DD');
    const direction = oneOf(directions, text('direction'));
    if (direction === undefined) refuse('direction', `is not one of ${directions.join(', ')}`);
    const status = oneOf(statedStatuses, text('status'));
    if (status === undefined) refuse('status', `is not one of ${statedStatuses.join(', ')}`);
    const currency = text('currency');
    const scale = minorDigits(currency);
    if (scale === undefined) refuse('currency', 'is not an active ISO 4217 currency');
    const amountColumn = has('amount') ? 'amount' : 'amount_minor';
    const amount = scale === undefined ? undefined : readAmount(amountColumn, text(amountColumn), scale);
    if (typeof amount === 'string') refuse(amountColumn, amount);
    refuse(
      'account',
      WORD.test(text('account'))
        ? undefined
        : 'must be 1 to 64 letters, digits, spaces or . _ : / -, and start with a letter or digit',
    );
    refuse('reference', textFault(text('reference')));
    refuse('description', descriptionFault(text('description')));
    if (text('category') !== '') refuse('category', textFault(text('category')));
    if (text('reverses') !== '') refuse('reverses', textFault(text('reverses')));
    const counterparty = text('counterparty_id');
    if (counterparty !== '' && !COUNTERPARTY.test(counterparty))
      refuse('counterparty_id', 'is not a positive integer');
    if (!isValid || typeof booked === 'string' || typeof amount !== 'bigint') return undefined;
    // The members are in the canonical order of their names, so that the hash needs no sorting.
    const content: TransactionContent = {
      account: text('account'),
      amountMinor: amount.toString(),
      amountScale: scale!,
      bookedAt: booked.instant,
      category: text('category') === '' ? null : text('category').normalize(),
      counterpartyId: counterparty === '' ? null : Number(counterparty),
      currency,
      description: text('description').normalize(),
      direction: direction!,
      reference: text('reference'),
      reverses: text('reverses') === '' ? null : text('reverses'),
      status: status!,
      valueDate: valueDate === '' ? booked.date : valueDate,
    };
    return { ...content, line, sourceHash: canonicalHash(content) };
  };
}

/**
 * Creates a reader of booking moments. Files are usually ordered by day, so a text equal to the previous text is not read
 * again.
 */
function bookingReader(now: Date): (text: string) => { instant: string; date: string } | string {
  let previous: string | undefined;
  let booked: { instant: string; date: string } | string = '';
  return (text) => {
    if (text === previous) return booked;
    previous = text;
    const read = readPublishedAt(text, now);
    booked =
      typeof read === 'string' ? read : { instant: instantOf(read.text).toISOString(), date: read.date };
    return booked;
  };
}

/**
 * Reads a positive amount from one of the two amount columns. Returns the amount in minor units, or the reason if the
 * text is rejected.
 */
function readAmount(column: 'amount' | 'amount_minor', text: string, scale: number): bigint | string {
  const fault = decimalFault(text, 'above zero');
  if (fault !== undefined) return fault;
  if (column === 'amount') {
    const read = parseMajor(text, scale);
    if (read.ok) return read.minor;
    return read.code === 'amount_precision'
      ? `has more decimals than its currency, which allows ${scale}`
      : 'is out of range';
  }
  if (text.includes('.')) return 'is not an integer';
  const minor = BigInt(text);
  return minor > MINOR_MAX ? 'is out of range' : minor;
}

function descriptionFault(text: string): string | undefined {
  if (text.length <= DESCRIPTION_CHARACTERS_MAX) {
    return /\p{Cc}/u.test(text) ? 'has control characters' : text.trim() === '' ? 'is empty' : undefined;
  }
  return `has more than ${DESCRIPTION_CHARACTERS_MAX} characters`;
}

function oneOf<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word === text);
}
