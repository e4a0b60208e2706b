import type { Command } from 'commander';
import { archiveParty } from '#lib/actions/party/archive-party.command.ts';
import { createParty } from '#lib/actions/party/create-party.command.ts';
import { listParties } from '#lib/access/counterparty.query.ts';
import type { CounterpartyKind } from '#lib/access/counterparty.entity.ts';
import { ask, asOperator } from '../shell/operator.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { unprovenPerson } from '#lib/access/prove-person.command.ts';
import { governBy } from '../shell/govern.ts';

type Options = OutputOptions & { workspace: string; as?: string };

export function register(program: Command): void {
  registerKind(program, 'counterparty');
}

/** Registers the commands for one kind of party: create, list and archive. */
export function registerKind(program: Command, kind: CounterpartyKind): void {
  const group = program.command(kind);
  const inWorkspace = (words: string) =>
    withJson(group.command(words)).requiredOption('--workspace <uid>', 'the uid of the workspace');
  const byPerson = (words: string) =>
    inWorkspace(words).option(
      '--as <person>',
      'the person who makes the change (default: the owner of the workspace)',
    );
  const create = byPerson('create')
    .description(`create a ${kind}; prints its integer id`)
    .requiredOption('--name <name>', 'the name of the party');
  if (kind === 'custodian')
    create.requiredOption(
      '--key <word>',
      'the key by which custody evidence names the custodian, such as bny_main',
    );
  create.action(async (options: Options & { name: string; key?: string }) => {
    const { workspace } = options;
    const name = checkText('--name', options.name);
    const key = options.key === undefined ? null : checkText('--key', options.key);
    const { result: made } = await asOperator((operator) =>
      governBy(operator, createParty(kind), { workspace, name, key }, unprovenPerson(options.as)),
    );
    print({ id: made.id, name, ...(key === null ? {} : { key }) }, options);
  });
  byPerson('archive <id>')
    .description(`retire a ${kind} permanently; delegations that name it are suspended`)
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(async (words: string, options: Options & { reason: string }) => {
      const { workspace } = options;
      const reason = checkText('--reason', options.reason);
      const id = /^[1-9]\d{0,8}$/.test(words) ? Number(words) : 0;
      const { result } = await asOperator((operator) =>
        governBy(operator, archiveParty(kind), { workspace, id, reason }, unprovenPerson(options.as)),
      );
      print({ id: result.id, name: result.name, state: result.state }, options);
    });
  inWorkspace('list')
    .description(kind === 'custodian' ? 'list the custodians' : 'list the counterparties')
    .action(async ({ workspace, ...options }: Options) => {
      const all = await ask({ workspace, environment: 'sandbox' }, listParties, kind);
      printRows(all, options, ({ id, name, key, state }) => ({ id, name, key, state }));
    });
}
