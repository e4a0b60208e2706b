import type { TObject } from 'typebox';
import type { Deprecation, Operation } from '#lib/core/operation.ts';
import type { Components, Json } from './components.ts';

type Header = { description: string; schema: Json };

const text = (maxLength: number, example: string): Json => ({
  type: 'string',
  maxLength,
  examples: [example],
});

/** Every header that an answer may carry for a reason of ours. */
const headers = {
  'X-Request-Id': {
    description: 'The id of the request: the one that was sent, or a new one. Quote it in a question.',
    schema: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      examples: ['req_01M7YQ4MGXF3SABFBB2ZJJ48P7'],
    },
  },
  Location: {
    description: 'Path of the run, where there is one.',
    schema: text(200, '/api/v2/investment/theme-watch/factors/tfr_01M7YQ4MHGE6DBC6FJRVDWFN56'),
  },
  'Retry-After': {
    description:
      'Seconds to wait before the next request. Without it a 503 is a refusal, and the same request meets it again.',
    schema: { type: 'integer', minimum: 0, maximum: 86_400, examples: [1] },
  },
  Link: {
    description:
      'RFC 8288: `rel="next"` is the next page; `rel="deprecation"` says what to do about a deprecated operation.',
    schema: text(2_000, '</api/v2/quant/compute/jobs?limit=50&cursor=eyJ1Ijoi>; rel="next"'),
  },
  'Preference-Applied': {
    description: 'RFC 7240: the preferences that made a difference.',
    schema: text(100, 'respond-async'),
  },
  'Idempotent-Replayed': {
    description: 'There when the key of the request had been used before: this is the answer to the first.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'RFC 6750: what is wrong with the credential, and the scope that is missing.',
    schema: text(300, 'Bearer realm="assay", error="invalid_token"'),
  },
  ETag: {
    description:
      'Strong validator of the representation; send it as `If-None-Match` to be told when it has changed.',
    schema: { type: 'string', pattern: '^"[0-9a-f]{32}"$', examples: ['"98d5da92974eafbe88a943af42712ba4"'] },
  },
  RateLimit: {
    description: 'What is left of each quota, and in how many seconds it is whole again.',
    schema: text(500, '"application";r=5999;t=1, "workspace";r=23999;t=1'),
  },
  'RateLimit-Policy': {
    description: 'The quotas that the request was counted against: requests and the window in seconds.',
    schema: text(500, '"application";q=6000;w=60, "workspace";q=24000;w=60'),
  },
  Deprecation: {
    description: 'RFC 9745: since when the operation is deprecated, in seconds since 1970.',
    schema: { type: 'string', pattern: '^@[0-9]+$', examples: ['@1796083200'] },
  },
  Sunset: {
    description: 'RFC 8594: from when the operation may be gone.',
    schema: text(40, 'Tue, 01 Jun 2027 00:00:00 GMT'),
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** References to the headers of an answer. Every answer has the id of its request. */
export function headersOf(components: Components, names: readonly HeaderName[] = []): Json {
  const all = [...new Set<HeaderName>(['X-Request-Id', ...names])];
  return Object.fromEntries(all.map((name) => [name, components.refer('headers', name, headers[name])]));
}

export function headersOfSuccess(operation: Operation): HeaderName[] {
  return [
    ...callerHeaders,
    ...(operation.method === 'GET' ? (['ETag'] as const) : []),
    ...(operation.accepted ? ofRuns : []),
    ...(operation.method === 'GET' || operation.oauth || operation.rpc || operation.accepted
      ? []
      : (['Idempotent-Replayed'] as const)),
    ...('cursor' in ((operation.query as TObject | undefined)?.properties ?? {}) ? ['Link' as const] : []),
    ...headersOfDeprecation(operation.deprecated),
  ];
}

export function headersOfDeprecation(deprecated: Deprecation | undefined): HeaderName[] {
  if (!deprecated) return [];
  return [
    'Deprecation',
    ...(deprecated.sunset === undefined ? [] : ['Sunset' as const]),
    ...(deprecated.link === undefined ? [] : ['Link' as const]),
  ];
}

/** What every caller is told who was let through. */
export const callerHeaders: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];

const ofRuns: readonly HeaderName[] = ['Location', 'Preference-Applied', 'Idempotent-Replayed'];
