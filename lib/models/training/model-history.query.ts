import type { Em } from '#lib/database/base.ts';
import { modelCard } from './model-card.query.ts';
import { findVersion } from './model-run.query.ts';
import { RetrainingRequest } from './retraining-request.entity.ts';

/**
 * Returns the card of a model version; by default, of the newest version. Throws a problem if the version does not
 * exist.
 */
export async function versionCard(
  em: Em,
  model: string,
  version: number | undefined,
): Promise<Record<string, unknown>> {
  return modelCard(em, await findVersion(em, model, version));
}

/** Lists the tenant's requests to retrain a model, newest first. */
export function listRetrainingRequests(em: Em, limit: number): Promise<RetrainingRequest[]> {
  return em.find(RetrainingRequest, {}, { orderBy: { uid: 'desc' }, limit });
}
