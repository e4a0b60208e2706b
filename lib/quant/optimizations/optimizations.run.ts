import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { optimizationInput } from './optimization-input.query.ts';
import { OptimizationInput } from './optimization-input.schema.ts';
import { OptimizationRequestBody } from './optimization-request.schema.ts';
import { OptimizationResult, SearchTrials } from './optimization-result.schema.ts';

/** The run that searches the parameters of a strategy. */
export const optimizationsRun = defineRun({
  key: 'quant.optimizations',
  prefix: prefixes.optimization,
  queue: 'numerics',
  scope: 'quant:compute:run',
  resource: '/quant/compute/optimizations',
  model: 'svc_optimization_v1',
  request: OptimizationRequestBody,
  input: OptimizationInput,
  summary: ['family', 'method', 'from', 'to'],
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
    result: OptimizationResult,
  }),
  headline: [
    { name: 'verdict', unit: 'code', pointer: '/result/verdict' },
    { name: 'points', unit: 'trials', pointer: '/result/points' },
    { name: 'deflated_sharpe', unit: 'probability', pointer: '/result/evidence/deflated_sharpe' },
  ],
  attachments: Closed({ trials: SearchTrials }),
  refusals: [],
  problems: [
    'too_many_trials',
    'space_empty',
    'folds_insufficient',
    'universe_empty',
    'look_ahead',
    'backtest_too_large',
    'currencies_mixed',
    'market_history_insufficient',
  ],
  timeoutMs: 900_000,
  attempts: 20,
  resolve: (em, request, { now }) => optimizationInput(em, request, now),
});
