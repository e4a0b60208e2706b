import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Context, Middleware } from 'koa';
import { IsInteger, type TArray, type TObject, type TSchema } from 'typebox';
import { createAjv } from '#lib/core/ajv.ts';
import type { Operation } from '#lib/core/operation.ts';
import { invalid, Problem, type Fault, type ProblemCode, type ProblemOptions } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';
import { version } from '#lib/core/version.ts';
import type { Access } from '../http/access.ts';
import { readBody, yieldForBody } from '../http/body.ts';
import { answerJson, answerUnchanged, heldValidators, requireMatch } from '../http/etag.ts';
import { answerFile } from '../http/file.ts';
import { columnsOf } from '../http/list-columns.ts';
import { answerListing, formOf } from '../http/listing.ts';
import { exactNumber } from '../http/json.ts';
import { deprecation } from '../http/deprecation.ts';
import { idempotencyOf, parseKey } from '../http/idempotency.ts';
import { parsePrefer } from '../http/prefer.ts';
import { bodyCheck, type Check } from './checker.ts';
import { faultsOf } from './faults.ts';
import { GroupedRoutes } from './grouped-routes.ts';

export { invalid };

export const API_PREFIX = '/api/v2';

/** Returns the path of an operation from the root. JSON-RPC endpoints have no version in their path. */
export function addressOf({ rpc, path }: Pick<Operation, 'rpc' | 'path'>): string {
  return (rpc ? '/api' : API_PREFIX) + path;
}

/** The validators of an operation's answers, by status; `row` validates each line of a stream. */
type Answers = Map<number | 'row', () => ValidateFunction>;

export type RouterOptions = {
  access: Access;
  services(ctx: Context): unknown;
  /** Whether every answer is checked against its declared schema. Enabled in tests. */
  validateResponses: boolean;
};

/**
 * Creates the routes of a catalog. Each route checks credential, scope and body, validates the request and
 * calls the handler, in this order.
 */
export function createRouter(catalog: readonly Operation[], options: RouterOptions): GroupedRoutes {
  const router = new GroupedRoutes(API_PREFIX);
  const queries = createAjv({ useDefaults: true, coerceTypes: true });
  const results = createAjv();
  for (const operation of fixedFirst(catalog.filter(({ oauth, rpc }) => !oauth && !rpc))) {
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1') as `/${string}`;
    const checkOf = bodyChecks(operation);
    const validQuery = queries.compile(operation.query ?? Closed({}));
    const answers: Answers = new Map();
    if (options.validateResponses) {
      const declare = (status: number | 'row', schema: TSchema) =>
        answers.set(
          status,
          compiledOnce(() => results.compile(schema)),
        );
      declare(operation.success.status, operation.success.schema);
      if (operation.accepted) declare(202, operation.accepted);
      if (operation.repeated !== undefined) declare(200, operation.success.schema);
      if (operation.streamed) declare('row', rowOf(operation));
    }
    const handle: Middleware = async (ctx) => {
      const prefer = parsePrefer(ctx.get('prefer'));
      const form = operation.streamed ? formOf(ctx) : 'json';
      const key = operation.method === 'GET' ? undefined : parseKey(ctx);
      const query = checkedQuery(operation, validQuery, ctx, form === 'json' ? [] : ['limit', 'cursor']);
      const body = checkedBody(operation, checkOf(ctx.state['body']), ctx.state['body']);
      ctx.state['body'] = body;
      await yieldForBody(ctx);
      const idempotency = key === undefined ? undefined : idempotencyOf(ctx, operation, key);
      if (idempotency) await yieldForBody(ctx);
      const reply = await operation.handle({
        params: storable(ctx['params']),
        query,
        body,
        prefer,
        idempotency,
        caller: ctx.state['caller'],
        services: options.services(ctx),
        requestId: ctx.state['requestId'],
        signal: ctx.state['signal'],
        exact: (pointer: string) => exactNumber(String(ctx.state['bodyText'] ?? 'null'), pointer),
        accepts: (types: readonly string[]) => ctx.accepts(...types) || undefined,
        held: heldValidators(ctx),
        requireMatch: (current: unknown) => requireMatch(ctx.get('if-match'), current),
        fail(code: ProblemCode, detail: string, problem?: ProblemOptions): never {
          throw new Problem(code, detail, problem);
        },
      });
      if ('rows' in reply) {
        return answerListing(ctx, {
          listing: reply,
          form,
          requested: JSON.stringify([version, operation.key, ctx['params'], query, form]),
          columns: columnsOf(rowOf(operation)),
          checkPage: (body) => checkAnswer(operation, answers, operation.success.status, body),
          checkRow: (row) => checkAnswer(operation, answers, 'row', row),
        });
      }
      if ('unchanged' in reply) return answerUnchanged(ctx, reply.unchanged);
      if ('file' in reply) return answerFile(ctx, reply);
      checkAnswer(operation, answers, reply.status, reply.body);
      ctx.status = reply.status;
      ctx.set(reply.headers ?? {});
      if (operation.method === 'GET') await answerJson(ctx, reply.body, reply.validator);
      else ctx.body = reply.body;
    };
    router.register(path, operation.method, [
      named(operation),
      ...(operation.deprecated ? [deprecation(operation.deprecated)] : []),
      ...(operation.method === 'GET'
        ? [options.access(operation, handle)]
        : [options.access(operation), readBody]),
      handle,
    ]);
  }
  return router;
}

