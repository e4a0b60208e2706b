import { setImmediate as breathe } from 'node:timers/promises';
import { Problem, storedProblem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import type { NewItem } from './forecast-batch.write.ts';
import type { ForecastBatchRequest } from './forecast-batch.schema.ts';
import { metricProblem, type forecastOptionsOf } from './forecast-input.query.ts';
import { horizonRefusal } from './forecast-refusal.ts';
import { metricLookup, presentKnowledge, type CheckedMetric } from './forecast-request.query.ts';
import { HORIZON_MAX } from './engine/limits.ts';
import type { ForecastInput } from './forecasts.schema.ts';
import { metricSource } from './series/metric-name.ts';

/** Number of items prepared in one turn of the event loop. */
const ITEMS_A_TURN = 500;

export type PreparedBatch = {
  items: NewItem[];
  /** The inputs of the accepted items, in order. */
  inputs: ForecastInput[];
  datasetRevisions: Record<string, number>;
};

/**
 * Prepares the items of a batch. A valid item gets an input, and any other item gets a problem. All items use the same
 * state of knowledge: the same moment and dataset revisions.
 */
export async function prepareItems(
  em: Em,
  { items: requested, reason = null }: Pick<ForecastBatchRequest, 'items'> & { reason?: string | null },
  options: ReturnType<typeof forecastOptionsOf>,
  now: Date,
): Promise<PreparedBatch> {
  const ofLedger = requested.some(({ metric }) => metricSource(metric).kind === 'ledger');
  const { at, revisions } = await presentKnowledge(em, { now, ofLedger });
  const lookUp = metricLookup(em);
  const items: NewItem[] = [];
  const inputs: ForecastInput[] = [];
  for (const [place, { metric, company_id: company = null, horizon }] of requested.entries()) {
    if (place % ITEMS_A_TURN === 0) await breathe();
    const item = { metric, companyId: company, horizon, runUid: null };
    const checked = await lookUp(metric, company);
    const problem = itemProblem(horizon, checked);
    items.push({ ...item, problem: problem && storedProblem(problem) });
    if (problem || !checked.ok) continue;
    inputs.push({
      metric,
      company_id: company,
      horizon,
      reason,
      as_of: at.toISOString(),
      ...options,
      non_negative: options.non_negative ?? !checked.metric.isSigned,
    });
  }
  return { items, inputs, datasetRevisions: revisions };
}

function itemProblem(horizon: number, checked: CheckedMetric): Problem | null {
  if (!checked.ok) return withErrors(metricProblem(checked.fault));
  if (horizon >= 1 && horizon <= HORIZON_MAX) return null;
  const { code, detail, members } = horizonRefusal(horizon, HORIZON_MAX);
  return new Problem(code, detail, { members });
}

/**
 * Returns the problem with its faults as the member `errors`. Of a problem, only code, detail and members are stored,
 * so the faults and their pointers would otherwise be lost.
 */
function withErrors({ code, detail, errors, members }: Problem): Problem {
  return new Problem(code, detail, { members: { ...members, errors } });
}
