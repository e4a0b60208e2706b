import { connect } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { slowed } from '../../support/patience.ts';
import { sendRaw } from '../../support/raw-request.ts';

const ORIGIN = 'https://console.acme.example';

onOneBackend('The HTTP server of the API', function (live) {
  let tenancy: Tenancy;
  let api: ApiProcess;
  before(async () => {
    tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    api = await startApi(live(), {
      CORS_ORIGINS: ORIGIN,
      TRUST_PROXY: 'true',
      PUBLIC_URL: 'https://assay.example',
      REQUEST_MS: String(slowed(1_000)),
    });
  });
  after(() => api.stop());

  const client = (at: { url: string } = live()) => clientOf(at, tenancy.key);

  it('omits the body if its ETag equals the ETag that the caller sent', async () => {
    const first = await client().get('/workspace');
    const etag = first.headers.get('etag')!;
    expect(etag).to.match(/^"[0-9a-f]{32}"$/);
    const again = await client().get('/workspace', { 'if-none-match': `"other", ${etag}` });
    expect([again.status, again.body]).to.deep.equal([304, undefined]);
    expect(again.headers.get('etag')).to.equal(etag);
    const neighbour = await buildTenancy(live(), { workspace: tenancy.workspace });
    const other = await clientOf(live(), neighbour.key).get('/workspace', { 'if-none-match': etag });
    expect(other.status).to.equal(200);
  });

  it('cancels a job only if If-Match names its current version', async () => {
    const { body: run } = await client().post('/investment/theme-watch/factors', {});
    const path = `/quant/compute/jobs/${run.uid}`;
    const { headers } = await client().get(path);
    const cancel = (etag: string) => client().post(`${path}/cancel`, undefined, { 'if-match': etag });
    expect((await cancel('"something else"')).body).to.include({ status: 412, code: 'precondition_failed' });
    expect((await cancel(headers.get('etag')!)).body).to.include({
      status: 409,
      code: 'run_not_cancellable',
    });
  });

  it('refuses a credential in the URL, and does not repeat it in the response', async () => {
    for (const query of [`access_token=${tenancy.key}`, 'api_key=x', `anything=${tenancy.key}`]) {
      const { status, body } = await client().get(`/workspace?${query}`);
      expect([status, body.code], query).to.deep.equal([400, 'credential_in_query']);
      expect(JSON.stringify(body)).to.not.include(tenancy.key);
    }
  });

  it('rejects a body with a duplicate member', async () => {
    for (const body of [
      '{"history_months":24,"history_months":36}',
      '{"history_months":24, "history_\\u006donths" : 24}',
    ]) {
      const answer = await client().post('/investment/theme-watch/factors', body);
      expect(answer.body, body).to.include({ status: 400, code: 'malformed_json' });
    }
  });

  it('rejects a header that is longer than its limit', async () => {
    const long = {
      prefer: `"${'\\"'.repeat(7_500)}`,
      'if-none-match': '"a",'.repeat(2_000),
      accept: 'a/b,'.repeat(1_000),
    };
    for (const [name, value] of Object.entries(long)) {
      for (const path of ['/workspace', '/openapi.json']) {
        const { body } = await client().get(path, { [name]: value });
        expect(body, `${path} ${name}`).to.include({ status: 400, code: 'malformed_header' });
      }
    }
    const quick = await client().get('/workspace', { prefer: `"${'\\"'.repeat(400)}` });
    expect(quick.status).to.equal(200);
  });

  it('rejects a malformed host with 400 on every path', async () => {
    const get = (path: string, host: string, lines: string[] = []) =>
      sendRaw(
        live().url,
        [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...lines, 'Connection: close', '', ''].join('\r\n'),
      );
    const post = [
      'Content-Type: application/json',
      `Authorization: Bearer ${tenancy.key}`,
      'Content-Length: 2',
    ];
    for (const host of ['[', '[::', 'a b', 'a/b', 'a@b', 'a:b', '[::1]x', '"']) {
      for (const path of ['/api/v2/workspace', '/.well-known/oauth-authorization-server', '/docs']) {
        expect(await get(path, host), `${host} ${path}`).to.match(/^HTTP\/1\.1 400 /);
      }
      const rpc = ['POST /api/mcp HTTP/1.1', `Host: ${host}`, ...post, 'Connection: close', '', '{}'];
      expect(await sendRaw(live().url, rpc.join('\r\n')), host).to.match(/^HTTP\/1\.1 400 /);
    }
    for (const host of ['a', 'a.example:80', '127.0.0.1:1', '[::1]', '[::ffff:127.0.0.1]:80', '']) {
      expect(await get('/healthz', host), host).to.match(/^HTTP\/1\.1 200 /);
    }
  });

  it('states the OAuth endpoints under the configured public address, or else under the requested host', async () => {
    for (const path of ['oauth-authorization-server', 'oauth-protected-resource/api/mcp']) {
      const { headers } = await fetch(`${live().url}/.well-known/${path}`);
      expect(headers.get('cache-control'), path).to.equal('no-store');
      const known = await fetch(`${api.url}/.well-known/${path}`, {
        headers: { 'x-forwarded-host': 'evil.example' },
      });
      expect(known.headers.get('cache-control'), path).to.equal('public, max-age=300');
      const text = await known.text();
      expect(text, path).to.contain('https://assay.example');
      expect(text, path).to.not.contain('evil');
    }
  });

  it('allows only web pages of the listed origins', async () => {
    const preflight = (url: string, origin: string) =>
      fetch(`${url}/api/v2/workspace`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
    const allowed = await preflight(api.url, ORIGIN);
    expect(allowed.status).to.equal(204);
    expect(allowed.headers.get('access-control-allow-origin')).to.equal(ORIGIN);
    expect(allowed.headers.get('access-control-allow-headers')).to.match(/Authorization/);
    expect(allowed.headers.get('access-control-allow-credentials')).to.equal(null);
    const answer = await client(api).get('/workspace', { origin: ORIGIN });
    expect(answer.headers.get('access-control-expose-headers')).to.match(/RateLimit/);
    for (const [url, origin] of [
      [api.url, 'https://evil.example'],
      [live().url, ORIGIN],
    ] as const) {
      expect((await preflight(url, origin)).headers.get('access-control-allow-origin')).to.equal(null);
    }
  });

  it('requires TLS from browsers once a trusted proxy reports TLS', async () => {
    const secure = await client(api).get('/workspace', { 'x-forwarded-proto': 'https' });
    expect(secure.headers.get('strict-transport-security')).to.match(/^max-age=31536000/);
    const plain = await client().get('/workspace', { 'x-forwarded-proto': 'https' });
    expect(plain.headers.get('strict-transport-security'), 'from anybody').to.equal(null);
  });

  it('disconnects clients that send the head or body too slowly', async () => {
    const { port } = new URL(api.url);
    const head = `POST /api/v2/investment/theme-watch/factors HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tenancy.key}\r\n`;
    for (const start of [head, `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`]) {
      const socket = connect(Number(port), '127.0.0.1');
      let answered = '';
      socket.on('data', (bytes) => (answered += bytes));
      socket.write(start);
      await once(socket, 'close');
      expect(answered).to.match(/^(HTTP\/1.1 408|$)/);
    }
  });
});
