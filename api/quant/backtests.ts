import Type from 'typebox';
import { IsoDate, Sha256Of } from '#lib/core/schema.ts';
import { BacktestRequestBody } from '#lib/quant/backtests/backtest-request.schema.ts';
import { BacktestHoldings, BacktestOrders } from '#lib/quant/backtests/backtest-tables.schema.ts';
import { backtestsRun } from '#lib/quant/backtests/backtests.run.ts';
import { tableOf } from './backtest-table.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../run-operations.ts';

export const createBacktest = defineRunSubmission(backtestsRun, {
  key: 'quant.compute.backtests.create',
  product: 'Quant',
  summary: 'Simulates a strategy on observed prices and seals the result.',
  description:
    'A decision at the close of a session uses only data that were known by the end of that day. By default, its orders are filled in the next session. ' +
    'The answer has the curve, all costs, and evidence on overfitting, based on the trials that the service counted. ' +
    'The run never places an order.',
  body: BacktestRequestBody,
  sealed: 'The sealed backtest.',
});

export const listBacktests = defineRunList(backtestsRun, {
  key: 'quant.compute.backtests.list',
  product: 'Quant',
  scope: 'quant:compute:read',
  summary: 'Lists backtests, newest first, without their results.',
  filters: {
    family: Type.Optional(Sha256Of('Returns only backtests of this family of strategies.')),
    from: Type.Optional({ ...IsoDate, description: 'Returns only backtests that begin on this day.' }),
    to: Type.Optional({ ...IsoDate, description: 'Returns only backtests that end on this day.' }),
  },
});

export const getBacktest = defineRunRead(backtestsRun, {
  key: 'quant.compute.backtests.get',
  product: 'Quant',
  scope: 'quant:compute:read',
  summary: 'Returns a backtest, and optionally waits until the run ends.',
  noun: 'backtest',
});

export const getBacktestOrders = tableOf(
  'orders',
  BacktestOrders,
  'decided,date,symbol,quantity,price,amount,cost\r\n2019-01-31,2019-02-01,AAPL,100,40.5,4050,4.05\r\n',
);

export const getBacktestHoldings = tableOf(
  'holdings',
  BacktestHoldings,
  'date,symbol,quantity\r\n2019-02-01,AAPL,100\r\n',
);
