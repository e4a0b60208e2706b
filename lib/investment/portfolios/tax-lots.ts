import { taxLotsCsv, taxLotsLines } from './tax-lots-text.ts';
import { withinRange } from './amount-range.ts';
import { compareText } from '#lib/core/compare-text.ts';
import { formatDecimal } from '#lib/core/decimal.ts';
import { wireMinor } from '#lib/core/money.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { LastClose } from './close.query.ts';
import { describeFault } from './lot-fault-text.ts';
import type { TaxLot, TaxLotTotal } from './tax-lot.ts';
import { lotTotals, type LotTotal } from './lot-totals.ts';
import type { OtherCurrency } from './holdings.ts';
import { pricesBySymbol, type Price, readerOfPrices, valueLots, type ValuedLot } from './lot-values.ts';
import { type Disposal, lotName } from './lot.ts';
import { regimes, type Regime } from '../tax/regime.ts';
import { poolDisposalRow, poolRow, poolTotals } from './pool-rows.ts';
import { lotsOfGroup, parseGroup, poolsOfGroup, type PortfolioGroup } from './portfolio-group.ts';
import type { GroupTerms } from './portfolio-terms.ts';

export type TaxLotsInput = {
  portfolio: string;
  group: PortfolioGroup;
  closes: LastClose[];
  /** The uid of the instrument by symbol. Symbols without an instrument are absent. */
  instruments: Record<string, string>;
  symbol: string | undefined;
  term: 'short' | 'long' | undefined;
  state: 'open' | 'closed' | 'all';
};

/** The requested rows: a page, or all rows as text. */
export type TaxLotsWanted = { start: number; limit: number } | 'csv' | 'ndjson';

export type TaxLots =
  | { state: 'inconsistent'; detail: string }
  | {
      state: 'consistent';
      content_hash: string;
      totals: TaxLotTotal[];
      stale_prices: string[];
      other_currency: OtherCurrency[];
      lots: TaxLot[];
    };

/**
 * A part of the tax lots. `count` is the number of all rows. `text` is the content of the file if a file was
 * requested.
 */
export type TaxLotsPage =
  | { state: 'inconsistent'; detail: string }
  | (Extract<TaxLots, { state: 'consistent' }> & { count: number; text: string | null });

/**
 * Derives the tax lots of a portfolio. Returns a page of rows, or all rows as the text of a file. Only the
 * requested rows are transferred from the thread.
 */
export default function taxLotsPage(input: TaxLotsInput & { wanted: TaxLotsWanted }): TaxLotsPage {
  const found = taxLots(input);
  if (found.state === 'inconsistent') return found;
  const { lots, ...rest } = found;
  const { wanted } = input;
  if (wanted === 'csv') return { ...rest, count: lots.length, lots: [], text: taxLotsCsv(lots) };
  if (wanted === 'ndjson') return { ...rest, count: lots.length, lots: [], text: taxLotsLines(lots) };
  const page = lots.slice(wanted.start, wanted.start + wanted.limit);
  return { ...rest, count: lots.length, lots: page, text: null };
}

/**
 * Derives the tax lots of a portfolio, ordered by symbol, date of purchase and lot, and the totals of its open lots.
 * Filters restrict the rows and the totals. `content_hash` is the SHA-256 of the RFC 8785 form of the rows.
 */
export function taxLots(input: TaxLotsInput): TaxLots {
  return withinRange(() => deriveTaxLots(input));
}

function deriveTaxLots(input: TaxLotsInput): TaxLots {
  const { portfolio, group, closes } = input;
  const terms = group.portfolios.find((each) => each.portfolio === portfolio)!;
  const regime = regimes[terms.taxRegime];
  if (regime.pooling !== 'lots') return pooledLots(input, regime, terms);
  const derived = lotsOfGroup(parseGroup(group));
  const fault = derived.faults.find((each) => each.portfolio === portfolio);
  if (fault) return { state: 'inconsistent', detail: `The lots cannot be derived. ${describeFault(fault)}.` };
  const prices = pricesBySymbol(closes, terms);
  const isWanted = ({ symbol, term }: { symbol: string; term: string }) =>
    (input.symbol === undefined || symbol === input.symbol) &&
    (input.term === undefined || term === input.term);
  const isOwn = (row: { portfolio: string }) => row.portfolio === portfolio;
  const open =
    input.state === 'closed'
      ? []
      : valueLots(derived.lots.filter(isOwn), { prices, asOf: group.asOf }).filter(isWanted);
  const closed = input.state === 'open' ? [] : derived.disposals.filter(isOwn).filter(isWanted);
  const uidOf = (symbol: string) => input.instruments[symbol] ?? null;
  const lots = [
    ...open.map((lot) => openRow(lot, uidOf(lot.symbol))),
    ...closed.map((disposal) => closedRow(disposal, uidOf(disposal.symbol))),
  ].toSorted(byPlace);
  return {
    state: 'consistent',
    content_hash: canonicalHash(lots),
    totals: lotTotals(open).map(totalRow),
    stale_prices: [...new Set(open.filter((lot) => lot.isPriceStale).map(({ symbol }) => symbol))].toSorted(
      compareText,
    ),
    other_currency: othersOf(open, { prices, asOf: group.asOf }),
    lots,
  };
}

