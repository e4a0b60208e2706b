import { formatDecimal, parseDecimal } from '#lib/core/decimal.ts';
import type { ControlTotal } from './control-total.query.ts';

/** What the events of a portfolio add up to: shares times 10^8 by symbol, and minor units of cash by currency. */
export type Derived = { shares: ReadonlyMap<string, bigint>; cash: ReadonlyMap<string, bigint> };

/** A control total that differs from the events. Shares are decimal text, cash is minor units as text. */
export type Break = {
  as_of: string;
  symbol: string | null;
  currency: string | null;
  reported: string;
  derived: string;
  difference: string;
};

/**
 * Compares the control totals of one statement day with the events until that day. A statement lists all positions, or
 * all cash, so a position that it does not list counts as 0. Breaks are in order of symbol, then of currency.
 */
export function breaksOf(asOf: string, totals: readonly ControlTotal[], derived: Derived): Break[] {
  const reportedShares = totals.filter(({ symbol }) => symbol !== null);
  const reportedCash = totals.filter(({ currency }) => currency !== null);
  const shares = new Map(reportedShares.map(({ symbol, quantity }) => [symbol!, parseDecimal(quantity!)!]));
  const cash = new Map(reportedCash.map(({ currency, amountMinor }) => [currency!, BigInt(amountMinor!)]));
  return [
    ...(shares.size === 0 ? [] : differences(shares, derived.shares)).map(
      ({ name, reported, derived: held }) => ({
        as_of: asOf,
        symbol: name,
        currency: null,
        reported: formatDecimal(reported),
        derived: formatDecimal(held),
        difference: formatDecimal(reported - held),
      }),
    ),
    ...(cash.size === 0 ? [] : differences(cash, derived.cash)).map(({ name, reported, derived: held }) => ({
      as_of: asOf,
      symbol: null,
      currency: name,
      reported: String(reported),
      derived: String(held),
      difference: String(reported - held),
    })),
  ];
}

function differences(reported: ReadonlyMap<string, bigint>, derived: ReadonlyMap<string, bigint>) {
  const names = [...new Set([...reported.keys(), ...derived.keys()])].toSorted();
  return names
    .map((name) => ({ name, reported: reported.get(name) ?? 0n, derived: derived.get(name) ?? 0n }))
    .filter((each) => each.reported !== each.derived);
}
