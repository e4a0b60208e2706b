import { minorDigits } from '#lib/core/money.ts';
import { parseDecimal } from '#lib/core/decimal.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { ImportTime } from '#lib/data/import/kinds/observation-kind.ts';
import { placesOf, type Columns } from '#lib/data/import/readers/columns.ts';
import { dateFault, symbolFault, textFault } from '#lib/data/import/readers/fields.ts';
import type { RowParser } from '#lib/data/import/readers/row-reader.ts';
import { readStated } from '#lib/data/import/readers/stated-moment.ts';
import { grossAmount, readDecimal, readMinor, type ReadField } from './event-amounts.ts';
import { eventColumns } from './event-columns.ts';
import { faultOfEvent, type EventFault } from './event-fault.ts';
import { eventTypeOf } from './event-words.ts';
import { eventTypes, type EventType, type PortfolioEvent } from './portfolio-event.ts';

/** The content of an event in a file. Quantities and prices are decimal texts, amounts are minor units as text. */
export type EventContent = {
  type: EventType;
  tradedOn: string;
  settledOn: string | null;
  symbol: string | null;
  quantity: string | null;
  price: string | null;
  amountMinor: string | null;
  currency: string;
  feesMinor: string;
  lot: string | null;
  acquiredOn: string | null;
  basisMinor: string | null;
  withdrawn: boolean;
};

export type EventRow = EventContent & {
  line: number;
  portfolioUid: string;
  reference: string;
  /**
   * The moment from which the event is known, as stated in the file; undefined if the file states no moment.
   */
  knownAt: string | undefined;
  /** SHA-256 of the content in canonical form. */
  sourceHash: string;
};

/** The portfolios of the tenant by key. */
export type KnownPortfolios = ReadonlyMap<string, { uid: string; baseCurrency: string }>;

const names = [...eventColumns.required, ...eventColumns.optional];
type Column = (typeof names)[number];

const LAST_DATE = '9999-12-31';

/**
 * Creates a parser for the rows of an event file. For a row without a reference, a reference is derived from
 * the content of the row and the number of equal rows before it. Importing the same file again therefore
 * changes nothing.
 */
export function eventParser(
  columns: Columns,
  portfolios: KnownPortfolios,
  { now, today }: ImportTime,
): RowParser<EventRow> {
  const places = placesOf(columns, names);
  const at = new Map(names.map((name, index) => [name, places[index]!]));
  const repeated = new Map<string, number>();
  return (fields, line, report) => {
    let isValid = true;
    const text = (name: Column) => fields[at.get(name)!]?.trim() ?? '';
    const refuse = (column: Column, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(column, text(column), reason);
    };
    const valueOf = <Value>(column: Column, read: ReadField<Value>) => {
      if ('value' in read) return read.value;
      refuse(column, read.reason);
      return null;
    };
    const textOf = (column: Column, fault: (given: string) => string | undefined) => {
      if (text(column) === '') return null;
      refuse(column, fault(text(column)));
      return text(column);
    };
    const portfolio = portfolios.get(text('portfolio'));
    if (!portfolio) refuse('portfolio', 'does not exist; import it with `assay import portfolios`');
    const type = eventTypeOf(text('type'));
    if (type === undefined) refuse('type', `is not one of ${eventTypes.join(', ')}`);
    const tradedOn = text('traded_on');
    refuse('traded_on', tradedOn > today ? futureTrade(today) : dateFault(tradedOn, today));
    const currency = text('currency') || portfolio?.baseCurrency || '';
    const scale = minorDigits(currency);
    if (scale === undefined && (portfolio || text('currency'))) refuse('currency', reasons.currency_unknown);
    const withdrawn = text('withdrawn');
    if (!['', 'true', 'false'].includes(withdrawn)) refuse('withdrawn', 'is neither true nor false');
    const minor = (column: Column) => valueOf(column, readMinor(text(column), scale ?? 0));
    const fees = minor('fees') ?? 0n;
    const feesMinor = fees < 0n ? -fees : fees;
    const gross = { gross: minor('amount'), net: minor('net_amount'), fees: feesMinor };
    const isLeaving = type === 'sell' || type === 'transfer_out';
    const stated = text('known_at');
    const knownAt =
      stated === '' || !isValid
        ? undefined
        : readStated(stated, { now, observedOn: tradedOn }, (_column, _value, reason) =>
            refuse('known_at', reason),
          );
    const content: EventContent = {
      type: type ?? 'fee',
      tradedOn,
      settledOn: textOf('settled_on', (day) => dateFault(day, LAST_DATE)),
      symbol: textOf('symbol', symbolFault),
      quantity: valueOf('quantity', readDecimal(text('quantity'), isLeaving)),
      price: valueOf('price', readDecimal(text('price'), false)),
      amountMinor: grossAmount(type ?? 'fee', gross)?.toString() ?? null,
      currency,
      feesMinor: feesMinor.toString(),
      lot: textOf('lot', textFault),
      acquiredOn: textOf('acquired_on', (day) => dateFault(day, LAST_DATE)),
      basisMinor: minor('basis')?.toString() ?? null,
      withdrawn: withdrawn === 'true',
    };
    const given = textOf('event_reference', textFault);
    if (!isValid) return undefined;
    const event = { portfolio: text('portfolio'), reference: given ?? '', knownAt: '', ...eventOf(content) };
    const fault = faultOfEvent(event, { today });
    if (fault) {
      refuse(columnOf(fault, text('amount') === '' && text('net_amount') !== ''), reasons[fault.code]);
      return undefined;
    }
    const sourceHash = canonicalHash(content);
    const reference = given ?? referenceOf(repeated, `${text('portfolio')} ${sourceHash}`);
    return { ...content, line, portfolioUid: portfolio!.uid, reference, knownAt, sourceHash };
  };
}

