import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { backtestInput } from './backtest-input.query.ts';
import { BacktestInput } from './backtest-input.schema.ts';
import { BacktestRequestBody } from './backtest-request.schema.ts';
import { BacktestResult } from './backtest-result.schema.ts';
import { BacktestHoldings, BacktestOrders } from './backtest-tables.schema.ts';

/** The run that simulates a strategy on observed prices. */
export const backtestsRun = defineRun({
  key: 'quant.backtests',
  prefix: prefixes.backtest,
  queue: 'numerics',
  scope: 'quant:compute:run',
  resource: '/quant/compute/backtests',
  model: 'svc_backtest_v1',
  request: BacktestRequestBody,
  input: BacktestInput,
  summary: ['family', 'from', 'to'],
  output: Closed({
    input_data: Closed(
      {
        prices: Sha256Of('Hash of all data that the strategy read.'),
        benchmark: Nullable(
          Sha256Of('Hash.'),
          'Hash of all data of the benchmark; null without a benchmark.',
        ),
      },
      { description: 'Hashes of the data.' },
    ),
    result: BacktestResult,
  }),
  headline: [
    { name: 'annual_return', unit: 'fraction', pointer: '/result/performance/annual_return' },
    { name: 'sharpe', unit: 'ratio', pointer: '/result/performance/sharpe' },
    { name: 'deflated_sharpe', unit: 'probability', pointer: '/result/evidence/deflated_sharpe' },
  ],
  attachments: Closed({ orders: BacktestOrders, holdings: BacktestHoldings }),
  refusals: [],
  problems: [
    'universe_empty',
    'look_ahead',
    'backtest_too_large',
    'currencies_mixed',
    'market_history_insufficient',
    'unknown_feature',
  ],
  timeoutMs: 300_000,
  attempts: 20,
  resolve: (em, request, { now }) => backtestInput(em, request, now),
});
