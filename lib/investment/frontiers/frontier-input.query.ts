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
  const { input: construction, datasetRevisions } = await constructionInput(em, request, now);
  const { objective: _o, costs: _c, tax: _t, frontier_points: _f, ...members } = construction;
  const input: FrontierInput = { ...members, points, paths, seed };
  return { input, datasetRevisions };
}
