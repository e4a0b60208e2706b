import Type from 'typebox';
import { Sha256Of } from '#lib/core/schema.ts';
import { OptimizationRequestBody } from '#lib/quant/optimizations/optimization-request.schema.ts';
import { FrontierRequestBody } from '#lib/investment/frontiers/frontier-request.schema.ts';
import { frontiersRun } from '#lib/investment/frontiers/frontiers.run.ts';
import { optimizationsRun } from '#lib/quant/optimizations/optimizations.run.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../run-operations.ts';

export const createOptimization = defineRunSubmission(optimizationsRun, {
  key: 'quant.compute.optimizations.create',
  product: 'Quant',
  summary: 'Searches the parameters of a strategy, and reports whether the evidence supports any parameters.',
  description:
    'Simulates up to 10,000 trials, chooses parameters in training ranges, and measures them in later test ranges. ' +
    'A search without a recommendation is a normal outcome: `recommended` is null, and `verdict` has the reason. ' +
    'Every trial is counted when later results of the same family are deflated. A body with the kind `frontier` ' +
    'computes the efficient frontier of a portfolio instead, and needs the scope `investment:read`; ' +
    '`GET /quant/compute/frontiers/{uid}` returns the frontier.',
  body: OptimizationRequestBody,
  other: {
    kind: 'frontier',
    run: frontiersRun,
    body: FrontierRequestBody,
    summary: 'Computes the efficient frontier of a portfolio.',
    needs: ['investment:read'],
    titles: { sealed: 'SealedOptimization', open: 'OpenOptimization' },
  },
  sealed: 'The sealed search, or the sealed frontier.',
});

export const listOptimizations = defineRunList(optimizationsRun, {
  key: 'quant.compute.optimizations.list',
  product: 'Quant',
  scope: 'quant:compute:read',
  summary: 'Lists searches, newest first, without their results.',
  filters: { family: Type.Optional(Sha256Of('Returns only searches of this family of strategies.')) },
});

export const getOptimization = defineRunRead(optimizationsRun, {
  key: 'quant.compute.optimizations.get',
  product: 'Quant',
  scope: 'quant:compute:read',
  summary: 'Returns a search, and optionally waits until the run ends.',
  noun: 'search',
  include: { name: 'trials', description: 'Adds all trials by columns.' },
});