/**
 * Sorts operations with fewer path parameters first. A path parameter would otherwise match the fixed segment
 * of another operation's path.
 */
function fixedFirst(operations: readonly Operation[]): readonly Operation[] {
  const parametersOf = ({ path }: Operation) => path.split('{').length;
  return operations.toSorted((one, other) => parametersOf(one) - parametersOf(other));
}

/** Compiles a schema on its first use, because compiling every schema at the start takes seconds. */
function compiledOnce(compile: () => ValidateFunction): () => ValidateFunction {
  let compiled: ValidateFunction | undefined;
  return () => (compiled ??= compile());
}

/** Returns the schema of a row of a list. */
export function rowOf({ success }: Operation): TObject {
  return ((success.schema as TObject).properties['data'] as TArray).items as TObject;
}

/** Stores the operation in the context, where the outer middleware reads it. */
export function named(operation: Operation): Middleware {
  const route = addressOf(operation);
  return (ctx, next) => {
    ctx.state['operation'] = operation.key;
    ctx.state['route'] = route;
    return next();
  };
}

/**
 * Replaces each NUL character in path parameters by U+FFFD, because PostgreSQL cannot store NUL. No record
 * has a name with U+FFFD.
 */
function storable(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]),
  );
}

function checkedQuery(
  operation: Operation,
  valid: ValidateFunction,
  ctx: Context,
  refused: readonly string[],
): Record<string, unknown> {
  const query: Record<string, unknown> = { ...ctx.query };
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(query)) {
    const schema = operation.query?.properties[name];
    const isInteger = schema !== undefined && IsInteger(schema);
    const fault = (code: string, message: string) =>
      faults.push({ pointer: `/${name}`, in: 'query', code, message });
    if (refused.includes(name))
      fault('no_page', 'is not allowed with this format, which returns all rows without pages');
    else if (Array.isArray(value)) fault('repeated', 'may be given only once');
    else if (String(value).includes('\0')) fault('nul', 'must not contain a NUL character');
    else if (isInteger && !/^-?\d{1,15}$/.test(String(value))) fault('type', 'must be integer');
  }
  if (faults.length === 0 && !valid(query)) faults.push(...faultsOf(valid.errors!, 'query'));
  if (faults.length) throw invalid(faults);
  return query;
}

/**
 * Returns a function that selects the check for a body: the check for the body's kind, or otherwise the check for the
 * operation.
 */
function bodyChecks({ body, bodiesByKind = {} }: Operation): (sent: unknown) => Check | undefined {
  const own = body && bodyCheck(body);
  const ofKinds = new Map(Object.entries(bodiesByKind).map(([kind, schema]) => [kind, bodyCheck(schema)]));
  return (sent) => {
    const kind = typeof sent === 'object' && sent !== null && 'kind' in sent ? sent.kind : undefined;
    return (typeof kind === 'string' ? ofKinds.get(kind) : undefined) ?? own;
  };
}

function checkedBody(operation: Operation, check: Check | undefined, sent: unknown): unknown {
  const body = sent === undefined && operation.bodyOptional ? {} : sent;
  if (!check) {
    if (body === undefined || isEmpty(body)) return undefined;
    throw new Problem('unexpected_body', 'This operation does not accept a request body.', {
      errors: [{ pointer: '', in: 'body', code: 'unexpected_body', message: 'must be left out' }],
    });
  }
  if (body === undefined) {
    throw invalid([{ pointer: '', in: 'body', code: 'required', message: 'a JSON body is required' }]);
  }
  const faults = check(body);
  if (faults.length) throw invalid(faults);
  return body;
}

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && !Object.keys(body).length;
}

function checkAnswer(operation: Operation, answers: Answers, status: number | 'row', body: unknown): void {
  if (answers.size === 0) return;
  const valid = answers.get(status)?.();
  if (!valid) throw new Error(`${operation.key} answered ${status}, which it does not declare`);
  if (!valid(body)) {
    throw new Error(
      `${operation.key} answered with a body that does not match its schema: ${JSON.stringify(valid.errors!.slice(0, 3))}`,
    );
  }
}
