import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { addressOf } from '#api/derive/router.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Operation } from '#lib/core/operation.ts';
import { problems, type ProblemCode } from '#lib/core/problem.ts';
import type { Backend } from '../support/backends.ts';
import { describedAs } from './document.ts';

/**
 * The HTTP agent of all calls. An agent takes half the processor time of `fetch`. It closes idle connections
 * before the server closes them.
 */
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

export type Answer = { status: number; headers: Headers; body: any };

export type CallOptions = {
  key?: string | undefined;
  /** A text is sent unchanged, any other value as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The query string after the path, including the question mark. */
  query?: string;
  /** The value of every path parameter; if omitted, a uid that no resource has. */
  parameter?: string | undefined;
};

/** Sends a request with any method to any path of the server. */
export async function send(
  backend: Pick<Backend, 'url'>,
  method: string,
  path: string,
  { key, body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const given = request(backend.url + path, {
    method,
    agent,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(sent === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      ...headers,
    },
  });
  given.end(sent);
  const [response] = (await once(given, 'response')) as [IncomingMessage];
  const answer = await text(response);
  const isJson = /[/+]json/.test(response.headers['content-type'] ?? '');
  return {
    status: response.statusCode!,
    headers: headersOf(response),
    body: isJson && answer !== '' ? JSON.parse(answer) : answer,
  };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return headers;
}

/** Calls an operation. */
export function call(
  backend: Pick<Backend, 'url'>,
  operation: Operation,
  options: CallOptions = {},
): Promise<Answer> {
  return send(
    backend,
    operation.method,
    pathOf(operation, options.parameter) + (options.query ?? ''),
    options,
  );
}

/** Returns the path of an operation. Several values of a parameter, separated by `/`, fill the parameters in order. */
export function pathOf(operation: Operation, parameter = newUid(prefixes.themeFactorRun)): string {
  const values = parameter.split('/');
  let next = 0;
  return addressOf(operation).replace(/\{\w+\}/g, () => values[next++] ?? values.at(-1)!);
}

/** Expects an answer to be a problem of this code: in its status, its media type, its members and its headers. */
export function expectProblem(answer: Answer, code: ProblemCode, about?: string): void {
  const { status, title } = problems[code];
  expect(answer.body, about).to.include({ status, title, code, type: `/problems/${code}` });
  expect(answer.status, about).to.equal(status);
  expect(answer.headers.get('content-type'), about).to.match(/^application\/problem\+json(;|$)/);
  expect(answer.body.detail, about).to.be.a('string').and.not.equal('');
  expect(answer.body.request_id, about).to.be.a('string').and.equal(answer.headers.get('x-request-id'));
}

/** Expects a problem that the OpenAPI document lists for the operation. */
export function expectListed(answer: Answer, operation: Operation): void {
  const { responses } = describedAs(operation);
  expect(responses[answer.status]?.description, operation.key).to.contain(`\`${answer.body.code}\``);
}

/** Expects the request to be rejected because of exactly the given members. */
export function expectInvalid(
  answer: Answer,
  part: string,
  pointers: readonly string[],
  about?: string,
): void {
  expectProblem(answer, 'validation_failed', about);
  const errors = answer.body.errors as { pointer: string; in: string; code: string; message: string }[];
  expect([...new Set(errors.map(({ pointer }) => pointer))], about).to.have.members([...pointers]);
  for (const { in: where, code, message } of errors) {
    expect(where, about).to.equal(part);
    expect(code, about).to.match(/^[a-z]+(_[a-z]+)*$/);
    expect(message, about).to.be.a('string').and.not.equal('');
  }
}

/** Returns an answer without its unique parts: the id of the request, the time, and what is left of the quotas. */
export function withoutUniqueParts({ status, headers, body }: Answer): unknown {
  const { request_id: _, ...rest } = body as Record<string, unknown>;
  const own = new Set(['x-request-id', 'date']);
  const kept = [...headers].filter(([name]) => !own.has(name));
  const stable = kept.map(([name, value]) => [
    name,
    name === 'ratelimit' ? value.replace(/;[rt]=\d+/g, '') : value,
  ]);
  return { status, headers: stable, body: rest };
}
