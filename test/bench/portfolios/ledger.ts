import { addDays } from '#lib/core/date.ts';
import type { PortfolioEvent, PortfolioTerms } from '#lib/investment/portfolios/portfolio-event.ts';

const FIRST = '2015-01-01';
const DAYS = 2_500;
const ONE = 100_000_000n;

/** Returns the terms of `count` artificial portfolios that share one wash-sale group. */
export function madePortfolios(count: number): PortfolioTerms[] {
  return Array.from({ length: count }, (_, at) => ({
    portfolio: `p${at}`,
    baseCurrency: 'USD',
    accountKind: 'taxable',
    lotRelief: 'fifo',
    taxEntity: 'owner',
    washGroup: 'owner',
  }));
}

/**
 * Returns `count` events over 2,500 days: purchases and sales of some symbols in several portfolios, in the order of
 * their dates. No sale exceeds the shares held. The price of a symbol rises and falls, so that half of the sales
 * realise a loss. The numbers come from a linear congruential generator, so every run measures the same events.
 */
export function madeLedger(
  count: number,
  { portfolios, symbols: symbolCount }: { portfolios: readonly PortfolioTerms[]; symbols: number },
): PortfolioEvent[] {
  const symbols = Array.from({ length: symbolCount }, (_, at) => `S${at}`);
  const held = new Map<string, number>();
  const dates = Array.from({ length: DAYS }, (_, day) => addDays(FIRST, day));
  let state = 12_345;
  const draw = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: count }, (_, at): PortfolioEvent => {
    const { portfolio } = portfolios[draw(portfolios.length)]!;
    const symbol = symbols[draw(symbols.length)]!;
    const key = `${portfolio} ${symbol}`;
    const before = held.get(key) ?? 0;
    const isSale = before > 0 && draw(100) < 48;
    const quantity = isSale ? Math.min(before, 1 + draw(150)) : 1 + draw(150);
    held.set(key, before + (isSale ? -quantity : quantity));
    const day = Math.floor((at / count) * DAYS);
    const price = 5_000 + ((day * 7 + symbol.length * 131) % 2_000) + draw(300);
    const tradedOn = dates[day]!;
    return {
      portfolio,
      // Events of one day are sorted by reference. The references put purchases before sales.
      reference: flat(`${isSale ? 's' : 'b'}${String(at).padStart(9, '0')}`),
      type: isSale ? 'sell' : 'buy',
      tradedOn,
      settledOn: null,
      symbol,
      quantity: BigInt(quantity) * ONE,
      price: null,
      amountMinor: BigInt(quantity * price),
      currency: 'USD',
      feesMinor: at % 3 === 0 ? 99n : 0n,
      lot: null,
      acquiredOn: null,
      basisMinor: null,
      knownAt: flat(`${tradedOn}T20:00:00.000Z`),
      withdrawn: false,
    };
  });
}

/**
 * Returns the same text as a flat string, as a database driver returns it. V8 keeps a concatenated string as
 * a tree of its parts, which is slower to read.
 */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
