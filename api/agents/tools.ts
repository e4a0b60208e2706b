import Type, { type Static } from 'typebox';
import { Closed, ListOf, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { scopes } from '#lib/core/scope.ts';
import { defineOperation } from '../services.ts';
import type { Tool as CallableTool } from '../derive/tool.ts';
import { constantBody } from '../http/etag.ts';
import { perScopes } from '../derive/per-scopes.ts';
import { ToolName } from './tool-name.ts';

const TOOLS_MAX = 200;

const JsonSchema = (description: string) =>
  Type.Object({}, { additionalProperties: true, description, examples: [{ type: 'object' }] });

const Tool = Closed(
  {
    name: ToolName,
    title: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The tool's title.",
      examples: ['Shows the workspace'],
    }),
    description: Type.String({
      minLength: 1,
      maxLength: 4_000,
      description: 'The description of the tool, written for language models.',
      examples: ['Shows the workspace.'],
    }),
    input_schema: JsonSchema('JSON Schema 2020-12 of the arguments.'),
    output_schema: JsonSchema('JSON Schema 2020-12 of the structured answer.'),
    annotations: Closed(
      {
        read_only: Type.Literal(true, { description: 'Always true: a call changes no data.' }),
        idempotent: Type.Literal(true, {
          description: 'Always true: a repeated call has no further effect.',
        }),
        destructive: Type.Literal(false, { description: 'Always false: a call deletes no data.' }),
      },
      { description: 'Properties that every tool has.' },
    ),
    backing_operation: Nullable(
      Type.String({ pattern: '^[a-z_]+([.][a-z_]+)+$', maxLength: 100, examples: ['workspace.get'] }),
      'The operation behind the tool; null if there is none.',
    ),
    required_scope: Type.Enum([...scopes], { description: 'The scope that a call needs.' }),
    callable: Type.Boolean({
      description:
        'Whether the caller has the required scope. `tools/list` omits tools that are not callable.',
    }),
    schema_digest: Sha256Of('SHA-256 of the RFC 8785 form of `{input_schema, output_schema}`.'),
  },
  { title: 'AgentTool', description: 'A tool that agents may call.' },
);

export const listTools = defineOperation({
  key: 'agents.tools.list',
  product: 'Agents',
  method: 'GET',
  path: '/agents/tools',
  scope: 'agents:mcp:read',
  summary: 'Lists the tools that agents may call.',
  description:
    'Returns all tools on one page, ordered by name: the read operations of this interface, and a few tools that compute a result. No tool changes data.',
  success: { status: 200, description: 'The tools.', schema: ListOf(Tool) },
  problems: [],
  async handle({ services, caller }) {
    const { tools } = services;
    const list = lists.get(tools) ?? perScopes(tools, listOf);
    lists.set(tools, list);
    return { status: 200, body: list(caller.scopes) };
  },
});

/** The cached tool lists. A list takes half a megabyte. Callers with the same scopes share one list. */
const lists = new WeakMap<
  readonly CallableTool[],
  (held: ReadonlySet<string>) => ReturnType<typeof listOf>
>();

function listOf(tools: readonly CallableTool[], held: ReadonlySet<string>) {
  return constantBody({
    data: tools.map((tool) => present(tool, held)),
    page: { limit: TOOLS_MAX, next_cursor: null, has_more: false },
  });
}

function present(tool: CallableTool, held: ReadonlySet<string>): Static<typeof Tool> {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    input_schema: tool.input,
    output_schema: tool.output,
    annotations: { read_only: true, idempotent: true, destructive: false },
    backing_operation: tool.backing,
    required_scope: tool.scope,
    callable: held.has(tool.scope),
    schema_digest: tool.digest,
  };
}
