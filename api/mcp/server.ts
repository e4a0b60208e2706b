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
import { perScopes } from '../derive/per-scopes.ts';
import { invokeTool, type Invocation } from './invocation.ts';
import { listedTool } from './listed-tool.ts';

/** Answers one message of the protocol for an authenticated caller. */
export type McpHandler = (request: Request, message: unknown, invocation: Invocation) => Promise<Response>;

const LIST_KEPT_MS = 60_000;

const INSTRUCTIONS =
  'Read-only tools over the records of one workspace. Amounts are in minor units unless a field says otherwise; instants are UTC. Lists are paged: pass next_cursor as cursor to read the next page. An answer with isError contains a problem with its code and, in errors, the faults to correct.';

/**
 * Skips the validation of client answers. The server sends no requests to clients, and the default would
 * create a validator for each request.
 */
const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'no request was sent' }),
};

/** The context of a request. `asksForList` states whether the request asks for the list of tools. */
type Given = { invocation: Invocation; asksForList: boolean };

/**
 * A placeholder for the list of tools. The list is about a megabyte long, so it is serialised only once. Its text
 * then replaces the placeholder in each answer.
 */
const NO_TOOLS = '"tools":[]';

/**
 * Serves the tools in all revisions of the protocol: 2026-07-28 as specified, and earlier revisions without
 * sessions and with JSON answers only. Each request has its own server object.
 */
export function createToolHandler(tools: readonly Tool[], onError: (error: Error) => void): McpHandler {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listText = perScopes(tools, (all, held) =>
    JSON.stringify(all.filter(({ scope }) => held.has(scope)).map(listedTool)),
  );
  const factory = ({ authInfo }: Pick<McpRequestContext, 'authInfo'>) => {
    const given = authInfo!.extra as Given;
    const { invocation } = given;
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
    server.setRequestHandler('tools/list', () => {
      given.asksForList = true;
      return { tools: [] };
    });
    server.setRequestHandler('tools/call', async ({ params }) => {
      const result = await invokeTool(byName.get(params.name), params.arguments, invocation);
      if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool');
      return result;
    });
    return server;
  };
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror: onError });

  const withList = async (response: Response, { invocation, asksForList }: Given): Promise<Response> => {
    if (!asksForList) return response;
    // Quotation marks inside a JSON string are escaped, so this match can only be the empty tool list of the
    // answer.
    const text = (await response.text()).replace(
      NO_TOOLS,
      () => `"tools":${listText(invocation.caller.scopes)}`,
    );
    const { status, headers } = response;
    return new Response(text, { status, headers });
  };

  return async (request, message, invocation) => {
    const extra: Given = { invocation, asksForList: false };
    const authInfo: AuthInfo = {
      token: '',
      clientId: invocation.caller.application,
      scopes: [...invocation.caller.scopes],
      extra,
    };
    const given = { authInfo, parsedBody: message };
    if (!(await isLegacyRequest(request, message)))
      return withList(await modern.fetch(request, given), extra);
    const server = factory({ authInfo });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await withList(await transport.handleRequest(request, given), extra);
    } finally {
      await server.close();
    }
  };
}
