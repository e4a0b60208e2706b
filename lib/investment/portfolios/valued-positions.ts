import type { LastClose } from './close.query.ts';
import { parseEventText } from './event-text.ts';
import { describeFault } from './lot-fault-text.ts';
import { deriveLots } from './lots.ts';
import { pricesBySymbol, valueLots, type ValuedLot } from './lot-values.ts';
import type { PortfolioGroup } from './portfolio-group.ts';
import { positionsOf } from './positions.ts';

/**
 * A position: shares times 10^8, and their value in minor units. The value is null if there is no price from the last 7
 * days, or if the price is in another currency, which `otherCurrency` names.
 */
export type ValuedPosition = {
  symbol: string;
  currency: string;
  quantity: bigint;
  valueMinor: bigint | null;
  otherCurrency: string | null;
};

export type PortfolioValue =
  | { state: 'inconsistent'; detail: string }
  | { state: 'consistent'; positions: ValuedPosition[]; cash: { currency: string; amountMinor: bigint }[] };

/**
 * Returns the positions and the cash of portfolios at the end of the as-of day of their group, by the key of the
 * portfolio. Positions are ordered by symbol. The value of a position is the sum of the values of its lots at the last
 * closes, as in `holdings`.
 */
export function valuedPositions(
  { portfolios, events: text, splits, asOf }: PortfolioGroup,
  { keys, closes }: { keys: readonly string[]; closes: readonly LastClose[] },
): Map<string, PortfolioValue> {
  const events = parseEventText(text);
  const { lots, faults } = deriveLots({ portfolios, events, splits, asOf });
  const faulty = new Map(faults.map((fault) => [fault.portfolio, fault]));
  const sound = new Set(keys.filter((key) => !faulty.has(key)));
  const ownLots = Map.groupBy(lots, ({ portfolio }) => portfolio);
  const lotsOf = new Map(
    portfolios
      .filter(({ portfolio }) => sound.has(portfolio))
      .map(({ portfolio, baseCurrency }) => {
        const prices = pricesBySymbol(closes, { baseCurrency });
        return [portfolio, valueLots(ownLots.get(portfolio) ?? [], { prices, asOf })] as const;
      }),
  );
  const { cash } = positionsOf({
    events: events.filter(({ portfolio }) => sound.has(portfolio)),
    splits,
    asOf,
  });
  const cashOf = Map.groupBy(cash, ({ portfolio }) => portfolio);
  return new Map(
    keys.map((key): [string, PortfolioValue] => {
      const fault = faulty.get(key);
      if (fault)
        return [
          key,
          {
            state: 'inconsistent',
            detail: `The positions of ${key} cannot be derived. ${describeFault(fault)}.`,
          },
        ];
      const bySymbol = Map.groupBy(lotsOf.get(key) ?? [], ({ symbol }) => symbol);
      return [
        key,
        {
          state: 'consistent',
          positions: [...bySymbol.values()].map(positionOf),
          cash: (cashOf.get(key) ?? []).map(({ currency, amountMinor }) => ({ currency, amountMinor })),
        },
      ];
    }),
  );
}

function positionOf(lots: readonly ValuedLot[]): ValuedPosition {
  const [{ symbol, currency, price, otherCurrency }] = lots as [ValuedLot];
  const sum = (amountOf: (lot: ValuedLot) => bigint) =>
    lots.reduce((total, lot) => total + amountOf(lot), 0n);
  return {
    symbol,
    currency,
    quantity: sum(({ quantity }) => quantity),
    valueMinor: price === null ? null : sum(({ valueMinor }) => valueMinor ?? 0n),
    otherCurrency,
  };
}
