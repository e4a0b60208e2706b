import type { TObject, TSchema } from 'typebox';
import type { Operation } from '#lib/core/operation.ts';
import { problems, type ProblemCode } from '#lib/core/problem.ts';
import { ProblemSchema } from '#lib/core/schema.ts';
import { scopes } from '#lib/core/scope.ts';
import { publicPages } from './public-pages.ts';
import { API_PREFIX } from './router.ts';

/** What every operation can answer, beside what it declares. */
const common: readonly ProblemCode[] = [
  'malformed_header',
  'credential_required',
  'invalid_token',
  'application_inactive',
  'entitlement_missing',
  'insufficient_scope',
  'validation_failed',
  'internal_error',
  'dependency_unavailable',
];
const ofBodies: readonly ProblemCode[] = ['malformed_json', 'body_too_large', 'unsupported_media_type'];

/** The OpenAPI 3.1 document of a catalog. */
export function openApi(catalog: readonly Operation[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = { ...publicPages };
  for (const operation of catalog) {
    const path = (paths[API_PREFIX + operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Assay',
      version,
      description: 'Sealed analytics and governed financial actions.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(catalog.map((operation) => operation.product))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: ProblemSchema },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `API key. Scopes in use: ${scopes.join(', ')}.`,
        },
      },
    },
  };
}

/** `investment.theme_watch.factors.create` becomes `investmentThemeWatchFactorsCreate`. */
export function operationId(key: string): string {
  return key.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function describe(operation: Operation) {
  const { success } = operation;
  return {
    operationId: operationId(operation.key),
    'x-operation-key': operation.key,
    'x-scope': operation.scope,
    ...(operation.addition ? { 'x-addition': true } : {}),
    tags: [operation.product],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.deprecated ? { deprecated: true } : {}),
    security: [{ bearer: [operation.scope] }],
    parameters: parameters(operation),
    ...(operation.body
      ? {
          requestBody: {
            required: !operation.bodyOptional,
            content: { 'application/json': { schema: operation.body } },
          },
        }
      : {}),
    responses: {
      [success.status]: answer(success.description, success.schema),
      ...(operation.accepted ? { 202: answer('Accepted; poll `Location`.', operation.accepted) } : {}),
      ...problemAnswers(operation),
    },
  };
}

function parameters(operation: Operation) {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `The ${name} of the resource.`,
    schema: { type: 'string' },
  }));
  const query = (operation.query as TObject | undefined)?.properties ?? {};
  const inQuery = Object.entries(query as Record<string, TSchema & { description?: string }>).map(
    ([name, schema]) => ({ name, in: 'query', required: false, description: schema.description, schema }),
  );
  return [...inPath, ...inQuery, ...headerParameters(operation)];
}

function headerParameters(operation: Operation) {
  const prefer = { name: 'Prefer', in: 'header', required: false, schema: { type: 'string' } };
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', maxLength: 255 },
  };
  return operation.accepted
    ? [
        { ...prefer, description: '`respond-async`, or `wait=N` seconds (0 to 60) for the end of the run.' },
        { ...key, description: 'A retry with the same key waits for the same run.' },
      ]
    : [];
}

/** One answer a status: where several codes share it, the description lists them. */
function problemAnswers(operation: Operation) {
  const codes = [...common, ...(operation.method === 'GET' ? [] : ofBodies), ...operation.problems];
  const byStatus = Map.groupBy(new Set(codes), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `\`${code}\`: ${problems[code].title}.`).join('\n'),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function answer(description: string, schema: TSchema) {
  return { description, content: { 'application/json': { schema } } };
}
