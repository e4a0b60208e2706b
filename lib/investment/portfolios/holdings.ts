import { formatDecimal } from '#lib/core/decimal.ts';
import { wireMinor } from '#lib/core/money.ts';
import { breaksOf, type Break } from './breaks.ts';
import { cashOf } from './cash.ts';
import type { LastClose } from './close.query.ts';
import type { ControlTotal } from './control-total.query.ts';
import { parseEventText } from './event-text.ts';
import { describeFault } from './lot-fault-text.ts';
import { valueLots, type ValuedLot } from './lot-values.ts';
import { lotsOfGroup, type PortfolioGroup } from './portfolio-group.ts';

export type HoldingsInput = {
  portfolio: string;
  group: PortfolioGroup;
  closes: LastClose[];
  /** The newest control totals until the day, each kind of one statement day. */
  totals: ControlTotal[];
};

export type HeldPosition = {
  symbol: string;
  currency: string;
  quantity: string;
  basis_minor: number;
  price: string | null;
  price_on: string | null;
  value_minor: number | null;
  gain_minor: number | null;
};

export type CurrencyTotal = {
  currency: string;
  positions_minor: number;
  cash_minor: number;
  value_minor: number;
  basis_minor: number;
};

export type Holdings =
  | { state: 'inconsistent'; detail: string }
  | {
      state: 'consistent';
      positions: HeldPosition[];
      cash: { currency: string; amount_minor: number }[];
      totals: CurrencyTotal[];
      breaks: Break[];
      coverage: { positions: number; priced: number; stale: string[]; unpriced: string[] };
    };

/**
 * Derives the positions and the cash of a portfolio at the end of a day, values them at the last closes, and compares
 * them with the control totals of that or an earlier day. Sums are by currency and never converted.
 */
export default function holdings({ portfolio, group, closes, totals }: HoldingsInput): Holdings {
  const { asOf } = group;
  const derived = lotsOfGroup(group);
  const fault = derived.faults.find((each) => each.portfolio === portfolio);
  if (fault)
    return { state: 'inconsistent', detail: `The positions cannot be derived. ${describeFault(fault)}.` };
  const prices = new Map(closes.map(({ symbol, on, price }) => [symbol, { on, price }]));
  const lots = valueLots(
    derived.lots.filter((lot) => lot.portfolio === portfolio),
    { prices, asOf },
  );
  const positions = [...Map.groupBy(lots, ({ symbol }) => symbol).values()].map(positionOf);
  const cash = [...cashOf(parseEventText(group.events), portfolio)]
    .map(([currency, amount]) => ({ currency, amount_minor: wireMinor(amount) }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  const missing = positions.filter(({ value_minor: value }) => value === null);
  const isStale = ({ symbol }: HeldPosition) => prices.has(symbol);
  return {
    state: 'consistent',
    positions,
    cash,
    totals: totalsOf(positions, cash),
    breaks: statementsOf(totals).flatMap(([day, rows]) => breaksAt(day, rows, { portfolio, group })),
    coverage: {
      positions: positions.length,
      priced: positions.length - missing.length,
      stale: missing.filter(isStale).map(({ symbol }) => symbol),
      unpriced: missing.filter((each) => !isStale(each)).map(({ symbol }) => symbol),
    },
  };
}

/** Compares the totals of a statement with the events that were traded until its day. */
export function breaksAt(
  day: string,
  totals: readonly ControlTotal[],
  { portfolio, group }: Pick<HoldingsInput, 'portfolio' | 'group'>,
): Break[] {
  const until = parseEventText(group.events).filter(({ tradedOn }) => tradedOn <= day);
  const splits = group.splits.filter(({ exOn }) => exOn <= day);
  const { lots } = lotsOfGroup({ ...group, splits }, until);
  const shares = new Map<string, bigint>();
  for (const { portfolio: owner, symbol, quantity } of lots)
    if (owner === portfolio) shares.set(symbol, (shares.get(symbol) ?? 0n) + quantity);
  return breaksOf(day, totals, { shares, cash: cashOf(until, portfolio) });
}

function statementsOf(totals: readonly ControlTotal[]): [string, ControlTotal[]][] {
  return [...Map.groupBy(totals, ({ asOf }) => asOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function positionOf(lots: readonly ValuedLot[]): HeldPosition {
  const [{ symbol, currency, price, priceOn }] = lots as [ValuedLot];
  const sum = (amountOf: (lot: ValuedLot) => bigint | null) =>
    lots.reduce((total, lot) => total + (amountOf(lot) ?? 0n), 0n);
  const basis = sum(({ basisMinor }) => basisMinor);
  const value = price === null ? null : sum(({ valueMinor }) => valueMinor);
  return {
    symbol,
    currency,
    quantity: formatDecimal(sum(({ quantity }) => quantity)),
    basis_minor: wireMinor(basis),
    price,
    price_on: priceOn,
    value_minor: value === null ? null : wireMinor(value),
    gain_minor: value === null ? null : wireMinor(value - basis),
  };
}

function totalsOf(
  positions: readonly HeldPosition[],
  cash: readonly { currency: string; amount_minor: number }[],
): CurrencyTotal[] {
  const currencies = new Set([...positions, ...cash].map(({ currency }) => currency));
  return [...currencies].toSorted().map((currency) => {
    const held = positions.filter((each) => each.currency === currency);
    const positionsMinor = held.reduce((total, { value_minor: value }) => total + (value ?? 0), 0);
    const cashMinor = cash.find((each) => each.currency === currency)?.amount_minor ?? 0;
    return {
      currency,
      positions_minor: positionsMinor,
      cash_minor: cashMinor,
      value_minor: positionsMinor + cashMinor,
      basis_minor: held.reduce((total, { basis_minor: basis }) => total + basis, 0),
    };
  });
}
