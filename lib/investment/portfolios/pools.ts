import { compareText } from '#lib/core/compare-text.ts';
import type { Regime } from '../tax/regime.ts';
import type { LotFault } from './lot-fault.ts';
import { PoolLedger, type PoolEntry, type PoolHistory } from './pool-ledger.ts';
import { splitShares, unsplitShares } from './pool-shares.ts';
import type { PortfolioTerms } from './portfolio-event.ts';
import { replay, type ReplayInput } from './replay.ts';

/** The shares of a symbol with one average basis. Quantities are shares times 10^8. */
export type Pool = {
  /** The portfolio or the tax entity to which the pool belongs. */
  scope: string;
  symbol: string;
  currency: string;
  quantity: bigint;
  basisMinor: bigint;
};

/** The part of a sale that one matching rule covers. */
export type PoolDisposal = {
  scope: string;
  symbol: string;
  currency: string;
  soldOn: string;
  /** The references of the sales: all sales of a day if the regime treats them as one sale, otherwise a single sale. */
  references: readonly string[];
  rule: 'same_day' | 'days_after' | 'pool' | 'return_of_capital';
  /** The date of the matched purchase; null if the part was taken from the pool. */
  matchedOn: string | null;
  quantity: bigint;
  proceedsMinor: bigint;
  basisMinor: bigint;
  gainMinor: bigint;
};

export type Pools = {
  /** Pools, ordered by scope and symbol in code units. Empty pools are left out. */
  pools: Pool[];
  /** Disposals, ordered by scope, symbol and date, then in the order of the rules. */
  disposals: PoolDisposal[];
  /**
   * The first fault of each portfolio. The event with the fault and all later events of the portfolio are
   * left out.
   */
  faults: LotFault[];
};

/**
 * Derives pools of shares with an average basis, and the disposals from the pools, under a tax regime with
 * pools. The cost of a purchase includes fees, and the proceeds of a sale are after fees. A part of a basis
 * is rounded down, and the last shares get the rest.
 *
 * A sale is matched by the rules of the regime, in their order: with purchases of the same day, then with
 * purchases of the days after it (the earliest first), then with the pool. A transferred lot is added to the
 * pool. Tax-exempt portfolios are left out. Throws a `RangeError` for a regime with lots, and in the same
 * cases as `replay`.
 *
 * Source: Taxation of Chargeable Gains Act 1992, sections 104, 105 and 106A.
 *
 * Example: purchases of 100 shares for 1,000.00 and 100 shares for 2,000.00 form a pool of 200 shares with a
 * basis of 3,000.00. A sale of 50 shares has a basis of 750.00.
 */
export function derivePools(
  input: ReplayInput & { portfolios: readonly PortfolioTerms[]; regime: Regime },
): Pools {
  const { regime, portfolios } = input;
  if (regime.pooling === 'lots') throw new RangeError(`the regime ${regime.key} has no pools`);
  const ledger = new PoolLedger(portfolios, {
    scopeOf: ({ portfolio, taxEntity }) => (regime.pooling === 'portfolio' ? portfolio : taxEntity),
    isDaily: regime.matching.includes('same_day'),
  });
  const conflicts = replay(input, ledger);
  for (const conflict of conflicts) {
    const other = ledger.faults.get(conflict.portfolio);
    if (!other || conflict.on < other.on)
      ledger.faults.set(conflict.portfolio, { ...conflict, symbol: null });
  }
  const derived = byKey(ledger.histories).map(([, history]) => poolOf(history, regime));
  return {
    pools: derived.map(({ pool }) => pool).filter(({ quantity }) => quantity > 0n),
    disposals: derived.flatMap(({ disposals }) => disposals),
    faults: byKey(ledger.faults).map(([, fault]) => fault),
  };
}

type Piece = Pick<PoolDisposal, 'rule' | 'matchedOn' | 'quantity' | 'basisMinor'>;

