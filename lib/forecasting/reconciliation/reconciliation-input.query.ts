import { sql } from 'kysely';
import { Problem, type Fault } from '#lib/core/problem.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';
import type { ForecastInput } from '#lib/forecasting/forecasts.schema.ts';
import type { Resolved } from '#lib/pipeline/define-run.ts';
import type { ReconciliationInput, ReconciliationRequest } from './reconciliations.schema.ts';
import { forecastsOfSums, requestHierarchy } from './request-hierarchy.ts';

/**
 * Returns the input of a reconciliation: the request with its method, and the sealed forecasts that it names. The run may
 * read the data that these forecasts read. Throws `validation_failed` if the sums form no hierarchy, and
 * `unknown_forecast` if a forecast does not exist or is not sealed.
 */
export async function reconciliationInput(
  em: Em,
  { sums, method = 'mint_shrink', reason = undefined }: ReconciliationRequest,
): Promise<Resolved<ReconciliationInput>> {
  const uids = forecastsOfSums(sums);
  requestHierarchy(sums, uids);
  const found = await sealedForecasts(em, uids);
  const errors: Fault[] = sums.flatMap(({ total, parts }, at) => [
    ...missing(found, total, `/sums/${at}/total`),
    ...parts.flatMap((part, of) => missing(found, part, `/sums/${at}/parts/${of}`)),
  ]);
  if (errors.length > 0) {
    const detail = 'A forecast of the sums does not exist or is not sealed; see errors.';
    throw new Problem('unknown_forecast', detail, { errors: errors.slice(0, 50) });
  }
  const members = uids.map((uid) => found.get(uid)!);
  return {
    input: {
      method,
      reason: reason ?? null,
      sums,
      forecasts: members.map(({ uid, input, resultHash }) => ({
        forecast: uid,
        metric: input.metric,
        company_id: input.company_id,
        result_hash: resultHash,
      })),
    },
    datasetRevisions: latestRevisions(members.map(({ datasetRevisions }) => datasetRevisions)),
  };
}

function missing(found: ReadonlyMap<string, unknown>, uid: string, pointer: string): Fault[] {
  if (found.has(uid)) return [];
  return [
    {
      pointer,
      in: 'body',
      code: 'unknown_forecast',
      message: `${uid} is not a sealed forecast of the workspace`,
    },
  ];
}

type Found = {
  uid: string;
  input: ForecastInput;
  datasetRevisions: Record<string, number>;
  resultHash: string;
};

/** Returns the sealed forecasts of the current tenant among the uids. */
async function sealedForecasts(em: Em, uids: readonly string[]): Promise<Map<string, Found>> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Found>`
    select r.uid, r.input, r.dataset_revisions as "datasetRevisions", s.result_hash as "resultHash"
    from run r join run_result s on s.run_uid = r.uid
    where r.uid = any(${[...uids]}::text[]) and r.kind = ${forecastsRun.key} and r.state = 'succeeded'
      and r.workspace_uid = ${workspace} and r.environment = ${environment}
  `.execute(em.getKysely());
  return new Map(rows.map((row) => [row.uid, row]));
}

/** Returns the latest revision of each dataset. */
function latestRevisions(each: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const latest: Record<string, number> = {};
  for (const [id, revision] of each.flatMap((revisions) => Object.entries(revisions)))
    latest[id] = Math.max(latest[id] ?? revision, revision);
  return latest;
}
