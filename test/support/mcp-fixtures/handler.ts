import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { McpHandler } from '#api/mcp/server.ts';
import { registerContentTools } from './content-tools.ts';
import { registerInputTools, requestStates } from './input-tools.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';

/**
 * Creates the server that the official conformance suite requires, with the tools of the suite in place of
 * Assay's tools.
 */
export function createFixtureHandler(): McpHandler {
  const modern = createMcpHandler(createServer, { legacy: 'reject' });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  function createServer(): McpServer {
    const server = new McpServer(
      { name: 'fixtures', version: '1.0.0' },
      {
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          logging: {},
          completions: {},
        },
        requestState: { verify: requestStates.verify },
      },
    );
    registerContentTools(server);
    registerInputTools(server);
    registerPrompts(server);
    registerResources(server);
    server.registerTool(
      'test_trigger_tool_change',
      { description: 'Announces that the tools have changed.' },
      () => {
        modern.notify.toolsChanged();
        return { content: [{ type: 'text', text: 'told' }] };
      },
    );
    server.registerTool(
      'test_trigger_prompt_change',
      { description: 'Announces that the prompts have changed.' },
      () => {
        modern.notify.promptsChanged();
        return { content: [{ type: 'text', text: 'told' }] };
      },
    );
    server.server.setRequestHandler('completion/complete', () => ({
      completion: { values: ['paris', 'park'], total: 2, hasMore: false },
    }));
    return server;
  }

  /**
   * Serves revisions before 2026-07-28, in which a server sends requests to its client over the session of a
   * call.
   */
  async function serveSession(request: Request, message: unknown): Promise<Response> {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known) return known.handleRequest(request, { parsedBody: message });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
    });
    await createServer().connect(transport);
    return transport.handleRequest(request, { parsedBody: message });
  }

  return async (request, message) =>
    (await isLegacyRequest(request, message))
      ? serveSession(request, message)
      : modern.fetch(request, { parsedBody: message });
}
