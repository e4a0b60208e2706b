import { isUid } from '#lib/core/id.ts';
import { Problem } from '#lib/core/problem.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { PathInput } from '#lib/models/scenarios/paths.schema.ts';
import type { ScenarioInput } from '#lib/models/scenarios/scenarios.schema.ts';
import { findRun } from '#lib/pipeline/run.write.ts';
import { eligibleRun } from './eligible-run.ts';

/** A sealed run whose samples can be applied to a portfolio, and the hashes that identify its content. */
export type FoundConsumedRun = {
  input: ScenarioInput | PathInput;
  factors: string[];
  consumed: { run_hash: string; samples_hash: string; version_uid: string };
};

/**
 * Finds a scenario or path run of the tenant. Throws a problem if the run does not exist, or if `eligibleRun` does not
 * allow it.
 */
export async function consumedRun(em: Em, uid: string): Promise<FoundConsumedRun> {
  const place = tenantOf(em);
  const found = isUid(uid) ? await findRun(em, uid) : undefined;
  const eligibility = eligibleRun(found && { kind: found.run.kind, state: found.run.state, ...place }, place);
  if (!eligibility.ok) {
    if (eligibility.code === 'not_found') throw new Problem('not_found', `There is no run ${uid}.`);
    throw new Problem(eligibility.code, eligibility.detail, { members: { reason: eligibility.reason } });
  }
  const { run, result } = found!;
  // The input and the result were checked against the schemas before the run was sealed, so the casts are
  // safe.
  const input = run.input as ScenarioInput | PathInput;
  const { hashes } = result!.members['result'] as { hashes: { run_hash: string; samples_hash: string } };
  return {
    input,
    factors: input.context.factors,
    consumed: {
      run_hash: hashes.run_hash,
      samples_hash: hashes.samples_hash,
      version_uid: input.version_uid,
    },
  };
}
