import { SimulationRequest } from '#lib/quant/simulations/simulations.schema.ts';
import { simulationsRun } from '#lib/quant/simulations/simulations.run.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../run-operations.ts';

export const createSimulation = defineRunSubmission(simulationsRun, {
  key: 'quant.compute.simulations.create',
  product: 'Quant',
  summary: 'Simulates the wealth of a portfolio and seals its distribution.',
  description:
    'Monthly returns come from a distribution, from months of the past drawn with replacement, or from an approved ' +
    'regime model. ' +
    'The past returns are those of symbols, of a portfolio, or of a sealed backtest. A request that names a portfolio also needs the ' +
    'scope `investment:read`. ' +
    'The result has the terminal wealth, a fan of quantiles by month, the probability of each goal, ruin, drawdowns, and ' +
    'the largest withdrawal that a share of the paths can pay, each with its Monte Carlo error. Large simulations are ' +
    'divided among workers; the result is bit-identical on any number of workers. The run places no order.',
  body: SimulationRequest,
  needs: ({ source, portfolio }) =>
    portfolio !== undefined || ('portfolio' in source && source.portfolio !== undefined)
      ? ['investment:read']
      : [],
  sealed: 'The sealed simulation.',
});

export const listSimulations = defineRunList(simulationsRun, {
  key: 'quant.compute.simulations.list',
  product: 'Quant',
  scope: 'quant:compute:read',
  summary: 'Lists the simulations of the workspace, newest first, without their results.',
  filters: {},
});

export const getSimulation = defineRunRead(simulationsRun, {
  key: 'quant.compute.simulations.get',
  product: 'Quant',
  scope: 'quant:compute:read',
  summary: 'Returns a simulation, and optionally waits until the run ends.',
  noun: 'simulation',
});
