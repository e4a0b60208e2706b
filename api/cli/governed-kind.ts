import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { canonicalHash } from '#lib/core/seal.ts';
import { systemClock } from '#lib/core/clock.ts';
import { environments, type Environment } from '#lib/database/base.ts';
import type { Em } from '#lib/database/orm.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import {
  changeGoverned,
  draftGoverned,
  type Change,
  type Changed,
} from '#lib/governance/governed/governed-record.repository.ts';
import type { BodyFault, GovernedKind } from '#lib/governance/governed/kind.ts';
import {
  governedEvents,
  SUBMISSION_DAYS,
  type GovernedEvent,
  type GovernedRefusal,
} from '#lib/governance/governed/states.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
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

const past: Record<GovernedEvent, string> = {
  submit: 'submitted',
  withdraw: 'withdrawn',
  approve: 'activated',
  suspend: 'suspended',
  end: 'ended',
};

const refusals: Record<GovernedRefusal | 'record_unknown', string> = {
  record_unknown: 'there is no such record of this kind',
  transition_not_allowed: 'that cannot happen to it in its present state',
  successor_required: 'it holds others back: a version that two persons approve takes its place',
  submission_lapsed: `it was submitted more than ${SUBMISSION_DAYS} days ago; draft it anew`,
  second_person_required: 'who drafted or submitted it cannot approve it',
  party_to_it: 'whom it is about can neither submit nor approve it',
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
        await recordChange(em, kind, drafted.record, 'drafted', person.uid);
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
      if (!found) throw new Refusal('record_unknown', refusals.record_unknown);
      print({ ...summary(found), ...persons(found), body: found.body, hash: found.bodyHash }, options);
    });
  return commands;
}

function registerEvent(commands: Command, kind: GovernedKind, event: GovernedEvent): void {
  const command = withPerson(withJson(commands.command(`${event} <uid>`))).description(descriptions[event]);
  if (event === 'suspend' || event === 'end') command.requiredOption('--reason <text>', 'why; it is kept');
  command.action(async (uid: string, options: ChangeOptions) => {
    const reason = options.reason === undefined ? undefined : checkText('--reason', options.reason);
    const changed = await asOperator((operator) =>
      operator.everywhere(async (em) => {
        const found = await em.findOne(GovernedRecord, { uid, kind: kind.kind }, { filters: false });
        if (!found) throw new Refusal('record_unknown', refusals.record_unknown);
        const { workspaceUid: workspace, environment } = found;
        const { uid: by } = await governingPerson(em, operator, { workspace, environment }, options);
        return changeRecorded(em, kind, uid, { event, by, reason, now: systemClock.now() });
      }),
    );
    if (changed.ok) return print(summary(changed.record), options);
    if (changed.code === 'invalid_body') throw invalidBody(changed.faults);
    throw new Refusal(changed.code, refusals[changed.code]);
  });
}

/** Changes a record, and tells the audit log what became of it and of the version before, or why nothing did. */
export async function changeRecorded(
  em: Em,
  kind: GovernedKind,
  uid: string,
  change: Change,
): Promise<Changed> {
  const { event, by, reason } = change;
  const changed = await changeGoverned(em, kind, uid, change);
  if (!changed.ok && changed.code === 'record_unknown') return changed;
  const refused = changed.ok ? undefined : changed.code;
  await recordChange(em, kind, changed.record!, past[event], by, { reason, refused });
  for (const before of changed.ok ? changed.superseded : []) {
    await recordChange(em, kind, before, 'ended', by, { reason: 'superseded' });
  }
  return changed;
}

/** An entry of the audit log; `op` is the kind and what became of it. */
export async function recordChange(
  em: Em,
  kind: GovernedKind,
  changed: GovernedRecord,
  what: string,
  by: string,
  more: { reason?: string | undefined; refused?: string | undefined } = {},
): Promise<void> {
  const { key, version, bodyHash } = changed;
  const details = { key, hash: bodyHash, ...(more.reason === undefined ? {} : { reason: more.reason }) };
  const { subject, ...place } = ofTenant(kind.kind, changed);
  const op = `${kind.kind}.${what}` as const;
  await record(em, { ...place, op, by, subject: { ...subject, version }, refused: more.refused, details });
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

export function invalidBody(faults: readonly BodyFault[]): Refusal {
  return new Refusal(
    faults.length === 1 ? faults[0]!.code : 'invalid_body',
    faults.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; '),
  );
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
