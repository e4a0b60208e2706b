import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import { groupRefusals } from '#lib/investment/portfolios/portfolio.query.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { simulationInput } from './simulation-input.query.ts';
import { SimulationResult } from './simulation-result.schema.ts';
import { SimulationInput, SimulationRequest } from './simulations.schema.ts';

/** The run that simulates the wealth of a portfolio over months. */
export const simulationsRun = defineRun({
  key: 'quant.simulations',
  prefix: prefixes.simulation,
  queue: 'numerics',
  scope: 'quant:compute:run',
  resource: '/quant/compute/simulations',
  model: 'svc_simulation_v1',
  request: SimulationRequest,
  input: SimulationInput,
  summary: ['horizon', 'paths', 'seed'],
  output: Closed({ result: SimulationResult }),
  headline: [
    { name: 'mean', unit: 'minor', pointer: '/result/terminal/mean_minor' },
    { name: 'ruin', unit: 'fraction', pointer: '/result/ruin/probability' },
    { name: 'drawdown', unit: 'fraction', pointer: '/result/drawdown/mean' },
  ],
  attachments: Closed({}),
  refusals: [
    ...groupRefusals,
    'model_not_generative',
    'model_superseded',
    'no_checkpoint',
    'backtest_ineligible',
  ],
  problems: [
    'market_history_insufficient',
    'validation_failed',
    'portfolio_inconsistent',
    'currencies_mixed',
    'not_identifiable',
    'too_large',
    'backtest_ineligible',
  ],
  timeoutMs: 1_800_000,
  attempts: 20,
  async resolve(em, request, { now }) {
    const input = await simulationInput(em, request, now);
    const isRead = input.source.kind === 'history' || input.as_of !== undefined;
    return { input, datasetRevisions: isRead ? await currentRevisions(em) : {} };
  },
});
