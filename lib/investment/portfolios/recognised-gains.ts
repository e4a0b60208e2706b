import { compareText } from '#lib/core/compare-text.ts';
import type { GainsByTerm } from '../tax/netting.ts';
import { recognisedMinor, type Disposal } from './lot.ts';
import type { PortfolioTerms } from './portfolio-event.ts';

export type RecognisedInput = {
  disposals: Iterable<Disposal>;
  portfolios: readonly PortfolioTerms[];
  taxEntity: string;
  /** The first day of the period. `to` is its last day. Sales on both days are included. */
  from: string;
  to: string;
  currency: string;
};

/**
 * Adds the recognised gains of a tax entity by term, over its taxable portfolios, in minor units of one
 * currency. Disallowed losses are not included. Disposals in other currencies are left out, and
 * `otherCurrencies` has these currencies.
 */
export function recognisedGains(input: RecognisedInput): GainsByTerm & { otherCurrencies: string[] } {
  const { disposals, portfolios, taxEntity, from, to, currency } = input;
  const own = new Set(
    portfolios
      .filter((each) => each.taxEntity === taxEntity && each.accountKind === 'taxable')
      .map((each) => each.portfolio),
  );
  const gains = { shortMinor: 0n, longMinor: 0n };
  const others = new Set<string>();
  for (const disposal of disposals) {
    if (!own.has(disposal.portfolio) || disposal.soldOn < from || disposal.soldOn > to) continue;
    if (disposal.currency !== currency) others.add(disposal.currency);
    else gains[disposal.term === 'long' ? 'longMinor' : 'shortMinor'] += recognisedMinor(disposal);
  }
  return { ...gains, otherCurrencies: [...others].toSorted(compareText) };
}
