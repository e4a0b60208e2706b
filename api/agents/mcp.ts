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
    jsonrpc: Type.Literal('2.0', { description: 'JSON-RPC.' }),
    id: Type.Optional(Id('The request; a notification has none.')),
    method: Type.String({ maxLength: 200, description: 'What is asked.', examples: ['tools/call'] }),
    params: Type.Optional(Members('What it is asked with.', { name: 'workspace_get', arguments: {} })),
  },
  { title: 'McpMessage', description: 'A JSON-RPC request or notification.' },
);

const Answer = Closed(
  {
    jsonrpc: Type.Literal('2.0', { description: 'JSON-RPC.' }),
    id: Type.Union([Id('The request.'), Type.Null()], { description: 'The request.', examples: [1] }),
    result: Type.Optional(Members('What was asked for.', { content: [] })),
    error: Type.Optional(
      Members('Why there is no result: code, message, data.', { code: -32_601, message: 'Method not found' }),
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
  summary: 'Speaks the Model Context Protocol with an agent.',
  description:
    'Revision 2026-07-28, and 2025-11-25 and older without sessions. `tools/list` names what the credential may call; ' +
    'each call needs the scope of the operation behind it as well, draws on the quota of reads, and is recorded. What a ' +
    'tool refuses is an answer with `isError` and a problem in its text. Faults of the protocol are JSON-RPC errors, ' +
    'with their own status; a page of a foreign origin is refused.',
  body: Message,
  success: { status: 200, description: 'The answer.', schema: Answer },
  problems: ['not_found', 'origin_not_allowed', 'not_acceptable'],
  handle() {
    throw new Error('this operation is answered by the endpoint of its protocol');
  },
});
