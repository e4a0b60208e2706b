import { compareText } from '#lib/core/compare-text.ts';
import { divideHalfEven, formatDecimal } from '#lib/core/decimal.ts';
import { wireMinor } from '#lib/core/money.ts';
import { readerOfPrices, valueOf, type Price } from './lot-values.ts';
import type { Pool, PoolDisposal } from './pools.ts';
import type { TaxLot, TaxLotTotal } from './tax-lot.ts';

type Prices = { prices: ReadonlyMap<string, Price>; asOf: string };

/**
 * Returns a pool as an open row. The row has one average basis, and neither a purchase date nor a holding
 * period.
 */
export function poolRow(pool: Pool, instrument: string | null, { prices, asOf }: Prices): TaxLot {
  const { price, fraction } = readerOfPrices(prices, asOf)(pool.symbol, pool.currency);
  const value = fraction === null ? null : valueOf(pool, pool.quantity, fraction);
  const gain = value === null ? null : value - pool.basisMinor;
  return {
    ...rowOf(pool, instrument),
    quantity: formatDecimal(pool.quantity),
    basis_minor: wireMinor(pool.basisMinor),
    price: fraction === null ? null : price!.price,
    price_on: fraction === null ? null : price!.on,
    value_minor: value === null ? null : wireMinor(value),
    gain_minor: gain === null ? null : wireMinor(gain),
    gain_bps:
      gain === null || pool.basisMinor === 0n
        ? null
        : wireMinor(divideHalfEven(gain * 10_000n, pool.basisMinor)),
    closed: null,
  };
}

/** Returns a closed row for the part of a sale that one matching rule covers. `lot` is the name of this rule, such as `same_day`. */
export function poolDisposalRow(disposal: PoolDisposal, instrument: string | null): TaxLot {
  return {
    ...rowOf(disposal, instrument),
    lot: disposal.rule,
    acquired_on: disposal.matchedOn,
    quantity: '0',
    basis_minor: wireMinor(disposal.basisMinor),
    price: null,
    price_on: null,
    value_minor: null,
    gain_minor: null,
    gain_bps: null,
    closed: {
      on: disposal.soldOn,
      quantity: formatDecimal(disposal.quantity),
      proceeds_minor: wireMinor(disposal.proceedsMinor),
      gain_minor: wireMinor(disposal.gainMinor),
      disallowed_minor: 0,
    },
  };
}

/** Adds the open rows of pools by currency. */
export function poolTotals(rows: readonly TaxLot[]): TaxLotTotal[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([currency, pools]) => ({
      currency,
      term: null,
      lots: pools.length,
      basis_minor: pools.reduce((sum, { basis_minor: basis }) => sum + basis, 0),
      value_minor: pools.reduce((sum, { value_minor: value }) => sum + (value ?? 0), 0),
      gain_minor: pools.reduce((sum, { gain_minor: gain }) => sum + (gain ?? 0), 0),
      unpriced: pools.filter(({ value_minor: value }) => value === null).length,
    }));
}

function rowOf({ symbol, currency }: { symbol: string; currency: string }, instrument: string | null) {
  return {
    lot: 'pool',
    symbol,
    instrument_uid: instrument,
    currency,
    acquired_on: null as string | null,
    holding_since: null,
    term: null,
    long_from: null,
    cost_minor: null,
    wash_added_minor: null,
    known_at: null,
  };
}
