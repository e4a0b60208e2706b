import { invalid } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { constructionInput } from '#lib/investment/construction/construction-run-input.query.ts';
import type { FrontierInput } from './frontier-input.schema.ts';
import { FRONTIER_POINTS } from './frontier-limits.ts';
import type { FrontierRequestBody } from './frontier-request.schema.ts';

/** Resolves a request: fills in every default, and pins the portfolio and the data that the frontier may read. */
export async function frontierInput(
  em: Em,
  { kind: _, points = FRONTIER_POINTS, paths = 0, seed = 0, ...request }: FrontierRequestBody,
  now: Date,
) {
  const isCosted = request.costs !== undefined || request.tax !== undefined;
  if (isCosted && paths > 0) {
    const message = 'must be 0 with costs or tax, because a resampled frontier has no trades';
    throw invalid([{ pointer: '/paths', in: 'body', code: 'unsupported', message }]);
  }
  const { input: construction, datasetRevisions } = await constructionInput(em, request, now);
  const { objective: filled, frontier_points: _f, ...members } = construction;
  const objective = request.objective === undefined ? null : filled;
  const input: FrontierInput = { ...members, objective, points, paths, seed };
  return { input, datasetRevisions };
}
