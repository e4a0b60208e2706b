import { permittedInput } from '#lib/data/rights/permitted-input.query.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { applicationOf, defineCommand } from '#lib/governance/command.ts';
import { admitRuns } from '#lib/pipeline/admission.query.ts';
import { createRuns } from '#lib/pipeline/bulk-runs.write.ts';
import { prepareItems } from './batch-items.query.ts';
import { ForecastBatch } from './forecast-batch.entity.ts';
import { insertItems } from './forecast-batch.write.ts';
import type { ForecastBatchRequest } from './forecast-batch.schema.ts';
import { forecastOptionsOf, type ForecastQuery } from './forecast-input.query.ts';
import { forecastsRun } from './forecasts.run.ts';
import { unknownWorkspace } from '#lib/access/known-place.query.ts';

type BatchSubmission = {
  place: Tenant;
  requestId: string;
  request: ForecastBatchRequest;
  options: ForecastQuery;
};

/**
 * Submits many forecasts with the same state of knowledge. The forecasts run at the lowest priority in the workspace.
 */
export const submitForecastBatch = defineCommand<BatchSubmission>()({
  find: async (_em, { place }) => place,
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: (em, _locked, { request, options }, { now }) =>
    permittedInput(em, { action: 'derive', now }, () =>
      prepareItems(em, request, forecastOptionsOf(options), now),
    ),
  decide: () => ({ ok: true as const }),
  async write(em, { items, inputs, datasetRevisions }, _verdict, at) {
    const { input, now, place } = at;
    const { requestId, request } = input;
    const application = applicationOf(at);
    const runs = await createRuns(em, forecastsRun, {
      application,
      requestId,
      now,
      inputs,
      datasetRevisions,
    });
    const admitted = await admitRuns(em, forecastsRun.queue, place.workspace);
    const uid = newUid(prefixes.forecastBatch);
    const options = forecastOptionsOf(input.options);
    em.create(ForecastBatch, {
      uid,
      workspaceUid: place.workspace,
      environment: place.environment,
      applicationUid: application,
      requestId,
      reason: request.reason ?? null,
      options: { ...options, non_negative: options.non_negative ?? null },
      items: items.length,
      createdAt: now,
      cancelledAt: null,
    });
    await em.flush();
    let next = 0;
    await insertItems(
      em,
      uid,
      items.map((item) => (item.problem ? item : { ...item, runUid: runs[next++]! })),
    );
    return { result: { uid, admitted } };
  },
  entry: () => undefined,
  refusals: unknownWorkspace,
});
