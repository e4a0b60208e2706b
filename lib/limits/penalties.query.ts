import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** A client or an address that failed: the number of failures that it may have, and the longest block in seconds. */
export type Suspect = { key: string; patience: number; longestS: number };

/**
 * Counts failures per address, and per client at that address. A client is therefore not blocked by failures
 * that others cause in its name from another address.
 */
export function suspectsOf(client: string, address: string): { address: Suspect; client: Suspect } {
  return {
    address: { key: `address ${address}`, patience: 10, longestS: 300 },
    client: { key: `client ${client} at ${address}`, patience: 5, longestS: 60 },
  };
}

/** Seconds for which attempts of this suspect are still blocked; 0 if they are not blocked. */
export async function blockedForS(em: Em, { key }: Suspect): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select blocked_seconds(array[${key}::text]) as seconds
  `.execute(em.getKysely());
  return Math.ceil(rows[0]!.seconds);
}

/** Records a failure. Each failure above the limit doubles the length of the block. */
export async function penalize(em: Em, suspects: readonly Suspect[]): Promise<void> {
  for (const { key, patience, longestS } of suspects) {
    await sql`select penalize(${key}, ${patience}, ${longestS})`.execute(em.getKysely());
  }
}

/** Clears the failures of a client that has authenticated. */
export async function clearPenalties(em: Em, { key }: Suspect): Promise<void> {
  await sql`select forgive(${key})`.execute(em.getKysely());
}
