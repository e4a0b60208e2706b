import { isIPv4 } from 'node:net';
import { sql } from 'kysely';
import { systemClock } from '#lib/core/clock.ts';
import type { Caller } from '#lib/core/operation.ts';
import { withoutTokens } from '#lib/core/token.ts';
import type { Log } from '#lib/core/log.ts';
import type { Orm } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { tenantOf } from './tenant.ts';

const NOTED_EVERY_MS = 60_000;
const KNOWN_MAX = 10_000;

export type Use = { credential: string; address: string; userAgent: string };

/** Notes when and from where a credential was used, at most once a minute each, beside the request. */
export function createUseNotes(orm: Orm, log: Log, now: () => number = () => systemClock.now().getTime()) {
  const noted = new Map<string, number>();
  return function note(caller: Caller, { credential, address, userAgent }: Use): void {
    const at = now();
    if (at - (noted.get(credential) ?? 0) < NOTED_EVERY_MS) return;
    if (noted.size > KNOWN_MAX) noted.clear();
    noted.set(credential, at);
    inTenant(orm, tenantOf(caller), async (em) => {
      await sql`
        insert into credential_use as u (credential_uid, workspace_uid, environment, last_used_at, address, user_agent)
        values (${credential}, app_workspace(), app_environment(), ${new Date(at)}, ${networkOf(address)}, ${withoutTokens(userAgent).slice(0, 200) || null})
        on conflict (credential_uid) do update
          set last_used_at = excluded.last_used_at, address = excluded.address, user_agent = excluded.user_agent
          where u.last_used_at < excluded.last_used_at - interval '59 seconds'
      `.execute(em.getKysely());
    }).catch((error: unknown) => log.warn({ err: error }, 'the use of a credential was not noted'));
  };
}

/** The network that an address belongs to, /24 or /48: enough to tell a strange place, too little to find a person. */
function networkOf(address: string): string {
  const v4 = address.slice(address.lastIndexOf(':') + 1);
  if (isIPv4(v4)) return `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`;
  return `${address.split(':').slice(0, 3).join(':')}::/48`;
}
