import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';
import { eventually } from './runs.ts';

/**
 * Starts several tasks while another transaction holds the rows that they need, and releases the rows when
 * all tasks are waiting. Without held rows, tasks that are started together rarely collide. `hold` locks the
 * rows. `then` may lock more rows once all tasks wait.
 */
export async function atOnce<T>(
  backend: Pick<Backend, 'orm'>,
  hold: (em: Em) => Promise<unknown>,
  start: readonly (() => Promise<T>)[],
  then?: (em: Em) => Promise<unknown>,
): Promise<T[]> {
  const orm = backend.orm('operator');
  const waiting = sql<{ count: number }>`select count(distinct l.pid)::int as count
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where a.datname = current_database() and not l.granted`;
  const { started } = await inPlatform(orm, async (em) => {
    await hold(em);
    const begun = start.map((one) => one());
    await eventually(async () => {
      const { rows } = await waiting.execute(orm.em.fork().getKysely());
      return rows[0]!.count >= begun.length;
    });
    await then?.(em);
    return { started: begun };
  });
  return Promise.all(started);
}
