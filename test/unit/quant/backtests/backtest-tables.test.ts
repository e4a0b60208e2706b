import { expect } from 'chai';
import type { Ledger } from '#lib/numerics/backtesting/ledger.ts';
import { BACKTEST_LIMITS } from '#lib/quant/backtests/backtest-limits.ts';
import { holdingsTable, ordersTable } from '#lib/quant/backtests/backtest-tables.ts';

const sessions = ['2020-01-06', '2020-01-07', '2020-01-08'];
const symbols = ['A', 'B'];
const order = { decided: 0, session: 1, symbol: 1, quantity: -2, price: 10, amount: -20, cost: 0.5 };
const ledgerOf = (part: Partial<Ledger>) => ({ orders: [], holdings: [], ...part }) as unknown as Ledger;

describe('ordersTable', () => {
  it('names the days of the decision and of the trade, and the symbol', () => {
    expect(ordersTable(ledgerOf({ orders: [order] }), { sessions, symbols })).to.deep.equal({
      decided: ['2020-01-06'],
      date: ['2020-01-07'],
      symbol: ['B'],
      quantity: [-2],
      price: [10],
      amount: [-20],
      cost: [0.5],
    });
  });

  it('lists the first 200,000 orders', () => {
    const orders = Array.from({ length: BACKTEST_LIMITS.rows + 1 }, () => order);
    expect(ordersTable(ledgerOf({ orders }), { sessions, symbols }).cost).to.have.length(200_000);
  });
});

describe('holdingsTable', () => {
  it('leaves out symbols that are not held, and keeps short positions', () => {
    const holdings = [
      { session: 1, quantity: Float64Array.of(0, 3) },
      { session: 2, quantity: Float64Array.of(-1, 0) },
    ];
    expect(holdingsTable(ledgerOf({ holdings }), { sessions, symbols })).to.deep.equal({
      date: ['2020-01-07', '2020-01-08'],
      symbol: ['B', 'A'],
      quantity: [3, -1],
    });
  });

  it('ends at 200,000 rows, even within a session', () => {
    const quantity = new Float64Array(2).fill(1);
    const holdings = Array.from({ length: BACKTEST_LIMITS.rows / 2 + 1 }, () => ({ session: 0, quantity }));
    const table = holdingsTable(ledgerOf({ holdings }), { sessions, symbols });
    expect([table.date.length, table.symbol.length, table.quantity.length]).to.deep.equal([2e5, 2e5, 2e5]);
  });
});
