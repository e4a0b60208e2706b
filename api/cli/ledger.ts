import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { isDate } from '#lib/core/date.ts';
import { newUid } from '#lib/core/id.ts';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { LedgerAccount, LedgerSnapshot } from '#lib/planning/ledger/ledger-snapshot.entity.ts';
import { replaySnapshot, takeSnapshot, type Taken } from '#lib/planning/ledger/snapshot.repository.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { inPlaceAs, type Place } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type PlaceOptions = OutputOptions & GovernedOptions & Place;

const refusals: Record<Extract<Taken, { ok: false }>['code'], string> = {
  day_not_over: 'balances are sealed of days that are over (UTC)',
  amount_range: 'a balance is beyond what a JSON integer holds',
  nothing_recorded: 'nothing is recorded that was booked by then',
};

export function register(program: Command): void {
  const group = program.command('ledger').description('accounts, transactions and sealed balances');
  withPerson(withJson(group.command('snapshot')))
    .description('seal the balances at the end of a day; the same transactions give the same snapshot')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .requiredOption('--as-of <date>', 'the day, YYYY-MM-DD')
    .action(async (options: PlaceOptions & { asOf: string }) => {
      const { asOf } = options;
      if (!isDate(asOf)) throw new Refusal('invalid_date', '--as-of takes a date such as 2026-11-30');
      const taken = await inPlaceAs(options, options, (em, { uid }) =>
        takeSnapshot(em, { asOf, now: systemClock.now(), actor: { kind: 'person', uid } }),
      );
      if (!taken.ok) throw new Refusal(taken.code, refusals[taken.code]);
      const { uid, content, sealedHash, previousUid, lateTransactions } = taken.snapshot;
      print(
        {
          uid,
          ...content,
          sealed_hash: sealedHash,
          previous_uid: previousUid,
          late_transactions: lateTransactions,
          new: taken.isNew,
        },
        options,
      );
    });
  withJson(group.command('verify <snapshot>'))
    .description('replay a snapshot from the transactions and compare the hashes')
    .action(async (uid: string, options: OutputOptions) => {
      const intact = await asOperator(async (operator) => {
        const found = await operator.everywhere((em) =>
          em.findOne(LedgerSnapshot, { uid }, { filters: false }),
        );
        if (!found) throw new Refusal('snapshot_unknown', `there is no snapshot ${uid}`);
        return operator.inWorkspace(found.workspaceUid, (em) => replaySnapshot(em, found), found.environment);
      });
      print({ uid, identical: intact }, options);
      if (!intact) throw new Refusal('replay_differs', 'the transactions do not say what was sealed');
    });
  registerAccounts(group);
}

function registerAccounts(group: Command): void {
  const accounts = group.command('account').description('where money is, each in one currency');
  withPerson(withJson(accounts.command('create')))
    .description('make an account before its first transaction; an import makes those that it names')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .requiredOption('--key <word>', 'what the files of transactions call it')
    .requiredOption('--currency <code>', 'such as EUR')
    .option('--name <name>', 'for people')
    .action(async (options: PlaceOptions & { key: string; currency: string; name?: string }) => {
      const { workspace, environment, currency } = options;
      const key = checkText('--key', options.key);
      const name = options.name === undefined ? null : checkText('--name', options.name);
      if (minorDigits(currency) === undefined) {
        throw new Refusal('invalid_currency', `${currency} is no currency of ISO 4217 in force`);
      }
      const made = await inPlaceAs(options, options, async (em, { uid: by }) => {
        if (await em.findOne(LedgerAccount, { key })) {
          throw new Refusal('account_exists', `there is an account ${key}`);
        }
        const account = em.create(LedgerAccount, {
          uid: newUid(prefixes.ledgerAccount),
          workspaceUid: workspace,
          environment,
          key,
          name,
          currency,
          createdAt: systemClock.now(),
        });
        await record(em, { op: 'ledger.account_created', by, ...ofTenant('ledger_account', account) });
        return account;
      });
      print({ uid: made.uid, key, currency, name }, options);
    });
  withJson(accounts.command('list'))
    .description('list them')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .action(async (options: PlaceOptions) => {
      const all = await asOperator((operator) =>
        operator.inWorkspace(
          options.workspace,
          async (em) => {
            await findWorkspace(em, options.workspace);
            return em.find(LedgerAccount, {}, { orderBy: { key: 'asc' } });
          },
          options.environment,
        ),
      );
      printRows(
        all.map(({ uid, key, currency, name }) => ({ uid, key, currency, name })),
        options,
      );
    });
}