function poolOf({ scope, symbol, currency, entries }: PoolHistory, regime: Regime) {
  const left = new Map(entries.map((each) => [each, { quantity: each.quantity, amount: each.amount }]));
  const pieces = new Map<PoolEntry, Piece[]>();
  if (regime.matching.includes('same_day')) match(entries, left, pieces, { rule: 'same_day', days: 0 });
  if (regime.matching.includes('days_after'))
    match(entries, left, pieces, { rule: 'days_after', days: regime.matchingDays });
  const pool: Pool = { scope, symbol, currency, quantity: 0n, basisMinor: 0n };
  const disposals: PoolDisposal[] = [];
  for (const entry of entries) {
    const rest = left.get(entry)!;
    const about = { scope, symbol, currency, soldOn: entry.on, references: entry.references };
    if (entry.kind === 'split') pool.quantity = splitShares(pool.quantity, entry.ratio!);
    else if (entry.kind === 'return_of_capital') {
      const returned = entry.amount < pool.basisMinor ? entry.amount : pool.basisMinor;
      pool.basisMinor -= returned;
      const gainMinor = entry.amount - returned;
      const amounts = { quantity: 0n, proceedsMinor: gainMinor, basisMinor: 0n, gainMinor };
      if (gainMinor > 0n)
        disposals.push({ ...about, rule: 'return_of_capital', matchedOn: null, ...amounts });
    } else if (entry.kind === 'buy' || entry.kind === 'transfer_in') {
      pool.quantity += rest.quantity;
      pool.basisMinor += rest.amount;
    } else {
      const own = pieces.get(entry) ?? [];
      if (rest.quantity > 0n)
        own.push({
          rule: 'pool',
          matchedOn: null,
          quantity: rest.quantity,
          basisMinor: take(pool, rest.quantity),
        });
      if (entry.kind === 'sell')
        disposals.push(...withProceeds(own, entry).map((piece) => ({ ...about, ...piece })));
    }
  }
  return { pool, disposals };
}

/** Matches sales with purchases on the same day (0 days) or on the days after it. */
function match(
  entries: readonly PoolEntry[],
  left: ReadonlyMap<PoolEntry, { quantity: bigint; amount: bigint }>,
  pieces: Map<PoolEntry, Piece[]>,
  { rule, days }: { rule: 'same_day' | 'days_after'; days: number },
): void {
  let first = 0;
  for (const [at, sale] of entries.entries()) {
    if (sale.kind !== 'sell') continue;
    while (entries[first]!.day < sale.day) first += 1;
    const open = left.get(sale)!;
    const ratios = [];
    for (
      let next = rule === 'same_day' ? first : at + 1;
      next < entries.length && open.quantity > 0n;
      next += 1
    ) {
      const entry = entries[next]!;
      if (entry.day > sale.day + days) break;
      if (entry.kind === 'split' && entry.day > sale.day) ratios.push(entry.ratio!);
      const rest = left.get(entry)!;
      const isOther = rule === 'days_after' && entry.day === sale.day;
      if (entry.kind !== 'buy' || rest.quantity === 0n || isOther) continue;
      const offered = unsplitShares(rest.quantity, ratios);
      const isWhole = offered <= open.quantity;
      const quantity = isWhole ? offered : open.quantity;
      const split = ratios.reduce(splitShares, quantity);
      const used = isWhole || split > rest.quantity ? rest.quantity : split;
      const basisMinor = isWhole ? rest.amount : (rest.amount * used) / rest.quantity;
      rest.quantity -= used;
      rest.amount -= basisMinor;
      open.quantity -= quantity;
      const piece: Piece = { rule, matchedOn: entry.on, quantity, basisMinor };
      const own = pieces.get(sale);
      if (own) own.push(piece);
      else pieces.set(sale, [piece]);
    }
  }
}

/**
 * Takes shares out of the pool. Rounding of splits can leave the pool 10^-8 shares short; in this case all
 * shares of the pool are taken.
 */
function take(pool: Pool, quantity: bigint): bigint {
  const isWhole = quantity >= pool.quantity;
  const basis = isWhole ? pool.basisMinor : (pool.basisMinor * quantity) / pool.quantity;
  pool.quantity = isWhole ? 0n : pool.quantity - quantity;
  pool.basisMinor -= basis;
  return basis;
}

function withProceeds(pieces: readonly Piece[], { amount, quantity }: PoolEntry) {
  let left = amount;
  return pieces.map((piece, at) => {
    const isLast = at === pieces.length - 1;
    const proceedsMinor = isLast ? left : (amount * piece.quantity) / quantity;
    left -= proceedsMinor;
    return { ...piece, proceedsMinor, gainMinor: proceedsMinor - piece.basisMinor };
  });
}

function byKey<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].toSorted(([a], [b]) => compareText(a, b));
}
