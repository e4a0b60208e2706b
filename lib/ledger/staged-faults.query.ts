import { sql, type RawBuilder } from 'kysely';
import { collectFaults } from '#lib/data/import/load/collect-faults.ts';
import type { FaultList } from '#lib/data/import/load/fault-list.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { STAGED } from './staging.write.ts';

export type StagedQuestion = { tenant: Tenant; sourceSystem: string };

/** Finds faults between staged rows, and between staged rows and the ledger. Adds them to `faults`. */
export async function findStagedFaults(em: Em, question: StagedQuestion, faults: FaultList): Promise<void> {
  const { workspace, environment } = question.tenant;
  const staged = sql.table(STAGED);
  await collectFaults(
    em,
    faults,
    sql`
      select s.line, 'reference' as column, s.reference as value,
        'repeats line ' || repeated.first || ': the same reference on the same account' as reason
      from ${staged} s
      join (
        select account, reference, min(line) as first from ${staged} group by account, reference having count(*) > 1
      ) repeated on repeated.account = s.account and repeated.reference = s.reference and repeated.first <> s.line
      union all
      select s.line, 'currency', s.currency, 'is not the currency of the account, which is ' || known.currency
      from ${staged} s
      join (
        select distinct on (account) account, currency from (
          select key as account, currency, 0 as line from ledger_account
          where workspace_uid = ${workspace} and environment = ${environment}
          union all
          select account, currency, min(line) from ${staged} group by account, currency
        ) named order by account, line
      ) known on known.account = s.account and known.currency <> s.currency
      union all
      select s.line, 'counterparty_id', s.counterparty_id::text, 'does not exist in the workspace'
      from ${staged} s
      where s.counterparty_id is not null and not exists (
        select from counterparty c where c.workspace_uid = ${workspace} and c.id = s.counterparty_id)
      union all
      select s.line, 'reference', s.reference,
        'contradicts ' || k.uid || ', which is already recorded under this reference and cannot change'
      from ${staged} s ${withKnown(question)}
      where k.uid is not null and not (${isRepeat}) and not (${isPosting})
    `,
  );
}

/**
 * Returns SQL that joins a staged row with its account, with the transaction recorded under its reference
 * (`k`), and with the posting of this transaction (`p`).
 */
export function withKnown({ tenant, sourceSystem }: StagedQuestion): RawBuilder<unknown> {
  return sql`
    left join ledger_account a
      on a.workspace_uid = ${tenant.workspace} and a.environment = ${tenant.environment} and a.key = s.account
    left join ledger_transaction k
      on k.account_uid = a.uid and k.source_system = ${sourceSystem} and k.source_reference = s.reference
    left join ledger_posting p on p.transaction_uid = k.uid`;
}

/** The condition that the staged row repeats the recorded transaction. */
export const isRepeat = sql`(k.source_hash = s.source_hash or coalesce(p.source_hash = s.source_hash, false))`;

/**
 * The condition that the staged row posts a pending transaction. The row then describes the same movement, possibly
 * with other dates.
 */
export const isPosting = sql`(k.status = 'pending' and p.transaction_uid is null and s.status = 'posted'
  and k.reverses_uid is null and s.reverses is null
  and (k.direction, k.amount_minor, k.description) = (s.direction, s.amount_minor, s.description)
  and k.counterparty_id is not distinct from s.counterparty_id and k.category is not distinct from s.category
  and not exists (select from ledger_transaction r where r.reverses_uid = k.uid))`;
