import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { canonicalHash } from '#lib/core/seal.ts';
import { systemClock } from '#lib/core/clock.ts';
import { environments, type Environment, type Em } from '#lib/database/base.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { changeRecord, entryOf } from '#lib/governance/governed/change-record.command.ts';
import { draftGoverned } from '#lib/governance/governed/governed-record.repository.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import { governedEvents, SUBMISSION_DAYS, type GovernedEvent } from '#lib/governance/governed/states.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { governAs, invalidBody } from './shell/govern.ts';
import { checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Place = { workspace: string; environment: Environment };
type DraftOptions = OutputOptions & GovernedOptions & Place & { file: string; key?: string; name: string };
type ChangeOptions = OutputOptions & GovernedOptions & { reason?: string };

const descriptions: Record<GovernedEvent, string> = {
  submit: `ask that a draft come into force; it lapses after ${SUBMISSION_DAYS} days`,
  withdraw: 'take back what is not in force yet',
  approve: 'bring it into force, as a second person; the version before ends',
  suspend: 'take it out of force at once; one person is enough',
  end: 'end it for ever; one person is enough',
};

/** The commands of a kind of record that two persons bring into force. */
export function registerGovernedKind(program: Command, group: string, kind: GovernedKind): Command {
  const commands = program.command(group).description(kind.about);
  const draft = withPerson(withJson(commands.command('draft')))
    .description('write the next version from a JSON file, without force')
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .requiredOption('--name <name>')
    .requiredOption('--file <file>', 'its terms as a JSON object; - for stdin');
  if (!kind.keyOf) draft.requiredOption('--key <word>', 'by which its versions belong together');
  draft.action(async (options: DraftOptions) => {
    const body = await readBody(options.file);
    const name = checkText('--name', options.name);
    const place = placeOf(options);
    const drafted = await asOperator((operator) =>
      operator.everywhere(async (em) => {
        await findWorkspace(em, place.workspace);
        const person = await governingPerson(em, operator, place, options);
        const now = systemClock.now();
        const drafted = await draftGoverned(em, kind, {
          tenant: place,
          key: options.key,
          name,
          body,
          by: person.uid,
          now,
        });
        if (!drafted.ok) throw invalidBody(drafted.faults);
        await recordDraft(em, kind, drafted.record, person.uid);
        return drafted.record;
      }),
    );
    print(summary(drafted), options);
  });
  for (const event of governedEvents) registerEvent(commands, kind, event);
  withJson(commands.command('list'))
    .description('list the versions, newest first')
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .option('--state <state>', 'only those in this state')
    .action(async (options: OutputOptions & Place & { state?: string }) => {
      const place = placeOf(options);
      const found = await asOperator((operator) =>
        operator.inWorkspace(
          place.workspace,
          (em) =>
            em.find(
              GovernedRecord,
              {
                kind: kind.kind,
                ...(options.state ? { state: options.state as GovernedRecord['state'] } : {}),
              },
              { orderBy: { uid: 'desc' } },
            ),
          place.environment,
        ),
      );
      printRows(found.map(summary), options);
    });
  withJson(commands.command('show <uid>'))
    .description('print a version whole')
    .action(async (uid: string, options: OutputOptions) => {
      const found = await asOperator((operator) =>
        operator.everywhere((em) => em.findOne(GovernedRecord, { uid, kind: kind.kind }, { filters: false })),
      );
      if (!found) throw new Refusal('record_unknown', 'The record of this kind does not exist.');
      print({ ...summary(found), ...persons(found), body: found.body, hash: found.bodyHash }, options);
    });
  return commands;
}

function registerEvent(commands: Command, kind: GovernedKind, event: GovernedEvent): void {
  const command = withPerson(withJson(commands.command(`${event} <uid>`))).description(descriptions[event]);
  if (event === 'suspend' || event === 'end') command.requiredOption('--reason <text>', 'why; it is kept');
  command.action(async (uid: string, options: ChangeOptions) => {
    const reason = options.reason === undefined ? undefined : checkText('--reason', options.reason);
    const { result } = await governAs(changeRecord(kind), { uid, event, reason }, options);
    print(summary(result.record), options);
  });
}

/** Records in the audit log that a version was drafted. */
export async function recordDraft(
  em: Em,
  kind: GovernedKind,
  drafted: GovernedRecord,
  by: string,
): Promise<void> {
  const { subject: _subject, ...place } = ofTenant(kind.kind, drafted);
  await record(em, { ...place, ...entryOf(kind, drafted, 'drafted'), by });
}

function placeOf({ workspace, environment }: Place): Place {
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
    throw new Refusal('invalid_file', `${file} is no JSON that can be read: ${(error as Error).message}`);
  }
}

function summary(each: GovernedRecord) {
  const { uid, key, version, name, state } = each;
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
