import type { TObject, TSchema } from 'typebox';
import type { Operation } from '#lib/core/operation.ts';
import type { Scope } from '#lib/core/scope.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { createChecker } from './checker.ts';
import { callByTool, inputOf, type ToolContext } from './operation-tool.ts';
import { invalid } from './router.ts';
import { portableSchema, type Json } from './tool-schema.ts';

/** A tool that is not derived from an operation. The tool only reads. */
export type OwnTool = {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: Scope;
  readonly input: TObject;
  readonly output: TSchema;
  // oxlint-disable-next-line no-explicit-any -- `defineTool` has checked the arguments against the input
  call(given: any, context: ToolContext): Promise<unknown>;
};

/**
 * A tool that an agent can call: derived from a read operation of the catalog, or defined only as a tool. No
 * tool writes.
 */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The key of the operation that the tool is derived from, or null. */
  readonly backing: string | null;
  readonly scope: Scope;
  readonly input: Json;
  readonly output: Json;
  /** SHA-256 of the RFC 8785 form of the input schema and the output schema. */
  readonly digest: string;
  /** The names of the tool's arguments. */
  readonly members: ReadonlySet<string>;
  /** Throws a `Problem` if the arguments are not valid or the operation refuses the call. */
  call(given: unknown, context: ToolContext): Promise<unknown>;
};

/** Returns the tools of a catalog, by name. Schemas are compiled once, here. */
export function toolsOf(catalog: readonly Operation[], own: readonly OwnTool[] = []): readonly Tool[] {
  const checker = createChecker({ useDefaults: true });
  const tools = [
    ...catalog.filter(isRead).map((operation) => toolOf(ofOperation(operation), operation.key, checker)),
    ...own.map((tool) => toolOf(tool, null, checker)),
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (new Set(tools.map(({ name }) => name)).size < tools.length)
    throw new Error('two tools have the same name');
  return tools;
}

function isRead({ method, oauth, scope }: Operation): boolean {
  return method === 'GET' && !oauth && scope !== null;
}

/**
 * Returns the tool of an operation. The default name has underscores instead of points, as in
 * `quant_compute_jobs_list`, because every client and model accepts such a name.
 */
function ofOperation(operation: Operation): OwnTool {
  return {
    name: operation.tool ?? operation.key.replaceAll('.', '_'),
    summary: operation.summary,
    description: operation.description ?? operation.summary,
    scope: operation.scope!,
    input: inputOf(operation),
    output: operation.success.schema,
    call: (given: Record<string, unknown>, context) => callByTool(operation, given, context),
  };
}

function toolOf(tool: OwnTool, backing: string | null, checker: ReturnType<typeof createChecker>): Tool {
  const { name, summary, description, scope } = tool;
  const check = checker(tool.input, 'body');
  const [input, output] = [portableSchema(tool.input), portableSchema(tool.output)];
  return {
    name,
    title: summary.replace(/\.$/, ''),
    description: description === summary ? summary : `${summary} ${description}`,
    backing,
    scope,
    input,
    output,
    digest: canonicalHash({ input_schema: input, output_schema: output }),
    members: new Set(Object.keys(tool.input.properties)),
    async call(given, context) {
      const checked = given ?? {};
      const faults = check(checked);
      if (faults.length) throw invalid(faults);
      return tool.call(checked, context);
    },
  };
}
