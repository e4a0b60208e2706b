import { expect } from 'chai';
import { problems, type ProblemCode } from '#lib/core/problem.ts';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { bearer, expectUndisturbed, harmlessFlood } from '../../support/bystander.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { onOneBackend } from '../../support/live.ts';
import { sendBytes, type RawAnswer } from '../../support/raw-answer.ts';
import { times } from '../../support/repetitions.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const BODY_MIB = times({ usual: 8, full: 32, all: 512 });
const REQUESTS = times({ usual: 100, full: 400, all: 4_000 });

const SUBMISSIONS = '/api/v2/investment/theme-watch/factors';

onOneBackend('A request of unusual size or form', function (live) {
  let attacker: Tenancy;
  let bystander: Tenancy;
  let api: ApiProcess;
  before(async () => {
    [attacker, bystander] = [await buildTenancy(live()), await buildTenancy(live())];
    api = await startApi(live(), { VALIDATE_RESPONSES: 'false', RATE_LIMIT_FACTOR: '1000' });
  });
  after(() => api.stop());

  const head = (method: string, path: string, headers: Record<string, string> = {}) =>
    `${method} ${path} HTTP/1.1\r\n${lines({ host: 'a', ...bearer(attacker.key), ...headers })}\r\n`;
  const lines = (headers: Record<string, string>) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  const many = (count: number, value = 'x') =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, value]));

  function expectRefused(answer: RawAnswer, codes: readonly ProblemCode[], about: string): void {
    const { status, headers, body } = answer;
    expect(status, `${about}: an answer`).to.be.a('number');
    expect(headers['content-type'], about).to.match(/^application\/problem\+json/);
    const problem = JSON.parse(body);
    expect(codes, `${about}: ${body}`).to.include(problem.code);
    expect(status, about).to.equal(problems[problem.code as ProblemCode].status);
    expect(problem.request_id, about).to.equal(headers['x-request-id']);
    expect(headers['x-content-type-options'], about).to.equal('nosniff');
  }

  const long = (bytes: number) => 'x'.repeat(bytes);
  const heads: [string, () => string, ProblemCode[]][] = [
    ['a URL of 17 KiB', () => head('GET', `/api/v2/${long(17 * KIBIBYTE)}`), ['headers_too_large']],
    ['a URL of 1 MiB', () => head('GET', `/api/v2/${long(MEBIBYTE)}`), ['headers_too_large']],
    ['a URL of 15 KiB', () => head('GET', `/api/v2/${long(15 * KIBIBYTE)}`), ['route_not_found']],
    ['a path parameter of 15 KiB', () => head('GET', `${SUBMISSIONS}/${long(15 * KIBIBYTE)}`), ['not_found']],
    [
      'a query of 17 KiB',
      () => head('GET', `${SUBMISSIONS}?cursor=${long(17 * KIBIBYTE)}`),
      ['headers_too_large'],
    ],
    [
      'a query of 15 KiB',
      () => head('GET', `${SUBMISSIONS}?cursor=${long(15 * KIBIBYTE)}`),
      ['invalid_cursor', 'validation_failed'],
    ],
    [
      'a query with one parameter five thousand times',
      () => head('GET', `${SUBMISSIONS}?${'a&'.repeat(5_000)}`),
      ['validation_failed'],
    ],
    [
      'a query with a thousand different parameters',
      () => head('GET', `${SUBMISSIONS}?${Array.from({ length: 1_000 }, (_, at) => `a${at}=1`).join('&')}`),
      ['validation_failed'],
    ],
    [
      'a header of 17 KiB',
      () => head('GET', SUBMISSIONS, { 'x-large': long(17 * KIBIBYTE) }),
      ['headers_too_large'],
    ],
    [
      'a header of 1 MiB',
      () => head('GET', SUBMISSIONS, { 'x-large': long(MEBIBYTE) }),
      ['headers_too_large'],
    ],
    ['five thousand headers', () => head('GET', SUBMISSIONS, many(5_000)), ['headers_too_large']],
    [
      'a credential of 15 KiB',
      () => head('GET', SUBMISSIONS, bearer(long(15 * KIBIBYTE))),
      ['invalid_token', 'malformed_header'],
    ],
    [
      'an idempotency key of 15 KiB',
      () => head('POST', SUBMISSIONS, { 'idempotency-key': long(15 * KIBIBYTE), 'content-length': '0' }),
      ['malformed_header'],
    ],
    ['an invalid header name', () => head('GET', SUBMISSIONS, { 'a b': 'c' }), ['malformed_request']],
    ['a first line that is not an HTTP request line', () => 'hello\r\n\r\n', ['malformed_request']],
    [
      'the first bytes of a TLS connection',
      () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
      ['malformed_request'],
    ],
    [
      'two content lengths',
      () => `${head('POST', SUBMISSIONS, { 'content-length': '1' }).slice(0, -2)}content-length: 2\r\n\r\n`,
      ['malformed_request'],
    ],
    [
      'a content length together with chunked encoding',
      () => head('POST', SUBMISSIONS, { 'content-length': '5', 'transfer-encoding': 'chunked' }),
      ['malformed_request'],
    ],
    [
      'a chunk without a valid size',
      () =>
        `${head('POST', SUBMISSIONS, { 'transfer-encoding': 'chunked', 'content-type': 'application/json' })}zz\r\n`,
      ['malformed_request'],
    ],
  ];
  for (const [about, request, codes] of heads) {
    it(`is rejected: ${about} (${codes.join(', ')})`, async () => {
      expectRefused(await sendBytes(api, request()), codes, about);
    });
  }

  it('is accepted with two thousand headers', async () => {
    const few = `GET /api/v2/workspace HTTP/1.1\r\nhost: a\r\n${'a:\r\n'.repeat(2_500)}${lines(bearer(attacker.key))}\r\n`;
    expect((await sendBytes(api, few)).status).to.equal(200);
  });

  const json = { 'content-type': 'application/json' };
  it(`is rejected: a body of ${BODY_MIB} MiB, sent with a content length or in chunks (body_too_large)`, async () => {
    const body = Buffer.alloc(BODY_MIB * MEBIBYTE, ' ');
    const length = { ...json, 'content-length': String(body.length) };
    expectRefused(
      await sendBytes(api, head('POST', SUBMISSIONS, length), body),
      ['body_too_large'],
      'by its length',
    );
    const chunked = head('POST', SUBMISSIONS, { ...json, 'transfer-encoding': 'chunked' });
    const chunks = Buffer.concat([
      Buffer.from(`${body.length.toString(16)}\r\n`),
      body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    expectRefused(await sendBytes(api, chunked, chunks), ['body_too_large'], 'in chunks');
  });

  it('leaves the connection usable for the next request if its body is too large', async () => {
    const body = Buffer.alloc(2 * MEBIBYTE, ' ');
    const length = { ...json, 'content-length': String(body.length) };
    const next = head('GET', '/api/v2/workspace', { connection: 'close' });
    const { body: both } = await sendBytes(api, head('POST', SUBMISSIONS, length), body, next);
    expect(both).to.match(/body_too_large[^]*HTTP\/1\.1 200 OK/);
  });

  it('is rejected: a body that declares 2^53 bytes (body_too_large)', async () => {
    const claimed = head('POST', SUBMISSIONS, { ...json, 'content-length': String(2 ** 53) });
    expectRefused(await sendBytes(api, claimed, '{}'), ['body_too_large'], 'claimed');
  });

  it('is rejected: a multipart body of a thousand parts (unsupported_media_type)', async () => {
    const part = '--x\r\ncontent-disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n';
    const body = `${part.repeat(1_000)}--x--\r\n`;
    const headers = {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(body.length),
    };
    expectRefused(
      await sendBytes(api, head('POST', SUBMISSIONS, headers), body),
      ['unsupported_media_type'],
      'multipart',
    );
  });

  it('is rejected with an OAuth error: a token request with a form of a megabyte', async () => {
    const body = `grant_type=client_credentials&${'a=b&'.repeat(300_000)}`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    };
    const { status } = await sendBytes(api, head('POST', '/api/v2/oauth/token', headers), body);
    expect(status).to.be.within(400, 499);
  });

  it(`does not disturb other callers if it is sent ${REQUESTS} times in succession`, async () => {
    const shots = [
      { path: `/api/v2/${long(17 * KIBIBYTE)}` },
      { path: `${SUBMISSIONS}?${'a&'.repeat(5_000)}`, headers: bearer(attacker.key) },
      { path: SUBMISSIONS, headers: { ...bearer(attacker.key), ...many(1_000) } },
      {
        method: 'POST',
        path: SUBMISSIONS,
        headers: { ...bearer(attacker.key), ...json },
        body: long(MEBIBYTE + 1),
      },
    ];
    const [tally] = await expectUndisturbed({
      url: api.url,
      bystander,
      attack: { kind: 'flood', shots, requests: REQUESTS, atOnce: 8 },
      harmless: harmlessFlood(attacker.key, { requests: REQUESTS, atOnce: 8 }),
    });
    expect(Object.keys(tally!.answers).filter((status) => status >= '500')).to.deep.equal([]);
  });
});
