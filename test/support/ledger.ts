import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays } from '#lib/core/date.ts';
import { importTransactions, type TransactionImportReport } from '#lib/ledger/import-transactions.command.ts';
import { takeSnapshot } from '#lib/ledger/take-snapshot.command.ts';
import { governAsPerson } from './as-person.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';

export const TRANSACTION_HEADER =
  'booked_at,value_date,direction,currency,amount,account,counterparty_id,description,category,status,reference,reverses';

let count = 0;

/** Runs `work` with a file of the given lines. */
export async function withFile<T>(lines: readonly string[], work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-ledger-'));
  try {
    const file = path.join(folder, 'file.csv');
    await writeFile(file, `${lines.join('\n')}\n`);
    return await work(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Imports rows of transactions, without the header, as the person of a tenancy. */
export function importLedger(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment, person }: Pick<Tenancy, 'workspace' | 'environment' | 'person'>,
  rows: readonly string[],
): Promise<TransactionImportReport> {
  const tenant = { workspace, environment };
  return withFile([TRANSACTION_HEADER, ...rows], async (path) => {
    const input = { ...tenant, path, sourceSystem: 'file' };
    const imported = await governAsPerson(backend, importTransactions, input, { tenant, person });
    if (!imported.ok) throw new Error(imported.code);
    return imported.result;
  });
}

/**
 * Records one transaction of a tenancy on a new day and creates a snapshot of this day. Returns the uid of the
 * snapshot.
 */
export async function createSnapshot(backend: Backend, tenancy: Tenancy): Promise<string> {
  count += 1;
  const asOf = addDays('2024-01-01', count);
  await importLedger(backend, tenancy, [
    `${asOf},${asOf},credit,EUR,1,main,,Sale,sales,posted,made-${count},`,
  ]);
  const { workspace, environment, person } = tenancy;
  const tenant = { workspace, environment };
  const taken = await governAsPerson(backend, takeSnapshot, { ...tenant, asOf }, { tenant, person });
  if (!taken.ok) throw new Error(taken.code);
  return taken.result.snapshot.uid;
}

/** Creates a transaction of a tenancy; returns its uid. */
export async function createTransaction(backend: Backend, tenancy: Tenancy): Promise<string> {
  count += 1;
  await importLedger(backend, tenancy, [
    `2026-01-15,2026-01-15,credit,EUR,100.50,main,,Sale ${count},sales,posted,made-${count},`,
  ]);
  const { body } = await clientOf(backend, tenancy.key).get('/financial/transactions?limit=1');
  return body.data[0].uid;
}

/** Creates an account of a tenancy with a transaction; returns its uid. */
export async function createAccount(backend: Backend, tenancy: Tenancy): Promise<string> {
  count += 1;
  await importLedger(backend, tenancy, [
    `2026-01-15,,credit,EUR,1,account-${count},,Sale,,posted,made-${count},`,
  ]);
  const { body } = await clientOf(backend, tenancy.key).get('/financial/transactions?limit=1');
  return body.data[0].account_uid;
}
