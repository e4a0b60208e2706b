import { compareText } from '#lib/core/compare-text.ts';
import { withinRange } from './amount-range.ts';
import { formatDecimal, parseDecimal } from '#lib/core/decimal.ts';
import { wireMinor } from '#lib/core/money.ts';
import { breaksOf } from './breaks.ts';
import type { LastClose } from './close.query.ts';
import type { ControlTotal } from './control-total.query.ts';
import { describeFault } from './lot-fault-text.ts';
import { regimes } from '../tax/regime.ts';
import {
  pricesBySymbol,
  readerOfPrices,
  valueLots,
  valueOf,
  type Price,
  type ValuedLot,
} from './lot-values.ts';
import type { Lot } from './lot.ts';
import type { Pool } from './pools.ts';
import {
  lotsOfGroup,
  type ParsedGroup,
  parseGroup,
  poolsOfGroup,
  type PortfolioGroup,
} from './portfolio-group.ts';
import type { GroupTerms } from './portfolio-terms.ts';
import type { UnbookedOrder } from './settled-order.query.ts';
import { positionsOf, type Positions } from './positions.ts';

export type HoldingsInput = {
  portfolio: string;
  group: PortfolioGroup;
  closes: LastClose[];
  /**
   * The newest control totals up to the day: the positions of one statement day, and the cash of one
   * statement day.
   */
  totals: ControlTotal[];
  /** Settled orders that are not events of the portfolio. */
  unbooked: UnbookedOrder[];
};

export type HeldPosition = {
  symbol: string;
  currency: string;
  quantity: string;
  /** Null for a pool that is shared with other portfolios. */
  basis_minor: number | null;
  price: string | null;
  price_on: string | null;
  value_minor: number | null;
  gain_minor: number | null;
};

/** A control total that differs from the events. Shares are decimal text, cash is minor units as text. */
export type StatementBreak = {
  as_of: string;
  symbol: string | null;
  currency: string | null;
  reported: string;
  derived: string;
  difference: string;
};

export type CurrencyTotal = {
  currency: string;
  positions_minor: number;
  cash_minor: number;
  value_minor: number;
  basis_minor: number;
};

/** A position without a value, because its closes are in another currency than its lots. */
export type OtherCurrency = { symbol: string; currency: string; price_currency: string };

export type HoldingsCoverage = {
  positions: number;
  priced: number;
  stale: string[];
  unpriced: string[];
  other_currency: OtherCurrency[];
  assumed_currency: string[];
};

export type Holdings =
  | { state: 'inconsistent'; detail: string }
  | {
      state: 'consistent';
      positions: HeldPosition[];
      cash: { currency: string; amount_minor: number }[];
      totals: CurrencyTotal[];
      breaks: StatementBreak[];
      unbooked_orders: UnbookedOrder[];
      coverage: HoldingsCoverage;
    };

/**
 * Derives the positions and the cash of a portfolio at the end of a day, values them at the last closes, and
 * compares them with the newest control totals up to this day. Sums are computed by currency, and amounts are
 * never converted.
 */
export default function holdings(input: HoldingsInput): Holdings {
  return withinRange(() => deriveHoldings(input));
}

function deriveHoldings({ portfolio, group: read, closes, totals, unbooked }: HoldingsInput): Holdings {
  const group = parseGroup(read);
  const { asOf } = group;
  const terms = group.portfolios.find((each) => each.portfolio === portfolio)!;
  const regime = regimes[terms.taxRegime];
  const derived = regime.pooling === 'lots' ? lotsOfGroup(group) : poolsOfGroup(group, regime);
  const fault = derived.faults.find((each) => each.portfolio === portfolio);
  if (fault)
    return { state: 'inconsistent', detail: `The positions cannot be derived. ${describeFault(fault)}.` };
  const prices = pricesBySymbol(closes, terms);
  const held = heldIn(portfolio, group, asOf);
  const positions =
    'lots' in derived
      ? positionsOfLots(
          derived.lots.filter((lot) => lot.portfolio === portfolio),
          { prices, asOf },
        )
      : pooledPositions(held, derived.pools, { terms, prices, asOf });
  const cash = held.cash.map(({ currency, amountMinor }) => ({
    currency,
    amount_minor: wireMinor(amountMinor),
  }));
  const missing = positions.filter(({ value_minor: value }) => value === null);
  const priceOf = readerOfPrices(prices, asOf);
  const otherCurrency = positions.flatMap(({ symbol, currency }): OtherCurrency[] => {
    const { otherCurrency: other } = priceOf(symbol, currency);
    return other === null ? [] : [{ symbol, currency, price_currency: other }];
  });
  const others = new Set(otherCurrency.map(({ symbol }) => symbol));
  const isStale = ({ symbol }: HeldPosition) => prices.has(symbol) && !others.has(symbol);
  const unstated = new Set(closes.flatMap(({ symbol, currency }) => (currency === null ? [symbol] : [])));
  return {
    state: 'consistent',
    positions,
    cash,
    totals: totalsOf(positions, cash),
    breaks: statementsOf(totals).flatMap(([day, rows]) => breaksAt(day, rows, { portfolio, group })),
    unbooked_orders: unbooked,
    coverage: {
      positions: positions.length,
      priced: positions.length - missing.length,
      stale: missing.filter(isStale).map(({ symbol }) => symbol),
      unpriced: missing.filter(({ symbol }) => !prices.has(symbol)).map(({ symbol }) => symbol),
      other_currency: otherCurrency,
      assumed_currency: positions.flatMap(({ symbol, value_minor: value }) =>
        value !== null && unstated.has(symbol) ? [symbol] : [],
      ),
    },
  };
}

