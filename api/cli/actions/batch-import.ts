import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { BatchFile, readOrders } from '#lib/actions/execution/batch/batch-file.ts';
import { importBatch } from '#lib/actions/execution/batch/import-batch.command.ts';
import { importLegacy } from '#lib/actions/execution/batch/import-legacy.command.ts';
import { LegacyFile } from '#lib/actions/execution/batch/legacy.ts';
import { orderRows } from '#lib/actions/execution/batch/order-rows.ts';
import type { Tenant } from '#lib/database/base.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { readBody } from '../shell/governed-kind.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { checked } from '../shell/document.ts';
import { invalidBody } from '#lib/governance/refusal.ts';
import { governAs } from '../shell/govern.ts';
import { withJson } from '../shell/options.ts';
import { withPlace } from '../shell/place.ts';

type PlaceOptions = OutputOptions & GovernedOptions & Tenant;
type ImportOptions = PlaceOptions & { reference?: string; portfolio?: string; legacy?: string };

export function registerImports(group: Command): void {
  withPerson(withPlace(withJson(group.command('import <file>'))))
    .description(
      'draft a batch from a JSON or CSV file of orders; importing the same file again returns the same batch',
    )
    .option('--reference <word>', 'the reference of the batch, for a CSV file')
    .option('--portfolio <word>', 'the portfolio of the batch, for a CSV file')
    .option('--legacy <uid>', 'the legacy batch that this batch continues')
    .action(runImport);
  withPerson(withPlace(withJson(group.command('import-legacy <file>'))))
    .description(
      'store batches of a legacy system; a stored batch has no effect until `assay batch import --legacy` names it',
    )
    .action(async (path: string, options: PlaceOptions) => {
      const file = checked(LegacyFile, await readBody(path));
      const { workspace, environment } = options;
      const { result } = await governAs(importLegacy, { workspace, environment, file }, options);
      print({ imported: result.count, known: file.batches.length - result.count }, options);
    });
}

async function runImport(file: string, options: ImportOptions): Promise<void> {
  const document = checked(BatchFile, await readBatch(file, options));
  const read = readOrders(document.orders);
  if (!read.ok) throw invalidBody(read.faults);
  const { workspace, environment, legacy = null } = options;
  const { orders } = read;
  const { batch_reference: reference, portfolio_uid: portfolio } = document;
  const input = { workspace, environment, reference, portfolio, orders, legacy };
  const { batch, isNew } = (await governAs(importBatch, input, options)).result;
  print(
    {
      uid: batch.uid,
      state: batch.state,
      orders: batch.orderCount,
      material_hash_root: batch.materialHashRoot,
      envelope_hash: batch.envelopeHash,
      order_hashes: orders.map(({ order_hash }) => order_hash),
      new: isNew,
    },
    options,
  );
}

async function readBatch(file: string, { reference, portfolio }: ImportOptions): Promise<unknown> {
  if (!file.endsWith('.csv')) return readBody(file);
  if (reference === undefined || portfolio === undefined) {
    throw new Refusal('reference_missing', 'a CSV file needs --reference and --portfolio');
  }
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Refusal('invalid_file', `${file} cannot be read: ${error.message}`);
  });
  const rows = orderRows(text);
  if (!rows.ok) throw new Refusal('invalid_file', rows.fault);
  return { batch_reference: reference, portfolio_uid: portfolio, orders: rows.orders };
}
