import type { Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { addIdentity } from '#lib/access/oidc/add-identity.command.ts';
import { confirmIdentity, removeIdentity } from '#lib/access/oidc/change-identity.command.ts';
import type { PersonIdentity } from '#lib/access/oidc/identity.entity.ts';
import { identitiesOf } from '#lib/access/oidc/identity.query.ts';
import { refusedSignIns } from '#lib/access/oidc/refused-sign-ins.query.ts';
import { provenConfirmer, provenInWorkspace, provenLinker } from '#lib/access/prove-person.command.ts';
import { withConfirmer, withPerson, type GovernedOptions } from '../shell/governed.ts';
import { governProven } from '../shell/govern.ts';
import { ask } from '../shell/operator.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';

type Options = OutputOptions & GovernedOptions;

/** Registers the commands for the identities of persons at the identity provider (OpenID Connect). */
export function registerIdentities(persons: Command): void {
  const group = persons
    .command('identity')
    .description('link accounts at the identity provider (OIDC) to persons');
  withPerson(withJson(group.command('add <person>')))
    .description(
      'link an account at the identity provider to a person, who then signs in to the console with it',
    )
    .requiredOption('--subject <subject>', 'the subject (sub) that the provider gave to the person')
    .option('--issuer <url>', 'the issuer of the provider (default: OIDC_ISSUER)')
    .action(async (person: string, options: Options & { subject: string; issuer?: string }) => {
      const issuer = checkIssuer(options.issuer ?? readConfig().OIDC_ISSUER);
      const given = { person, issuer, subject: checkSubject(options.subject) };
      const { result } = await governProven(addIdentity, given, (means) => provenLinker(means, options));
      print(summaryOf(result), options);
    });
  withJson(group.command('list <person>'))
    .description('list the identities of a person')
    .action(async (person: string, options: OutputOptions) => {
      printRows(await ask('everywhere', identitiesOf, person), options, summaryOf);
    });
  withConfirmer(withJson(group.command('confirm <identity>')))
    .description(
      'confirm an identity, so that it can sign in production; neither its own person nor the person who linked it can',
    )
    .action(async (identity: string, options: Options) => {
      const { result } = await governProven(confirmIdentity, { identity }, (means) =>
        provenConfirmer(means, options),
      );
      print(summaryOf(result), options);
    });
  withPerson(withJson(group.command('remove <identity>')))
    .description('remove an identity permanently, and end the sessions that the person opened with it')
    .action(async (identity: string, options: Options) => {
      const { result } = await governProven(removeIdentity, { identity }, (means) =>
        provenInWorkspace(means, options),
      );
      print(summaryOf(result), options);
    });
  withJson(group.command('refused'))
    .description('list the newest sign-ins at the identity provider that opened no session')
    .action(async (options: OutputOptions) => {
      printRows(await ask('everywhere', refusedSignIns), options, ({ at, ...refused }) => ({
        at: at.toISOString(),
        ...refused,
      }));
    });
}

function checkIssuer(text: string | undefined): string {
  if (text === undefined)
    throw new Refusal('invalid_issuer', 'Name the issuer with --issuer, or set OIDC_ISSUER.');
  if (!/^https?:\/\/[^\s?#]{1,490}$/.test(text) || !URL.canParse(text))
    throw new Refusal('invalid_issuer', `${text} is not the URL of an issuer`);
  return text;
}

function checkSubject(text: string): string {
  const subject = checkText('--subject', text);
  if (!/^[\x20-\x7e]{1,255}$/.test(subject))
    throw new Refusal('invalid_subject', 'A subject has 1 to 255 printable ASCII characters.');
  return subject;
}

function summaryOf(identity: PersonIdentity) {
  const { uid, personUid, issuer, subject, state, linkedByUid, confirmedByUid, usedAt } = identity;
  return {
    uid,
    person: personUid,
    issuer,
    subject,
    state,
    linked_by: linkedByUid,
    confirmed_by: confirmedByUid,
    used_at: usedAt?.toISOString() ?? null,
  };
}
