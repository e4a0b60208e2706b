import type { SymbolPriceText } from '#lib/data/price-text.ts';
import type { LastClose } from '../portfolios/close.query.ts';
import type { PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { valuedPositions } from '../portfolios/valued-positions.ts';
import { instrumentNumber } from './instrument-number.ts';
import { completeMonths, monthlyLogReturns } from './monthly-log-returns.ts';
import type { ConsumedRun, PortfolioScenarioInput } from './scenario-input.ts';
import type { ScenarioOptions } from './scenario-request.schema.ts';

/** All data from which the scenarios of a portfolio are computed, except the samples. */
export type ScenarioData = {
  portfolio: { uid: string; key: string };
  asOf: string;
  options: ScenarioOptions;
  run: ConsumedRun;
  group: PortfolioGroup;
  closes: readonly LastClose[];
  /** The last adjusted close of each month. */
  prices: readonly SymbolPriceText[];
  /**
   * The months on which the model was trained, up to the as-of date, row by row with one number per factor.
   */
  factorMonths: { days: string[]; values: Float64Array };
  /** The uid of the instrument by symbol. The next member is the sector or theme by symbol. */
  instruments: Readonly<Record<string, string>>;
  groups: Readonly<Record<string, string>>;
};

export type ScenarioInputOf =
  | { state: 'inconsistent'; detail: string }
  | { state: 'consistent'; input: PortfolioScenarioInput };

/**
 * Returns the input of the computation. For a symbol without an instrument, the instrument number is derived
 * from the symbol.
 */
export function scenarioInputOf(data: ScenarioData, matrix: Float64Array): ScenarioInputOf {
  const { portfolio, asOf, options, run, group, closes, prices, instruments, groups } = data;
  const value = valuedPositions(group, { keys: [portfolio.key], closes }).get(portfolio.key)!;
  if (value.state === 'inconsistent') return value;
  const { months, returns } = monthsUntil(data);
  const observations = new Map(prices.map((each) => [each.symbol, each.observations]));
  const holdings = value.positions.map(({ symbol, currency, valueMinor, otherCurrency }) => {
    const own = observations.get(symbol);
    return {
      symbol,
      currency,
      instrument: instrumentNumber(instruments[symbol] ?? symbol),
      valueMinor,
      otherCurrency,
      returns: own === undefined ? null : monthlyLogReturns(own, months),
      group: groups[symbol] ?? null,
    };
  });
  return {
    state: 'consistent',
    input: {
      portfolio: portfolio.uid,
      asOf,
      run,
      matrix,
      factorReturns: returns,
      holdings,
      cash: value.cash,
      options,
    },
  };
}

/** Returns the latest complete months of the factors up to the as-of date. */
function monthsUntil({ factorMonths: { days, values }, run, asOf }: ScenarioData) {
  const count = days.filter((day) => day <= asOf).length;
  const size = run.factors.length;
  return completeMonths(days.slice(0, count), values.subarray(0, count * size), size);
}
