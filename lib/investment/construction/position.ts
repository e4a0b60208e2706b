import { compareText } from '#lib/core/compare-text.ts';
import { amountMinor } from '#lib/core/decimal.ts';
import type { ConstructionAsset, ConstructionHolding, ConstructionInput } from './construction-input.ts';
import { refused } from './construction-refusal.ts';

/** The portfolio before the construction. Weights are shares of the portfolio value. */
export type Position = {
  valueMinor: bigint;
  /** Cash, including `cash_added_minor`. */
  cashMinor: bigint;
  /** Weights of the assets, in the order of the assets. */
  before: Float64Array;
  /** The holding of each asset; undefined for an asset that the portfolio does not hold. */
  holdings: readonly (ConstructionHolding | undefined)[];
  /** Holdings without an eligible asset. These holdings are sold. */
  outside: readonly ConstructionHolding[];
};

/**
 * Returns the value of a portfolio and the weights of its assets. Refuses instruments in other currencies
 * (`currencies_mixed`), missing prices (`market_history_insufficient`), and a value that is not above 0
 * (`validation_failed`).
 */
export function positionOf(input: ConstructionInput, assets: readonly ConstructionAsset[]): Position {
  requireOneCurrency(input);
  requirePrices(input, assets);
  const bySymbol = new Map(input.holdings.map((holding) => [holding.symbol, holding]));
  const isAsset = new Set(assets.map(({ symbol }) => symbol));
  const worth = ({ quantity, price }: ConstructionHolding) =>
    amountMinor(quantity, price!, input.minorDigits);
  const cashMinor = input.cashMinor + BigInt(input.request.cash_added_minor ?? 0);
  let valueMinor = cashMinor;
  for (const holding of input.holdings) valueMinor += worth(holding);
  if (valueMinor <= 0n) {
    const detail = 'The value of the portfolio is not above 0. Add cash with cash_added_minor.';
    throw refused('validation_failed', detail, {
      errors: [
        {
          pointer: '/cash_added_minor',
          in: 'body',
          code: 'minimum',
          message: 'must make the value of the portfolio positive',
        },
      ],
    });
  }
  const holdings = assets.map(({ symbol }) => bySymbol.get(symbol));
  return {
    valueMinor,
    cashMinor,
    before: Float64Array.from(holdings, (holding) =>
      holding ? Number(worth(holding)) / Number(valueMinor) : 0,
    ),
    holdings,
    outside: input.holdings.filter(({ symbol }) => !isAsset.has(symbol)),
  };
}

function requireOneCurrency({ currency, assets, holdings }: ConstructionInput): void {
  const others = new Set([...assets, ...holdings].map((each) => each.currency));
  others.add(currency);
  if (others.size === 1) return;
  const currencies = [...others].sort(compareText);
  const detail = `The instruments are in ${currencies.join(', ')}. A construction needs one currency.`;
  throw refused('currencies_mixed', detail, { currencies });
}

const SYMBOLS_NAMED = 20;

function requirePrices({ holdings }: ConstructionInput, assets: readonly ConstructionAsset[]): void {
  const needed = [...assets.filter(({ isEligible }) => isEligible), ...holdings];
  const missing = needed.filter(({ price }) => price === null || price <= 0n);
  if (missing.length === 0) return;
  const symbols = [...new Set(missing.map(({ symbol }) => symbol))].sort(compareText).slice(0, SYMBOLS_NAMED);
  const detail = `These symbols have no price above 0: ${symbols.join(', ')}.`;
  const members = { observed: needed.length - missing.length, needed: needed.length, symbols };
  throw refused('market_history_insufficient', detail, members);
}
