import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { Finding } from './controls.ts';

const RESTORE_DAYS = 100;

/** A restore that was tried. */
export type RestoreTrial = { kind: string; succeeded: boolean; code: string | null; triedAt: Date };

/** Judges the newest restore that was tried: it must have succeeded within the last 100 days. */
export function restoreFinding(
  newest: (RestoreTrial & Record<string, unknown>) | undefined,
  now: Date,
): Finding {
  if (!newest) return { status: 'not_evaluated', detailCode: 'no_restore_tried' };
  const { triedAt, ...trial } = newest;
  const days = Math.floor((now.getTime() - triedAt.getTime()) / 86_400_000);
  const isFresh = days <= RESTORE_DAYS;
  return {
    status: trial.succeeded && isFresh ? 'pass' : 'fail',
    detailCode: !trial.succeeded ? 'restore_failed' : isFresh ? 'restored' : 'restore_old',
    evidence: { ...trial, tried_at: triedAt.toISOString(), days },
  };
}

/** Evaluates the newest restore on record. */
export async function evaluateRestore(em: Em, now: Date): Promise<Finding> {
  const { rows } = await sql<Omit<RestoreTrial, 'triedAt'> & { ms: number; backup_hash: string | null }>`
    select kind, succeeded, code, backup_hash, tables, rows::float8 as rows,
      (extract(epoch from tried_at) * 1000)::float8 as ms
    from restore_trial order by id desc limit 1
  `.execute(em.getKysely());
  const [newest] = rows;
  if (!newest) return restoreFinding(undefined, now);
  const { ms, ...trial } = newest;
  return restoreFinding({ ...trial, triedAt: new Date(ms) }, now);
}

/** Evaluates whether all active persons of workspaces with production access have one-time codes that count there. */
export async function evaluateCodes(em: Em): Promise<Finding> {
  const { rows } = await sql<{ persons: number; enrolled: number }>`
    select persons, enrolled from persons_in_production()
  `.execute(em.getKysely());
  const { persons, enrolled } = rows[0]!;
  if (persons === 0) return { status: 'not_applicable', detailCode: 'no_production' };
  const isComplete = enrolled === persons;
  return {
    status: isComplete ? 'pass' : 'fail',
    detailCode: isComplete ? 'all_enrolled' : 'persons_without_codes',
    evidence: { persons, enrolled },
  };
}
