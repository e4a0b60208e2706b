import { sql } from 'kysely';
import type { Em } from '#lib/database/orm.ts';

/** Who failed: how many failures are borne, and for how long at most the next attempt is then not heard. */
export type Suspect = { key: string; patience: number; longestS: number };

/** Failures are counted for the client, who may be a fool, and for the address, which may be an attacker's. */
export function suspectsOf(client: string, address: string): Suspect[] {
  return [
    { key: `address ${address}`, patience: 10, longestS: 300 },
    { key: `client ${client}`, patience: 5, longestS: 60 },
  ];
}

/** Seconds for which attempts of these suspects are not heard; 0 when they are. */
export async function blockedForS(em: Em, suspects: readonly Suspect[]): Promise<number> {
  const keys = suspects.map(({ key }) => key);
  const { rows } = await sql<{ seconds: number }>`
    select blocked_seconds(${keys}::text[]) as seconds
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
export async function forgive(em: Em, { key }: Suspect): Promise<void> {
  await sql`select forgive(${key})`.execute(em.getKysely());
}
