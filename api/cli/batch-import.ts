import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { BatchFile, readOrders } from '#lib/actions/execution/batch-file.ts';
import { importBatch, type Imported } from '#lib/actions/execution/batch.repository.ts';
import { LegacyFile } from '#lib/actions/execution/legacy.ts';
import { importLegacy } from '#lib/actions/execution/legacy.repository.ts';
import { orderRows } from '#lib/actions/execution/order-rows.ts';
import { settleBatch } from '#lib/actions/execution/settlement.repository.ts';
import { environments } from '#lib/database/base.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { readBody } from './governed-kind.ts';
import { invalidBody } from './shell/govern.ts';
import { checked, inPlaceAs, type Place } from './on-batch.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type ImportOptions = OutputOptions &
  GovernedOptions &
  Place & { reference?: string; portfolio?: string; legacy?: string };

const refusals: Record<Extract<Imported, { ok: false }>['code'], string> = {
  batch_reference_in_use: 'another batch has the reference; a change of orders is a new batch',
  legacy_batch_unknown: 'there is no such batch of an earlier system',
  legacy_batch_linked: 'another batch continues that one',
};

export function registerImports(group: Command): void {
  withPerson(withJson(group.command('import <file>')))
    .description('draft a batch from a file of orders, JSON or CSV; the same file again is the same batch')
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .option('--reference <word>', 'of the batch, for a CSV file')
    .option('--portfolio <word>', 'of the batch, for a CSV file')
    .option('--legacy <uid>', 'the batch of an earlier system that it continues')
    .action(async (file: string, options: ImportOptions) => {
      const document = checked(BatchFile, await readBatch(file, options));
      const read = readOrders(document.orders);
      if (!read.ok) throw invalidBody(read.faults);
      const { workspace, environment } = options;
      const imported = await inPlaceAs({ workspace, environment }, options, async (em, { uid: by }) => {
        const now = systemClock.now();
        const imported = await importBatch(em, {
          tenant: { workspace, environment },
          reference: document.batch_reference,
          portfolio: document.portfolio_uid,
          orders: read.orders,
          legacy: options.legacy ?? null,
          by,
          now,
        });
        if (!imported.ok) throw new Refusal(imported.code, refusals[imported.code]);
        const { batch, isNew } = imported;
        if (!isNew) return imported;
        const { envelopeHash, materialHashRoot: root, orderCount } = batch;
        await record(em, {
          op: 'batch.imported',
          by,
          ...ofTenant('order_batch', batch),
          details: { envelope_hash: envelopeHash, material_hash_root: root, orders: orderCount },
        });
        await settleBatch(em, batch, { actor: { kind: 'person', uid: by }, now });
        return imported;
      });
      const { batch, isNew } = imported;
      print(
        {
          uid: batch.uid,
          state: batch.state,
          orders: batch.orderCount,
          material_hash_root: batch.materialHashRoot,
          envelope_hash: batch.envelopeHash,
          order_hashes: read.orders.map(({ order_hash }) => order_hash),
          new: isNew,
        },
        options,
      );
    });
  withPerson(withJson(group.command('import-legacy <file>')))
    .description('keep batches of an earlier system as candidates; it links none of them')
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .action(async (file: string, options: OutputOptions & GovernedOptions & Place) => {
      const document = checked(LegacyFile, await readBody(file));
      const { workspace, environment } = options;
      const imported = await inPlaceAs({ workspace, environment }, options, async (em, { uid: by }) => {
        const count = await importLegacy(em, { workspace, environment }, document, by, systemClock.now());
        const subject = { type: 'legacy_batches', uid: document.source_system };
        await record(em, {
          op: 'batch.legacy_imported',
          by,
          workspace,
          environment,
          subject,
          details: { count },
        });
        return count;
      });
      print({ imported, known: document.batches.length - imported }, options);
    });
}

async function readBatch(file: string, { reference, portfolio }: ImportOptions): Promise<unknown> {
  if (!file.endsWith('.csv')) return readBody(file);
  if (reference === undefined || portfolio === undefined) {
    throw new Refusal('reference_missing', 'a CSV file takes --reference and --portfolio');
  }
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Refusal('invalid_file', `${file} cannot be read: ${error.message}`);
  });
  const rows = orderRows(text);
  if (!rows.ok) throw new Refusal('invalid_file', rows.fault);
  return { batch_reference: reference, portfolio_uid: portfolio, orders: rows.orders };
}
