import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { ImportRefused } from '#lib/data/import/import-refused.ts';
import { importTransactions } from '#lib/planning/ledger/transaction-import.repository.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { printRefusal } from './import-refusal.ts';
import { inPlaceAs, type Place } from './on-batch.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { progressBar } from './progress-bar.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type TransactionOptions = OutputOptions & GovernedOptions & Place & { source: string };

const SOURCE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function registerTransactions(group: Command): void {
  withPerson(withJson(group.command('transactions <file>')))
    .description(
      'booked_at, direction, currency, amount or amount_minor, account, description, status, reference, and value_date, counterparty_id, category, reverses where there are any',
    )
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .option('--source <word>', 'the system that the references are of', 'file')
    .action(async (file: string, options: TransactionOptions) => {
      const { workspace, environment, source } = options;
      if (!SOURCE.test(source)) {
        throw new Refusal('invalid_source', '--source takes 1 to 64 letters, digits and . _ -');
      }
      const bar = progressBar(options);
      try {
        const report = await inPlaceAs({ workspace, environment }, options, async (em, { uid: by }) => {
          const made = await importTransactions(em, {
            path: file,
            tenant: { workspace, environment },
            sourceSystem: source,
            by,
            now: systemClock.now,
            onProgress: bar?.show,
          });
          await record(em, {
            op: 'ledger.imported',
            workspace,
            environment,
            by,
            subject: { type: 'ledger_import', uid: made.uid },
            details: { source_system: source, content_hash: made.contentHash, rows: made.rows },
          });
          return made;
        });
        bar?.stop();
        const { uid, rows, accountsMade, contentHash } = report;
        const flat = options.json ? { rows } : rows;
        print(
          { import: uid, source, ...flat, accounts_made: accountsMade, content_hash: contentHash },
          options,
        );
      } catch (error) {
        bar?.stop();
        if (!(error instanceof ImportRefused)) throw error;
        printRefusal(error, options);
        process.exitCode = 1;
      }
    });
}
