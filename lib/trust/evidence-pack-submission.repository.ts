import { Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/orm.ts';
import { servingVersion } from '#lib/registry/model.repository.ts';
import { PACK_SCHEMA } from './evidence-pack.ts';
import { evidencePacksJob } from './evidence-packs.job.ts';

/** An evidence pack as it is submitted. Throws where no version of its maker serves. */
export async function evidencePackSubmission(em: Em) {
  const modelVersion = await servingVersion(em, evidencePacksJob.model);
  if (!modelVersion)
    throw new Problem('model_not_approved', `${evidencePacksJob.model} has no active version.`);
  return { input: { schema: PACK_SCHEMA as typeof PACK_SCHEMA }, modelVersion, datasetRevisions: {} };
}
