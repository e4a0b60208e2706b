import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Tool } from '../derive/tool.ts';

/** Returns a tool as `tools/list` returns it. */
export function listedTool({ name, title, description, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: input as ListedTool['inputSchema'],
    outputSchema: output as NonNullable<ListedTool['outputSchema']>,
    annotations: {
      title,
      readOnlyHint: true,
      idempotentHint: true,
      destructiveHint: false,
      openWorldHint: false,
    },
  };
}
