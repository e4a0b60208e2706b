import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { listTokens, revokeToken } from '#lib/workspace/access-token.repository.ts';
import { findApplication } from './find-application.ts';
import { asOperator } from './operator.ts';
import { withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

export function register(program: Command): void {
  const group = program.command('token').description('OAuth access tokens, by their uids');
  withJson(group.command('list'))
    .description('list the tokens of an application that have not expired')
    .requiredOption('--app <uid>')
    .action(async (options: OutputOptions & { app: string }) => {
      const tokens = await asOperator((operator) =>
        operator.everywhere(async (em) =>
          listTokens(em, (await findApplication(em, options.app)).uid, systemClock.now()),
        ),
      );
      printRows(
        tokens.map(({ uid, client, scopes, issuedAt, expiresAt, isActive }) => ({
          uid,
          client_id: client,
          scopes,
          issued_at: issuedAt.toISOString(),
          expires_at: expiresAt.toISOString(),
          active: isActive,
        })),
        options,
      );
    });
  withJson(group.command('revoke <token>'))
    .description('refuse one token from the next request on')
    .action(async (uid: string, options: OutputOptions) => {
      const revoked = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const tenant = await revokeToken(em, uid, systemClock.now());
          if (tenant) await record(em, { op: 'token.revoked', ...tenant, subject: { type: 'token', uid } });
          return tenant;
        }),
      );
      if (!revoked) throw new Refusal('token_unknown', `there is no token ${uid} that is not revoked`);
      print({ uid, revoked: true }, options);
    });
}