/**
 * Returns the pools of a portfolio, or of its tax entity if the regime has one pool per tax entity. With a filter by
 * term, returns neither pools nor disposals.
 */
function pooledLots(input: TaxLotsInput, regime: Regime, terms: GroupTerms): TaxLots {
  const { group, closes, instruments } = input;
  const derived = poolsOfGroup(parseGroup(group), regime);
  const fault = derived.faults.find((each) => each.portfolio === terms.portfolio);
  if (fault)
    return { state: 'inconsistent', detail: `The pools cannot be derived. ${describeFault(fault)}.` };
  const scope = regime.pooling === 'portfolio' ? terms.portfolio : terms.taxEntity;
  const isWanted = (row: { scope: string; symbol: string }) =>
    row.scope === scope &&
    input.term === undefined &&
    (input.symbol === undefined || row.symbol === input.symbol);
  const prices = pricesBySymbol(closes, terms);
  const uidOf = (symbol: string) => instruments[symbol] ?? null;
  const open =
    input.state === 'closed'
      ? []
      : derived.pools
          .filter(isWanted)
          .map((pool) => poolRow(pool, uidOf(pool.symbol), { prices, asOf: group.asOf }));
  const closed =
    input.state === 'open'
      ? []
      : derived.disposals.filter(isWanted).map((each) => poolDisposalRow(each, uidOf(each.symbol)));
  const lots = [...open, ...closed].toSorted(byPlace);
  const others = othersOf(open, { prices, asOf: group.asOf });
  const stale = open.filter(
    ({ symbol, price }) =>
      price === null && prices.has(symbol) && !others.some((other) => other.symbol === symbol),
  );
  return {
    state: 'consistent',
    content_hash: canonicalHash(lots),
    totals: poolTotals(open),
    stale_prices: stale.map(({ symbol }) => symbol),
    other_currency: others,
    lots,
  };
}

/** Returns the symbols of open rows whose closes are in another currency, once each, by symbol. */
function othersOf(
  rows: readonly { symbol: string; currency: string }[],
  { prices, asOf }: { prices: ReadonlyMap<string, Price>; asOf: string },
): OtherCurrency[] {
  const priceOf = readerOfPrices(prices, asOf);
  const bySymbol = new Map(rows.map(({ symbol, currency }) => [symbol, currency]));
  return [...bySymbol]
    .flatMap(([symbol, currency]): OtherCurrency[] => {
      const { otherCurrency: other } = priceOf(symbol, currency);
      return other === null ? [] : [{ symbol, currency, price_currency: other }];
    })
    .toSorted((a, b) => compareText(a.symbol, b.symbol));
}

function openRow(lot: ValuedLot, instrument: string | null): TaxLot {
  return {
    lot: lotName(lot),
    symbol: lot.symbol,
    instrument_uid: instrument,
    currency: lot.currency,
    acquired_on: lot.acquiredOn,
    holding_since: lot.holdingSince,
    term: lot.term,
    long_from: lot.longFrom,
    quantity: formatDecimal(lot.quantity),
    cost_minor: wireMinor(lot.costMinor),
    basis_minor: wireMinor(lot.basisMinor),
    wash_added_minor: wireMinor(lot.washAddedMinor),
    price: lot.price,
    price_on: lot.priceOn,
    value_minor: minorOrNull(lot.valueMinor),
    gain_minor: minorOrNull(lot.gainMinor),
    gain_bps: minorOrNull(lot.gainBps),
    closed: null,
    known_at: lot.knownAt,
  };
}

function closedRow(disposal: Disposal, instrument: string | null): TaxLot {
  const quantity = formatDecimal(disposal.quantity);
  return {
    lot: lotName(disposal),
    symbol: disposal.symbol,
    instrument_uid: instrument,
    currency: disposal.currency,
    acquired_on: disposal.acquiredOn,
    holding_since: disposal.holdingSince,
    term: disposal.term,
    long_from: null,
    quantity: '0',
    cost_minor: null,
    basis_minor: wireMinor(disposal.basisMinor),
    wash_added_minor: null,
    price: null,
    price_on: null,
    value_minor: null,
    gain_minor: null,
    gain_bps: null,
    closed: {
      on: disposal.soldOn,
      quantity,
      proceeds_minor: wireMinor(disposal.proceedsMinor),
      gain_minor: wireMinor(disposal.gainMinor),
      disallowed_minor: wireMinor(disposal.disallowedMinor),
    },
    known_at: disposal.knownAt,
  };
}

function byPlace(a: TaxLot, b: TaxLot): number {
  return (
    compareText(a.symbol, b.symbol) ||
    compareText(a.acquired_on ?? '', b.acquired_on ?? '') ||
    compareText(a.lot, b.lot) ||
    compareText(a.closed?.on ?? '9999', b.closed?.on ?? '9999')
  );
}

function totalRow(total: LotTotal): TaxLotTotal {
  return {
    currency: total.currency,
    term: total.term,
    lots: total.lots,
    basis_minor: wireMinor(total.basisMinor),
    value_minor: wireMinor(total.valueMinor),
    gain_minor: wireMinor(total.gainMinor),
    unpriced: total.unpricedLots,
  };
}

function minorOrNull(amount: bigint | null): number | null {
  return amount === null ? null : wireMinor(amount);
}
