import Type from 'typebox';
import { Problem } from '#lib/core/problem.ts';
import { findToken } from '#lib/access/access-token.write.ts';
import { issueAccessToken } from '#lib/access/issue-access-token.command.ts';
import { revokeAccessToken as revokeToken } from '#lib/access/revoke-access-token.command.ts';
import { defineOAuthEndpoint } from '../oauth.ts';

const clientMembers = {
  client_id: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'The client id. Required if it is not in the `Authorization` header.',
      examples: ['cli_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
  ),
  client_secret: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'The client secret. Required if it is not in the `Authorization` header.',
      examples: ['svc_cs_0Zr5w1q9Yb3Nf7Kd2Lh8Pj4Sg6Tv0Xc1Mm5Rn9Wq3Ea'],
    }),
  ),
};

const tokenMember = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'An access token.',
  examples: ['svc_at_0Zr5w1q9Yb3Nf7Kd2Lh8Pj4Sg6Tv0Xc1Mm5Rn9Wq3EaAbCdEf'],
});

const scopeMember = Type.String({
  maxLength: 4_000,
  description: 'Scopes, separated by spaces.',
  examples: ['investment:run investment:read'],
});

export const createToken = defineOAuthEndpoint({
  key: 'oauth.token.create',
  path: '/oauth/token',
  summary: 'Issues an access token to an OAuth client (RFC 6749, client credentials).',
  description:
    'Send the client id and secret in the body or in `Authorization: Basic`. The token has the ' +
    'requested scopes that the application holds and the workspace is entitled to.',
  body: Type.Object({
    grant_type: Type.String({
      maxLength: 100,
      description: '`client_credentials`.',
      examples: ['client_credentials'],
    }),
    scope: Type.Optional(scopeMember),
    ...clientMembers,
  }),
  success: {
    status: 200,
    description: 'The token.',
    schema: Type.Object({
      access_token: tokenMember,
      token_type: Type.Literal('Bearer', {
        description: 'The type of the token, for the `Authorization` header.',
      }),
      expires_in: Type.Integer({
        minimum: 1,
        description: 'Seconds until the token expires.',
        examples: [900],
      }),
      scope: scopeMember,
    }),
  },
  problems: ['unsupported_grant_type', 'invalid_scope'],
  async handle({ body, client, tokenLifetimeS, govern }) {
    if (body.grant_type !== 'client_credentials') {
      throw new Problem('unsupported_grant_type', 'The only supported grant type is client_credentials.');
    }
    const requested = body.scope?.split(' ').filter((scope) => scope !== '');
    const issued = await govern(issueAccessToken, { client, requested, lifetimeS: tokenLifetimeS });
    if (!issued.ok) throw new Problem(issued.code, issued.detail);
    const { token, scopes } = issued.result;
    return {
      status: 200,
      body: {
        access_token: token,
        token_type: 'Bearer' as const,
        expires_in: tokenLifetimeS,
        scope: scopes.join(' '),
      },
    };
  },
});

export const revokeAccessToken = defineOAuthEndpoint({
  key: 'oauth.token.revoke',
  path: '/oauth/revoke',
  addition: true,
  summary: 'Revokes an access token of the client (RFC 7009).',
  description:
    'The response is the same if the token does not exist, belongs to another client, or has already ended.',
  body: Type.Object({
    token: tokenMember,
    token_type_hint: Type.Optional(
      Type.String({ maxLength: 100, description: 'Optional hint about the token type. It is ignored.' }),
    ),
    ...clientMembers,
  }),
  success: { status: 200, description: 'The token is no longer accepted.', schema: Type.Object({}) },
  problems: [],
  async handle({ body, client, clock, query, govern }) {
    const token = await query(findToken, body.token, clock.now());
    if (token?.client === client.uid) await govern(revokeToken, { token: token.uid });
    return { status: 200, body: {} };
  },
});

export const introspectToken = defineOAuthEndpoint({
  key: 'oauth.token.introspect',
  path: '/oauth/introspect',
  addition: true,
  summary: 'Returns the status of an access token of the same workspace and environment (RFC 7662).',
  body: Type.Object({
    token: tokenMember,
    token_type_hint: Type.Optional(
      Type.String({ maxLength: 100, description: 'Optional hint about the token type. It is ignored.' }),
    ),
    ...clientMembers,
  }),
  success: {
    status: 200,
    description: 'The status and the content of the token. For an inactive token, only `active` is returned.',
    schema: Type.Object({
      active: Type.Boolean({ description: 'Whether the token is accepted now.' }),
      scope: Type.Optional(scopeMember),
      client_id: Type.Optional(
        Type.String({ description: 'The id of the client that the token was issued to.' }),
      ),
      sub: Type.Optional(Type.String({ description: 'The application of the client.' })),
      token_type: Type.Optional(
        Type.Literal('Bearer', { description: 'The type of the token, for the `Authorization` header.' }),
      ),
      iat: Type.Optional(Type.Integer({ description: 'Time of issue, in Unix seconds.' })),
      exp: Type.Optional(Type.Integer({ description: 'Time of expiry, in Unix seconds.' })),
    }),
  },
  problems: [],
  async handle({ body, clock, query }) {
    const token = await query(findToken, body.token, clock.now());
    if (!token?.isActive) return { status: 200, body: { active: false } };
    return {
      status: 200,
      body: {
        active: true,
        scope: token.scopes.join(' '),
        client_id: token.client,
        sub: token.application,
        token_type: 'Bearer' as const,
        iat: Math.floor(token.issuedAt.getTime() / 1_000),
        exp: Math.floor(token.expiresAt.getTime() / 1_000),
      },
    };
  },
});
