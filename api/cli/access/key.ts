import type { Command } from 'commander';
import { keyPrefixes } from '#lib/access/api-key.ts';
import { credentialsOf } from '#lib/access/credential.write.ts';
import { issueApiKey, LIVE_KEYS_MAX, revokeApiKey, rotateApiKey } from '#lib/access/issue-api-key.command.ts';
import { provenIssuer } from '#lib/access/prove-person.command.ts';
import { withIssuer, type GovernedOptions } from '../shell/governed.ts';
import { ask } from '../shell/operator.ts';
import { futureInstant, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { governProven, governUnnamed } from '../shell/govern.ts';

type IssueOptions = OutputOptions & GovernedOptions & { name?: string; expires?: string };

export function register(program: Command): void {
  const group = program.command('key');
  withIssuing(group.command('issue'))
    .description(`issue a key for an application; an application can have at most ${LIVE_KEYS_MAX} live keys`)
    .requiredOption('--app <uid>', 'the uid of the application')
    .action(async ({ app, ...options }: IssueOptions & { app: string }) => {
      const { result } = await governProven(issueApiKey, { application: app, ...given(options) }, (means) =>
        provenIssuer(means, app, options),
      );
      print({ uid: result.credential.uid, api_key: result.key }, options);
    });
  withJson(group.command('list'))
    .description('list the keys of an application, without their secrets')
    .requiredOption('--app <uid>', 'the uid of the application')
    .action(list);
  withIssuing(group.command('rotate <key>'))
    .description('issue a new key for the same application, and revoke the given key at once')
    .action(async (uid: string, options: IssueOptions) => {
      const { result } = await governProven(rotateApiKey, { key: uid, ...given(options) }, (means) =>
        provenIssuer(means, uid, options),
      );
      print({ uid: result.credential.uid, api_key: result.key, replaces: uid }, options);
    });
  withJson(group.command('revoke <key>'))
    .description('reject a key from the next request on')
    .action(async (uid: string, options: OutputOptions) => {
      await governUnnamed(revokeApiKey, { key: uid });
      print({ uid, revoked: true }, options);
    });
}

function withIssuing(command: Command): Command {
  return withIssuer(withJson(command))
    .option('--name <name>', 'a name by which people recognise the key')
    .option('--expires <instant>', 'when the key expires, such as 2027-06-30T00:00:00Z (default: never)');
}

function given({ name, expires }: IssueOptions) {
  return { name, expiresAt: expires === undefined ? undefined : futureInstant('--expires', expires) };
}

async function list({ app, ...options }: OutputOptions & { app: string }): Promise<void> {
  const keys = await ask('everywhere', credentialsOf, app);
  printRows(keys, options, ({ key, lastUsedAt, address }) => ({
    uid: key.uid,
    name: key.name,
    starts_with: keyPrefixes[key.environment] + key.keyId,
    created_at: key.createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    last_used_from: address ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }));
}
