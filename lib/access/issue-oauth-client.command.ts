import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf, placeOf, type Entry } from '#lib/governance/command.ts';
import { applicationUnknown, placeOfApplication } from './application.query.ts';
import { lockApplication } from './change-application.command.ts';
import { OAuthClient } from './oauth-client.entity.ts';
import { issueClient, rotateSecret } from './oauth-client.write.ts';

export const LIVE_CLIENTS_MAX = 2;

type IssueVerdict =
  | { ok: true }
  | { ok: false; code: 'application_built_in' | 'application_revoked' | 'client_limit_reached' };

/** Issues an OAuth client for an application. Only the result contains its secret. */
export const issueOAuthClient = defineCommand<{ application: string }>()({
  find: (em, { application }) => placeOfApplication(em, application),
  unknown: 'application_unknown',
  lock: (em, { application }) => lockApplication(em, application),
  async facts(em, application) {
    const live = { applicationUid: application.uid, revokedAt: null };
    return { application, clients: await em.count(OAuthClient, live, { filters: false }) };
  },
  decide({ application, clients }): IssueVerdict {
    if (application.builtIn) return { ok: false, code: 'application_built_in' };
    if (application.status === 'revoked') return { ok: false, code: 'application_revoked' };
    return clients < LIVE_CLIENTS_MAX ? { ok: true } : { ok: false, code: 'client_limit_reached' };
  },
  async write(em, { application }, _verdict, { now, actor }) {
    return { result: issueClient(em, application, personOf({ actor }), now) };
  },
  entry: (_facts, _verdict, _input, issued) => issued && clientEntry('oauth_client.issued', issued.client),
  refusals: {
    application_unknown: applicationUnknown,
    application_built_in: 'The application belongs to the console and has no credentials.',
    application_revoked: 'The application is revoked.',
    client_limit_reached: `The application has ${LIVE_CLIENTS_MAX} clients, which is the limit. Revoke one first.`,
  },
});

/** The refusals that all commands on one OAuth client share. */
const ofLiveClient = {
  unknown: 'client_unknown' as const,
  refusals: {
    client_unknown: ({ client }: { client: string }) => `The client ${client} does not exist.`,
    client_revoked: 'The client is already revoked.',
  },
};

/** Gives a client a new secret. The old secret and all tokens issued with it become invalid at once. */
export const rotateOAuthClient = defineCommand<{ client: string }>()({
  ...ofLiveClient,
  find: async (em, { client }) => placeOf(await em.findOne(OAuthClient, { uid: client }, { filters: false })),
  lock: (em, { client }) =>
    em.findOneOrFail(
      OAuthClient,
      { uid: client },
      { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    ),
  facts: async (_em, client) => client,
  decide: (client) => decideLive(client),
  async write(_em, client, _verdict, { now, actor }) {
    return { result: { secret: rotateSecret(client, personOf({ actor }), now) } };
  },
  entry: (client, verdict) => (verdict.ok ? clientEntry('oauth_client.rotated', client) : undefined),
});

/** Revokes a client and all its tokens. The client and the tokens are rejected from the next request on. */
export const revokeOAuthClient = defineCommand<{ client: string }>()({
  ...ofLiveClient,
  find: rotateOAuthClient.find,
  lock: rotateOAuthClient.lock,
  facts: async (_em, client) => client,
  decide: (client) => decideLive(client),
  async write(_em, client, _verdict, { now }) {
    client.revokedAt = now;
    return { result: undefined };
  },
  entry: (client, verdict) => (verdict.ok ? clientEntry('oauth_client.revoked', client) : undefined),
});

function decideLive({ revokedAt }: OAuthClient): { ok: true } | { ok: false; code: 'client_revoked' } {
  return revokedAt ? { ok: false, code: 'client_revoked' } : { ok: true };
}

function clientEntry(op: Entry['op'], { uid, applicationUid: application }: OAuthClient): Entry {
  return { op, subject: { type: 'oauth_client', uid }, details: { application } };
}
