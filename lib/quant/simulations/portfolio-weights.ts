import { compareText } from '#lib/core/compare-text.ts';
import { valuedPositions } from '#lib/investment/portfolios/valued-positions.ts';
import type { WeightData } from './simulation-data.ts';
import {
  currenciesMixed,
  inconsistent,
  unfit,
  valueless,
  type SimulationRefusal,
} from './simulation-refusal.ts';

/**
 * The value of the positions and the cash of a portfolio in minor units, and the currency; the currency is null if the
 * portfolio is empty.
 */
export type PortfolioValue = { valueMinor: bigint; currency: string | null };

/**
 * Returns the weight of each asset in the positions of a portfolio, and the value of the positions and the
 * cash. Refuses a portfolio with several currencies, with a short position, with a position that has no
 * price or is not an asset, or with a value that is not above 0.
 */
export function portfolioWeights(
  { portfolio, group, closes }: WeightData,
  assets: readonly string[],
): (PortfolioValue & { weights: number[] }) | SimulationRefusal {
  const found = valuedPositions(group, { keys: [portfolio], closes }).get(portfolio)!;
  if (found.state === 'inconsistent') return inconsistent(found.detail);
  const { positions } = found;
  const cash = found.cash.filter(({ amountMinor }) => amountMinor !== 0n);
  const quoted = positions.flatMap(({ otherCurrency }) => otherCurrency ?? []);
  const held = [...positions, ...cash].map(({ currency }) => currency);
  const currencies = [...new Set([...held, ...quoted])].sort(compareText);
  if (currencies.length > 1) return currenciesMixed(currencies);
  const strange = positions.filter(({ symbol }) => !assets.includes(symbol)).map(({ symbol }) => symbol);
  if (strange.length > 0)
    return unfit(
      '/portfolio',
      'not_an_asset',
      `holds ${strange.join(', ')}, which the source does not have as assets`,
    );
  const priceless = positions.filter(({ valueMinor }) => valueMinor === null).map(({ symbol }) => symbol);
  if (priceless.length > 0)
    return {
      code: 'market_history_insufficient',
      detail: `The positions in ${priceless.join(', ')} have no price from the last 7 days.`,
      members: {
        observed: positions.length - priceless.length,
        needed: positions.length,
        symbols: priceless,
      },
    };
  const short = positions.filter(({ valueMinor }) => valueMinor! < 0n).map(({ symbol }) => symbol);
  if (short.length > 0) return unfit('/portfolio', 'short', `has short positions in ${short.join(', ')}`);
  const heldMinor = positions.reduce((total, { valueMinor }) => total + valueMinor!, 0n);
  const valueMinor = cash.reduce((total, { amountMinor }) => total + amountMinor, heldMinor);
  if (heldMinor <= 0n || valueMinor <= 0n) return valueless();
  const valueOf = new Map(positions.map((each) => [each.symbol, Number(each.valueMinor)]));
  return {
    weights: assets.map((asset) => (valueOf.get(asset) ?? 0) / Number(heldMinor)),
    valueMinor,
    currency: currencies[0] ?? null,
  };
}
