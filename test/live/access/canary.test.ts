import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { Backend } from '../../support/backends.ts';
import { assay } from '../../support/cli.ts';
import { onEachBackend } from '../../support/live.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { asSuperuser } from '../../support/rows.ts';

onEachBackend('A secret that was shown once', function (live) {
  /** The secret part of one credential of each kind. */
  const secrets: Record<string, string> = {};
  const answers: string[] = [];

  before(async () => {
    const json = async (...words: string[]) => (await assay(live(), ...words, '--json')).json;
    const workspace = (await json('workspace', 'create', '--name', 'Canary')).uid;
    const who = ['--name', 'Ann', '--email', 'ann@canary.example', '--roles', 'owner'];
    const person = (await json('person', 'create', '--workspace', workspace, ...who)).uid;
    const what = ['--name', 'bird', '--environment', 'sandbox', '--scopes', 'all', '--owner', person];
    const application = (await json('app', 'create', '--workspace', workspace, ...what)).uid;
    const { api_key } = await json('key', 'issue', '--app', application);
    const { client_id, client_secret } = await json('oauth', 'issue', '--app', application);
    const grant = { grant_type: 'client_credentials', client_id, client_secret };
    const token = await fetch(`${live().url}/api/v2/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(grant),
    });
    const { access_token } = (await token.json()) as { access_token: string };
    secrets['key'] = api_key.slice(19);
    secrets['client'] = client_secret;
    secrets['token'] = access_token.slice(7);
    secrets['codes'] = (await json('person', 'enrol', person)).secret;
    for (const secret of [api_key, access_token, client_secret]) await sendEverywhere(secret);
  });

  /**
   * Sends a secret in the part of a request where it belongs, and in every other part where a caller may put
   * it by mistake.
   */
  async function sendEverywhere(secret: string): Promise<void> {
    const bearer = { authorization: `Bearer ${secret}` };
    const json = { ...bearer, 'content-type': 'application/json' };
    const factors = '/api/v2/investment/theme-watch/factors';
    const form = new URLSearchParams({ grant_type: secret, client_id: secret, client_secret: `${secret}x` });
    const requests: [string, RequestInit][] = [
      ['/api/v2/workspace', { headers: bearer }],
      [`/api/v2/workspace?x=${secret}`, { headers: bearer }],
      [`/api/v2/quant/compute/jobs/${secret}`, { headers: bearer }],
      [`/api/v2/${secret}`, { headers: bearer }],
      [`/${secret}`, {}],
      ['/api/v2/workspace', { headers: { authorization: `Basic ${secret}`, 'x-request-id': secret } }],
      ['/api/v2/workspace', { headers: { ...bearer, 'user-agent': secret } }],
      [factors, { method: 'POST', headers: json, body: JSON.stringify({ as_of_date: secret, [secret]: 1 }) }],
      [factors, { method: 'POST', headers: json, body: `{"${secret}` }],
      [
        factors,
        {
          method: 'POST',
          headers: { ...json, 'idempotency-key': secret, prefer: 'respond-async' },
          body: '{}',
        },
      ],
      ['/api/v2/oauth/token', { method: 'POST', body: form }],
      ['/api/v2/oauth/introspect', { method: 'POST', body: new URLSearchParams({ token: secret }) }],
    ];
    for (const [where, request] of requests) {
      const answer = await fetch(live().url + where, request);
      answers.push(JSON.stringify([answer.status, [...answer.headers], await answer.text()]));
    }
    for (const broken of brokenRequests(secret)) answers.push(await sendRaw(live().opsUrl, broken));
    for (const broken of brokenRequests(secret)) answers.push(await sendRaw(live().url, broken));
  }

  const expectNone = (text: string, about: string) => {
    for (const [what, secret] of Object.entries(secrets)) {
      for (const [form, pattern] of formsOf(secret)) {
        expect(pattern.test(text), `the ${form} of the secret of the ${what} are in ${about}`).to.equal(
          false,
        );
      }
    }
  };

  it('is in no later response', () => {
    expect(answers.length).to.be.greaterThan(30);
    for (const answer of answers) expectNone(answer, answer.slice(0, 300));
  });

  it('is in no log', async () => {
    const folder = live().logDirectory;
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.log'));
    expect(files.length).to.be.greaterThan(2);
    for (const file of files) expectNone(await readFile(path.join(folder, file), 'utf8'), file);
  });

  it('is in no table in plain text', async () => {
    await asSuperuser(live(), async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')`,
      );
      expect(tables.length).to.be.greaterThan(20);
      for (const { name } of tables) {
        const patterns = Object.values(secrets).map((secret) => `%${secret}%`);
        const { rows } = await client.query(
          `select t::text as row from ${name} t where t::text like any($1)`,
          [patterns],
        );
        expect(rows, name).to.deep.equal([]);
      }
    });
  });

  it('is not in the queue', async () => {
    for (const text of await redisTexts(live())) expectNone(text, 'Redis');
  });
});

/**
 * Returns requests that break the protocol midway. If a chunk is malformed, Node attaches the unparsed bytes
 * and the preceding bytes of the same packet to the error.
 */
function brokenRequests(secret: string): string[] {
  const head = (line: string, ...headers: string[]) =>
    [line, 'Host: a', `Authorization: Bearer ${secret}`, ...headers, '', ''].join('\r\n');
  const factors = 'POST /api/v2/investment/theme-watch/factors HTTP/1.1';
  const json = 'Content-Type: application/json';
  const chunked = 'Transfer-Encoding: chunked';
  return [
    `${head(factors, json, chunked)}no size\r\n`,
    `${head(factors, json, chunked)}5\r\n{"a":\r\nffffffffffffffffff\r\n`,
    `${head('POST /api/v2/oauth/token HTTP/1.1', json, chunked)}no size\r\n`,
    `${head('POST /api/mcp HTTP/1.1', json, chunked)}no size\r\n`,
    `${head('PUT /queues/api/queues/numerics/1/retry HTTP/1.1', chunked)}no size\r\n`,
    `${head(factors, json, 'Content-Length: 5')}{}\r\n\r\nnothing of HTTP\r\n\r\n`,
    head('GET /api/v2/workspace HTTP/1.1', 'Content-Length: x'),
  ];
}

/**
 * Returns the forms in which a secret may be written: as text, in base64 at each of three offsets, in hex, in
 * decimals.
 */
function formsOf(secret: string): [form: string, pattern: RegExp][] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((lead) => {
    const encoded = Buffer.concat([Buffer.alloc(lead), bytes]).toString('base64url');
    // The first and the last character of the encoded text may also contain bits of the adjacent bytes, so
    // they are left out.
    return encoded.slice(
      Math.ceil((lead * 8) / 6),
      encoded.length - (((lead + bytes.length) * 8) % 6 ? 1 : 0),
    );
  });
  const between = (numbers: string[], separator: string) => numbers.join(separator);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return [
    ['characters', new RegExp(secret.replace(/\W/g, '\\$&'))],
    ['base64 digits', new RegExp(base64.map((each) => each.replace(/[-_]/g, '[-_+/]')).join('|'))],
    ['hexadecimal digits', new RegExp(between(hex, '[^0-9a-f]{0,4}'), 'i')],
    ['decimals', new RegExp(between([...bytes].map(String), '[^0-9]{1,8}'))],
  ];
}

async function redisTexts(live: Backend): Promise<string[]> {
  if (!live.redis) return [];
  const redis = new Redis(live.redis.url);
  try {
    const keys = await redis.keys('*');
    const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    return [...keys, ...dumps.map((dump) => dump?.toString('latin1') ?? '')];
  } finally {
    redis.disconnect();
  }
}
