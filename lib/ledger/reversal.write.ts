import { sql } from 'kysely';
import { collectFaults } from '#lib/data/import/load/collect-faults.ts';
import type { FaultList } from '#lib/data/import/load/fault-list.ts';
import type { Em } from '#lib/database/base.ts';
import { STAGED } from './staging.write.ts';
import { withKnown, type StagedQuestion } from './staged-faults.query.ts';

/**
 * Inserts the staged reversals, after all other rows of the file. Throws an `ImportRefused` if a reversal has
 * no valid original transaction.
 */
export async function insertReversals(
  em: Em,
  question: StagedQuestion,
  { importUid, now, faults }: { importUid: string; now: string; faults: FaultList },
): Promise<void> {
  const { tenant, sourceSystem } = question;
  const reversals = sql`
    select v.*, o.account_uid as original_account, o.direction as original_direction,
      o.amount_minor as original_amount, o.reverses_uid as original_reverses,
      case when op.transaction_uid is null then o.status else 'posted' end as original_status,
      r.uid as reversed_by, min(v.line) over (partition by o.uid) as first_line
    from (
      select s.*, a.uid as account_uid, coalesce(
        (select n.uid from ledger_transaction n
          where n.account_uid = a.uid and n.source_system = ${sourceSystem} and n.source_reference = s.reverses),
        (select n.uid from ledger_transaction n
          where n.uid = s.reverses and n.workspace_uid = ${tenant.workspace} and n.environment = ${tenant.environment})
      ) as original_uid
      from ${sql.table(STAGED)} s ${withKnown(question)}
      where s.reverses is not null and k.uid is null
    ) v
    left join ledger_transaction o on o.uid = v.original_uid
    left join ledger_posting op on op.transaction_uid = o.uid
    left join ledger_transaction r on r.reverses_uid = o.uid`;
  await collectFaults(
    em,
    faults,
    sql`
      select line, 'reverses' as column, reverses as value, case
        when original_uid is null then 'does not name a transaction of the account and source'
        when original_account <> account_uid then 'names a transaction of another account'
        when original_reverses is not null then 'names a reversal, which cannot be reversed'
        when reversed_by is not null then 'names a transaction that is already reversed by ' || reversed_by
        when first_line <> line then 'names the transaction that line ' || first_line || ' reverses'
        when original_amount <> amount_minor then 'names a transaction with a different amount'
        when original_direction = direction then 'names a transaction with the same direction'
        else 'names a transaction with the status ' || original_status
      end as reason
      from (${reversals}) v
      where original_uid is null or original_account <> account_uid or original_reverses is not null
        or reversed_by is not null or first_line <> line or original_amount <> amount_minor
        or original_direction = direction or original_status <> status
    `,
  );
  if (faults.total > 0) throw faults.refusal();
  await sql`
    insert into ledger_transaction (uid, workspace_uid, environment, account_uid, import_uid, booked_at, value_date,
      direction, currency, amount_minor, amount_scale, counterparty_id, description, category, status, reverses_uid,
      source_system, source_reference, source_hash, recorded_at)
    select v.uid, ${tenant.workspace}, ${tenant.environment}, v.account_uid, ${importUid}, v.booked_at, v.value_date,
      v.direction, v.currency, v.amount_minor, v.amount_scale, v.counterparty_id, v.description, v.category, v.status,
      v.original_uid, ${sourceSystem}, v.reference, v.source_hash, ${now}::timestamptz
    from (${reversals}) v
    order by v.line
  `.execute(em.getKysely());
}
