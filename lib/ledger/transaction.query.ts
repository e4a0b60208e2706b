import { sql } from 'kysely';
import { instantOf } from '#lib/core/clock.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Direction, TransactionStatus } from './transaction.ts';

export type LedgerTransaction = {
  uid: string;
  bookedAt: Date;
  valueDate: string;
  direction: Direction;
  currency: string;
  amountMinor: bigint;
  amountScale: number;
  counterpartyId: number | null;
  accountUid: string;
  description: string;
  category: string | null;
  status: TransactionStatus;
  reverses: string | null;
  reversedBy: string | null;
  sourceSystem: string;
  sourceReference: string;
  sourceHash: string;
  importUid: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  timesSeen: number;
};

export type TransactionQuestion = {
  /** First day of booking (UTC), inclusive. `to` is the last day, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  currency?: string | undefined;
  account?: string | undefined;
  status?: TransactionStatus | undefined;
  uid?: string | undefined;
  after?: string | undefined;
  limit: number;
};

/**
 * Lists the transactions of the tenant of `em` in their current state, newest first. A transaction that was
 * announced and then posted has the dates of its posting.
 */
export async function listTransactions(em: Em, question: TransactionQuestion): Promise<LedgerTransaction[]> {
  const { workspace, environment } = tenantOf(em);
  const { from, to, currency, account, status, uid, after, limit } = question;
  const conditions = [
    sql`t.workspace_uid = ${workspace}`,
    sql`t.environment = ${environment}`,
    ...(uid === undefined ? [] : [sql`t.uid = ${uid}`]),
    ...(after === undefined ? [] : [sql`t.uid < ${after}`]),
    ...(currency === undefined ? [] : [sql`t.currency = ${currency}`]),
    ...(account === undefined ? [] : [sql`t.account_uid = ${account}`]),
    ...(from === undefined ? [] : [sql`${bookedAt} >= ${from}::date::timestamp at time zone 'utc'`]),
    ...(to === undefined ? [] : [sql`${bookedAt} < (${to}::date + 1)::timestamp at time zone 'utc'`]),
    ...(status === undefined ? [] : [sql`${statusSql} = ${status}`]),
  ];
  const { rows } = await sql<Record<keyof LedgerTransaction, string | null>>`
    select t.uid, ${bookedAt} as "bookedAt", coalesce(p.value_date, t.value_date)::text as "valueDate", t.direction,
      t.currency, t.amount_minor as "amountMinor", t.amount_scale as "amountScale",
      t.counterparty_id as "counterpartyId", t.account_uid as "accountUid", t.description, t.category,
      ${statusSql} as status, t.reverses_uid as reverses, r.uid as "reversedBy", t.source_system as "sourceSystem",
      t.source_reference as "sourceReference", coalesce(p.source_hash, t.source_hash) as "sourceHash",
      t.import_uid as "importUid", t.recorded_at as "firstSeenAt",
      coalesce(p.recorded_at, t.recorded_at) as "lastSeenAt", case when p.transaction_uid is null then 1 else 2 end
      as "timesSeen"
    from ledger_transaction t
    left join ledger_posting p on p.transaction_uid = t.uid
    left join ledger_transaction r on r.reverses_uid = t.uid
    where ${sql.join(conditions, sql` and `)}
    order by t.uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows.map(readTransaction);
}

const bookedAt = sql`coalesce(p.booked_at, t.booked_at)`;

const statusSql = sql`(case when r.uid is not null then 'reversed'
  when p.transaction_uid is not null then 'posted' else t.status end)`;

/** Converts a raw row. The driver returns 64-bit integers and instants as strings. */
function readTransaction(row: Record<keyof LedgerTransaction, unknown>): LedgerTransaction {
  const instant = (value: unknown) => instantOf(value as string);
  return {
    ...(row as LedgerTransaction),
    bookedAt: instant(row.bookedAt),
    amountMinor: BigInt(row.amountMinor as string),
    firstSeenAt: instant(row.firstSeenAt),
    lastSeenAt: instant(row.lastSeenAt),
  };
}
