import Type, { type TObject, type TSchema } from 'typebox';
import type { Caller, Operation } from '#lib/core/operation.ts';
import { Problem, type ProblemCode, type ProblemOptions } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';

/** The caller of a tool and the services of its handler. */
export type ToolContext = { caller: Caller; services: unknown; requestId: string; signal: AbortSignal };

/** Returns the arguments of an operation's tool: its path and query parameters, in one object. */
export function inputOf(operation: Operation): TObject {
  const inPath = pathNames(operation).map((name): [string, TSchema] => [
    name,
    Type.String({ minLength: 1, maxLength: 100, description: `The ${name} of the resource.` }),
  ]);
  const inQuery = Object.entries(operation.query?.properties ?? {}).filter(
    ([name]) => !(operation.files && name === 'format'),
  );
  const twice = inQuery.find(([name]) => inPath.some(([other]) => other === name));
  if (twice) throw new Error(`${operation.key} has the parameter ${twice[0]} in its path and in its query`);
  return Closed(Object.fromEntries([...inPath, ...inQuery]));
}

/** Returns the JSON answer that the operation gives over HTTP. */
export async function callByTool(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<unknown> {
  const names = pathNames(operation);
  const reply: Awaited<ReturnType<Operation['handle']>> = await operation.handle({
    ...context,
    params: Object.fromEntries(names.map((name) => [name, given[name]])),
    query: Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name))),
    body: undefined,
    prefer: { respondAsync: false, waitMs: undefined },
    idempotency: undefined,
    exact: () => undefined,
    accepts: (types: readonly string[]) => types.find((type) => type === 'application/json'),
    held: [],
    requireMatch: () => {},
    fail(code: ProblemCode, detail: string, problem?: ProblemOptions): never {
      throw new Problem(code, detail, problem);
    },
  });
  if ('unchanged' in reply)
    throw new Error('a tool call names no earlier representation, so the answer cannot be unchanged');
  if ('file' in reply) throw new Problem('not_acceptable', 'A tool returns JSON only.');
  return 'rows' in reply ? (await reply.page()).body : reply.body;
}

function pathNames({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}
