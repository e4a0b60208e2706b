import type { Command } from 'commander';
import {
  issueOAuthClient,
  LIVE_CLIENTS_MAX,
  revokeOAuthClient,
  rotateOAuthClient,
} from '#lib/access/issue-oauth-client.command.ts';
import { listClients } from '#lib/access/oauth-client.write.ts';
import { provenIssuer } from '#lib/access/prove-person.command.ts';
import { withIssuer, type GovernedOptions } from '../shell/governed.ts';
import { ask } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { governProven, governUnnamed } from '../shell/govern.ts';

type IssueOptions = OutputOptions & GovernedOptions;

export function register(program: Command): void {
  const group = program.command('oauth');
  withIssuer(withJson(group.command('issue')))
    .description(
      `issue a client for an application; an application can have at most ${LIVE_CLIENTS_MAX} live clients`,
    )
    .requiredOption('--app <uid>', 'the uid of the application')
    .action(async ({ app, ...options }: IssueOptions & { app: string }) => {
      const { result } = await governProven(issueOAuthClient, { application: app }, (means) =>
        provenIssuer(means, app, options),
      );
      print({ client_id: result.client.uid, client_secret: result.secret }, options);
    });
  withJson(group.command('list'))
    .description('list the clients of an application, without their secrets')
    .requiredOption('--app <uid>', 'the uid of the application')
    .action(async ({ app, ...options }: OutputOptions & { app: string }) => {
      const clients = await ask('everywhere', listClients, app);
      printRows(clients, options, ({ uid, createdAt, rotatedAt, revokedAt }) => ({
        client_id: uid,
        created_at: createdAt.toISOString(),
        rotated_at: rotatedAt?.toISOString() ?? null,
        revoked_at: revokedAt?.toISOString() ?? null,
      }));
    });
  withIssuer(withJson(group.command('rotate <client>')))
    .description('issue a new secret for a client; the old secret and all its tokens stop working at once')
    .action(async (uid: string, options: IssueOptions) => {
      const { result } = await governProven(rotateOAuthClient, { client: uid }, (means) =>
        provenIssuer(means, uid, options),
      );
      print({ client_id: uid, client_secret: result.secret }, options);
    });
  withJson(group.command('revoke <client>'))
    .description('reject a client and all its tokens from the next request on')
    .action(async (uid: string, options: OutputOptions) => {
      await governUnnamed(revokeOAuthClient, { client: uid });
      print({ client_id: uid, revoked: true }, options);
    });
}
