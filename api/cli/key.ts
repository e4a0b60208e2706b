import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { keyPrefixes } from '#lib/workspace/api-key.ts';
import { Credential } from '#lib/workspace/credential.entity.ts';
import { credentialsOf, liveKeys } from '#lib/workspace/credential.repository.ts';
import { issueKey } from '#lib/workspace/provision.ts';
import { findApplication, issuerOf, withIssuer } from './find-application.ts';
import type { GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { futureInstant, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

/** Two, so that a new key can be in use everywhere before the old one is revoked. */
const LIVE_KEYS_MAX = 2;

type IssueOptions = OutputOptions & GovernedOptions & { name?: string; expires?: string };

export function register(program: Command): void {
  const group = program.command('key').description('API keys; a key is shown once, when it is issued');
  withIssuing(group.command('issue'))
    .description(`issue a key for an application, which may have ${LIVE_KEYS_MAX}`)
    .requiredOption('--app <uid>')
    .action(async (options: IssueOptions & { app: string }) => {
      const issued = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const application = await findApplication(em, options.app);
          if (application.status === 'revoked')
            throw new Refusal('application_revoked', 'the application is revoked');
          if ((await liveKeys(em, application, systemClock.now())) >= LIVE_KEYS_MAX) {
            throw new Refusal(
              'key_limit_reached',
              `the application has ${LIVE_KEYS_MAX} keys; revoke one first`,
            );
          }
          const issuedBy = await issuerOf(em, operator, application, options);
          const made = issueKey(em, application, { issuedBy, ...given(options) });
          await record(em, { op: 'key.issued', by: issuedBy, ...about(made.credential) });
          return made;
        }),
      );
      print({ uid: issued.credential.uid, api_key: issued.key }, options);
    });
  withJson(group.command('list'))
    .description('list the keys of an application, without their secrets')
    .requiredOption('--app <uid>')
    .action(async (options: OutputOptions & { app: string }) => {
      const keys = await asOperator((operator) =>
        operator.everywhere((em) => credentialsOf(em, options.app)),
      );
      printRows(
        keys.map(({ key, lastUsedAt, address }) => ({
          uid: key.uid,
          name: key.name,
          starts_with: keyPrefixes[key.environment] + key.keyId,
          created_at: key.createdAt.toISOString(),
          last_used_at: lastUsedAt?.toISOString() ?? null,
          last_used_from: address ?? null,
          expires_at: key.expiresAt?.toISOString() ?? null,
          revoked_at: key.revokedAt?.toISOString() ?? null,
        })),
        options,
      );
    });
  withIssuing(group.command('rotate <key>'))
    .description('issue a new key and revoke this one at once')
    .action(async (uid: string, options: IssueOptions) => {
      const issued = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const old = await findLiveKey(em, uid);
          const application = await findApplication(em, old.applicationUid);
          const issuedBy = await issuerOf(em, operator, application, options);
          old.revokedAt = systemClock.now();
          const made = issueKey(em, application, {
            issuedBy,
            ...given({ name: old.name ?? undefined, ...options }),
          });
          await record(em, { op: 'key.revoked', by: issuedBy, ...about(old) });
          await record(em, { op: 'key.issued', by: issuedBy, ...about(made.credential, { replaces: uid }) });
          return made;
        }),
      );
      print({ uid: issued.credential.uid, api_key: issued.key, replaces: uid }, options);
    });
  withJson(group.command('revoke <key>'))
    .description('refuse a key from the next request on')
    .action(async (uid: string, options: OutputOptions) => {
      await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const key = await findLiveKey(em, uid);
          key.revokedAt = systemClock.now();
          await record(em, { op: 'key.revoked', ...about(key) });
        }),
      );
      print({ uid, revoked: true }, options);
    });
}

function withIssuing(command: Command): Command {
  return withIssuer(withJson(command))
    .option('--name <name>', 'what its holders call it')
    .option('--expires <instant>', 'when it ends by itself, such as 2027-06-30T00:00:00Z (default: never)');
}

function given({ name, expires }: { name?: string | undefined; expires?: string | undefined }) {
  const expiresAt = expires === undefined ? undefined : futureInstant('--expires', expires);
  return { now: systemClock.now(), name, expiresAt };
}

function about(key: Credential, further: Record<string, unknown> = {}) {
  const expires = key.expiresAt?.toISOString() ?? null;
  return { ...ofTenant('key', key), details: { application: key.applicationUid, expires, ...further } };
}

async function findLiveKey(em: Em, uid: string): Promise<Credential> {
  const key = await em.findOne(Credential, { uid }, { filters: false });
  if (!key) throw new Refusal('key_unknown', `there is no key ${uid}`);
  if (key.revokedAt) throw new Refusal('key_revoked', 'the key is revoked already');
  return key;
}
