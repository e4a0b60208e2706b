import { prefixes } from '#lib/core/prefix.ts';
import { constructionProblems } from '../construction/construction-problems.ts';
import { Closed } from '#lib/core/schema.ts';
import { ConstructionHashes } from '#lib/investment/construction/construction-run.schema.ts';
import { KeptCovariance } from '#lib/investment/construction/covariance.schema.ts';
import { groupRefusals } from '#lib/investment/portfolios/portfolio.query.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { frontierInput } from './frontier-input.query.ts';
import { FrontierInput } from './frontier-input.schema.ts';
import { FrontierRequestBody } from './frontier-request.schema.ts';
import { FrontierResult } from './frontier-result.schema.ts';

/** The run that computes the efficient frontier of a portfolio. */
export const frontiersRun = defineRun({
  key: 'quant.frontiers',
  prefix: prefixes.frontier,
  queue: 'numerics',
  scope: 'quant:compute:run',
  resource: '/quant/compute/frontiers',
  submission: '/quant/compute/optimizations',
  model: 'svc_frontier_v2',
  request: FrontierRequestBody,
  input: FrontierInput,
  summary: ['portfolio', 'as_of'],
  output: Closed({ input_data: ConstructionHashes, result: FrontierResult }),
  headline: [
    { name: 'minimum_volatility', unit: 'fraction', pointer: '/result/points/0/volatility' },
    { name: 'return_at_minimum', unit: 'fraction', pointer: '/result/points/0/expected_return' },
    { name: 'observations', unit: 'count', pointer: '/result/observations' },
  ],
  attachments: Closed({ covariance: KeptCovariance }),
  refusals: [...groupRefusals, 'factor_run_ineligible'],
  problems: constructionProblems,
  timeoutMs: 900_000,
  attempts: 20,
  resolve: (em, request, { now }) => frontierInput(em, request, now),
});
