import Type, { type Static } from 'typebox';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { StrategySymbol } from '../strategies/strategy-members.schema.ts';
import { BACKTEST_LIMITS } from './backtest-limits.ts';

const maxItems = BACKTEST_LIMITS.rows;
const Numbers = (description: string) => Type.Array(Type.Number(), { maxItems, description });
const Dates = (description: string) => Type.Array(IsoDate, { maxItems, description });
const SymbolColumn = Type.Array(StrategySymbol, { maxItems, description: 'Symbols.' });

/** The orders of a backtest by columns: entry i of each list belongs to order i. */
export const BacktestOrders = Closed(
  {
    decided: Dates('Dates of the decisions.'),
    date: Dates('Dates of the trades.'),
    symbol: SymbolColumn,
    quantity: Numbers('Shares; negative for sales.'),
    price: Numbers('Prices of the trades.'),
    amount: Numbers('Quantity times price, without costs.'),
    cost: Numbers('Commission, spread, impact and tax.'),
  },
  { title: 'BacktestOrders', description: 'Filled orders, at most 200,000, by columns.' },
);
export type BacktestOrders = Static<typeof BacktestOrders>;

/** The holdings of a backtest after each session with orders, by columns. */
export const BacktestHoldings = Closed(
  {
    date: Dates('Dates of the sessions.'),
    symbol: SymbolColumn,
    quantity: Numbers('Shares after the orders of the session; negative for short positions.'),
  },
  {
    title: 'BacktestHoldings',
    description: 'Holdings after each session with orders, at most 200,000 rows, by columns.',
  },
);
export type BacktestHoldings = Static<typeof BacktestHoldings>;
