import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** Who failed: how many failures are borne, and for how long at most the next attempt is then not heard. */
export type Suspect = { key: string; patience: number; longestS: number };

/**
 * Failures are counted for the address, and for the client at that address: a client is not made to wait for what others do
 * in its name elsewhere.
 */
export function suspectsOf(client: string, address: string): { address: Suspect; client: Suspect } {
  return {
    address: { key: `address ${address}`, patience: 10, longestS: 300 },
    client: { key: `client ${client} at ${address}`, patience: 5, longestS: 60 },
  };
}

/** Seconds for which attempts of this suspect are not heard; 0 when they are. */
export async function blockedForS(em: Em, { key }: Suspect): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select blocked_seconds(array[${key}::text]) as seconds
  `.execute(em.getKysely());
  return Math.ceil(rows[0]!.seconds);
}

/** Notes a failure: past their patience each further one doubles the time. */
export async function penalize(em: Em, suspects: readonly Suspect[]): Promise<void> {
  for (const { key, patience, longestS } of suspects) {
    await sql`select penalize(${key}, ${patience}, ${longestS})`.execute(em.getKysely());
  }
}

/** Forgets the failures of who has proved who they are. */
export async function clearPenalties(em: Em, { key }: Suspect): Promise<void> {
  await sql`select forgive(${key})`.execute(em.getKysely());
}
