import { setTimeout as delay } from 'node:timers/promises';
import type { Backend } from './backends.ts';
import { asSuperuser } from './rows.ts';
import { watchStillness } from './stillness.ts';

export type RunRow = { uid: string; state: string; attempts: number; results: number };

/** Returns the runs of a workspace as the database has them, each with the number of its results. */
export function runRows(backend: Backend, workspace: string): Promise<RunRow[]> {
  return asSuperuser(backend, async (client) => {
    const { rows } = await client.query<RunRow>(
      `select uid, state, attempts, (select count(*)::int from run_result where run_uid = uid) as results
       from run where workspace_uid = $1 order by uid`,
      [workspace],
    );
    return rows;
  });
}

/**
 * The factor by which the pause between checks grows. The pause grows during a long wait, because each check
 * puts load on the service.
 */
const PAUSE_GROWTH = 1.5;
const PAUSE_MS_MAX = 150;

/**
 * Checks repeatedly until the condition holds. Fails once neither the result of the check nor the progress of
 * this process's services has changed for `PATIENCE_MS`. No test waits longer than necessary, and none for a
 * fixed time.
 */
export async function eventually<T>(
  look: () => Promise<T | undefined | false>,
  what: string = look.toString().replace(/\s+/g, ' '),
): Promise<T> {
  const stillness = watchStillness();
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * PAUSE_GROWTH, PAUSE_MS_MAX)) {
    const found = await look();
    if (found) return found;
    const fault = await stillness.lookedAt(found);
    if (fault) throw new Error(`${what}\n${fault}`);
    await delay(pauseMs);
  }
}
