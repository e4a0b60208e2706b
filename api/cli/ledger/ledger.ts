import type { Command } from 'commander';
import { isDate } from '#lib/core/date.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { createAccount } from '#lib/ledger/create-account.command.ts';
import { accountsByKey, placeOfSnapshot, verifySnapshot } from '#lib/ledger/snapshot.query.ts';
import { takeSnapshot } from '#lib/ledger/take-snapshot.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { governAs } from '../shell/govern.ts';
import { askAbout } from '../shell/ask.ts';
import { registerList } from '../shell/list.ts';
import { withPlace } from '../shell/place.ts';

type PlaceOptions = OutputOptions & GovernedOptions & Tenant;

export function register(program: Command): void {
  const group = program.command('ledger');
  withPerson(withPlace(withJson(group.command('snapshot'))))
    .description('seal the balances at the end of a day; the same transactions give the same snapshot')
    .requiredOption('--as-of <date>', 'the day, YYYY-MM-DD')
    .action(seal);
  withJson(group.command('verify <snapshot>'))
    .description('recompute a snapshot from the transactions and compare the hashes')
    .action(verify);
  const accounts = group.command('account').description('the accounts that hold money, each in one currency');
  withPerson(withPlace(withJson(accounts.command('create'))))
    .description('create an account before its first transaction; an import creates missing accounts itself')
    .requiredOption('--key <word>', 'the key of the account in transaction files')
    .requiredOption('--currency <code>', 'the currency of the account, such as EUR')
    .option('--name <name>', 'the name of the account, for people')
    .action(async (options: PlaceOptions & { key: string; currency: string; name?: string }) => {
      const { workspace, environment, currency } = options;
      const key = checkText('--key', options.key);
      const name = options.name === undefined ? null : checkText('--name', options.name);
      const account = { workspace, environment, key, currency, name };
      const { uid } = (await governAs(createAccount, account, options)).result;
      print({ uid, key, currency, name }, options);
    });
  registerList(accounts.command('list').description('list the accounts'), {
    query: accountsByKey,
    ask: () => undefined,
    present: ({ uid, key, currency, name }) => ({ uid, key, currency, name }),
  });
}

async function seal({ asOf, ...options }: PlaceOptions & { asOf: string }): Promise<void> {
  if (!isDate(asOf)) throw new Refusal('invalid_date', '--as-of takes a date such as 2026-11-30');
  const { workspace, environment } = options;
  const { result } = await governAs(takeSnapshot, { workspace, environment, asOf }, options);
  const { uid, content, sealedHash, previousUid, lateTransactions } = result.snapshot;
  print(
    {
      uid,
      ...content,
      sealed_hash: sealedHash,
      previous_uid: previousUid,
      late_transactions: lateTransactions,
      new: result.isNew,
    },
    options,
  );
}

async function verify(uid: string, options: OutputOptions): Promise<void> {
  const unknown = new Refusal('snapshot_unknown', `The snapshot ${uid} does not exist.`);
  const identical = await askAbout(uid, { placeOf: placeOfSnapshot, unknown }, verifySnapshot);
  print({ uid, identical }, options);
  if (!identical) throw new Refusal('replay_differs', 'the transactions do not give the sealed balances');
}
