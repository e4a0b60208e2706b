import { prefixes } from '#lib/core/prefix.ts';
import { constructionProblems } from './construction-problems.ts';
import { Closed } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { groupRefusals } from '../portfolios/portfolio.query.ts';
import { constructionInput } from './construction-run-input.query.ts';
import { ConstructionResult } from './construction-result.schema.ts';
import { KeptCovariance } from './covariance.schema.ts';
import {
  ConstructionHashes,
  ConstructionOrders,
  ConstructionRequest,
  ConstructionRunInput,
} from './construction-run.schema.ts';

export const constructionRun = defineRun({
  key: 'investment.construction',
  prefix: prefixes.construction,
  queue: 'numerics',
  scope: 'investment:run',
  resource: '/investment/constructions',
  submission: '/investment/portfolios/{portfolio}/construct',
  model: 'svc_portfolio_construction_v1',
  request: ConstructionRequest,
  input: ConstructionRunInput,
  summary: ['portfolio', 'as_of'],
  output: Closed({ input_data: ConstructionHashes, result: ConstructionResult }),
  headline: [
    { name: 'volatility', unit: 'fraction', pointer: '/result/volatility' },
    { name: 'turnover', unit: 'fraction', pointer: '/result/turnover' },
  ],
  attachments: Closed({ orders: ConstructionOrders, covariance: KeptCovariance }),
  refusals: [...groupRefusals, 'factor_run_ineligible'],
  problems: constructionProblems,
  timeoutMs: 300_000,
  attempts: 20,
  resolve: (em, request, { now }) => constructionInput(em, request, now),
});
