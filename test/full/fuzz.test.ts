import { expect } from 'chai';
import fc from 'fast-check';
import { catalog } from '#api/catalog.ts';
import { openApi } from '#api/derive/openapi.ts';
import { addressOf } from '#api/derive/router.ts';
import type { Operation } from '#lib/core/operation.ts';
import { Closed } from '#lib/core/schema.ts';
import { almost, junk } from '../support/arbitrary.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { onOneBackend } from '../support/live.ts';
import { send, type Answer } from '../contract/call.ts';
import { make } from '../contract/resources.ts';
import { times } from '../support/repetitions.ts';

const CASES = times({ usual: 5, full: 5, all: 200 });

type Described = { responses: Record<string, unknown> };
const paths = openApi(catalog, '0')['paths'] as Record<string, Record<string, Described>>;

const header = (values: readonly string[]) =>
  fc.oneof(fc.constantFrom(undefined, ...values), fc.string({ maxLength: 30 }).map(asHeader));

onOneBackend(`${CASES} generated requests, valid and invalid`, function (live) {
  let tenancy: Tenancy;
  before(async () => {
    tenancy = await buildTenancy(live());
  });

  for (const operation of catalog) {
    it(`are answered by ${operation.key} as declared, without internal errors`, async () => {
      const uid = operation.path.includes('{') ? await make(live(), operation, tenancy) : '';
      const request = fc.record({
        parameter: fc.oneof({ weight: 3, arbitrary: fc.constant(uid) }, junk.map(asSegment)),
        query: almost(operation.query ?? Closed({})),
        body: operation.body ? almost(operation.body) : fc.option(junk, { nil: undefined, freq: 5 }),
        prefer: header(['respond-async', 'wait=0']),
        key: header(['a-key', '"another"']),
        ifMatch: header(['*', '"x"']),
        type: fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain'),
      });
      await fc.assert(
        fc.asyncProperty(request, async (sample) => {
          const answer = await send(live(), operation.method, pathOf(operation, sample), {
            key: tenancy.key,
            ...(operation.method === 'GET' || sample.body === undefined
              ? {}
              : { body: JSON.stringify(sample.body) }),
            headers: headersOf(operation, sample),
          });
          expectDeclared(operation, answer);
        }),
        { numRuns: CASES, endOnFailure: true },
      );
    });
  }
});

type Sample = {
  parameter: string;
  query: unknown;
  prefer: string | undefined;
  key: string | undefined;
  ifMatch: string | undefined;
  type: string;
};

function pathOf(operation: Operation, { parameter, query }: Sample): string {
  const path = addressOf(operation).replace(/\{\w+\}/g, parameter);
  if (typeof query !== 'object' || query === null) return path;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.append(name, asText(value));
  return `${path}?${parameters}`;
}

/** Returns the headers of a request. They prevent a wait for runs, whose outcome does not matter here. */
function headersOf(operation: Operation, { prefer, key, ifMatch, type }: Sample): Record<string, string> {
  const sent = {
    prefer: operation.accepted ? 'respond-async' : prefer,
    'idempotency-key': key,
    'if-match': ifMatch,
    'content-type': operation.method === 'GET' ? undefined : type,
  };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}

function expectDeclared(operation: Operation, answer: Answer): void {
  const { responses } = paths[addressOf(operation)]![operation.method.toLowerCase()]!;
  const about = `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 500)}`;
  expect(answer.status, about).to.be.lessThan(500);
  if (answer.status === 404 && answer.body.code === 'route_not_found') return;
  expect(Object.keys(responses), about).to.include(String(answer.status));
}

function asText(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 5_000).toWellFormed();
}

function asSegment(value: unknown): string {
  return encodeURIComponent(asText(value).slice(0, 200).toWellFormed()) || 'x';
}

function asHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').trim();
}
