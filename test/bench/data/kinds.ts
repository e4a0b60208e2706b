import path from 'node:path';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import { importFile } from '#lib/data/import/load/import-file.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { importTransactions } from '#lib/ledger/import-transactions.command.ts';
import { governAsPerson } from '../../support/as-person.ts';
import type { Backend } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { createCompany } from '../../support/company.ts';
import { writePriceFiles } from '../import/price-rows.ts';
import { writeActions, writeEconomics, writeFundamentals, type Files, type KindFiles } from './files.ts';
import { writeMetrics, writeNumeric, writeTransactions } from './planning-files.ts';

/** A kind of import file, and the table that it fills. */
export type Kind = {
  name: string;
  table: string;
  columns: string;
  write(files: Files, rows: number): Promise<KindFiles>;
  /** Imports the file into an empty table and returns the seconds that the import takes. */
  importOnce(csv: string): Promise<number>;
};

const knowledge = 'observed_on, known_at, known_at_basis, revision';
const COMPANIES = 20;
const DAYS = 2_500;

export async function kindsOf(backend: Backend): Promise<Kind[]> {
  const reporting = await buildTenancy(backend);
  const companies: number[] = [];
  for (let number = 0; number < COMPANIES; number += 1)
    companies.push(await createCompany(backend, reporting.workspace, `Company ${number}`));
  companies.sort((one, other) => (String(one) < String(other) ? -1 : 1));
  return [
    {
      name: 'prices',
      table: 'price',
      columns: `dataset_id, symbol, frequency, ${knowledge}, open, high, low, close, adj_close, volume`,
      write: (files, rows) =>
        writePriceFiles(files, { symbols: Math.ceil(rows / DAYS), days: Math.min(rows, DAYS) }),
      importOnce: (csv) => byCommand(backend, 'prices', csv),
    },
    {
      name: 'fundamentals',
      table: 'fundamental',
      columns: `dataset_id, symbol, metric, ${knowledge}, withdrawn, value`,
      write: writeFundamentals,
      importOnce: (csv) => byCommand(backend, 'fundamentals', csv),
    },
    {
      name: 'corporate actions',
      table: 'corporate_action',
      columns: `dataset_id, symbol, type, ${knowledge}, withdrawn, amount, ratio, basis`,
      write: writeActions,
      importOnce: (csv) => byCommand(backend, 'corporate-actions', csv),
    },
    {
      name: 'economics',
      table: 'economic_observation',
      columns: `dataset_id, series, ${knowledge}, withdrawn, value`,
      write: writeEconomics,
      importOnce: (csv) => byCommand(backend, 'economics', csv),
    },
    {
      name: 'metrics',
      table: 'company_metric',
      columns: `dataset_id, company, metric, frequency, ${knowledge}, withdrawn, value, currency`,
      write: (files, rows) => writeMetrics(files, rows, companies),
      importOnce: (csv) => byCommand(backend, 'metrics', csv, reporting.workspace),
    },
    {
      name: 'a numeric dataset',
      table: 'numeric_row',
      columns: 'dataset_id, revision, position, observed_on, entity, "values"',
      write: writeNumeric,
      importOnce: (csv) => inPlace(backend, 'numeric', csv),
    },
    {
      name: 'transactions',
      table: 'ledger_transaction',
      columns:
        'uid, workspace_uid, environment, account_uid, import_uid, booked_at, value_date, direction, currency, ' +
        'amount_minor, amount_scale, counterparty_id, description, category, status, reverses_uid, source_system, ' +
        'source_reference, source_hash, recorded_at',
      write: writeTransactions,
      importOnce: (csv) => ofTransactions(backend, csv),
    },
  ];
}

let count = 0;

/** Imports as an operator does, in a separate process whose start is not counted. */
async function byCommand(backend: Backend, command: string, csv: string, into?: string): Promise<number> {
  const workspace = into ?? (await buildTenancy(backend)).workspace;
  const words = [
    'import',
    command,
    csv,
    '--workspace',
    workspace,
    '--dataset',
    `${command}-${++count}`,
    '--json',
  ];
  const { status, json, stderr } = await assay(backend, ...words);
  if (status !== 0) throw new Error(`the import failed: ${stderr}`);
  return json.seconds;
}

/** Imports in this process. Used for import commands that do not report their duration. */
async function inPlace(backend: Backend, kind: DatasetKind, csv: string): Promise<number> {
  const { workspace, person } = await buildTenancy(backend);
  const request = { kind, path: path.resolve(csv), workspace, importedBy: person };
  return (await inPlatform(backend.orm('operator'), (em) => importFile(em, request))).seconds;
}

async function ofTransactions(backend: Backend, csv: string): Promise<number> {
  const { workspace, environment, person } = await buildTenancy(backend);
  const tenant = { workspace, environment };
  const started = performance.now();
  const input = { ...tenant, path: csv, sourceSystem: 'file' };
  await governAsPerson(backend, importTransactions, input, { tenant, person });
  return (performance.now() - started) / 1_000;
}
