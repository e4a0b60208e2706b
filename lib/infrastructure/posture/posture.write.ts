import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import type { ControlKey, ControlStatus, Finding, KnownControl } from './controls.ts';

/** Returns the controls with a recorded status, ordered by key. */
export async function knownControls(em: Em): Promise<KnownControl[]> {
  const { rows } = await sql<Omit<KnownControl, 'evaluatedAt'> & { ms: number | null }>`
    select key, status, detail_code as "detailCode", evidence_hash as "evidenceHash",
      (extract(epoch from evaluated_at) * 1000)::float8 as ms
    from posture_control order by key
  `.execute(em.getKysely());
  return rows.map(({ ms, ...row }) => ({ ...row, evaluatedAt: ms === null ? null : new Date(ms) }));
}

/**
 * Writes what an evaluator found, with the hash of its evidence. Returns the previous status if the status has changed;
 * a control that was never evaluated had the status `not_evaluated`.
 */
export async function recordFinding(
  em: Em,
  { key, finding, now }: { key: ControlKey; finding: Finding; now: Date },
): Promise<ControlStatus | undefined> {
  const { rows } = await sql<{ status: ControlStatus }>`
    select status from posture_control where key = ${key} for update
  `.execute(em.getKysely());
  const before = rows[0]?.status ?? 'not_evaluated';
  const evidence = 'evidence' in finding ? finding.evidence : null;
  const at = now.toISOString();
  await sql`
    insert into posture_control (key, status, detail_code, evidence, evidence_hash, evaluated_at, changed_at)
    values (${key}, ${finding.status}, ${finding.detailCode}, ${evidence === null ? null : JSON.stringify(evidence)}::jsonb,
      ${evidence === null ? null : canonicalHash(evidence)}, ${at}, ${at})
    on conflict (key) do update set status = excluded.status, detail_code = excluded.detail_code,
      evidence = excluded.evidence, evidence_hash = excluded.evidence_hash, evaluated_at = excluded.evaluated_at,
      changed_at = case when posture_control.status = excluded.status then posture_control.changed_at
        else excluded.changed_at end
  `.execute(em.getKysely());
  return before === finding.status ? undefined : before;
}
