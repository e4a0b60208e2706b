import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { instantOf } from '#lib/core/clock.ts';
import { parseFraction } from '#lib/core/decimal.ts';
import { canonicalHash, seal } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { judgeRuns } from './judge-runs.ts';
import { measuredRuns, openAtEnd, type MeasuredRun } from './measured-runs.query.ts';
import { outcomeOf } from './outcome.ts';
import { ProofOfValue } from './proof-of-value.entity.ts';
import { sealedMembers } from './sealed-members.ts';

/**
 * Milliseconds from the end of a window to its verdict. Runs that ended in the window are committed and metered by
 * then.
 */
const SETTLED_AFTER_MS = 600_000;

export type DueProof = Tenant & { proof: string };

/** Returns those proofs of value whose verdict is due, for all tenants, longest overdue first. For workers. */
export async function dueProofs(em: Em, { now, limit }: { now: Date; limit: number }): Promise<DueProof[]> {
  const { rows } = await sql<DueProof>`
    select uid as proof, workspace_uid as workspace, environment from proof_of_value
    where state = 'collecting' and window_to <= ${instantOf(now.getTime() - SETTLED_AFTER_MS)}
    order by window_to, uid limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/**
 * Decides a due proof of value of the current tenant and seals the verdict, in the caller's transaction. Returns
 * whether this call decided the proof. A concurrent or repeated call finds the proof locked or decided.
 */
export async function decideProof(em: Em, uid: string, now: Date): Promise<boolean> {
  const proof = await em.findOne(
    ProofOfValue,
    { uid },
    { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE, refresh: true },
  );
  if (proof?.state !== 'collecting' || now.getTime() < proof.windowTo.getTime() + SETTLED_AFTER_MS)
    return false;
  const { terms } = proof;
  const runs = await measuredRuns(em, proof);
  const judgement = {
    statistic: terms.statistic,
    target: { value: parseFraction(terms.target.value)!, direction: terms.target.direction },
    minimumRuns: terms.minimum_runs,
    window: { from: proof.windowFrom, to: proof.windowTo },
  };
  const judged = judgeRuns(judgement, runs, now);
  proof.outcome = outcomeOf(terms, judged, {
    openAtEnd: await openAtEnd(em, proof),
    byState: countsOf(runs),
    runsHash: hashOf(runs),
  });
  proof.state = judged.state;
  proof.verdictAt = now;
  proof.seal = seal(sealedMembers(proof), now);
  await em.flush();
  await appendAudit(em, {
    at: now,
    op: 'proof_of_value.verdict',
    actor: { kind: 'system' },
    subject: { type: 'proof_of_value', uid },
    beforeHash: proof.termsHash,
    afterHash: proof.seal.hash,
    details: { workflow: proof.workflowKey, verdict: judged.verdict },
  });
  return true;
}

function countsOf(runs: readonly MeasuredRun[]): Record<string, number> {
  const counts = { succeeded: 0, failed: 0, cancelled: 0, timed_out: 0 } as Record<string, number>;
  for (const { state } of runs) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function hashOf(runs: readonly MeasuredRun[]): string {
  return canonicalHash(
    runs.map(({ uid, state, endedAt, value }) => [uid, state, endedAt.toISOString(), value]),
  );
}
