import { sql } from 'kysely';
import { defer, type Em } from '#lib/database/base.ts';
import type { Delegation } from './delegation.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import type { Window, WindowUse } from './windows.ts';

type At = Record<Window, string>;
type Row = { kind: Window; reserved: string; settled: string };

/** Returns the usage of the budgets of a day and a month, and locks the budgets until the transaction ends. */
export async function lockWindows(em: Em, { uid, terms: { budgets } }: Delegation, at: At) {
  const { rows } = await sql<Row>`
    select * from hold_windows(${uid}, ${at.day}, ${at.month}, ${budgets.per_day_minor}, ${budgets.per_month_minor})
  `.execute(em.getKysely());
  return useOf(rows);
}

/** Returns the current usage of the budgets of a day and a month. */
export async function readWindows(em: Em, { uid }: Delegation, at: At) {
  const { rows } = await sql<Row>`
    select kind, reserved, settled from delegation_window
    where delegation_uid = ${uid} and (kind, key) in (('day', ${at.day}), ('month', ${at.month}))
  `.execute(em.getKysely());
  return useOf(rows);
}

/** Reserves an amount from budgets. The budgets must be locked and must cover the amount. */
export async function reserveAmount(em: Em, { uid }: Delegation, at: At, amount: bigint): Promise<void> {
  await defer(
    em,
    sql`
      update delegation_window set reserved = reserved + ${amount}
      where delegation_uid = ${uid} and (kind, key) in (('day', ${at.day}), ('month', ${at.month}))`,
  );
}

/**
 * Releases a reserved amount, and counts the settled part as used. The day is locked before the month, in the
 * same order as for a reservation, so that no deadlock can occur.
 */
export async function releaseAmount(
  em: Em,
  { delegationUid, day, month, amount }: Reservation,
  settled: bigint,
): Promise<void> {
  await defer(
    em,
    sql`
    with held as materialized (
      select delegation_uid, kind, key from delegation_window
      where delegation_uid = ${delegationUid} and (kind, key) in (('day', ${day}), ('month', ${month}))
      order by kind for update
    )
    update delegation_window w set reserved = reserved - ${amount}, settled = settled + ${settled}
    from held where (w.delegation_uid, w.kind, w.key) = (held.delegation_uid, held.kind, held.key)
  `,
  );
}

function useOf(rows: readonly Row[]): Record<Window, WindowUse> {
  const of = (kind: Window): WindowUse => {
    const row = rows.find((each) => each.kind === kind);
    return { reserved: BigInt(row?.reserved ?? 0), settled: BigInt(row?.settled ?? 0) };
  };
  return { day: of('day'), month: of('month') };
}
