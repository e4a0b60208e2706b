import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { listTokens } from '#lib/access/access-token.write.ts';
import { revokeAccessToken } from '#lib/access/revoke-access-token.command.ts';
import { ask } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { governUnnamed } from '../shell/govern.ts';

export function register(program: Command): void {
  const group = program.command('token');
  withJson(group.command('list'))
    .description('list the unexpired tokens of an application')
    .requiredOption('--app <uid>', 'the uid of the application')
    .action(async ({ app, ...options }: OutputOptions & { app: string }) => {
      const tokens = await ask('everywhere', listTokens, app, systemClock.now());
      printRows(tokens, options, ({ uid, client, scopes, issuedAt, expiresAt, isActive }) => ({
        uid,
        client_id: client,
        scopes,
        issued_at: issuedAt.toISOString(),
        expires_at: expiresAt.toISOString(),
        active: isActive,
      }));
    });
  withJson(group.command('revoke <token>'))
    .description('reject an access token from the next request on')
    .action(async (uid: string, options: OutputOptions) => {
      await governUnnamed(revokeAccessToken, { token: uid });
      print({ uid, revoked: true }, options);
    });
}
