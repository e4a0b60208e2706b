import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { defineOperation } from '../services.ts';

const Id = (description: string) =>
  Type.Union(
    [
      Type.String({ maxLength: 200 }),
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ],
    { description, examples: [1] },
  );
const Members = (description: string, example: object) =>
  Type.Object({}, { additionalProperties: true, description, examples: [example] });

const Message = Closed(
  {
    jsonrpc: Type.Literal('2.0', { description: 'The version of JSON-RPC, 2.0.' }),
    id: Type.Optional(Id('The id of the request; a notification has none.')),
    method: Type.String({ maxLength: 200, description: 'The method.', examples: ['tools/call'] }),
    params: Type.Optional(Members('The parameters of the method.', { name: 'workspace_get', arguments: {} })),
  },
  { title: 'McpMessage', description: 'A JSON-RPC request or notification.' },
);

const Answer = Closed(
  {
    jsonrpc: Type.Literal('2.0', { description: 'The version of JSON-RPC, 2.0.' }),
    id: Type.Union([Id('The id of the request.'), Type.Null()], {
      description: 'The id of the request.',
      examples: [1],
    }),
    result: Type.Optional(Members('The result of the request.', { content: [] })),
    error: Type.Optional(
      Members('The error of the request: code, message and data. Absent if there is a result.', {
        code: -32_601,
        message: 'Method not found',
      }),
    ),
  },
  {
    title: 'McpAnswer',
    description: 'A JSON-RPC response.',
    examples: [{ jsonrpc: '2.0', id: 1, result: { content: [] } }],
  },
);

export const callMcp = defineOperation({
  key: 'agents.mcp.call',
  product: 'Agents',
  method: 'POST',
  path: '/mcp',
  scope: 'agents:mcp:read',
  rpc: true,
  summary: 'Handles a message of the Model Context Protocol (MCP) from an agent.',
  description:
    'Supports revision 2026-07-28. Also supports revision 2025-11-25 and older revisions, without sessions. `tools/list` returns the tools that the credential may call. Each call also needs the scope of the operation behind the tool, counts towards the quota of read requests, and is recorded. If a tool refuses a call, the answer has `isError` and contains a problem in its text. Protocol faults are JSON-RPC errors with an HTTP error status. Requests from web pages of other origins are refused.',
  body: Message,
  success: { status: 200, description: 'The answer.', schema: Answer },
  problems: ['not_found', 'origin_not_allowed', 'not_acceptable'],
  handle() {
    throw new Error('the MCP endpoint handles this operation; the router must not call it');
  },
});
