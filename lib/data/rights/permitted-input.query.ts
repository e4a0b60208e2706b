import { sql } from 'kysely';
import { Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import {
  answerUse,
  countUse,
  hideDenied,
  useRefused,
  type AskedUse,
  type DeniedDataset,
} from './ask-rights.query.ts';

/** The members of a resolved request that name the datasets that the request may read. */
type ReadsDatasets = { input?: unknown; datasetRevisions?: Record<string, number> };

/**
 * Resolves a request whose result is derived from datasets, such as a run or a training. Datasets on which the
 * entitlements of the tenant do not permit the use are hidden while the request is resolved, so that the result is
 * derived from the other datasets. Throws the problem `entitlement_missing` if the request names a hidden dataset, or
 * can be resolved only from hidden datasets. Counts the rows of the datasets with a row limit.
 */
export async function permittedInput<T extends ReadsDatasets>(
  em: Em,
  asked: Pick<AskedUse, 'action' | 'now'>,
  resolve: () => Promise<T>,
): Promise<T> {
  const use = { ...asked, rows: 'all' } as const;
  const { denied, limited } = await answerUse(em, use);
  if (denied.length === 0 && limited.length === 0) return resolve();
  const resolved = await hiddenFrom(em, denied, use, resolve);
  refuseNamed(denied, resolved, use.action);
  const counted = limited.filter(({ id }) => isRead(resolved, id));
  if (counted.length === 0) return resolved;
  const { denied: exhausted } = await countUse(em, { ...use, datasets: counted.map(({ id }) => id) });
  refuseNamed(exhausted, resolved, use.action);
  return resolved;
}

async function hiddenFrom<T extends ReadsDatasets>(
  em: Em,
  denied: readonly DeniedDataset[],
  use: AskedUse,
  resolve: () => Promise<T>,
): Promise<T> {
  if (denied.length === 0) return resolve();
  await hideDenied(em, denied, use);
  try {
    return await resolve();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await showDenied(em);
    // If the problem also occurs when the hidden datasets are shown, the hidden datasets did not cause the problem.
    refuseNamed(denied, await resolve(), use.action);
    throw error;
  } finally {
    await showDenied(em);
  }
}

/** Shows the hidden datasets again. Otherwise they stay hidden until the end of the transaction. */
async function showDenied(em: Em): Promise<void> {
  await sql`select set_config('app.denied_datasets', '', true)`.execute(em.getKysely());
}

function refuseNamed(
  denied: readonly DeniedDataset[],
  resolved: ReadsDatasets,
  action: AskedUse['action'],
): void {
  const named = JSON.stringify(resolved.input ?? null);
  // The runs of numeric models name their dataset by its id, so the id is compared in addition to the uid.
  const own = (resolved.input as { dataset?: { id?: unknown } } | null | undefined)?.dataset?.id;
  const found = denied.find(
    ({ id, uid }) => isRead(resolved, id) || own === id || named.includes(`"${uid}"`),
  );
  if (found) throw useRefused(action, found);
}

function isRead({ datasetRevisions = {} }: ReadsDatasets, id: number): boolean {
  return Object.hasOwn(datasetRevisions, id);
}
