import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { RowReader } from '#lib/data/import/readers/row-reader.ts';
import type { ReadProgress } from '#lib/data/import/readers/line-block.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type Circumstances } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { insertReversals } from './reversal.write.ts';
import { lockLedger } from './ledger-lock.query.ts';
import { stageTransactions, STAGED } from './staging.write.ts';
import {
  findStagedFaults,
  isPosting,
  isRepeat,
  withKnown,
  type StagedQuestion,
} from './staged-faults.query.ts';
import { transactionColumns, transactionParser, type TransactionRow } from './transaction-row.ts';

type Input = Tenant & {
  path: string;
  /** The system in which the references are unique. */
  sourceSystem: string;
  onProgress?: ((progress: ReadProgress & { rows: number }) => void) | undefined;
};

export type TransactionImportReport = {
  uid: string;
  contentHash: string;
  rows: { read: number; inserted: number; posted: number; unchanged: number };
  accountsMade: number;
};

/**
 * Imports a file of transactions: the whole file or, with an `ImportRefused`, nothing. Transactions that are already
 * recorded under their reference are skipped. If a row contradicts a recorded transaction, the file is refused. Imports
 * of a tenant run one after another.
 */
export const importTransactions = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockLedger(em, place),
  async facts(em, _locked, { path, sourceSystem, onProgress }, { place: tenant, now }) {
    const hash = createHash('sha256');
    const reader = new RowReader<TransactionRow>({
      path,
      rules: transactionColumns,
      parser: (columns) => transactionParser(columns, now),
      hash,
      onProgress,
    });
    await stageTransactions(em, reader);
    await findStagedFaults(em, { tenant, sourceSystem }, reader.faults);
    if (reader.faults.total > 0) throw reader.faults.refusal();
    return { reader, contentHash: hash.digest('hex') };
  },
  decide: (): { ok: true } => ({ ok: true }),
  async write(em, staged, _verdict, at) {
    return { result: await writeStaged(em, staged, at) };
  },
  entry: (_facts, _verdict, { sourceSystem: source_system }, report) =>
    report && {
      op: 'ledger.imported',
      subject: { type: 'ledger_import', uid: report.uid },
      details: { source_system, content_hash: report.contentHash, rows: report.rows },
    },
  refusals: unknownWorkspace,
});

/** Records the new staged rows and creates the accounts that they name. */
async function writeStaged(
  em: Em,
  { reader, contentHash }: { reader: RowReader<TransactionRow>; contentHash: string },
  at: Circumstances & { input: Input },
): Promise<TransactionImportReport> {
  const { place: tenant, input } = at;
  const question = { tenant, sourceSystem: input.sourceSystem };
  const now = at.now.toISOString();
  const uid = newUid(prefixes.ledgerImport);
  const accountsMade = await makeAccounts(em, tenant, now);
  const database = em.getKysely();
  const counted = await sql<{ unchanged: number; posted: number }>`
    select count(*) filter (where ${isRepeat})::integer as unchanged,
      count(*) filter (where not ${isRepeat} and ${isPosting})::integer as posted
    from ${sql.table(STAGED)} s ${withKnown(question)} where k.uid is not null
  `.execute(database);
  const { unchanged, posted } = counted.rows[0]!;
  const inserted = reader.read - unchanged - posted;
  await sql`
    insert into ledger_import (uid, workspace_uid, environment, source_system, file_name, content_hash, rows_read,
      rows_inserted, rows_posted, rows_unchanged, imported_by_uid, imported_at)
    values (${uid}, ${tenant.workspace}, ${tenant.environment}, ${input.sourceSystem}, ${basename(input.path)},
      ${contentHash}, ${reader.read}, ${inserted}, ${posted}, ${unchanged}, ${personOf(at)}, ${now})
  `.execute(database);
  await insertPostings(em, question, uid, now);
  await insertOriginals(em, question, uid, now);
  await insertReversals(em, question, { importUid: uid, now, faults: reader.faults });
  return { uid, contentHash, rows: { read: reader.read, inserted, posted, unchanged }, accountsMade };
}

async function makeAccounts(em: Em, { workspace, environment }: Tenant, now: string): Promise<number> {
  const database = em.getKysely();
  const { rows } = await sql<{ key: string; currency: string }>`
    select s.account as key, s.currency from (select distinct account, currency from ${sql.table(STAGED)}) s
    where not exists (select from ledger_account a
      where a.workspace_uid = ${workspace} and a.environment = ${environment} and a.key = s.account)
    order by 1
  `.execute(database);
  const made = rows.map((row) => ({ ...row, uid: newUid(prefixes.ledgerAccount) }));
  if (made.length === 0) return 0;
  await sql`
    insert into ledger_account (uid, workspace_uid, environment, key, currency, created_at)
    select uid, ${workspace}, ${environment}, key, currency, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) n (uid text, key text, currency text)
  `.execute(database);
  return made.length;
}

async function insertPostings(em: Em, question: StagedQuestion, uid: string, now: string): Promise<void> {
  await sql`
    insert into ledger_posting (transaction_uid, workspace_uid, environment, import_uid, booked_at, value_date,
      source_hash, recorded_at)
    select k.uid, k.workspace_uid, k.environment, ${uid}, s.booked_at, s.value_date, s.source_hash, ${now}::timestamptz
    from ${sql.table(STAGED)} s ${withKnown(question)}
    where k.uid is not null and not ${isRepeat} and ${isPosting}
  `.execute(em.getKysely());
}

async function insertOriginals(em: Em, question: StagedQuestion, uid: string, now: string): Promise<void> {
  const { tenant, sourceSystem } = question;
  await sql`
    insert into ledger_transaction (uid, workspace_uid, environment, account_uid, import_uid, booked_at, value_date,
      direction, currency, amount_minor, amount_scale, counterparty_id, description, category, status, reverses_uid,
      source_system, source_reference, source_hash, recorded_at)
    select s.uid, ${tenant.workspace}, ${tenant.environment}, a.uid, ${uid}, s.booked_at, s.value_date, s.direction,
      s.currency, s.amount_minor, s.amount_scale, s.counterparty_id, s.description, s.category, s.status, null,
      ${sourceSystem}, s.reference, s.source_hash, ${now}::timestamptz
    from ${sql.table(STAGED)} s ${withKnown(question)}
    where s.reverses is null and k.uid is null
  `.execute(em.getKysely());
}
