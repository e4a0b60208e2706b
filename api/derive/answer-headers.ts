import type { TObject } from 'typebox';
import type { Deprecation, Operation } from '#lib/core/operation.ts';
import type { Components, Json } from './components.ts';

type Header = { description: string; schema: Json };

const text = (maxLength: number, example: string): Json => ({
  type: 'string',
  maxLength,
  examples: [example],
});

/** The response headers that Assay defines, with their descriptions. */
const headers = {
  'X-Request-Id': {
    description:
      'The id of the request: the id that the client sent, or a new id. Quote it in support requests.',
    schema: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      examples: ['req_01M7YQ4MGXF3SABFBB2ZJJ48P7'],
    },
  },
  Location: {
    description: 'The path of the run, if the request started a run.',
    schema: text(200, '/api/v2/investment/theme-watch/factors/tfr_01M7YQ4MHGE6DBC6FJRVDWFN56'),
  },
  'Retry-After': {
    description:
      'Seconds to wait before the next request. A 503 without this header is permanent: the same request fails again.',
    schema: { type: 'integer', minimum: 0, maximum: 86_400, examples: [1] },
  },
  Link: {
    description:
      'RFC 8288: `rel="next"` links to the next page; `rel="deprecation"` links to the alternative to a deprecated operation.',
    schema: text(2_000, '</api/v2/quant/compute/jobs?limit=50&cursor=eyJ1Ijoi>; rel="next"'),
  },
  'Preference-Applied': {
    description: 'RFC 7240: the preferences that changed the answer.',
    schema: text(100, 'respond-async'),
  },
  'Idempotent-Replayed': {
    description: 'Present if the idempotency key was used before: this is the answer to the first request.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'RFC 6750: the fault of the credential, and the missing scope.',
    schema: text(300, 'Bearer realm="assay", error="invalid_token"'),
  },
  ETag: {
    description:
      'Strong validator of the representation. Send it as `If-None-Match` to receive 304 until the representation changes.',
    schema: { type: 'string', pattern: '^"[0-9a-f]{32}"$', examples: ['"98d5da92974eafbe88a943af42712ba4"'] },
  },
  RateLimit: {
    description:
      'For each quota: the number of remaining requests, and the seconds until the quota is full again.',
    schema: text(500, '"application";r=5999;t=1, "workspace";r=23999;t=1'),
  },
  'RateLimit-Policy': {
    description:
      'The quotas that the request was counted against: the number of requests and the window in seconds.',
    schema: text(500, '"application";q=6000;w=60, "workspace";q=24000;w=60'),
  },
  Deprecation: {
    description: 'RFC 9745: the time since which the operation is deprecated, in seconds since 1970.',
    schema: { type: 'string', pattern: '^@[0-9]+$', examples: ['@1796083200'] },
  },
  Sunset: {
    description: 'RFC 8594: the time from which the operation may be unavailable.',
    schema: text(40, 'Tue, 01 Jun 2027 00:00:00 GMT'),
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** Returns references to the headers of an answer. The request id is always included. */
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

/** The headers that every authenticated caller receives. */
export const callerHeaders: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];

const ofRuns: readonly HeaderName[] = ['Location', 'Preference-Applied', 'Idempotent-Replayed'];
