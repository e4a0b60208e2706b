import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/**
 * A client or an address with failed attempts. `patience` is the number of the first failure that causes a block.
 * `longestS` is the longest block in seconds.
 */
export type Suspect = { key: string; patience: number; longestS: number };

/**
 * Returns the keys under which failures are counted: the address, and the client at that address. Failed attempts from
 * another address that use the id of a client therefore do not block this client.
 */
export function suspectsOf(client: string, address: string): { address: Suspect; client: Suspect } {
  return {
    address: { key: `address ${address}`, patience: 10, longestS: 300 },
    client: { key: `client ${client} at ${address}`, patience: 5, longestS: 60 },
  };
}

/** Returns the seconds for which attempts of this client or address are still blocked; 0 if no block applies. */
export async function blockedForS(em: Em, { key }: Suspect): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select blocked_seconds(array[${key}::text]) as seconds
  `.execute(em.getKysely());
  return Math.ceil(rows[0]!.seconds);
}

/**
 * Records a failure. The failure with the number `patience` blocks for one second. Each later failure doubles the
 * length of the block, up to `longestS`.
 */
export async function penalize(em: Em, suspects: readonly Suspect[]): Promise<void> {
  for (const { key, patience, longestS } of suspects) {
    await sql`select penalize(${key}, ${patience}, ${longestS})`.execute(em.getKysely());
  }
}

/** Clears the failures of a client that has authenticated. */
export async function clearPenalties(em: Em, { key }: Suspect): Promise<void> {
  await sql`select forgive(${key})`.execute(em.getKysely());
}
