import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { canonicalHash } from '#lib/core/seal.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { environments, type Tenant } from '#lib/database/base.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { changeRecord } from '#lib/governance/governed/change-record.command.ts';
import { draftRecord } from '#lib/governance/governed/draft-record.command.ts';
import { findRecord, listRecords } from '#lib/governance/governed/governed-record.query.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import { SUBMISSION_DAYS, type GovernedEvent, type GovernedState } from '#lib/governance/governed/states.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { ask } from './operator.ts';
import { registerEvents } from './events.ts';
import { governAs } from './govern.ts';
import { checkText, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';

type DraftOptions = OutputOptions & GovernedOptions & Tenant & { file: string; key?: string; name: string };

const KEPT = 'the reason, stored with the version';

const descriptions: Record<GovernedEvent, string> = {
  submit: `request approval of a draft; the request expires after ${SUBMISSION_DAYS} days`,
  withdraw: 'withdraw a version that is not in force yet',
  approve:
    'approve a submitted version as a second person; the version comes into force, and the previous version ends',
  suspend: 'suspend the version in force at once; one person is enough',
  end: 'end a version permanently; one person is enough',
};

/** Registers the commands of a kind of record that one person drafts and another person approves. */
export function registerGovernedKind(program: Command, group: string, kind: GovernedKind): Command {
  const commands = program.command(group);
  const draft = withPlace(withPerson(withJson(commands.command('draft'))))
    .description('write the next version from a JSON file, as a draft')
    .requiredOption('--name <name>', 'the name of the record, for people')
    .requiredOption('--file <file>', 'the terms of the version as a JSON object; - for stdin');
  if (!kind.keyOf) draft.requiredOption('--key <word>', 'the key that all versions of the record share');
  draft.action(async (options: DraftOptions) => {
    const body = await readBody(options.file);
    const name = checkText('--name', options.name);
    const drafted = { tenant: placeOf(options), key: options.key, name, body };
    print(summary((await governAs(draftRecord(kind), drafted, options)).result), options);
  });
  registerEvents(commands, 'uid', {
    descriptions,
    reasons: { suspend: KEPT, end: KEPT },
    command: changeRecord(kind),
    inputOf: (uid, event, reason) => ({ uid, event, reason }),
    present: ({ result }) => summary(result.record),
  });
  withPlace(withJson(commands.command('list')))
    .description('list the versions, newest first')
    .option('--state <state>', 'only versions in this state')
    .action(async (options: OutputOptions & Tenant & { state?: GovernedState }) => {
      const states = options.state && [options.state];
      printRows(await ask(placeOf(options), listRecords, kind, { states }), options, summary);
    });
  withJson(commands.command('show <uid>'))
    .description('print a version in full')
    .action(async (uid: string, options: OutputOptions) => {
      const found = await ask('everywhere', findRecord, kind, uid);
      if (!found) throw new Refusal('record_unknown', 'There is no record of this kind with this uid.');
      print({ ...summary(found), ...persons(found), body: found.body, hash: found.bodyHash }, options);
    });
  return commands;
}

/** Adds the options for a workspace and environment. The environment defaults to the sandbox. */
export function withPlace(command: Command): Command {
  return command
    .requiredOption('--workspace <uid>', 'the uid of the workspace')
    .option('--environment <environment>', `the environment: ${environments.join(' or ')}`, 'sandbox');
}

/** Returns the workspace and environment that the options name. */
export function placeOf({ workspace, environment }: Tenant): Tenant {
  if (!environments.includes(environment)) {
    throw new Refusal('unknown_environment', `--environment takes ${environments.join(' or ')}`);
  }
  return { workspace, environment };
}

export async function readBody(file: string): Promise<unknown> {
  try {
    const body: unknown = JSON.parse(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'));
    canonicalHash(body);
    return body;
  } catch (error) {
    throw new Refusal('invalid_file', `${file} is not readable JSON: ${(error as Error).message}`);
  }
}

function summary({ uid, key, version, name, state }: GovernedRecord) {
  return { uid, key, version, name, state };
}

function persons({ draftedByUid, submittedByUid, approvedByUid, endedByUid, endReason }: GovernedRecord) {
  return {
    drafted_by: draftedByUid,
    submitted_by: submittedByUid,
    approved_by: approvedByUid,
    ended_by: endedByUid,
    end_reason: endReason,
  };
}
