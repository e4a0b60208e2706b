import type { Fraction } from '#lib/core/decimal.ts';
import { faultOfBasis, faultOfMembers } from './event-fault.ts';
import { costOf, proceedsOf } from './event-amount.ts';
import type { LotFault } from './lot-fault.ts';
import type { PortfolioEvent, PortfolioTerms } from './portfolio-event.ts';
import { splitShares } from './pool-shares.ts';
import { overrideOf, type Replayed, type Split } from './replay.ts';

/**
 * One change of a pool. Changes are in the order of the events. `amount` is a basis for a purchase, and the
 * proceeds after fees for a sale.
 */
export type PoolEntry = {
  kind: 'buy' | 'sell' | 'transfer_in' | 'transfer_out' | 'return_of_capital' | 'split';
  on: string;
  day: number;
  quantity: bigint;
  amount: bigint;
  references: string[];
  ratio: Fraction | null;
};

/** The changes of a pool: the shares of one symbol with one average basis. */
export type PoolHistory = { scope: string; symbol: string; currency: string; entries: PoolEntry[] };

const kinds: Partial<Record<PortfolioEvent['type'], PoolEntry['kind']>> = {
  buy: 'buy',
  reinvest: 'buy',
  sell: 'sell',
  transfer_in: 'transfer_in',
  transfer_out: 'transfer_out',
  return_of_capital: 'return_of_capital',
};

export type PoolLedgerOptions = {
  scopeOf(terms: PortfolioTerms): string;
  /** Whether all purchases of a day are treated as one purchase, and all sales of a day as one sale. */
  isDaily: boolean;
};

/** Collects the changes of each pool during a replay. Tax-exempt portfolios have no pools. */
export class PoolLedger implements Replayed {
  readonly histories = new Map<string, PoolHistory>();
  readonly faults = new Map<string, LotFault>();
  private readonly options: PoolLedgerOptions;
  private readonly terms: ReadonlyMap<string, PortfolioTerms>;
  /** Shares held, by portfolio and symbol. */
  private readonly held = new Map<string, bigint>();

  constructor(portfolios: readonly PortfolioTerms[], options: PoolLedgerOptions) {
    this.options = options;
    this.terms = new Map(portfolios.map((each) => [each.portfolio, each]));
  }

  event(event: PortfolioEvent, day: number): void {
    const { portfolio, type, symbol, currency } = event;
    if (this.faults.has(portfolio)) return;
    const terms = this.terms.get(portfolio);
    if (!terms) return this.fail(event, 'portfolio_unknown');
    const fault = faultOfMembers(event) ?? (type === 'transfer_in' ? faultOfBasis(event) : undefined);
    if (fault) return this.fail(event, fault.code);
    if (terms.accountKind === 'tax_exempt') return;
    if (type === 'split_override') return this.split(overrideOf(event, day), { only: portfolio });
    const kind = kinds[type];
    if (!kind) return;
    const history = this.historyOf(terms, symbol!, currency);
    if (history.currency !== currency) return this.fail(event, 'currencies_mixed');
    const key = `${portfolio} ${symbol}`;
    const before = this.held.get(key) ?? 0n;
    const isLeaving = kind === 'sell' || kind === 'transfer_out';
    const quantity = kind === 'return_of_capital' ? 0n : event.quantity!;
    if (isLeaving && quantity > before) return this.fail(event, 'sale_exceeds_lots', before);
    if (kind === 'return_of_capital' && before === 0n) return this.fail(event, 'lot_unknown');
    this.held.set(key, isLeaving ? before - quantity : before + quantity);
    this.append(history, {
      kind,
      on: event.tradedOn,
      day,
      quantity,
      amount: poolAmountOf(event, kind),
      references: [event.reference],
      ratio: null,
    });
  }

  /**
   * Applies a split. If several portfolios share a pool, a split that applies to any of them changes the pool
   * once.
   */
  split({ symbol, on, day, ratio }: Split, where: { only: string } | { except: ReadonlySet<string> }): void {
    const scopes = new Set<string>();
    for (const [portfolio, terms] of this.terms) {
      if ('only' in where ? portfolio !== where.only : where.except.has(portfolio)) continue;
      scopes.add(this.options.scopeOf(terms));
      const held = this.held.get(`${portfolio} ${symbol}`);
      if (held) this.held.set(`${portfolio} ${symbol}`, splitShares(held, ratio));
    }
    for (const scope of scopes) {
      const entries = this.histories.get(`${scope} ${symbol}`)?.entries;
      const isRepeated = entries?.some((each) => each.kind === 'split' && each.day === day);
      if (entries && !isRepeated)
        entries.push({ kind: 'split', on, day, quantity: 0n, amount: 0n, references: [], ratio });
    }
  }

  private historyOf(terms: PortfolioTerms, symbol: string, currency: string): PoolHistory {
    const scope = this.options.scopeOf(terms);
    const key = `${scope} ${symbol}`;
    let history = this.histories.get(key);
    if (!history) {
      history = { scope, symbol, currency, entries: [] };
      this.histories.set(key, history);
    }
    return history;
  }

  private append({ entries }: PoolHistory, entry: PoolEntry): void {
    const last = entries.at(-1);
    const isTrade = entry.kind === 'buy' || entry.kind === 'sell';
    if (this.options.isDaily && isTrade && last?.kind === entry.kind && last.day === entry.day) {
      last.quantity += entry.quantity;
      last.amount += entry.amount;
      last.references.push(...entry.references);
    } else entries.push(entry);
  }

  private fail(event: PortfolioEvent, code: LotFault['code'], held?: bigint): void {
    const { portfolio, reference, tradedOn: on, symbol, quantity } = event;
    const shares = held === undefined || quantity === null ? {} : { quantity, held };
    this.faults.set(portfolio, { code, portfolio, reference, on, symbol, ...shares });
  }
}

function poolAmountOf(event: PortfolioEvent, kind: PoolEntry['kind']): bigint {
  switch (kind) {
    case 'buy':
      return costOf(event);
    case 'sell':
      return proceedsOf(event);
    case 'transfer_in':
      return event.basisMinor!;
    case 'return_of_capital':
      return event.amountMinor!;
    default:
      return 0n;
  }
}
