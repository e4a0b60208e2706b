import type { Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Environment } from '#lib/database/base.ts';
import { changePerson } from '#lib/actions/authority/change-person.command.ts';
import { consoleLink } from '#lib/access/console/link-address.ts';
import { issueConsoleLink } from '#lib/access/console/issue-link.command.ts';
import { isPersonRole, personRoles } from '#lib/access/console/duty.ts';
import { addPerson } from '#lib/access/add-person.command.ts';
import { enrolPerson } from '#lib/access/enrol-person.command.ts';
import { enrolmentUri } from '#lib/access/one-time-code.ts';
import { listPersons } from '#lib/access/person.query.ts';
import { personEvents, type PersonEvent } from '#lib/access/person.ts';
import { setPersonRoles } from '#lib/access/set-person-roles.command.ts';
import { provenEnroller, provenMaker } from '#lib/access/prove-person.command.ts';
import { proofOf, type GovernedOptions } from '../shell/governed.ts';
import { ask, asOperator } from '../shell/operator.ts';
import { checkText, environmentOption, withJson, words } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { governBy, governProven } from '../shell/govern.ts';
import { registerCodeCommands } from './codes.ts';
import { registerIdentities } from './identity.ts';
import { registerPasskeys } from './passkey.ts';
import { registerSessions } from './sessions.ts';
import { inWorkspaceOf } from '../shell/place.ts';

type CreateOptions = OutputOptions &
  GovernedOptions & { workspace: string; name: string; email: string; roles: string };

type ChangeOptions = OutputOptions & { workspace: string; as: string; code?: string; reason: string };

type RolesOptions = ChangeOptions & { roles: string };

type LinkOptions = OutputOptions & GovernedOptions & { environment: Environment };

const ROLES = `the roles of the person, separated by commas: ${personRoles.join(', ')}`;
const CODE =
  'the one-time code of the person in --as; required once a person of the workspace has confirmed codes, or the workspace has production access';

const descriptions: Record<PersonEvent, string> = {
  suspend: 'block all actions of a person until the person is reinstated',
  reinstate: 'allow a suspended person to act again',
  depart: 'record that a person has left, permanently',
};

export function register(program: Command): void {
  const group = program.command('person');
  inWorkspaceOf(group.command('create'), 'create a person')
    .requiredOption('--name <name>', 'the name of the person')
    .requiredOption('--email <email>', 'the email address, unique in the workspace')
    .requiredOption('--roles <roles>', ROLES)
    .option('--as <person>', 'the person who makes the change')
    .option('--code <code>', CODE)
    .action(create);
  inWorkspaceOf(group.command('list'), 'list the people of a workspace').action(
    async ({ workspace, ...options }: OutputOptions & { workspace: string }) => {
      const persons = await ask('everywhere', listPersons, workspace);
      printRows(persons, options, ({ uid, name, email, roles, state }) => ({
        uid,
        name,
        email,
        roles,
        state,
      }));
    },
  );
  for (const event of personEvents) registerEvent(group, event);
  withJson(group.command('set-roles <person>'))
    .description(
      'replace the roles of a person; the roles determine what the person can change in the console',
    )
    .requiredOption('--workspace <uid>', 'the uid of the workspace')
    .requiredOption('--roles <roles>', ROLES)
    .requiredOption('--as <person>', 'the person who makes the change; another active person')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .option('--code <code>', CODE)
    .action(async (person: string, { workspace, ...options }: RolesOptions) => {
      const reason = checkText('--reason', options.reason);
      const change = { workspace, person, roles: checkRoles(options.roles), reason };
      const { result } = await governProven(setPersonRoles, change, (means) => provenMaker(means, options));
      print({ uid: person, ...result }, options);
    });
  withJson(group.command('enrol <person>'))
    .description(
      'set up the first one-time codes of a workspace, or replace your own; prints the secret for an authenticator once. Other persons set up codes in the console',
    )
    .option('--as <person>', 'the person who gives the command (default: the same person)')
    .option('--code <code>', 'a one-time code of the old secret; required to replace codes')
    .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
      const { result } = await asOperator((operator) => {
        const means = proofOf(operator);
        const proven = provenEnroller(means, uid, options);
        return governBy(operator, enrolPerson, { person: uid, key: means.key }, proven);
      });
      const { secret, state, email } = result;
      print({ uid, secret, uri: enrolmentUri(secret, email), state }, options);
    });
  withJson(group.command('console-link <person>'))
    .description('create a link with which a person signs in to the console once, within 15 minutes')
    .addOption(environmentOption('to show in the console').default('sandbox'))
    .option('--as <person>', 'the person who creates the link')
    .option('--code <code>', CODE)
    .action(async (person: string, { environment, ...options }: LinkOptions) => {
      const given = { person, environment };
      const { result } = await governProven(issueConsoleLink, given, (means) => provenMaker(means, options));
      print(
        {
          uid: person,
          link: consoleLink(readConfig(), result.secret),
          expires_at: result.expiresAt.toISOString(),
        },
        options,
      );
    });
  registerCodeCommands(group);
  registerPasskeys(group);
  registerSessions(group);
  registerIdentities(group);
}

/** Returns the roles that an option names. Refuses other words. */
function checkRoles(text: string): string[] {
  const roles = words(text);
  const unknown = roles.filter((role) => !isPersonRole(role));
  if (roles.length === 0 || unknown.length > 0)
    throw new Refusal(
      'unknown_role',
      `${unknown.join(', ') || 'no role'} is not valid; the roles are ${personRoles.join(', ')}`,
    );
  return roles;
}

async function create({ workspace, ...options }: CreateOptions): Promise<void> {
  const name = checkText('--name', options.name);
  const email = checkText('--email', options.email).toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new Refusal('invalid_email', `${email} is not an email address`);
  const given = { workspace, name, email, roles: checkRoles(options.roles) };
  const { result } = await governProven(addPerson, given, (means) => provenMaker(means, options));
  print({ uid: result.uid, name, email, roles: result.roles }, options);
}

function registerEvent(group: Command, event: PersonEvent): void {
  const command = withJson(group.command(`${event} <person>`))
    .description(descriptions[event])
    .requiredOption('--workspace <uid>', 'the uid of the workspace')
    .requiredOption(
      '--as <person>',
      'the person who makes the change; must be active and cannot be the person concerned',
    )
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log');
  if (event === 'reinstate') command.option('--code <code>', CODE);
  command.action(async (person: string, { workspace, ...options }: ChangeOptions) => {
    const change = { workspace, person, event, reason: checkText('--reason', options.reason) };
    const { result } = await governProven(changePerson, change, (means) =>
      event === 'reinstate' ? provenMaker(means, options) : { kind: 'person', uid: options.as },
    );
    print({ uid: person, ...result }, options);
  });
}
