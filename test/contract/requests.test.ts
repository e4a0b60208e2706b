import { expect } from 'chai';
import type { TObject, TSchema } from 'typebox';
import { exampleOf } from '#api/derive/example.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Operation } from '#lib/core/operation.ts';
import { buildTenancy } from '../support/build.ts';
import { onOneBackend } from '../support/live.ts';
import { inTurn } from '../support/repetitions.ts';
import { call, expectInvalid, expectListed, expectProblem } from './call.ts';
import { faultyBodies, overfullBodies, wrongTexts } from './fields.ts';
import { operations } from './operations.ts';

const MEBIBYTE = 1024 * 1024;

/** A header that makes the server answer at once, without waiting for the submitted run. */
const PATIENT = { prefer: 'respond-async' };

onOneBackend('Every operation validates its request', (live) => {
  let key: string;

  before(async () => {
    ({ key } = await buildTenancy(live()));
  });

  const withBody = operations.filter(({ body }) => body);

  for (const [turn, operation] of withBody.entries()) {
    describe(`${operation.key}, the body`, () => {
      const post = (body: unknown, headers: Record<string, string> = {}) =>
        call(live(), operation, { key, body, headers: { ...PATIENT, ...headers } });

      it('422 for an unknown member, with the pointer to it', async () => {
        for (const { about, pointer, body } of overfullBodies(operation.body!)) {
          const answer = await post(body);
          expectInvalid(answer, 'body', [pointer], about);
          expect(answer.body.errors[0].code, about).to.equal('unknown_field');
        }
      });

      for (const [pointer, cases] of Map.groupBy(faultyBodies(operation.body!), (each) => each.pointer)) {
        it(`422 for ${pointer} if the value is ${cases.map(({ about }) => about).join(', ')}`, async () => {
          for (const { about, body } of inTurn(cases, turn))
            expectInvalid(await post(body), 'body', [pointer], about);
        });
      }

      it('422 reports all faults of a request together', async () => {
        const { properties } = operation.body as TObject;
        const members = Object.keys(properties);
        const isObject = ({ type, anyOf }: { type?: string; anyOf?: { type?: string }[] }) =>
          type === 'object' || anyOf?.some((each) => each.type === 'object');
        const wrong = (name: string) =>
          name in properties && isObject(properties[name] as object) ? ['none'] : { of: 'no type' };
        const body = Object.fromEntries([...members, 'surplus'].map((name) => [name, wrong(name)]));
        const answer = await post(body);
        expectInvalid(
          answer,
          'body',
          [...members, 'surplus'].map((name) => `/${name}`),
        );
        expect(answer.body.detail).to.contain(`${members.length + 1} faults`);
        expectListed(answer, operation);
      });

      it('422 for a body that is not an object', async () => {
        for (const body of inTurn(['null', '[]', '"text"', '7', 'true'], turn))
          expectInvalid(await post(body), 'body', [''], body);
      });

      it('400 malformed_json for a body that is not JSON', async () => {
        const broken = ['{', '{"a":1,}', "{'a':1}", '{a:1}', 'NaN', '{"a":1} {}', ' ', '\u0000'];
        for (const body of inTurn(broken, turn)) {
          const answer = await post(body);
          expectProblem(answer, 'malformed_json', body);
          expectListed(answer, operation);
        }
      });

      it('415 for another media type, no media type, or an encoded body', async () => {
        const others = [
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/problem+json',
          'multipart/form-data; boundary=x',
        ];
        for (const type of inTurn(others, turn, 1)) {
          const answer = await post('{}', { 'content-type': type });
          expectProblem(answer, 'unsupported_media_type', type);
          expectListed(answer, operation);
        }
        expectProblem(await post('{}', { 'content-encoding': 'gzip' }), 'unsupported_media_type');
      });

      it('413 for a body above 1 MiB, but not for exactly 1 MiB', async () => {
        const whole = JSON.stringify({ ...(exampleOf(operation.body!) as object), surplus: '' }).slice(0, -2);
        const padded = (bytes: number) => `${whole}${'x'.repeat(bytes - whole.length - 2)}"}`;
        const answer = await post(padded(MEBIBYTE + 1));
        expectProblem(answer, 'body_too_large');
        expectListed(answer, operation);
        expectInvalid(await post(padded(MEBIBYTE)), 'body', ['/surplus']);
      });

      it('accepts its example body and the absence of an optional body', async () => {
        const shown = await post(exampleOf(operation.body!));
        expect(shown.body.code, JSON.stringify(shown.body)).to.not.equal('validation_failed');
        const none = await call(live(), operation, { key, headers: PATIENT });
        if (operation.bodyOptional) expect(none.body.code).to.not.equal('validation_failed');
        else expectInvalid(none, 'body', ['']);
      });
    });
  }

  for (const operation of operations.filter(({ body, method }) => !body && method !== 'GET')) {
    it(`422 for a body of ${operation.key}, which takes no body`, async () => {
      for (const body of [[], null, { a: 1 }]) {
        const answer = await call(live(), operation, { key, body: JSON.stringify(body) });
        expectProblem(answer, 'unexpected_body');
        expectListed(answer, operation);
      }
    });
  }

  for (const [turn, operation] of operations.entries()) {
    describe(`${operation.key}, the query and the headers`, () => {
      const ask = (query: string) => call(live(), operation, { key, query, headers: PATIENT });

      it('422 for an unknown parameter, with the pointer to it', async () => {
        for (const name of inTurn(['surplus', '__proto__', 'constructor', 'limit[]', 'LIMIT'], turn)) {
          const answer = await ask(`?${encodeURIComponent(name)}=1`);
          expectInvalid(answer, 'query', [`/${name}`], name);
          expect(answer.body.errors[0].code, name).to.equal('unknown_field');
          expectListed(answer, operation);
        }
      });

      for (const [name, schema] of queryOf(operation)) {
        const cases = wrongTexts(schema);
        it(`422 for ${name} if the value is${cases.map(([about, text]) => ` ${about} (${text.slice(0, 20)})`).join(',')}`, async () => {
          for (const [about, text] of inTurn(cases, turn)) {
            expectInvalid(await ask(`?${name}=${encodeURIComponent(text)}`), 'query', [`/${name}`], about);
          }
          const twice = await ask(`?${name}=1&${name}=1`);
          expectInvalid(twice, 'query', [`/${name}`], 'given twice');
          expect(twice.body.errors[0].code).to.equal('repeated');
        });
      }

      it('400 malformed_header for malformed preferences and idempotency keys', async () => {
        const bad: Record<string, string>[] = [
          { prefer: 'wait=soon' },
          { prefer: 'wait' },
          { prefer: 'wait=-1' },
        ];
        if (operation.method !== 'GET') {
          bad.push(
            { 'idempotency-key': 'two words' },
            { 'idempotency-key': 'x'.repeat(256) },
            { 'idempotency-key': '""' },
          );
        }
        for (const headers of inTurn(bad, turn)) {
          const answer = await call(live(), operation, { key, headers });
          expectProblem(answer, 'malformed_header', JSON.stringify(headers));
          expectListed(answer, operation);
        }
      });

      it('returns a well-formed request id of the caller or creates a new id', async () => {
        for (const given of inTurn(['a', 'order-66_B', 'x'.repeat(64)], turn, 1)) {
          const answer = await call(live(), operation, {
            key,
            query: '?surplus=1',
            headers: { 'x-request-id': given },
          });
          expect(answer.body.request_id).to.equal(given);
          expect(answer.headers.get('x-request-id')).to.equal(given);
        }
        for (const given of inTurn(['', 'a b', 'x'.repeat(65), 'a;b', 'é'], turn, 1)) {
          const answer = await call(live(), operation, {
            key,
            query: '?surplus=1',
            headers: { 'x-request-id': given },
          });
          expect(isUid(answer.body.request_id, prefixes.request), given).to.equal(true);
        }
      });
    });
  }

  it('is tested with values beyond a bound, of a wrong type and outside an enumeration, in bodies and in queries', () => {
    const abouts = withBody.flatMap(({ body }) => faultyBodies(body!).map(({ about }) => about));
    expect(abouts).to.include.members([
      'below the minimum',
      'above the maximum',
      'string',
      'number',
      'an invalid day',
    ]);
    const texts = operations.flatMap((operation) =>
      queryOf(operation).flatMap(([, schema]) => wrongTexts(schema)),
    );
    expect(texts.map(([about]) => about)).to.include.members([
      'below the minimum',
      'above the maximum',
      'no integer',
      'too long',
      'not in the enumeration',
      'an invalid day',
    ]);
  });
});

function queryOf({ query }: Operation): [string, TSchema][] {
  return Object.entries(((query as TObject | undefined)?.properties ?? {}) as Record<string, TSchema>);
}
