import { expect } from 'chai';
import * as oauth from 'oauth4webapi';
import { ClientCredentials } from 'simple-oauth2';
import { sha256 } from '#lib/core/seal.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { penalize, suspectsOf } from '#lib/limits/penalties.query.ts';
import { OAuthClient } from '#lib/access/oauth-client.entity.ts';
import { issueClient, rotateSecret } from '#lib/access/oauth-client.write.ts';
import { Application } from '#lib/access/application.entity.ts';
import { buildTenancy, type Tenancy, type TenancyOptions } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { asSuperuser } from '../../support/rows.ts';
import { onOneBackend } from '../../support/live.ts';

type Client = Tenancy & { id: string; secret: string };

onOneBackend('The OAuth 2.0 client credentials grant', function (live) {
  async function buildClient(options: TenancyOptions & { secret?: string } = {}): Promise<Client> {
    const tenancy = await buildTenancy(live(), options);
    return inPlatform(live().orm('operator'), async (em) => {
      const application = await em.findOneOrFail(
        Application,
        { uid: tenancy.application },
        { filters: false },
      );
      const { client, secret } = issueClient(em, application, tenancy.person, new Date());
      if (options.secret !== undefined) client.secretHash = sha256(options.secret);
      return { ...tenancy, id: client.uid, secret: options.secret ?? secret };
    });
  }

  async function ask(
    parameters: Record<string, string>,
    headers: Record<string, string> = {},
    path = 'token',
  ) {
    const response = await fetch(`${live().url}/api/v2/oauth/${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(parameters),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  }

  const grant = (client: Client, more: Record<string, string> = {}) =>
    ask({ grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret, ...more });
  const basic = (id: string, secret: string) =>
    `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64')}`;
  const revocationsOf = async (workspace: string): Promise<any[]> => {
    const words = ['--workspace', workspace, '--op', 'token.revoked', '--json'];
    return (await assay(live(), 'audit', 'list', ...words)).json.data;
  };
  const workspaceOf = (token: string) => clientOf(live(), token).get('/workspace');

  it('issues a token that ends with its client or a new secret, also for a caller that read before', async () => {
    for (const end of ['revoked_at = now()', 'secret_version = secret_version + 1']) {
      const client = await buildClient({ scopes: ['workspace:read'] });
      const { access_token: token } = (await grant(client)).body;
      const before = [await workspaceOf(token), await workspaceOf(token)];
      expect(before.map(({ status }) => status)).to.deep.equal([200, 200]);
      await asSuperuser(live(), (database) =>
        database.query(`update oauth_client set ${end} where uid = $1`, [client.id]),
      );
      expect((await workspaceOf(token)).body.code, end).to.equal('invalid_token');
    }
  });

  it('issues a token that works like a key of the application, with its lifetime and scopes', async () => {
    const client = await buildClient({ scopes: ['workspace:read', 'investment:read'] });
    const { status, headers, body } = await grant(client);
    expect(status).to.equal(200);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(body).to.include({
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'workspace:read investment:read',
    });
    expect(body.access_token).to.match(/^svc_at_[0-9A-Za-z]{49}$/);
    const called = await workspaceOf(body.access_token);
    expect(called.status).to.equal(200);
    expect(called.body.application).to.include({ uid: client.application });
  });

  for (const [how, send] of Object.entries({
    'Basic authentication with a form body': (client: Client) =>
      ask({ grant_type: 'client_credentials' }, { authorization: basic(client.id, client.secret) }),
    JSON: async (client: Client) => {
      const response = await fetch(`${live().url}/api/v2/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          grant_type: 'client_credentials',
          client_id: client.id,
          client_secret: client.secret,
        }),
      });
      return { status: response.status, body: (await response.json()) as any };
    },
  })) {
    it(`accepts the client credentials as ${how}`, async () => {
      const { status, body } = await send(await buildClient());
      expect(status).to.equal(200);
      expect((await workspaceOf(body.access_token)).status).to.equal(200);
    });
  }

  it('grants the requested scopes that both the application and the workspace have', async () => {
    const client = await buildClient({ scopes: ['workspace:read', 'investment:read'] });
    const some = await grant(client, { scope: 'investment:read actions:create nonsense' });
    expect(some.body.scope).to.equal('investment:read');
    expect((await workspaceOf(some.body.access_token)).body.code).to.equal('insufficient_scope');
    expect((await grant(client, { scope: 'actions:create' })).body.error).to.equal('invalid_scope');
  });

  it('rejects requests with the error codes of RFC 6749', async () => {
    const client = await buildClient();
    const wrong = { ...client, secret: `${client.secret.slice(0, -1)}_` };
    const twice = new URLSearchParams({ grant_type: 'client_credentials', client_id: client.id });
    twice.append('client_id', client.id);
    const cases: [string, Awaited<ReturnType<typeof ask>>, number, string][] = [
      ['another secret', await grant(wrong), 401, 'invalid_client'],
      ['an unknown client', await grant({ ...client, id: 'cli_unknown' }), 401, 'invalid_client'],
      ['no credentials', await ask({ grant_type: 'client_credentials' }), 401, 'invalid_client'],
      ['another grant type', await grant(client, { grant_type: 'password' }), 400, 'unsupported_grant_type'],
      [
        'no grant type',
        await ask({ client_id: client.id, client_secret: client.secret }),
        400,
        'invalid_request',
      ],
      [
        'credentials both ways',
        await ask(
          { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret },
          { authorization: basic(client.id, client.secret) },
        ),
        400,
        'invalid_request',
      ],
      [
        'a secret in the address',
        await ask({ grant_type: 'client_credentials' }, {}, `token?client_secret=${client.secret}`),
        400,
        'invalid_request',
      ],
      [
        'a repeated parameter',
        await ask(twice as never, { 'content-type': 'application/x-www-form-urlencoded' }),
        400,
        'invalid_request',
      ],
    ];
    for (const [about, answer, status, error] of cases) {
      expect(answer.status, about).to.equal(status);
      expect(answer.body.error, about).to.equal(error);
      expect(answer.headers.get('cache-control'), about).to.equal('no-store');
      expect(answer.body.error_description, about).to.match(/^[\x20-\x7e]+$/);
      expect(answer.headers.get('www-authenticate'), about).to.equal(null);
    }
    const viaBasic = await ask(
      { grant_type: 'client_credentials' },
      { authorization: basic(client.id, 'x') },
    );
    expect(viaBasic.headers.get('www-authenticate')).to.equal('Basic realm="assay"');
  });

  it('rejects the clients of a suspended application', async () => {
    const client = await buildClient();
    const { body } = await grant(client);
    await inPlatform(live().orm('operator'), (em) =>
      em.nativeUpdate(Application, { uid: client.application }, { status: 'suspended' }, { filters: false }),
    );
    expect((await grant(client)).body.error).to.equal('unauthorized_client');
    expect((await workspaceOf(body.access_token)).body.code).to.equal('application_inactive');
  });

  it('ends all tokens of a secret on the next request after its rotation', async () => {
    const client = await buildClient();
    const [first, second] = [await grant(client), await grant(client)];
    const secret = await inPlatform(live().orm('operator'), async (em) => {
      const found = await em.findOneOrFail(OAuthClient, { uid: client.id }, { filters: false });
      return rotateSecret(found, found.issuedByUid, new Date());
    });
    for (const { body } of [first, second])
      expect((await workspaceOf(body.access_token)).status).to.equal(401);
    expect((await grant(client)).body.error).to.equal('invalid_client');
    const again = await grant({ ...client, secret });
    expect((await workspaceOf(again.body.access_token)).status).to.equal(200);
  });

  it('revokes only tokens of the requesting client, even on a repeated request', async () => {
    const [mine, other] = [await buildClient(), await buildClient()];
    const [kept, ended] = [await grant(mine), await grant(mine)];
    const revoke = (client: Client, token: string) =>
      ask({ token, client_id: client.id, client_secret: client.secret }, {}, 'revoke');
    for (const client of [other, mine, mine])
      expect((await revoke(client, ended.body.access_token)).status).to.equal(200);
    expect((await revoke(other, kept.body.access_token)).status).to.equal(200);
    expect((await revoke(mine, 'svc_at_nothing')).status).to.equal(200);
    expect((await workspaceOf(ended.body.access_token)).status).to.equal(401);
    expect((await workspaceOf(kept.body.access_token)).status).to.equal(200);
    const [revoked, ...more] = await revocationsOf(mine.workspace);
    expect(more).to.deep.equal([]);
    expect(revoked.actor).to.deep.equal({
      kind: 'application',
      uid: mine.application,
      credential_uid: mine.id,
    });
    expect(revoked.request_id).to.match(/^req_/);
  });

  it('reports the state of a token only to clients of the same workspace', async () => {
    const client = await buildClient({ scopes: ['workspace:read'] });
    const stranger = await buildClient();
    const { body } = await grant(client);
    const inspect = ({ id, secret }: Client, token: string) =>
      ask({ token, client_id: id, client_secret: secret }, {}, 'introspect');
    const seen = (await inspect(client, body.access_token)).body;
    expect(seen).to.include({
      active: true,
      scope: 'workspace:read',
      client_id: client.id,
      sub: client.application,
    });
    expect(seen.exp - seen.iat).to.equal(900);
    for (const nothing of [await inspect(stranger, body.access_token), await inspect(client, 'svc_at_x')]) {
      expect(nothing.body).to.deep.equal({ active: false });
    }
  });

  it('blocks a client that fails repeatedly and states when the client may retry', async () => {
    const client = await buildClient();
    const wrong = { ...client, secret: 'wrong' };
    const answers = [];
    // Each failure doubles the blocking time, which soon exceeds the duration of a request on every machine.
    while (answers.at(-1)?.status !== 429) answers.push(await grant(wrong));
    const answer = answers.at(-1)!;
    for (const address of ['127.0.0.1', '::1']) {
      const suspect = { ...suspectsOf(sha256(client.id).slice(0, 32), address).client, patience: 1 };
      await inPlatform(live().orm('operator'), (em) => penalize(em, [suspect]));
    }
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
    expect((await grant(client)).status, 'with the right secret').to.equal(429);
    await live().orm('operator').em.getConnection().execute(`select forgive('address 127.0.0.1')`);
    await live().orm('operator').em.getConnection().execute(`select forgive('address ::1')`);
  });

  it('works with oauth4webapi: discovery, credentials in Basic or in the body, revocation and introspection', async () => {
    const options = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(live().url);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    for (const secret of ['s+e/c=r&e%t:1', 'plain']) {
      const made = await buildClient({ secret });
      const client = { client_id: made.id };
      for (const authentication of [oauth.ClientSecretBasic(secret), oauth.ClientSecretPost(secret)]) {
        const parameters = new URLSearchParams({ scope: 'workspace:read' });
        const answered = await oauth.clientCredentialsGrantRequest(
          server,
          client,
          authentication,
          parameters,
          options,
        );
        const token = await oauth.processClientCredentialsResponse(server, client, answered);
        expect(token.scope).to.equal('workspace:read');
        const about = await oauth.introspectionRequest(
          server,
          client,
          authentication,
          token.access_token,
          options,
        );
        expect((await oauth.processIntrospectionResponse(server, client, about)).active).to.equal(true);
        const called = await oauth.protectedResourceRequest(
          token.access_token,
          'GET',
          new URL('/api/v2/workspace', issuer),
          new Headers(),
          null,
          options,
        );
        expect(called.status).to.equal(200);
        await oauth.processRevocationResponse(
          await oauth.revocationRequest(server, client, authentication, token.access_token, options),
        );
        expect((await workspaceOf(token.access_token)).status).to.equal(401);
      }
    }
  });

  it('works with simple-oauth2, with form or JSON bodies, for any characters in the secret', async () => {
    for (const secret of ['s+e/c=r&e%t:1', 'a b"c\\d']) {
      const made = await buildClient({ secret });
      for (const bodyFormat of ['form', 'json'] as const) {
        for (const authorizationMethod of ['header', 'body'] as const) {
          const client = new ClientCredentials({
            client: { id: made.id, secret },
            auth: { tokenHost: live().url, tokenPath: '/api/v2/oauth/token' },
            options: { bodyFormat, authorizationMethod },
          });
          const { token } = await client.getToken({ scope: ['workspace:read'] });
          expect((await workspaceOf(token['access_token'] as string)).status).to.equal(200);
        }
      }
    }
  });

  it('uses client secrets that the command line issues, rotates and revokes', async () => {
    const { application, workspace } = await buildTenancy(live());
    const issued = (await assay(live(), 'oauth', 'issue', '--app', application, '--json')).json;
    const client = { id: issued.client_id, secret: issued.client_secret } as Client;
    const { body } = await grant(client);
    const listed = (await assay(live(), 'token', 'list', '--app', application, '--json')).json.data;
    expect(listed).to.have.lengthOf(1);
    await assay(live(), 'token', 'revoke', listed[0].uid);
    const twice = await assay(live(), 'token', 'revoke', listed[0].uid);
    expect(twice.stderr).to.match(/^token_unknown: /);
    expect(
      (await revocationsOf(workspace)).map(({ subject, actor }) => [subject.uid, actor.kind]),
    ).to.deep.equal([[listed[0].uid, 'system']]);
    expect((await workspaceOf(body.access_token)).status).to.equal(401);
    const rotated = (await assay(live(), 'oauth', 'rotate', client.id, '--json')).json;
    const again = await grant({ ...client, secret: rotated.client_secret });
    expect(again.status).to.equal(200);
    await assay(live(), 'oauth', 'revoke', client.id);
    expect((await workspaceOf(again.body.access_token)).status).to.equal(401);
    expect((await grant({ ...client, secret: rotated.client_secret })).status).to.equal(401);
  });
});

/** Encodes id and secret as RFC 6749 (2.3.1) requires before base64. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
