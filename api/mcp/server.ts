import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpRequestContext,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/server';
import { version } from '#lib/core/version.ts';
import type { Tool } from '../derive/tool.ts';
import { invokeTool, type Invocation } from './invocation.ts';
import { listedTool } from './listed-tool.ts';

/** Answers one message of the protocol for a caller who was let in. */
export type McpHandler = (request: Request, message: unknown, invocation: Invocation) => Promise<Response>;

const LIST_KEPT_MS = 60_000;

const INSTRUCTIONS =
  'Read-only tools over the records of one workspace. Amounts are in minor units unless a field says otherwise; ' +
  'instants are UTC. Lists come in pages: pass next_cursor as cursor. An answer with isError holds a problem with ' +
  'its code and, under errors, what to change.';

/** Nothing is asked of a client, so nothing that it answers is checked; the default would be made for each request. */
const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'nothing was asked' }),
};

/**
 * Serves the tools in both eras of the protocol: 2026-07-28 as it is, and the revisions before without sessions and in
 * JSON alone. One server object lives as long as one request.
 */
export function createToolHandler(tools: readonly Tool[], onError: (error: Error) => void): McpHandler {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = tools.map((tool) => ({ scope: tool.scope, tool: listedTool(tool) }));
  const factory = ({ authInfo }: Pick<McpRequestContext, 'authInfo'>) => {
    const { invocation } = authInfo!.extra as { invocation: Invocation };
    const server = new Server(
      { name: 'assay', title: 'Assay', version },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        jsonSchemaValidator: noValidator,
        cacheHints: {
          'tools/list': { ttlMs: LIST_KEPT_MS, cacheScope: 'private' },
          'server/discover': { ttlMs: LIST_KEPT_MS, cacheScope: 'private' },
        },
      },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: listed.filter(({ scope }) => invocation.caller.scopes.has(scope)).map(({ tool }) => tool),
    }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const result = await invokeTool(byName.get(params.name), params.arguments, invocation);
      if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool');
      return result;
    });
    return server;
  };
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror: onError });

  return async (request, message, invocation) => {
    const authInfo: AuthInfo = {
      token: '',
      clientId: invocation.caller.application,
      scopes: [...invocation.caller.scopes],
      extra: { invocation },
    };
    const given = { authInfo, parsedBody: message };
    if (!(await isLegacyRequest(request, message))) return modern.fetch(request, given);
    const server = factory({ authInfo });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, given);
    } finally {
      await server.close();
    }
  };
}
