import type { Operation } from '#lib/core/operation.ts';
import { problems, type ProblemCode } from '#lib/core/problem.ts';
import { OAuthErrorSchema, ProblemSchema } from '#lib/core/schema.ts';
import { headersOf, headersOfDeprecation, type HeaderName } from './answer-headers.ts';
import type { Components, Json } from './components.ts';
import { problemExample } from './problem-examples.ts';

/** Problems that every operation can return, in addition to the problems that the operation declares. */
const common: readonly ProblemCode[] = [
  'malformed_header',
  'credential_in_query',
  'credential_required',
  'invalid_token',
  'application_inactive',
  'production_access_disabled',
  'entitlement_missing',
  'insufficient_scope',
  'rate_limit_exceeded',
  'validation_failed',
  'workspace_moved',
  'internal_error',
  'dependency_unavailable',
];
const ofBodies: readonly ProblemCode[] = ['malformed_json', 'body_too_large', 'unsupported_media_type'];
const ofWrites: readonly ProblemCode[] = ['workspace_moving'];
const ofKeys: readonly ProblemCode[] = ['idempotency_in_progress', 'idempotency_key_reused'];
const ofWaits: readonly ProblemCode[] = ['too_many_waiting'];
const ofOAuth: readonly ProblemCode[] = [
  'invalid_request',
  'unauthorized_client',
  'invalid_client',
  'rate_limit_exceeded',
  'slow_down',
  'workspace_moved',
  'workspace_moving',
  'internal_error',
  'dependency_unavailable',
];
/** Problems that pages without authentication can return. */
const ofPages: readonly ProblemCode[] = ['validation_failed', 'internal_error'];

/**
 * Returns one answer per status. If several codes share a status, the description lists them, each with an
 * example.
 */
export function problemAnswers(operation: Operation, components: Components): Json {
  const codes = [
    ...common,
    ...(operation.method === 'GET' ? [] : [...ofBodies, ...ofWrites]),
    ...(operation.method === 'GET' || operation.rpc ? [] : ofKeys),
    ...(operation.method === 'GET' || operation.body ? [] : (['unexpected_body'] as const)),
    ...(operation.query?.properties['wait'] ? ofWaits : []),
    ...(operation.streamed ? (['not_acceptable'] as const) : []),
    ...operation.problems,
  ];
  const extra = headersOfDeprecation(operation.deprecated);
  const answers = [...byStatus(codes)].map(([status, some]) => {
    const isDeclared = some.some((code) => operation.problems.includes(code));
    const names = [...(operation.accepted && isDeclared ? (['Location'] as const) : []), ...extra];
    const isShared = names.length === 0 && String(some) === String(byStatus(common).get(status));
    const answer = problemAnswer(some, names, components);
    return [status, isShared ? components.refer('responses', `Problem${status}`, answer) : answer];
  });
  return Object.fromEntries(answers) as Json;
}

/** Returns the error answers of an OAuth endpoint, in the form of RFC 6749. */
export function oauthAnswers({ problems: own }: Operation, components: Components): Json {
  const answers = [...byStatus([...ofOAuth, ...own])].map(([status, codes]) => [
    status,
    {
      description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join('\n'),
      headers: headersOf(
        components,
        codes.flatMap((code) => headersOfCode[code] ?? []),
      ),
      content: { 'application/json': components.media(OAuthErrorSchema) },
    },
  ]);
  return Object.fromEntries(answers) as Json;
}

export function pageProblemAnswers(components: Components): Json {
  return Object.fromEntries(
    [...byStatus(ofPages)].map(([status, codes]) => [status, problemAnswer(codes, [], components)]),
  ) as Json;
}

function byStatus(codes: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  return Map.groupBy(new Set(codes), (code) => problems[code].status as number);
}

function problemAnswer(codes: readonly ProblemCode[], names: readonly HeaderName[], components: Components) {
  const examples = codes.map((code) => [code, components.refer('examples', code, problemExample(code))]);
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join('\n'),
    headers: headersOf(components, [...names, ...codes.flatMap((code) => headersOfCode[code] ?? [])]),
    content: {
      'application/problem+json': {
        schema: components.describe(ProblemSchema),
        examples: Object.fromEntries(examples) as Json,
      },
    },
  };
}

const headersOfCode: Partial<Record<ProblemCode, HeaderName[]>> = {
  credential_required: ['WWW-Authenticate'],
  invalid_token: ['WWW-Authenticate'],
  insufficient_scope: ['WWW-Authenticate'],
  dependency_unavailable: ['Retry-After'],
  workspace_moved: ['Location'],
  workspace_moving: ['Retry-After'],
  policy_unavailable: ['Retry-After'],
  invalid_client: ['WWW-Authenticate'],
  rate_limit_exceeded: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  slow_down: ['Retry-After'],
  too_many_waiting: ['Retry-After'],
  queue_full: ['Retry-After'],
  idempotency_in_progress: ['Retry-After'],
};
