import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { suspendUnsupportedEverywhere } from '#lib/actions/delegation/support.repository.ts';
import { lockControl } from '#lib/governance/governed/control-lock.repository.ts';
import { Person } from '#lib/workspace/person.entity.ts';
import { enrolmentUri } from '#lib/workspace/one-time-code.ts';
import { PersonCode } from '#lib/workspace/person-code.entity.ts';
import { enrol } from '#lib/workspace/person-code.repository.ts';
import { changePerson } from '#lib/workspace/person.repository.ts';
import { personEvents, type PersonEvent, type PersonRefusal } from '#lib/workspace/person.ts';
import { createPerson } from '#lib/workspace/provision.ts';
import { keyOf, personMaker, spendCode, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { checkText, activePerson, findWorkspace, withJson, words } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type CreateOptions = OutputOptions &
  GovernedOptions & { workspace: string; name: string; email: string; roles: string };

type ChangeOptions = OutputOptions & { workspace: string; as: string; code?: string; reason: string };

const CODE = 'their one-time code; needed once the workspace has an enrolled person or production access';

const ops = {
  suspend: 'person.suspended',
  reinstate: 'person.reinstated',
  depart: 'person.departed',
} as const;

const refusals: Record<PersonRefusal | 'person_unknown', string> = {
  person_unknown: 'the workspace has no such person',
  actor_not_active: 'only an active person may do this',
  own_state: 'nobody changes their own state',
  person_departed: 'a person who has departed stays so',
  person_not_active: 'the person is not active',
  person_not_suspended: 'the person is not suspended',
};

export function register(program: Command): void {
  const group = program.command('person').description('named persons of a workspace');
  withJson(group.command('create'))
    .description('create a person')
    .requiredOption('--workspace <uid>')
    .requiredOption('--name <name>')
    .requiredOption('--email <email>')
    .requiredOption('--roles <roles>', 'such as owner,approver')
    .option('--as <person>', 'who does it')
    .option('--code <code>', CODE)
    .action(async (options: CreateOptions) => {
      const name = checkText('--name', options.name);
      const email = checkText('--email', options.email).toLowerCase();
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Refusal('invalid_email', `${email} is no address`);
      const person = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const { uid: workspace } = await findWorkspace(em, options.workspace);
          const maker = await personMaker(em, operator, workspace, options);
          if (await em.findOne(Person, { workspaceUid: workspace, email }, { filters: false })) {
            throw new Refusal('person_exists', `the workspace has a person with the address ${email}`);
          }
          const roles = words(options.roles);
          const created = createPerson(em, { workspace, name, email, roles, now: systemClock.now() });
          const subject = { type: 'person', uid: created.uid };
          await record(em, { op: 'person.created', workspace, by: maker?.uid, subject, details: { roles } });
          return created;
        }),
      );
      print({ uid: person.uid, name, email, roles: person.roles }, options);
    });
  withJson(group.command('list'))
    .description('list the persons of a workspace')
    .requiredOption('--workspace <uid>')
    .action(async (options: OutputOptions & { workspace: string }) => {
      const persons = await asOperator((operator) =>
        operator.inWorkspace(options.workspace, (em) => em.find(Person, {}, { orderBy: { uid: 'asc' } })),
      );
      printRows(
        persons.map(({ uid, name, email, roles, state }) => ({ uid, name, email, roles, state })),
        options,
      );
    });
  const descriptions: Record<PersonEvent, string> = {
    suspend: 'let a person do nothing until they are reinstated',
    reinstate: 'let a suspended person act again',
    depart: 'note that a person has left, for ever',
  };
  for (const event of personEvents) {
    const command = withJson(group.command(`${event} <person>`))
      .description(descriptions[event])
      .requiredOption('--workspace <uid>')
      .requiredOption('--as <person>', 'who does it: an active person, and another one')
      .requiredOption('--reason <text>', 'why; the audit log keeps it');
    if (event === 'reinstate') command.option('--code <code>', CODE);
    command.action(async (uid: string, options: ChangeOptions) => {
      const reason = checkText('--reason', options.reason);
      const { workspace, as: by } = options;
      const changed = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          if (event === 'reinstate') await personMaker(em, operator, workspace, options);
          else await lockControl(em, workspace, 'change');
          const change = await changePerson(em, { workspace, person: uid, event, by });
          if (!change.ok) throw new Refusal(change.code, refusals[change.code]);
          const { from, to } = change;
          await em.flush();
          await suspendUnsupportedEverywhere(em, workspace, systemClock.now());
          const subject = { type: 'person', uid };
          await record(em, { op: ops[event], workspace, by, subject, details: { from, to, reason } });
          return { from, to };
        }),
      );
      print({ uid, ...changed }, options);
    });
  }
  withJson(group.command('enrol <person>'))
    .description('give a person one-time codes, for an authenticator; the secret is shown once')
    .option(
      '--as <person>',
      'who gives or replaces them (default: the person, who replaces them with a last code of the old ones)',
    )
    .option('--code <code>', CODE)
    .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
      const { secret, email } = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const person = await em.findOne(Person, { uid }, { filters: false });
          if (!person) throw new Refusal('person_unknown', `there is no person ${uid}`);
          let by: string | undefined;
          if (await em.findOne(PersonCode, { personUid: uid }, { filters: false })) {
            const who = await activePerson(em, person.workspaceUid, options.as ?? uid);
            const check = await spendCode(operator, who.uid, options.code);
            if (check !== 'right') {
              throw new Refusal(
                'code_invalid',
                'codes are replaced with a code of the person, or of another by --as',
              );
            }
            by = who.uid;
          } else {
            by = (await personMaker(em, operator, person.workspaceUid, options))?.uid;
          }
          const secret = await enrol(em, person, keyOf(operator), systemClock.now());
          const { workspaceUid: workspace, email } = person;
          const subject = { type: 'person', uid };
          await record(em, { op: 'person.enrolled', workspace, by: by ?? uid, subject });
          return { secret, email };
        }),
      );
      print({ uid, secret, uri: enrolmentUri(secret, email) }, options);
    });
}
