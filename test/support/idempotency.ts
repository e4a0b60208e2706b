import { sha256 } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import { themeFactorsRun } from '#lib/investment/theme-factors/theme-factors.run.ts';
import { Dispatch } from '#lib/pipeline/run.entity.ts';
import { createRun } from '#lib/pipeline/run.write.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { asSuperuser } from './rows.ts';

/** Creates a run that stays queued, because it has no dispatch row. Returns its uid. */
export function queuedRun(backend: Backend, { workspace, application }: Tenancy): Promise<string> {
  return inTenant(backend.orm('api'), { workspace, environment: 'sandbox' }, async (em) => {
    const { uid } = await createRun(em, themeFactorsRun, {
      application,
      requestId: 'req_test',
      input: {},
      now: new Date(),
    });
    await em.nativeDelete(Dispatch, { runUid: uid });
    return uid;
  });
}

/** Returns the stored answers to requests with an idempotency key. */
export function keptAnswers(backend: Backend, key: string) {
  return asSuperuser(backend, async (database) => {
    const { rows } = await database.query(
      'select operation, answer, run_uid, expires_at - created_at as kept from idempotency_key where key = $1',
      [sha256(key)],
    );
    return rows;
  });
}

/** Moves the expiry of the given idempotency keys into the past. */
export function expire(backend: Backend, ...keys: readonly string[]): Promise<unknown> {
  return asSuperuser(backend, (database) =>
    database.query(`update idempotency_key set expires_at = now() - interval '1 hour' where key = any($1)`, [
      keys.map(sha256),
    ]),
  );
}
