import Type, { type TSchema } from 'typebox';
import type { FlatRow, Operation } from '#lib/core/operation.ts';
import { scopes } from '#lib/core/scope.ts';
import { columnsOf, namesOf } from '../http/list-columns.ts';
import { csvLine, headerLine, jsonLine, listForms } from '../http/listing.ts';
import { headersOf, headersOfSuccess, callerHeaders, type HeaderName } from './answer-headers.ts';
import { createComponents, type Components, type Json } from './components.ts';
import { parametersOf } from './parameters.ts';
import { oauthAnswers, problemAnswers } from './problem-answers.ts';
import { publicPages } from './public-pages.ts';
import { addressOf, rowOf } from './router.ts';
import { exampleOf } from './example.ts';
import { tagsOf } from './tags.ts';

/** Returns the OpenAPI 3.1 document of a catalog. */
export function openApi(catalog: readonly Operation[], version: string): Record<string, unknown> {
  const components = createComponents();
  const paths = publicPages(components);
  for (const operation of catalog) {
    const path = (paths[addressOf(operation)] ??= {});
    path[operation.method.toLowerCase()] = describe(operation, components);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Assay',
      version,
      description:
        'Sealed analytics and governed financial actions. Send `X-Request-Id` to give a request your own id. Errors are RFC 9457 problems; each problem code has a page under `/problems/`.',
      contact: { name: 'The operators of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server.' }],
    tags: tagsOf(catalog),
    paths,
    components: {
      ...components.parts,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `API key or access token. Scopes in use: ${scopes.join(', ')}.`,
        },
        client: {
          type: 'http',
          scheme: 'basic',
          description: 'OAuth client id and secret, each form-encoded.',
        },
      },
    },
  };
}

/**
 * Returns the `operationId` of a key: `investment.theme_watch.factors.create` becomes
 * `investmentThemeWatchFactorsCreate`.
 */
export function operationId(key: string): string {
  return key.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function describe(operation: Operation, components: Components): Json {
  const { success } = operation;
  const ofSuccess = headersOfSuccess(operation);
  const answer = (description: string, schema: TSchema, headers: readonly HeaderName[]) => ({
    description,
    headers: headersOf(components, headers),
    content: { 'application/json': components.media(schema) },
  });
  return {
    operationId: operationId(operation.key),
    'x-operation-key': operation.key,
    ...(operation.scope === null ? {} : { 'x-scope': operation.scope }),
    ...(operation.addition ? { 'x-addition': true } : {}),
    tags: [operation.product],
    summary: operation.summary,
    description: operation.description ?? operation.summary,
    ...(operation.deprecated ? { deprecated: true } : {}),
    security: operation.scope === null ? [{ client: [] }, {}] : [{ bearer: [operation.scope] }],
    parameters: parametersOf(operation, components),
    ...(operation.body
      ? {
          requestBody: {
            required: !operation.bodyOptional,
            description: operation.oauth
              ? 'The parameters as a form or as JSON, in UTF-8.'
              : 'JSON in UTF-8.',
            content: bodyOf(wholeBody(operation.body, operation), operation, components),
          },
        }
      : {}),
    responses: {
      [success.status]: operation.streamed
        ? withForms(answer(success.description, success.schema, ofSuccess), operation)
        : withFiles(answer(success.description, success.schema, ofSuccess), operation),
      ...(operation.repeated === undefined
        ? {}
        : { 200: answer(operation.repeated, success.schema, ofSuccess) }),
      ...(operation.accepted
        ? { 202: answer('Accepted; poll `Location`.', operation.accepted, [...ofSuccess, 'Retry-After']) }
        : {}),
      ...(operation.rpc ? { 202: acknowledged(components) } : {}),
      ...(operation.method === 'GET' ? { 304: unchanged(components) } : {}),
      ...(operation.oauth ? oauthAnswers(operation, components) : problemAnswers(operation, components)),
    },
  };
}

/** Adds CSV and JSON lines to the answer of a list, each with an example of one row. */
function withForms<Answer extends { content: Json }>(answer: Answer, operation: Operation): Answer {
  const row = exampleOf(rowOf(operation)) as FlatRow;
  const columns = columnsOf(rowOf(operation));
  const media = (description: string, example: string) => ({
    schema: { type: 'string', description },
    example,
  });
  return {
    ...answer,
    content: {
      ...answer.content,
      [listForms.csv]: media(
        'All rows of the list, without pages: RFC 4180 with a header line. A null is an empty field.',
        headerLine(columns) + csvLine(row, columns),
      ),
      [listForms.ndjson]: media(
        'All rows of the list, without pages: one JSON object per line.',
        jsonLine(row, namesOf(columns)),
      ),
    },
  };
}

/** Adds the media types that are available besides JSON. */
function withFiles<Answer extends { content: Json }>(answer: Answer, { files = {} }: Operation): Answer {
  const media = Object.entries(files).map(([type, { description, example }]) => [
    type,
    { schema: { type: 'string', description }, example },
  ]);
  return { ...answer, content: { ...answer.content, ...Object.fromEntries(media) } };
}

/** Returns one schema that accepts every body that an operation takes. */
function wholeBody(body: TSchema, { bodiesByKind }: Operation): TSchema {
  return bodiesByKind ? Type.Union([body, ...Object.values(bodiesByKind)]) : body;
}

function bodyOf(schema: TSchema, { oauth }: Operation, components: Components): Json {
  const media = components.media(schema);
  return { ...(oauth ? { 'application/x-www-form-urlencoded': media } : {}), 'application/json': media };
}

function acknowledged(components: Components): Json {
  return {
    description: 'The notification was accepted.',
    headers: headersOf(components, [...callerHeaders]),
  };
}

function unchanged(components: Components): Json {
  return components.refer('responses', 'Unchanged', {
    description: 'The representation has not changed since the `ETag` in `If-None-Match`.',
    headers: headersOf(components, ['ETag', ...callerHeaders]),
  });
}