/** Compares the totals of a statement with the events that were traded on or before its day. */
export function breaksAt(
  day: string,
  totals: readonly ControlTotal[],
  { portfolio, group }: { portfolio: string; group: ParsedGroup },
): StatementBreak[] {
  const { positions, cash } = heldIn(portfolio, group, day);
  const shares = totals.flatMap(({ symbol, quantity }) =>
    symbol === null ? [] : [{ portfolio, symbol, quantity: parseDecimal(quantity!)! }],
  );
  const amounts = totals.flatMap(({ currency, amountMinor }) =>
    currency === null ? [] : [{ portfolio, currency, amountMinor: BigInt(amountMinor!) }],
  );
  const stated = { positions: shares, cash: amounts, isComplete: true };
  // A statement without positions, or without cash, states nothing about them. They are then not compared.
  const derived = { positions: shares.length ? positions : [], cash: amounts.length ? cash : [] };
  return breaksOf(stated, derived).map((each) => {
    const text = (amount: bigint) => (each.kind === 'position' ? formatDecimal(amount) : String(amount));
    return {
      as_of: day,
      symbol: each.kind === 'position' ? each.symbol : null,
      currency: each.kind === 'cash' ? each.currency : null,
      reported: text(each.stated),
      derived: text(each.derived),
      difference: text(each.stated - each.derived),
    };
  });
}

/** The shares and the cash of a portfolio at the end of a day, as known at the as-of day of the group. */
function heldIn(portfolio: string, { events, splits, asOf }: ParsedGroup, day: string): Positions {
  const until = events.filter((event) => event.portfolio === portfolio && event.tradedOn <= day);
  return positionsOf({ events: until, splits: splits.filter(({ exOn }) => exOn <= day), asOf });
}

function statementsOf(totals: readonly ControlTotal[]): [string, ControlTotal[]][] {
  return [...Map.groupBy(totals, ({ asOf }) => asOf)].toSorted(([a], [b]) => compareText(a, b));
}

type Prices = { prices: ReadonlyMap<string, Price>; asOf: string };

function positionsOfLots(lots: readonly Lot[], prices: Prices): HeldPosition[] {
  return [...Map.groupBy(valueLots(lots, prices), ({ symbol }) => symbol).values()].map(positionOf);
}

/**
 * Returns the positions of a portfolio whose tax regime has pools. If several portfolios share a pool, the
 * position of a single portfolio has no basis.
 */
function pooledPositions(
  { positions }: Positions,
  pools: readonly Pool[],
  { terms, ...prices }: Prices & { terms: GroupTerms },
): HeldPosition[] {
  const priceOf = readerOfPrices(prices.prices, prices.asOf);
  const own = new Map(
    pools.filter(({ scope }) => scope === terms.portfolio).map((pool) => [pool.symbol, pool]),
  );
  const currencyOf = new Map(pools.map(({ symbol, currency }) => [symbol, currency]));
  return positions.map(({ symbol, quantity }) => {
    const currency = currencyOf.get(symbol) ?? terms.baseCurrency;
    const { price, fraction } = priceOf(symbol, currency);
    const value = fraction === null ? null : wireMinor(valueOf({ currency }, quantity, fraction));
    const pool = own.get(symbol);
    const basis = pool ? wireMinor(pool.basisMinor) : null;
    return {
      symbol,
      currency,
      quantity: formatDecimal(quantity),
      basis_minor: basis,
      price: fraction === null ? null : price!.price,
      price_on: fraction === null ? null : price!.on,
      value_minor: value,
      gain_minor: value === null || basis === null ? null : value - basis,
    };
  });
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
  return [...currencies].sort(compareText).map((currency) => {
    const held = positions.filter((each) => each.currency === currency);
    const positionsMinor = sumOf(held.map(({ value_minor: value }) => value));
    const cashMinor = cash.find((each) => each.currency === currency)?.amount_minor ?? 0;
    return {
      currency,
      positions_minor: positionsMinor,
      cash_minor: cashMinor,
      value_minor: sumOf([positionsMinor, cashMinor]),
      basis_minor: sumOf(held.map(({ basis_minor: basis }) => basis)),
    };
  });
}

/** Adds amounts exactly. Throws a `RangeError` if a JSON integer cannot hold the sum. */
function sumOf(amounts: readonly (number | null)[]): number {
  return wireMinor(amounts.reduce((sum: bigint, amount) => sum + BigInt(amount ?? 0), 0n));
}
