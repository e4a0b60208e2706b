import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import type { Tenant } from '#lib/database/base.ts';
import { importTransactions } from '#lib/ledger/import-transactions.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { printRefusal } from '../shell/import-refusal.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { progressBar } from '../shell/progress-bar.ts';
import { governAs } from '../shell/govern.ts';
import { withJson } from '../shell/options.ts';
import { withPlace } from '../shell/place.ts';

type TransactionOptions = OutputOptions & GovernedOptions & Tenant & { source: string };

const SOURCE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function registerTransactions(group: Command): void {
  withPerson(withPlace(withJson(group.command('transactions <file>'))))
    .description(
      'import ledger transactions; columns: booked_at, direction, currency, amount or amount_minor, account, description, status, reference; optional: value_date, counterparty_id, category, reverses',
    )
    .option('--source <word>', 'the system that assigned the references', 'file')
    .action(async (path: string, options: TransactionOptions) => {
      const { workspace, environment, source } = options;
      if (!SOURCE.test(source)) {
        throw new Refusal('invalid_source', '--source takes 1 to 64 letters, digits and . _ -');
      }
      const bar = progressBar(options);
      const input = { workspace, environment, path, sourceSystem: source, onProgress: bar?.show };
      try {
        const { result } = await governAs(importTransactions, input, options);
        bar?.stop();
        const { uid, rows, accountsMade, contentHash } = result;
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
