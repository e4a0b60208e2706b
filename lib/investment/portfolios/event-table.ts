import { dayNumber } from '#lib/core/date.ts';
import { Numbering } from './columns.ts';
import { costOf, proceedsOf } from './event-amount.ts';
import { faultOfBasis, faultOfMembers } from './event-fault.ts';
import type { LotFault } from './lot-fault.ts';
import { allocateBigints, allocateBytes, allocateInts } from './memory.ts';
import type { EventType, PortfolioEvent, PortfolioTerms } from './portfolio-event.ts';
import type { Timeline } from './replay.ts';
import type { SymbolClasses } from './symbol-classes.ts';

/** The effect of an event on lots. */
export const EFFECTS = { none: 0, acquire: 1, sell: 2, depart: 3, returnCapital: 4, split: 5 } as const;

const effects: Readonly<Record<EventType, number>> = {
  buy: EFFECTS.acquire,
  reinvest: EFFECTS.acquire,
  transfer_in: EFFECTS.acquire,
  sell: EFFECTS.sell,
  transfer_out: EFFECTS.depart,
  return_of_capital: EFFECTS.returnCapital,
  split_override: EFFECTS.split,
  dividend: EFFECTS.none,
  interest: EFFECTS.none,
  fee: EFFECTS.none,
  deposit: EFFECTS.none,
  withdraw: EFFECTS.none,
};

/**
 * Those members of events on which lots depend, in columns. A row is an event, in the order of a replay. A replay
 * reads columns, because events in another order than in memory are slow to read.
 */
export type EventTable = {
  readonly timeline: Timeline;
  /** The index of the event of each row in the timeline. */
  readonly places: Int32Array;
  /** The terms of the portfolios, by the number of the portfolio. */
  readonly terms: readonly PortfolioTerms[];
  readonly classes: SymbolClasses;
  /** The fault of each event that has a fault of its own, by the index of the event in the timeline. */
  readonly faults: ReadonlyMap<number, LotFault['code']>;
  readonly effects: Uint8Array;
  /** 1 if the event states the name of a lot. */
  readonly named: Uint8Array;
  /** The number of the portfolio. */
  readonly portfolioOf: Int32Array;
  /** The number of the symbol. */
  readonly symbolOf: Int32Array;
  /** The number of the currency. */
  readonly currencyOf: Int32Array;
  readonly days: Int32Array;
  /**
   * The day number from which transferred shares are held. The shares of other events are held from their trade date.
   */
  readonly acquiredDays: ReadonlyMap<number, number>;
  /** The shares times 10^8. A larger quantity than `LARGEST` is replaced by `LARGEST`. */
  readonly quantities: BigInt64Array;
  /** The basis of a purchase, the proceeds of a sale or the returned capital; `LARGEST` at most. */
  readonly amounts: BigInt64Array;
};

/** A quantity and an amount that are above every limit of a ledger and fit into a column. */
const LARGEST = (1n << 62n) + 1n;

/**
 * Returns the columns of the events whose indices in the timeline are `places`. Finds the faults of all events. The
 * columns of an event that has a fault or does not change lots are 0. Throws a `RangeError` if the amount of an event
 * has an unknown currency.
 */
export function eventTable(
  timeline: Timeline,
  { places, classes, portfolios }: TableRows & { portfolios: readonly PortfolioTerms[] },
): EventTable {
  const { events, order } = timeline;
  const terms = new Map(portfolios.map((each) => [each.portfolio, each]));
  const [owners, currencies] = [new Numbering(), new Numbering()];
  for (const portfolio of terms.keys()) owners.numberOf(portfolio);
  const faults = new Map<number, LotFault['code']>();
  const table = {
    timeline,
    places,
    terms: [...terms.values()],
    classes,
    faults,
    ...columnsOf(places.length),
  };
  const rows = inverseOf(places, events.length);
  for (let place = 0; place < events.length; place += 1) {
    const event = events[place]!;
    const owner = owners.numberOf(event.portfolio);
    const fault = owner < terms.size ? faultOf(event) : 'portfolio_unknown';
    if (fault !== undefined) faults.set(place, fault);
    const effect = effects[event.type];
    const row = rows[place]!;
    if (fault !== undefined || effect === EFFECTS.none || row < 0) continue;
    table.effects[row] = effect;
    table.portfolioOf[row] = owner;
    table.symbolOf[row] = classes.symbolOf[place]!;
    table.currencyOf[row] = currencies.numberOf(event.currency);
    if (event.lot !== null) table.named[row] = 1;
    if (event.quantity !== null) table.quantities[row] = bounded(event.quantity);
    table.amounts[row] = bounded(amountFor(event));
    table.days[row] = order.days[place]!;
    if (event.type === 'transfer_in') table.acquiredDays.set(row, dayNumber(event.acquiredOn!));
  }
  return table;
}

/** The events of a table, and the classes of their symbols. */
export type TableRows = { places: Int32Array; classes: SymbolClasses };

function columnsOf(length: number) {
  return {
    effects: allocateBytes(length),
    named: allocateBytes(length),
    portfolioOf: allocateInts(length),
    symbolOf: allocateInts(length),
    currencyOf: allocateInts(length),
    days: allocateInts(length),
    acquiredDays: new Map<number, number>(),
    quantities: allocateBigints(length),
    amounts: allocateBigints(length),
  };
}

/** Returns the row of each event, by its index in the timeline; -1 for an event without a row. */
function inverseOf(places: Int32Array, length: number): Int32Array {
  const rows = allocateInts(length).fill(-1);
  for (let row = 0; row < places.length; row += 1) rows[places[row]!] = row;
  return rows;
}

function faultOf(event: PortfolioEvent): LotFault['code'] | undefined {
  return (faultOfMembers(event) ?? (event.type === 'transfer_in' ? faultOfBasis(event) : undefined))?.code;
}

function amountFor(event: PortfolioEvent): bigint {
  switch (event.type) {
    case 'buy':
    case 'reinvest':
      return costOf(event);
    case 'transfer_in':
      return event.basisMinor!;
    case 'sell':
      return proceedsOf(event);
    case 'return_of_capital':
      return event.amountMinor!;
    default:
      return 0n;
  }
}

function bounded(value: bigint): bigint {
  return value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value;
}
