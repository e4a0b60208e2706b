import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { OAuthClient } from '#lib/workspace/oauth-client.entity.ts';
import { issueClient, rotateSecret } from '#lib/workspace/oauth-client.repository.ts';
import { findApplication, issuerOf, withIssuer } from './find-application.ts';
import type { GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

const LIVE_CLIENTS_MAX = 2;

export function register(program: Command): void {
  const group = program
    .command('oauth')
    .description('OAuth clients; a secret is shown once, when it is issued');
  withIssuer(withJson(group.command('issue')))
    .description(`issue a client for an application, which may have ${LIVE_CLIENTS_MAX}`)
    .requiredOption('--app <uid>')
    .action(async (options: OutputOptions & GovernedOptions & { app: string }) => {
      const { client, secret } = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const application = await findApplication(em, options.app);
          if (application.status === 'revoked')
            throw new Refusal('application_revoked', 'the application is revoked');
          const live = { applicationUid: application.uid, revokedAt: null };
          if ((await em.count(OAuthClient, live, { filters: false })) >= LIVE_CLIENTS_MAX) {
            throw new Refusal(
              'client_limit_reached',
              `the application has ${LIVE_CLIENTS_MAX} clients; revoke one first`,
            );
          }
          const issuer = await issuerOf(em, operator, application, options);
          const issued = issueClient(em, application, issuer, systemClock.now());
          await record(em, { op: 'oauth_client.issued', by: issuer, ...about(issued.client) });
          return issued;
        }),
      );
      print({ client_id: client.uid, client_secret: secret }, options);
    });
  withJson(group.command('list'))
    .description('list the clients of an application, without their secrets')
    .requiredOption('--app <uid>')
    .action(async (options: OutputOptions & { app: string }) => {
      const clients = await asOperator((operator) =>
        operator.everywhere((em) =>
          em.find(OAuthClient, { applicationUid: options.app }, { filters: false, orderBy: { uid: 'asc' } }),
        ),
      );
      printRows(
        clients.map((client) => ({
          client_id: client.uid,
          created_at: client.createdAt.toISOString(),
          rotated_at: client.rotatedAt?.toISOString() ?? null,
          revoked_at: client.revokedAt?.toISOString() ?? null,
        })),
        options,
      );
    });
  withIssuer(withJson(group.command('rotate <client>')))
    .description('give a client a new secret; the old one and all its tokens end at once')
    .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
      const secret = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const client = await findLiveClient(em, uid);
          const application = await findApplication(em, client.applicationUid);
          const by = await issuerOf(em, operator, application, options);
          const rotated = rotateSecret(client, by, systemClock.now());
          await record(em, { op: 'oauth_client.rotated', by, ...about(client) });
          return rotated;
        }),
      );
      print({ client_id: uid, client_secret: secret }, options);
    });
  withJson(group.command('revoke <client>'))
    .description('refuse a client and all its tokens from the next request on')
    .action(async (uid: string, options: OutputOptions) => {
      await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const client = await findLiveClient(em, uid);
          client.revokedAt = systemClock.now();
          await record(em, { op: 'oauth_client.revoked', ...about(client) });
        }),
      );
      print({ client_id: uid, revoked: true }, options);
    });
}

function about(client: OAuthClient) {
  return { ...ofTenant('oauth_client', client), details: { application: client.applicationUid } };
}

async function findLiveClient(em: Em, uid: string): Promise<OAuthClient> {
  const client = await em.findOne(OAuthClient, { uid }, { filters: false });
  if (!client) throw new Refusal('client_unknown', `there is no client ${uid}`);
  if (client.revokedAt) throw new Refusal('client_revoked', 'the client is revoked already');
  return client;
}
