import { isIPv4 } from 'node:net';
import { systemClock } from '#lib/core/clock.ts';
import type { Caller } from '#lib/core/operation.ts';
import { withoutTokens } from '#lib/core/token.ts';
import type { Log } from '#lib/core/log.ts';
import type { Orm } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { noteUse } from '#lib/access/credential.write.ts';
import { tenantOf } from '../tenant.ts';

const NOTED_EVERY_MS = 60_000;
const KNOWN_MAX = 10_000;

export type Use = { credential: string; address: string; userAgent: string };

/**
 * Records when and from which network a credential was used, at most once a minute per credential, without
 * delaying the request.
 */
export function createUseNotes(orm: Orm, log: Log, now: () => number = () => systemClock.now().getTime()) {
  const noted = new Map<string, number>();
  return function note(caller: Caller, { credential, address, userAgent }: Use): void {
    const at = now();
    if (at - (noted.get(credential) ?? 0) < NOTED_EVERY_MS) return;
    if (noted.size > KNOWN_MAX) noted.clear();
    noted.set(credential, at);
    const network = networkOf(address);
    const agent = withoutTokens(userAgent).slice(0, 200) || null;
    inTenant(orm, tenantOf(caller), (em) =>
      noteUse(em, { credential, network, userAgent: agent, at: new Date(at) }),
    ).catch((error: unknown) => log.warn({ err: error }, 'the use of a credential was not recorded'));
  };
}

/**
 * Returns the network of an address: its /24 for IPv4 or its /48 for IPv6. A network is precise enough to
 * notice an unusual origin, and too large to identify a person.
 */
function networkOf(address: string): string {
  const v4 = address.slice(address.lastIndexOf(':') + 1);
  if (isIPv4(v4)) return `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`;
  return `${address.split(':').slice(0, 3).join(':')}::/48`;
}
