import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { readAnyCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { findLqms } from '#lib/models/registry/lqm.query.ts';
import { momentsOf } from '#lib/models/scenarios/regime-laws.ts';
import { conditionalNormal } from '#lib/numerics/scenario/conditional-normal.ts';
import type { Shock } from '../language/query.ts';
import type { BoundLqm } from '../registry/profile.schema.ts';

export type DriftState = {
  severity: 'none' | 'watch' | 'material' | 'not_assessed';
  assessedAt: string | null;
  /** Whether a person has decided the retraining that the assessment requested. */
  isReviewed: boolean;
};

/** The state of the numeric model that a version is bound to. */
export type BoundState = {
  key: string;
  trainingUid: string | null;
  /** Whether the bound version is approved, is the serving version, and has the bound checkpoint. */
  serves: boolean;
  /** The factors of the model. */
  factors: readonly string[];
  /** Reads the state of the drift, once. Only some questions depend on it. */
  drift(): Promise<DriftState>;
};

/** Returns the state of a bound model of the tenant; undefined if the model does not exist. */
export async function boundState(em: Em, bound: BoundLqm): Promise<BoundState | undefined> {
  const [found] = await findLqms(em, { model: bound.model_uid, version: bound.version, limit: 1 });
  if (!found) return undefined;
  const { key, trainingUid, state, serves, checkpointHash, definition } = found;
  let drift: Promise<DriftState> | undefined;
  return {
    key,
    trainingUid,
    serves: state === 'approved' && serves && checkpointHash === bound.checkpoint_hash,
    factors: definition.columns.map(({ name }) => name),
    drift: () => (drift ??= driftOf(em, bound)),
  };
}

/** Whether a numeric model has drifted, and no person has reviewed the drift. */
export function hasDrifted({ severity, isReviewed }: DriftState): boolean {
  return severity === 'material' && !isReviewed;
}

async function driftOf(em: Em, bound: BoundLqm): Promise<DriftState> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{
    severity: 'none' | 'watch' | 'material';
    assessedAt: string;
    isReviewed: boolean;
  }>`
    select s.members #>> '{result,severity}' as severity,
      to_char(r.finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "assessedAt",
      exists (select from retraining_request q where q.assessment_uid = r.uid and q.state <> 'pending_review')
        as "isReviewed"
    from run r join run_result s on s.run_uid = r.uid
    where r.workspace_uid = ${workspace} and r.environment = ${environment} and r.kind = 'modeling.drift-assessments'
      and r.input ->> 'model_uid' = ${bound.model_uid} and r.input ->> 'checkpoint_hash' = ${bound.checkpoint_hash}
    order by right(r.uid, 26) desc limit 1
  `.execute(em.getKysely());
  return rows[0] ?? { severity: 'not_assessed', assessedAt: null, isReviewed: false };
}

/**
 * Reads the bound checkpoint. Returns undefined if the checkpoint is not a regime model, or if its hash differs from
 * the bound hash.
 */
export async function boundCheckpoint(
  em: Em,
  { checkpoint_hash: hash }: BoundLqm,
  trainingUid: string,
): Promise<Checkpoint | undefined> {
  const checkpoint = await readAnyCheckpoint(em, trainingUid);
  if (!('regimes' in checkpoint) || canonicalHash(checkpoint) !== hash) return undefined;
  return checkpoint;
}

const PER_UNIT: Readonly<Record<string, number>> = { return: 1, percent: 100, bp: 10_000 };

/**
 * Returns the mean of a factor in a regime, given the value of another factor, by the conditional normal distribution.
 * The result has the unit of the shock. For a shock in standard deviations, which is relative to the mean of the
 * shocked factor, the result is a return. Undefined if the model has no such factor or regime.
 */
export function conditionalMeanOf(
  checkpoint: Checkpoint,
  { factor, regime, shock }: { factor: string; regime: string; shock: Shock },
): number | undefined {
  const found = checkpoint.regimes.find(({ name }) => name === regime);
  const [wanted, shocked] = [checkpoint.factors.indexOf(factor), checkpoint.factors.indexOf(shock.factor)];
  if (!found || wanted < 0 || shocked < 0) return undefined;
  const moments = momentsOf(found);
  const scale = PER_UNIT[shock.unit];
  const deviation = Math.sqrt(found.covariance[shocked]![shocked]!);
  const value = scale === undefined ? found.means[shocked]! + shock.value * deviation : shock.value / scale;
  if (wanted === shocked) return value * (scale ?? 1);
  const given = conditionalNormal(moments, [shocked], [value]);
  if (!given) return undefined;
  const mean = given.moments.mean[given.rest.indexOf(wanted)];
  return mean === undefined ? undefined : mean * (scale ?? 1);
}
