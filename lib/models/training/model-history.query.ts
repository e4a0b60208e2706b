import type { Em } from '#lib/database/base.ts';
import { modelCard } from './model-card.query.ts';
import { findVersion } from './model-run.query.ts';
import { RetrainingRequest } from './retraining-request.entity.ts';

/** The card of a version of a model, the newest when none is named. Throws the problem where there is none. */
export async function versionCard(
  em: Em,
  model: string,
  version: number | undefined,
): Promise<Record<string, unknown>> {
  return modelCard(em, await findVersion(em, model, version));
}

/** Requests of the tenant to train a model again, newest first. */
export function listRetrainingRequests(em: Em, limit: number): Promise<RetrainingRequest[]> {
  return em.find(RetrainingRequest, {}, { orderBy: { uid: 'desc' }, limit });
}
