import type { Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { issueToken } from './access-token.write.ts';
import { grantedScopes } from './oauth-client.ts';
import type { IdentifiedClient } from './oauth-client.write.ts';

type Input = {
  client: Pick<IdentifiedClient, 'uid' | 'secretVersion' | 'scopes' | 'entitlements' | keyof Tenant>;
  /** The scopes that the client requests. Default: all scopes that the client may have. */
  requested: readonly string[] | undefined;
  lifetimeS: number;
};

/**
 * Issues an access token to a client with the requested scopes that the client may have. The audit log does
 * not record issued tokens.
 */
export const issueAccessToken = defineCommand<Input>()({
  find: async (_em, { client: { workspace, environment } }) => ({ workspace, environment }),
  lock: async () => undefined,
  facts: async (_em, _locked, { requested, client }) =>
    grantedScopes(requested, client.scopes, client.entitlements),
  decide: (scopes) =>
    scopes.length ? { ok: true as const } : { ok: false as const, code: 'invalid_scope' as const },
  async write(em, scopes, _verdict, { input: { client, lifetimeS }, now }) {
    const { uid, secretVersion } = client;
    const token = await issueToken(em, { client: uid, secretVersion, scopes, lifetimeS, now });
    return { result: { token, scopes } };
  },
  entry: () => undefined,
  refusals: {
    invalid_scope:
      'The application does not hold any of the requested scopes, or the workspace is not entitled to them.',
  },
});
