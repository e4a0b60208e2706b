import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/orm.ts';
import { keyPrefixes } from '#lib/workspace/api-key.ts';
import { Credential } from '#lib/workspace/credential.entity.ts';
import { issueKey } from '#lib/workspace/provision.ts';
import { findApplication } from './application.ts';
import { asOperator } from './operator.ts';
import { findPerson, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { Refusal } from './refusal.ts';

type AsOptions = OutputOptions & { as?: string };

export function register(program: Command): void {
  const group = program.command('key').description('API keys; a key is shown once, when it is issued');
  withJson(group.command('issue'))
    .description('issue a key for an application')
    .requiredOption('--app <uid>')
    .option('--as <person>', 'the issuer on record (default: the owner of the application)')
    .action(async (options: AsOptions & { app: string }) => {
      const issued = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const application = await findApplication(em, options.app);
          if (application.status === 'revoked')
            throw new Refusal('application_revoked', 'the application is revoked');
          const issuer = await issuerOf(em, application, options.as);
          return issueKey(em, application, issuer, systemClock.now());
        }),
      );
      print({ uid: issued.credential.uid, api_key: issued.key }, options);
    });
  withJson(group.command('list'))
    .description('list the keys of an application, without their secrets')
    .requiredOption('--app <uid>')
    .action(async (options: OutputOptions & { app: string }) => {
      const keys = await asOperator((operator) =>
        operator.everywhere((em) =>
          em.find(Credential, { applicationUid: options.app }, { filters: false, orderBy: { uid: 'asc' } }),
        ),
      );
      printRows(
        keys.map((key) => ({
          uid: key.uid,
          starts_with: keyPrefixes[key.environment] + key.keyId,
          created_at: key.createdAt.toISOString(),
          revoked_at: key.revokedAt?.toISOString() ?? null,
        })),
        options,
      );
    });
  withJson(group.command('rotate <key>'))
    .description('issue a new key and revoke this one at once')
    .option('--as <person>', 'the issuer on record (default: the owner of the application)')
    .action(async (uid: string, options: AsOptions) => {
      const issued = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const old = await findLiveKey(em, uid);
          const application = await findApplication(em, old.applicationUid);
          const issuer = await issuerOf(em, application, options.as);
          old.revokedAt = systemClock.now();
          return issueKey(em, application, issuer, systemClock.now());
        }),
      );
      print({ uid: issued.credential.uid, api_key: issued.key, replaces: uid }, options);
    });
  withJson(group.command('revoke <key>'))
    .description('refuse a key from the next request on')
    .action(async (uid: string, options: OutputOptions) => {
      await asOperator((operator) =>
        operator.everywhere(async (em) => {
          (await findLiveKey(em, uid)).revokedAt = systemClock.now();
        }),
      );
      print({ uid, revoked: true }, options);
    });
}

async function findLiveKey(em: Em, uid: string): Promise<Credential> {
  const key = await em.findOne(Credential, { uid }, { filters: false });
  if (!key) throw new Refusal('key_unknown', `there is no key ${uid}`);
  if (key.revokedAt) throw new Refusal('key_revoked', 'the key is revoked already');
  return key;
}

async function issuerOf(
  em: Em,
  application: { workspaceUid: string; ownerUid: string },
  as: string | undefined,
) {
  return as === undefined ? application.ownerUid : (await findPerson(em, application.workspaceUid, as)).uid;
}
