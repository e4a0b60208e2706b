import type { Ledger } from '#lib/numerics/backtesting/ledger.ts';
import { BACKTEST_LIMITS } from './backtest-limits.ts';
import type { BacktestHoldings, BacktestOrders } from './backtest-tables.schema.ts';

type Names = { sessions: readonly string[]; symbols: readonly string[] };

/** Returns the first orders of a backtest by columns, at most as many as an attachment may have. */
export function ordersTable({ orders }: Ledger, { sessions, symbols }: Names): BacktestOrders {
  const listed = orders.slice(0, BACKTEST_LIMITS.rows);
  return {
    decided: listed.map(({ decided }) => sessions[decided]!),
    date: listed.map(({ session }) => sessions[session]!),
    symbol: listed.map(({ symbol }) => symbols[symbol]!),
    quantity: listed.map(({ quantity }) => quantity),
    price: listed.map(({ price }) => price),
    amount: listed.map(({ amount }) => amount),
    cost: listed.map(({ cost }) => cost),
  };
}

/** Returns the first holdings of a backtest by columns, without symbols that are not held. */
export function holdingsTable({ holdings }: Ledger, { sessions, symbols }: Names): BacktestHoldings {
  const table: BacktestHoldings = { date: [], symbol: [], quantity: [] };
  for (const { session, quantity } of holdings) {
    for (const [symbol, held] of quantity.entries()) {
      if (held === 0) continue;
      if (table.date.length === BACKTEST_LIMITS.rows) return table;
      table.date.push(sessions[session]!);
      table.symbol.push(symbols[symbol]!);
      table.quantity.push(held);
    }
  }
  return table;
}