/**
 * Returns the content of a row with quantities and prices as decimals times 10^8, and amounts in minor units.
 */
export function eventOf(content: EventContent): Omit<PortfolioEvent, 'portfolio' | 'reference' | 'knownAt'> {
  const decimal = (text: string | null) => (text === null ? null : parseDecimal(text)!);
  const minor = (text: string | null) => (text === null ? null : BigInt(text));
  return {
    ...content,
    quantity: decimal(content.quantity),
    price: decimal(content.price),
    amountMinor: minor(content.amountMinor),
    feesMinor: BigInt(content.feesMinor),
    basisMinor: minor(content.basisMinor),
  };
}

function futureTrade(today: string): string {
  return `future_trade: is after today, ${today} (UTC)`;
}

const reasons: Readonly<Record<EventFault['code'], string>> = {
  type_unknown: `is not one of ${eventTypes.join(', ')}`,
  date_invalid: 'is not a calendar date, or is after the trade date',
  future_trade: 'future_trade: is in the future',
  currency_unknown: 'currency_unknown: is not an active ISO 4217 currency',
  symbol_missing: 'is empty; this type of event needs a symbol',
  quantity_sign: 'quantity_sign: this type of event needs a quantity above 0',
  price_sign: 'must be above 0',
  amount_missing: 'this type of event needs an amount, or a price if it has a quantity',
  amount_sign: 'is negative',
  fees_sign: 'is negative',
  basis_missing: 'basis_missing: a transferred lot needs acquired_on and basis',
};

const columns: Partial<Record<EventFault['field'], Column>> = {
  type: 'type',
  tradedOn: 'traded_on',
  settledOn: 'settled_on',
  symbol: 'symbol',
  quantity: 'quantity',
  price: 'price',
  currency: 'currency',
  feesMinor: 'fees',
  acquiredOn: 'acquired_on',
  basisMinor: 'basis',
};

function columnOf({ field }: EventFault, isNet: boolean): Column {
  return columns[field] ?? (isNet ? 'net_amount' : 'amount');
}

function referenceOf(repeated: Map<string, number>, content: string): string {
  const count = (repeated.get(content) ?? 0) + 1;
  repeated.set(content, count);
  return `row:${content.slice(content.lastIndexOf(' ') + 1).slice(-32)}:${count}`;
}
